"""A plain world for the service robot.

Written from docs/verifier.md alone; it shares no code with the verifier. What the world leaves open
is answered by an `Answers`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from roboinstruct_ros.sandbox.namespace import compile_program

ANYBODY = "(anybody)"
_ANYBODY_WORDS = ("", "person", "someone", "somebody", "anyone", "anybody", "people")
FILE = compile_program("").co_filename


class Failure(BaseException):
    """A call that the world does not allow; no handler of a program catches it."""


class NoSuchWorld(BaseException):
    """The answers contradict each other: there is no such world."""


class StoryOver(BaseException):
    """The program goes another way than the story, or further."""


class SkillError(Exception):
    """The program's own: it may raise and catch it."""

    def __init__(self, code: str = "unknown", message: str = "") -> None:
        super().__init__(message or code)
        self.code, self.message = code, message


@dataclass(frozen=True)
class Ending:
    """How an execution ended: a code and its line, and the type of a Python error."""

    code: str = ""
    line: int = 0
    error: str = ""


@dataclass(frozen=True)
class House:
    """The rooms.

    Attributes:
        starts: where the robot may be at the start.
        rooms: all rooms; None in the open world, where any name is a room.
        said: names that the program's text gives to `go_to`.
        caught: lines at which the program catches the failure of a skill.
        waiting: lines that a `while` loop repeats; there, things change meanwhile.
    """

    starts: tuple[str, ...]
    rooms: tuple[str, ...] | None = None
    said: tuple[str, ...] = ()
    caught: frozenset[int] = frozenset()
    waiting: frozenset[int] = frozenset()

    def has(self, name: str) -> bool:
        return self.rooms is not None and name in self.rooms


class Answers(Protocol):
    """Answers what a world leaves open."""

    def pick(self, values: Sequence[Any]) -> Any:
        """What nobody is told: chance, time, where the robot starts."""

    def begin(self, skill: str, arguments: tuple[Any, ...], line: int) -> None:
        """A call is made."""

    def fails(self) -> str:
        """Why that call fails; empty where it does not."""

    def tell(self, values: Sequence[Any] | None) -> Any:
        """The answer of that call: one of the values; with None, any."""


@dataclass
class PlainWorld:
    """Where the robot is, what it holds, and who and what is known to be where.

    Attributes:
        fickle: what was known may have changed by the next look, whatever it was.
        failures: errors of skills that fail in this world.
        failure: the first impossible call; `broken`: why there is no such world.
    """

    house: House
    answers: Answers
    fickle: bool = False
    place_now: str | None = None
    started_in: str | None = None
    held: str = ""
    failure: Ending | None = None
    broken: BaseException | None = None
    rooms_told: list[str] | None = None
    _there: dict[tuple[str, str], bool] = field(default_factory=dict)
    _kinds: dict[str, set[str]] = field(default_factory=dict)
    failures: list[SkillError] = field(default_factory=list)
    _now: float | None = None
    _old: set[tuple[str, str]] = field(default_factory=set)
    _asked: set[tuple[int, str, str]] = field(default_factory=set)

    # skills --------------------------------------------------------------------------------------

    def go_to(self, location: Any) -> None:
        self._text("location", location)
        room = location.strip()
        if self.house.rooms is not None and room not in self.house.rooms:
            self._fail("unknown_location")
        if not self._narrow(room, {"location"}):
            self._fail("entity_type_conflict")
        self.answers.begin("go_to", (location,), program_line())
        self._work(None)
        self.place_now = room
        self._close(None)

    def is_in_room(self, object: Any) -> bool:
        self._text("object", object)
        entity = self._entity(object, {"object", "person"})
        self.answers.begin("is_in_room", (object,), program_line())
        self._may_fail(None)
        here = self.here()
        open_again = self.fickle or (program_line(), entity, here) in self._asked
        known = None if open_again else self._known_for_sure(entity, here)
        value = self.answers.tell([True, False] if known is None else [known])
        if program_line() in self.house.waiting:
            self._asked.add((program_line(), entity, here))
        self._learn(entity, here, value, fickle=open_again)
        return value

    def ask(self, person: Any, question: Any, options: Any) -> str:
        if not isinstance(person, str):
            self._fail("wrong_arguments")
        self._text("question", question)
        texts = isinstance(options, (list, tuple)) and all(isinstance(o, str) for o in options)
        if not texts or not options or not all(option.strip() for option in options):
            self._fail("wrong_arguments")
        entity = self._entity(person, {"person"})
        self.answers.begin("ask", (person, question, list(options)), program_line())
        here = self.here()
        if self._known(entity, here) is False:
            self._fail("person_absent")
        self._work((entity, here))
        self._learn(entity, here, True)
        self._settled(entity, here)
        return self.answers.tell(list(dict.fromkeys(options)))

    def say(self, message: Any) -> None:
        self._text("message", message)
        self.answers.begin("say", (message,), program_line())
        self._work(None)
        self._close(None)

    def pick(self, obj: Any) -> None:
        self._text("obj", obj)
        entity = self._entity(obj, {"object"})
        self.answers.begin("pick", (obj,), program_line())
        if self.held:
            self._fail("hand_full")
        here = self.here()
        if self._known(entity, here) is False:
            self._fail("object_absent")
        self._work((entity, here))
        self.held = entity
        self._there.pop((entity, here), None)
        self._settled(entity, here)
        self._close(None)

    def place(self, obj: Any) -> None:
        self._text("obj", obj)
        entity = self._entity(obj, {"object"})
        self.answers.begin("place", (obj,), program_line())
        if not self.held:
            self._fail("hand_empty")
        if self.held != entity:
            self._fail("not_held")
        self._work((entity, self.here()))
        self.held = ""
        self._there[entity, self.here()] = True
        self._settled(entity, self.here())
        self._close(None)

    def get_current_location(self) -> str:
        self.answers.begin("get_current_location", (), program_line())
        self._may_fail(None)
        return self.answers.tell([self.here()])

    def get_all_rooms(self) -> list[str]:
        self.answers.begin("get_all_rooms", (), program_line())
        self._may_fail(None)
        if self.house.rooms is not None:
            return list(self.answers.tell([list(self.house.rooms)]))
        told = self.answers.tell(None if self.rooms_told is None else [self.rooms_told])
        self.rooms_told = list(told)
        if self.place_now is not None and self.place_now not in told:
            raise NoSuchWorld(f"the robot is in {self.place_now}, which is no room")
        strange = [room for room in told if not self._narrow(room, {"location"})]
        if set(strange) - set(self.house.said):
            raise NoSuchWorld("a room has the name of something else")
        return list(told)

    def _work(self, unsettled: tuple[str, str] | None) -> None:
        """A skill takes its time, in which people come and go, and may fail."""
        self._old |= {fact for fact in self._there if self._may_move(fact[0])}
        self._may_fail(unsettled)

    def _may_fail(self, unsettled: tuple[str, str] | None) -> None:
        if not is_executed(self.house.caught):
            return
        code = self.answers.fails()
        if code:
            if unsettled is not None:
                self._there.pop(unsettled, None)
            elif program_skill() == "go_to":
                self.place_now = None
            self.failures.append(SkillError(code, "it failed"))
            raise self.failures[-1]

    def _settled(self, entity: str, room: str) -> None:
        """The robot has seen to it itself: the next look shows what it did."""
        self._old.discard((entity, room))
        self._asked = {asked for asked in self._asked if asked[1:] != (entity, room)}

    def _may_move(self, entity: str) -> bool:
        return entity == ANYBODY or "person" in self._kinds[entity]

    # time and chance -----------------------------------------------------------------------------

    def sleep(self, seconds: Any) -> None:
        if not isinstance(seconds, (int, float)) or seconds < 0:
            raise ValueError("a number of seconds that is not negative")
        gone = [e for e, _ in self._there if self._may_move(e)]
        self._there = {k: v for k, v in self._there.items() if k[0] not in gone}
        self._now = None if self._now is None else self._now + seconds

    def time(self) -> float:
        before = self._now
        passed = 0.0 if before is None else self.answers.pick([1.0, 86_400.0])
        self._now = (1_700_000_000.0 if before is None else before) + passed
        return self._now

    def choice(self, values: Sequence[Any]) -> Any:
        if not len(values):
            raise IndexError("Cannot choose from an empty sequence")
        return values[self._one_of(range(len(values)))]

    def randint(self, low: int, high: int) -> int:
        if high < low:
            raise ValueError("empty range for randint")
        return self._one_of(range(low, high + 1))

    def random(self) -> float:
        return self.answers.pick([0.0, 0.5, 1.0 - 2.0**-53])

    def uniform(self, low: float, high: float) -> float:
        return low + (high - low) * self.random()

    def sample(self, values: Sequence[Any], k: int) -> list[Any]:
        if not 0 <= k <= len(values):
            raise ValueError("Sample larger than population or is negative")
        rest = list(values)
        return [rest.pop(self._one_of(range(len(rest)))) for _ in range(k)]

    def shuffle(self, values: MutableSequence[Any]) -> None:
        values[:] = self.sample(values, len(values))

    def _one_of(self, values: Sequence[Any]) -> Any:
        """Up to six outcomes are all tried; of more, the first, the middle and the last."""
        few = values if len(values) <= 6 else [values[0], values[len(values) // 2], values[-1]]
        return self.answers.pick(few) if len(values) > 1 else values[0]

    # the state -----------------------------------------------------------------------------------

    def here(self) -> str:
        if self.place_now is None:
            starts = self.rooms_told or self.house.starts
            self.place_now = self.started_in = str(self.answers.pick(list(starts)))
            if not self._narrow(self.place_now, {"location"}):
                raise NoSuchWorld(f"{self.place_now} is no room")
        return self.place_now

    def _close(self, result: None) -> None:
        self.answers.tell([result])

    def _text(self, parameter: str, value: Any) -> None:
        if not isinstance(value, str) or not value.strip():
            self._fail("wrong_arguments")

    def _entity(self, value: str, kinds: set[str]) -> str:
        name = value.strip()
        if name.lower() in _ANYBODY_WORDS:
            if "person" not in kinds:
                self._fail("entity_type_conflict")
            return ANYBODY
        if self.house.has(name) or not self._narrow(name, kinds):
            if name in self._made_up():
                raise NoSuchWorld(f"{name} is no room")
            self._fail("entity_type_conflict")
        return name

    def _made_up(self) -> list[str]:
        """Rooms of this world of which the program does not say that they are rooms."""
        if self.house.rooms is not None:
            return []
        told = [*(self.rooms_told or ()), *([self.started_in] if self.started_in else [])]
        return [room for room in told if room not in self.house.said]

    def _narrow(self, name: str, kinds: set[str]) -> bool:
        """Whether the entity can be of one of these kinds; a person was one all the time."""
        left = self._kinds.get(name, kinds) & kinds
        if not left:
            return False
        self._kinds[name] = left
        for (entity, room), there in list(self._there.items()):
            if entity == name and there and left == {"person"}:
                self._somebody_is_in(room)
        return True

    def _known(self, entity: str, room: str) -> bool | None:
        if (entity, room) in self._there:
            return self._there[entity, room]
        if entity == ANYBODY:
            people = [v for (e, r), v in self._there.items() if r == room and self._is_person(e)]
            return True if any(people) else None
        nobody = self._there.get((ANYBODY, room)) is False
        return False if nobody and self._is_person(entity) else None

    def _known_for_sure(self, entity: str, room: str) -> bool | None:
        """What cannot have changed since it was seen."""
        believed = self._there
        self._there = {fact: v for fact, v in believed.items() if fact not in self._old}
        known = self._known(entity, room)
        self._there = believed
        return known

    def _learn(self, entity: str, room: str, value: bool, fickle: bool = False) -> None:
        if value and self._is_person(entity):
            self._somebody_is_in(room, fickle)
        if not value and entity == ANYBODY:
            for other, place in list(self._there):
                if place == room and self._is_person(other) and self._there[other, place]:
                    self._contradiction((other, place), fickle)
        self._there[entity, room] = value
        self._old.discard((entity, room))

    def _somebody_is_in(self, room: str, fickle: bool = False) -> None:
        if self._there.get((ANYBODY, room)) is False:
            self._contradiction((ANYBODY, room), fickle)

    def _contradiction(self, fact: tuple[str, str], fickle: bool) -> None:
        """Two facts of one moment cannot contradict each other; of two moments they can."""
        if not (fickle or self.fickle or self._asked or self._old):
            raise NoSuchWorld(f"{fact} cannot be both")
        del self._there[fact]

    def _is_person(self, entity: str) -> bool:
        return self._kinds.get(entity) == {"person"}

    def _fail(self, code: str) -> None:
        if self.failure is None:
            self.failure = Ending(code, program_line())
        raise Failure


def program_line() -> int:
    """The line of the program that is being executed."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != FILE:
        frame = frame.f_back
    return frame.f_lineno if frame is not None else 0


def is_executed(lines: frozenset[int]) -> bool:
    """Whether one of the lines is being executed, or has called what is."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == FILE and frame.f_lineno in lines:
            return True
        frame = frame.f_back
    return False


def program_skill() -> str:
    """The skill of this world that the program has called."""
    frame, name = sys._getframe(1), ""
    while frame is not None and frame.f_code.co_filename != FILE:
        name = frame.f_code.co_name if frame.f_code.co_name == "go_to" else name
        frame = frame.f_back
    return name


def as_the_program_says(house: House, source: str) -> House:
    """The house, with what a program expects of it."""
    tree = ast.parse(source)
    caught: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(map(_catches_skills, node.handlers)):
            for statement in node.body:
                caught |= _lines(statement)
    blocks: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, ast.While)]
    waiting: set[int] = set()
    called = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
    while blocks:
        block = blocks.pop()
        waiting |= set(range(block.lineno, block.end_lineno + 1))
        names = {node.id for node in ast.walk(block) if isinstance(node, ast.Name)}
        for function in list(called):
            if isinstance(function, ast.Lambda) or function.name in names:
                called.remove(function)
                blocks.append(function)
    return replace(
        house, said=rooms_said(source), caught=frozenset(caught), waiting=frozenset(waiting)
    )


def _catches_skills(handler: ast.ExceptHandler) -> bool:
    return bool({"SkillError", "Exception"} & set(re.findall(r"\w+", ast.unparse(handler.type))))


def _lines(node: ast.AST) -> set[int]:
    """Lines that run where a block runs, not those of functions that are defined there."""
    if isinstance(node, ast.FunctionDef):
        return set()
    lines = {node.lineno} if hasattr(node, "lineno") else set()
    return lines.union(*map(_lines, ast.iter_child_nodes(node)))


def rooms_said(source: str) -> tuple[str, ...]:
    """Texts that stand in the arguments of `go_to`."""
    calls = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "go_to"
    ]
    parts = [
        part
        for call in calls
        for given in (call.args, [k.value for k in call.keywords])
        for argument in given
        for part in ast.walk(argument)
    ]
    return tuple(p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))
