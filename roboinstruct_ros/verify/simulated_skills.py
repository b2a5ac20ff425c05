"""Skills as the verifier plays them: facts are invented when a program needs them.

Source: seed paper section 2.2 and appendix A.2; here each invention is a recorded choice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain, LiteralPattern, Parameter, Precondition, Skill
from roboinstruct_ros.program.allow_list import value_fault
from roboinstruct_ros.program.violation import ViolationCode
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.sandbox.namespace import FILENAME
from roboinstruct_ros.verify.chance import ImaginedChance, ImaginedClock
from roboinstruct_ros.verify.choices import Choices
from roboinstruct_ros.verify.fairness import FairAnswers
from roboinstruct_ros.verify.program_facts import ProgramFacts
from roboinstruct_ros.verify.rooms import ImpossibleWorld, RoomName, Rooms
from roboinstruct_ros.verify.story import call_text, fact, named, shortened
from roboinstruct_ros.verify.world import ANYBODY, Literal, World

Tell = Callable[[], str]
"""Makes a sentence of the story; most stories are never read."""

_SHOWN_ROOMS = 6
_SPECIAL = {"anybody": ANYBODY, "*": "*"}
_LOCATION = frozenset({"location"})


class ViolationFound(BaseException):
    """Ends a path. A BaseException, so that no handler of the program catches it."""

    def __init__(self, code: ViolationCode, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.code, self.line, self.column, self.message = code, line, column, message


class SimulatedSkills:
    """The skills of one path through a program.

    Attributes:
        fault: the violation that ended the path; kept, should the program get over it.
    """

    def __init__(
        self,
        domain: Domain,
        semantic_map: SemanticMap | None,
        facts: ProgramFacts,
        choices: Choices,
    ) -> None:
        self.world = World(domain)
        self.fault: ViolationFound | None = None
        self.chance = ImaginedChance(self._decide, choices)
        self.clock = ImaginedClock(self._decide, choices)
        self._story: list[Tell] = []
        self._domain = domain
        self._facts = facts
        self._choices = choices
        self._rooms = Rooms(semantic_map, facts, choices)
        self._fair = FairAnswers(facts.waiting_lines)
        self._line = 0

    @property
    def steps(self) -> tuple[str, ...]:
        """The story so far, one sentence a step."""
        return tuple(tell() for tell in self._story)

    @property
    def waited(self) -> bool:
        """Whether a waiting loop went on only because the world was fair."""
        return self._fair.forced

    def callables(self) -> dict[str, Callable[..., Any]]:
        """One function per skill, for the program's namespace."""
        return {skill.name: self._callable(skill) for skill in self._domain.skills}

    def sleep(self, seconds: float) -> None:
        """Serve `time.sleep`: time passes, people come and go."""
        self.clock.sleep(seconds)
        self.world.time_passes()

    def _decide(self, question: str, alternatives: int) -> int:
        line = program_line()
        allowed = self._fair.allowed(line, question, list(range(alternatives)))
        taken = allowed[self._choices.choose(len(allowed))]
        self._fair.note(line, question, taken)
        return taken

    def _callable(self, skill: Skill) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if self.fault is not None:
                raise self.fault
            self._line = program_line()
            arguments = self._bind(skill, args, kwargs)
            return self._perform(skill, arguments)

        call.__name__ = skill.name
        return call

    def _bind(self, skill: Skill, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        names = skill.parameter_names
        bound = dict(zip(names, args, strict=False))
        if kwargs or len(args) != len(names):
            strange = [name for name in kwargs if name not in names or name in bound]
            bound.update(kwargs)
            if len(args) > len(names) or strange or set(bound) != set(names):
                right = f"it is {skill.name}({', '.join(names)})"
                self._fail(skill, ViolationCode.WRONG_ARGUMENTS, right)
        for parameter in skill.parameters:
            reason = value_fault(bound[parameter.name], parameter)
            if reason:
                self._fail(skill, ViolationCode.WRONG_ARGUMENTS, f"{skill.name}: {reason}")
        return bound

    def _perform(self, skill: Skill, arguments: dict[str, Any]) -> Any:
        entities = {p.name: self._entity(skill, p, arguments[p.name]) for p in skill.parameters}
        for precondition in skill.preconditions:
            self._require(skill, precondition, entities)
        result, said = self._result(skill, arguments, entities)
        # an options list may change later, so keep what it was
        line, values = self._line, tuple(map(_kept, arguments.values()))
        self._story.append(lambda: f"Line {line}: {call_text(skill.name, values)}{said()}.")
        for effect in skill.effects:
            value = None if effect.becomes == "undefined" else effect.becomes
            literal = self._literal(effect.pattern, entities)
            self.world.set(literal, value)
            self._fair.forget(literal)
        return result

    def _entity(self, skill: Skill, parameter: Parameter, value: Any) -> str:
        if parameter.type in ("text", "options"):
            return ""
        name = str(value).strip()
        if parameter.type == "location":
            return self._location(skill, value, name)
        if self._domain.is_anybody(name):
            if "person" not in parameter.type:
                self._type_conflict(skill, name, parameter.type, "person")
            return ANYBODY
        allowed = frozenset(parameter.type.split(" or "))
        if self._rooms.is_known_room(name) or not self.world.narrow(name, allowed):
            if self._rooms.is_made_up(name) and not isinstance(value, RoomName):
                raise ImpossibleWorld
            self._type_conflict(skill, name, parameter.type)
        return name

    def _location(self, skill: Skill, value: object, name: str) -> str:
        room = self._rooms.resolve(name)
        if room is None:
            nearest = self._rooms.nearest(name)
            hint = f"; did you mean {' or '.join(repr(n) for n in nearest)}?" if nearest else ""
            message = f"there is no room '{name}' on the map{hint}"
            self._fail(skill, ViolationCode.UNKNOWN_LOCATION, message)
        assert room is not None
        if not self.world.narrow(room, _LOCATION):
            if self._rooms.is_made_up(room) and isinstance(value, RoomName):
                raise ImpossibleWorld
            self._type_conflict(skill, name, "location")
        return room

    def _type_conflict(self, skill: Skill, name: str, wanted: str, is_now: str = "") -> None:
        known = self.world.entity_types.get(name, _LOCATION)
        is_now = _with_article(is_now or " or ".join(sorted(known)))
        message = f"'{skill.name}' needs {_with_article(wanted)}, but '{name}' is {is_now}"
        self._fail(skill, ViolationCode.ENTITY_TYPE_CONFLICT, message)

    def _require(self, skill: Skill, precondition: Precondition, entities: dict[str, str]) -> None:
        """Angelic: what is Undefined is assumed to be as the skill needs it."""
        literal = self._literal(precondition.pattern, entities)
        value = self.world.value(literal)
        if value is None and "*" not in literal:
            self.world.set(literal, precondition.is_)
        elif value is not None and value != precondition.is_:
            names = {name: named(entity) for name, entity in entities.items()}
            held = self.world.argument_of(literal[0])
            here = named(self._here()) if "{here}" in precondition.message else ""
            message = precondition.message.format(
                **names, here=here, held=named(held) if held else "nothing"
            )
            self._fail(skill, _code(precondition.violation), message)

    def _result(
        self, skill: Skill, arguments: dict[str, Any], entities: dict[str, str]
    ) -> tuple[Any, Tell]:
        """The answer, and how the story tells it."""
        if skill.returns == "nothing":
            return None, lambda: ""
        if skill.returns == "current_location":
            here = RoomName(self._here())
            return here, lambda: f" answers '{here}'"
        if skill.returns == "all_locations":
            rooms = self._all_rooms()
            return rooms, lambda: f" answers {_listed(rooms)}"
        if skill.returns == "one_of_options":
            option = self._option(skill, arguments)
            return option, lambda: f" is answered '{option}'"
        assert skill.answer is not None
        literal = self._literal(skill.answer, entities)
        value = self._query(literal)
        return value, lambda: f" answers {value}: {fact(self._domain, literal, value)}"

    def _all_rooms(self) -> list[RoomName]:
        rooms = self._rooms.all()
        for room in rooms:
            if not self.world.narrow(room, _LOCATION) and self._rooms.is_made_up(room):
                raise ImpossibleWorld
        return list(rooms)

    def _option(self, skill: Skill, arguments: dict[str, Any]) -> str:
        (name,) = (p.name for p in skill.parameters if p.type == "options")
        options = list(dict.fromkeys(arguments[name]))
        question = (tuple(options), self._here_or_none())
        allowed = self._fair.allowed(self._line, question, options)
        option = str(allowed[self._choices.choose(len(allowed))])
        self._fair.note(self._line, question, option)
        return option

    def _query(self, literal: Literal) -> bool:
        changed = self._fair.waits_for(self._line, literal)
        known = None if changed else self.world.value(literal)
        if known is None:
            allowed = self._fair.allowed(self._line, literal, [True, False])
            known = allowed[self._choices.choose(len(allowed))]
            self.world.set(literal, known)
        self._fair.note(self._line, literal, known)
        return known

    def _literal(self, pattern: LiteralPattern, entities: dict[str, str]) -> Literal:
        arguments = [
            self._here() if name == "here" else _SPECIAL.get(name) or entities[name]
            for name in pattern.arguments
        ]
        return (pattern.predicate, *arguments)

    def _here_or_none(self) -> str | None:
        return self.world.argument_of("robot_at")

    def _here(self) -> str:
        here = self._here_or_none()
        if here is None:
            here = self._rooms.start()
            if not self.world.narrow(here, _LOCATION):
                raise ImpossibleWorld
            self.world.set(("robot_at", here), True)
            start = here
            self._story.append(lambda: sentence(f"suppose the robot starts in {named(start)}"))
        return here

    def _fail(self, skill: Skill, code: ViolationCode, message: str) -> None:
        column = self._facts.columns.get((self._line, skill.name), 0)
        self.fault = ViolationFound(code, self._line, column, sentence(shortened(message, 400)))
        raise self.fault


def program_line() -> int:
    """1-based line of the task program that is being executed; 0 outside of one."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == FILENAME:
            return frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return 0


def _code(name: str) -> ViolationCode:
    try:
        return ViolationCode(name)
    except ValueError:
        return ViolationCode.PRECONDITION_FAILED


def _with_article(words: str) -> str:
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"


def _kept(argument: Any) -> Any:
    return list(argument) if isinstance(argument, list) else argument


def _listed(rooms: list[RoomName]) -> str:
    shown = ", ".join(rooms[:_SHOWN_ROOMS]) or "no rooms"
    return f"{shown} and {len(rooms) - _SHOWN_ROOMS} more" if len(rooms) > _SHOWN_ROOMS else shown
