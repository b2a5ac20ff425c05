"""Skills as the verifier plays them: facts are invented when a program needs them.

Source: seed paper section 2.2 and appendix A.2; here each invention is a recorded choice.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, NoReturn

from roboinstruct_ros.domain.literal_pattern import LiteralPattern
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import HERE, Precondition, Skill
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.sandbox.chance import seeded
from roboinstruct_ros.sandbox.namespace import SkillError
from roboinstruct_ros.verify.budget import CALL_WORK
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.explore.line_watch import LineWatch, is_within, program_line
from roboinstruct_ros.verify.explore.rounds import FEW_ROUNDS, Rounds
from roboinstruct_ros.verify.policies.policy_monitor import Moment
from roboinstruct_ros.verify.policies.world_facts import WorldFacts
from roboinstruct_ros.verify.question import Question
from roboinstruct_ros.verify.rooms.room_names import RoomName, RoomWord, plain
from roboinstruct_ros.verify.rooms.rooms import Rooms
from roboinstruct_ros.verify.story import (
    Made,
    Tell,
    call_text,
    fact,
    filled,
    listed,
    named,
    shortened,
)
from roboinstruct_ros.verify.world.chance import ImaginedChance, ImaginedClock
from roboinstruct_ros.verify.world.fairness import FairAnswers
from roboinstruct_ros.verify.world.handlers import MOST_FAILURES
from roboinstruct_ros.verify.world.limits import Limits
from roboinstruct_ros.verify.world.real_past import RealPast, seed_of
from roboinstruct_ros.verify.world.remains import Remains
from roboinstruct_ros.verify.world.skill_arguments import Bound, SkillArguments, kept
from roboinstruct_ros.verify.world.world import ANYBODY, ImpossibleWorld, Literal, World

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
        calls: the skill calls so far.
        advice: whether a call of a line was of use here.
        chance_is_known: the run's random numbers are known.
    """

    def __init__(
        self, question: Question, choices: Choices, words: tuple[RoomWord, ...] = ()
    ) -> None:
        domain, facts = question.domain, question.facts
        self.world = World(domain)
        self.calls: list[Made] = []
        self.advice: dict[tuple[int, str], bool] = {}
        seed = seed_of(question.past)
        self.chance = ImaginedChance(self._decide, choices) if seed is None else seeded(seed)
        self.chance_is_known = seed is not None
        self.clock = ImaginedClock(self._decide, choices, lambda: self._past.clock(len(self.calls)))
        self._story: list[Tell] = []
        self._domain = domain
        self._facts = facts
        self._choices = choices
        self._rooms = Rooms(question.semantic_map, question.room_use, words, choices)
        self._arguments = SkillArguments(
            domain, self.world, self._rooms, self._fail, question.calls_seen
        )
        self._begin_with(question.remains)
        self._limits = Limits(domain)
        self._handlers = facts.handlers
        self._failures: list[Exception] = []
        self._fair = FairAnswers(facts.waiting_lines, self._tired)
        few = 1 if question.past else FEW_ROUNDS
        self._rounds = Rounds(facts.round_lines, facts.rounds_tried, few)
        self._printed: dict[int, int] = {}  # by the choices made at the beginning of a round
        self._past = RealPast(question.past, self.world, self._rooms)
        self._has_past = bool(question.past)
        self._policies = question.monitors.fresh()
        self._watched = bool(question.monitors)
        self._policy_facts = WorldFacts(
            self.world,
            question.semantic_map,
            self._room_of,
            self._suppose,
            self._doubt,
            self._rooms.is_made_up,
            question.policies.people,
        )
        self._start: str | None = None
        self._begun = False
        self._line = 0
        self._unsure: set[str] = set()
        self._mention_start = question.policies.mention_start

    @property
    def steps(self) -> tuple[str, ...]:
        """The story so far, one sentence a step."""
        return tuple(tell() for tell in self._story)

    @property
    def length(self) -> int:
        """Steps of the story."""
        return len(self._story)

    @property
    def past_is_over(self) -> bool:
        """Whether all calls that were really made have been made on this path."""
        return self._past.over(len(self.calls))

    def callables(self, watch: LineWatch) -> dict[str, Callable[..., Any]]:
        """One function per skill, for the program's namespace; none does anything after the end."""
        return {skill.name: self._callable(skill, watch) for skill in self._domain.skills}

    def bound(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bound:
        """Hold a call against the domain and the map.

        Raises:
            ViolationFound: no path may make it.
        """
        return self._arguments.bound(self._domain.skill(name), args, kwargs)

    def check(self, name: str, bound: Bound) -> None:
        """Hold a call against what the calls before it have settled, such as what the hand holds.

        Raises:
            ViolationFound: no path may make it here.
        """
        skill, limits = self._domain.skill(name), self._limits
        arguments, _, entities, _ = bound
        for precondition in skill.preconditions:
            predicate = self._domain.predicate(precondition.pattern.predicate)
            if predicate.initially is not None and predicate.name not in self._unsure:
                self._require(skill, precondition, entities)
        self._limits = limits.copy()
        try:
            self._keep_limits(skill, arguments, entities)
        finally:
            self._limits = limits

    def follow(self, real: SkillCall) -> None:
        """A call was really made; after a failure, what it was to change is unsure."""
        skill = self._domain.skill(real.skill)
        self.world.changing = True  # what was seen at different times
        changed = {effect.pattern.predicate for effect in skill.effects}
        self._unsure = self._unsure | changed if real.error_code else self._unsure - changed
        _, values, entities, _ = self._arguments.bound(skill, real.arguments, {})
        self.calls.append(Made(skill.name, values, real.line))
        with contextlib.suppress(SkillError):
            self._repeat(skill, real, values, entities)

    def sleep(self, seconds: float) -> None:
        """Serve `time.sleep`: time passes, people come and go."""
        self.clock.sleep(seconds)
        self.world.time_passes()

    def state(self) -> object:
        """All that decides how the world goes on; the same again means that it has not moved on."""
        if self.chance_is_known or not self.past_is_over:
            return object()
        world = self.world
        return (
            frozenset(world.literals.items()),
            frozenset(world.entity_types.items()),
            world.changing,
            frozenset(world.stale),
            self._limits.state(),
            self._policies.state(),
            self._fair.sites,
            self._rooms.state(),
            self.clock.state(),
            self._begun,
            self._start,
        )

    def round_begins(self, frame: FrameType) -> int | None:
        """A loop begins a round; gives how many choices there were when the state was the same."""
        chosen, printed = len(self._choices.taken), self._choices.printed
        known = self._rounds.came_back(frame, self.state, chosen, bool(self._choices.left_out))
        self._printed.setdefault(chosen, printed)
        if known is not None and printed > self._printed[known]:
            self._choices.leave_out(frame.f_lineno, "a wait may print more than a run may")
        if known is not None and not self._choices.tries_all:
            self._fair.tired = True  # a drawn world goes on, with other answers
            return None
        self._fair.tired |= self._rounds.tired
        return known

    def _tired(self) -> None:
        if self._choices.tries_all:
            self._choices.leave_out(self._line or program_line(), "this may be asked more often")

    def end(self) -> None:
        """The program has come to its end."""
        if self._watched:
            self._begin_policies()
            self._keep_policies(Moment(self._policy_facts, ended=True))

    def _begin_with(self, remains: Remains) -> None:
        for literal, value in remains:
            self.world.set(literal, value)
            told = f"from earlier, {fact(self._domain, literal, value)}"
            self._story.append(partial(sentence, told))

    def _decide(self, question: str, alternatives: int) -> int:
        line = program_line()
        allowed = self._fair.allowed(line, question, list(range(alternatives)))
        taken = allowed[self._choices.choose(len(allowed), allowed, question)]
        self._fair.note(line, question, taken)
        return taken

    def _callable(self, skill: Skill, watch: LineWatch) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if watch.end is not None:
                raise watch.end
            trace = sys.gettrace()
            sys.settrace(None)  # the watch is for the program's lines, and would slow ours
            try:
                self._line = program_line()
                if not self.past_is_over:
                    watch.begin_anew()  # a run may be as long as it likes
                else:
                    watch.spend(CALL_WORK, self._line)
                return self._perform(skill, self._arguments.bound(skill, args, kwargs))
            finally:
                sys.settrace(trace)

        return call

    def _perform(self, skill: Skill, bound: Bound) -> Any:
        arguments, values, entities, _ = bound
        if self._watched:
            self._begin_policies()
        real = self._past.next(skill, values, len(self.calls)) if self._has_past else None
        # a call that fails is part of its story
        self.calls.append(Made(skill.name, values, self._line))
        if real is not None:
            return self._repeat(skill, real, values, entities)
        for precondition in skill.preconditions:
            self._require(skill, precondition, entities)
        if self._watched:
            self._keep_policies(Moment(self._policy_facts, skill.name, arguments))
        if self._handlers.lines and is_within(self._handlers.lines):
            self._may_fail(skill, values, entities)
        if skill.adds or skill.books:
            self._keep_limits(skill, arguments, entities)
        if skill.takes_time:
            self.world.takes_time()
        result, said = self._result(skill, arguments, entities)
        line = self._line
        self._story.append(lambda: f"Line {line}: {call_text(skill.name, values)}{said()}.")
        self._settle(skill, entities, result)
        return result

    def _may_fail(self, skill: Skill, values: tuple[Any, ...], entities: dict[str, str]) -> None:
        """The program expects that a skill fails: both are tried.

        Raises:
            SkillError: it fails in this world.
        """
        line, codes = self._line, self._handlers.codes
        if len(self._failures) == MOST_FAILURES or self._fair.tired:
            self._choices.leave_out(line, "this may fail more often than is tried")
            return
        failing = self._choices.choose(1 + len(codes), (True, *codes), skill.name)
        if not failing:
            return
        if self._handlers.examined:
            self._choices.leave_out(self._handlers.examined, "more is asked of an error")
        if skill.adds or skill.books:
            self._choices.leave_out(line, "how far a skill came that failed")
        code = codes[failing - 1]
        self.calls[-1] = Made(skill.name, values, line, failed=code)
        self._story.append(lambda: f"Line {line}: {call_text(skill.name, values)} fails ({code}).")
        if skill.takes_time:
            self.world.takes_time()
        self._past.unsettle(skill, [self._literal(e.pattern, entities) for e in skill.effects])
        self._failures.append(SkillError(code, f"{skill.name} failed"))
        raise self._failures[-1]

    def has_failed(self, error: Exception) -> bool:
        """Whether the program ends because a skill failed, and nothing else."""
        return any(error is failure for failure in self._failures)

    def _settle(self, skill: Skill, entities: dict[str, str], result: Any) -> None:
        """What the call leaves behind."""
        if result is not None:
            self.calls[-1] = self.calls[-1]._replace(result=kept(result))
        for advice in skill.advice:
            if "here" in advice.pattern.arguments and self.world.argument_of(HERE) is None:
                continue  # to ask where the robot is would make worlds for a mere note
            value = self.world.value(self._literal(advice.pattern, entities, noted=False))
            helps = value is None or value == advice.is_
            place = (self._line, advice.message)
            self.advice[place] = self.advice.get(place, False) or helps
        for effect in skill.effects:
            value = None if effect.becomes == "undefined" else effect.becomes
            literal = self._literal(effect.pattern, entities)
            self.world.set(literal, value)
            self._fair.forget(literal)
        if self._watched:
            self._keep_policies(Moment(self._policy_facts))

    def _repeat(
        self, skill: Skill, real: SkillCall, values: tuple[Any, ...], entities: dict[str, str]
    ) -> Any:
        """A call that was really made: it went as it went."""
        line = self._line
        how = self._past.told(real)
        self._story.append(lambda: f"Line {line}: {call_text(skill.name, values)} {how}.")
        arguments = dict(zip(entities, values, strict=True))
        if self._watched:
            self._policies.step(Moment(self._policy_facts, skill.name, arguments))
        for precondition in skill.preconditions:
            literal = self._literal(precondition.pattern, entities)
            if not real.error_code and "*" not in literal:
                self.world.set(literal, precondition.is_)
        if real.error_code:
            self._past.unsettle(skill, [self._literal(e.pattern, entities) for e in skill.effects])
            self._past.raise_failure(skill, real)
        if skill.adds or skill.books:
            self._keep_limits(skill, arguments, entities)
        answer = self._literal(skill.answer, entities) if skill.answer is not None else None
        result = self._past.learn(skill, real, answer)
        self._fair.note(self._line, answer, result)
        if skill.takes_time:
            self.world.takes_time()
        self._settle(skill, entities, result)
        return result

    def _require(self, skill: Skill, precondition: Precondition, entities: dict[str, str]) -> None:
        """Angelic: what is Undefined is assumed to be as the skill needs it."""
        literal = self._literal(precondition.pattern, entities)
        value = self.world.value(literal)
        if value is None and "*" not in literal:
            self.world.set(literal, precondition.is_)
        elif value is not None and value != precondition.is_:
            held = self.world.argument_of(*literal[:-1])
            here = named(self._here()) if "{here}" in precondition.message else ""
            message = precondition.message.format(
                **filled(entities), here=here, held=named(held) if held else "nothing"
            )
            self._stop(precondition.violation, skill.name, message)

    def _keep_limits(
        self, skill: Skill, arguments: dict[str, Any], entities: dict[str, str]
    ) -> None:
        for addition in skill.adds:
            quantity = self._literal(addition.pattern, entities)
            fault = self._limits.add(addition, quantity, arguments, entities)
            if fault:
                self._stop(addition.violation, skill.name, fault)
        for booking in skill.books:
            fault = self._limits.book(booking, arguments, entities)
            if fault:
                self._stop(booking.violation, skill.name, fault)

    def _begin_policies(self) -> None:
        """A task is not begun in a world that breaks a policy as it is."""
        if self._begun:
            return
        self._begun = True
        if self._mention_start:
            self._here()
        if self._policies.step(Moment(self._policy_facts)) is not None:
            raise ImpossibleWorld

    def _keep_policies(self, moment: Moment) -> None:
        broken = self._policies.step(moment)
        if broken is not None:
            reason = broken.because or broken.text
            what = "to end here" if moment.ended else "this"
            message = f"{what} breaks the policy '{broken.name}': {reason}"
            skill = self.calls[-1].skill if self.calls else ""
            self._stop(ViolationCode.POLICY_BROKEN, skill, message)

    def _result(
        self, skill: Skill, arguments: dict[str, Any], entities: dict[str, str]
    ) -> tuple[Any, Tell]:
        """The answer, and how the story tells it."""
        if skill.returns == "nothing":
            return None, lambda: ""
        if skill.returns == "current_location":
            here = self._rooms.name(self._here())
            return here, lambda: f" answers '{here}'"
        if skill.returns == "all_locations":
            rooms = self._all_rooms()
            return rooms, lambda: f" answers {listed(rooms)}"
        if skill.returns == "one_of_options":
            option = self._option(skill, arguments)
            return option, lambda: f" is answered '{option}'"
        assert skill.answer is not None
        literal = self._literal(skill.answer, entities)
        value = self._query(literal)
        return value, lambda: f" answers {value}: {fact(self._domain, literal, value)}"

    def _all_rooms(self) -> list[RoomName]:
        rooms = self._rooms.all()
        for room in map(plain, rooms):
            if not self.world.narrow(room, _LOCATION) and self._rooms.is_made_up(room):
                raise ImpossibleWorld
        return list(rooms)

    def _option(self, skill: Skill, arguments: dict[str, Any]) -> str:
        (name,) = (p.name for p in skill.parameters if p.type == "options")
        options = list(dict.fromkeys(arguments[name]))
        question = (str(arguments.get("question")), tuple(options), self.world.argument_of(HERE))
        allowed = self._fair.allowed(self._line, question, options)
        option: str = allowed[self._choices.choose(len(allowed), allowed, "answer")]
        self._fair.note(self._line, question, option)
        return option

    def _query(self, literal: Literal) -> bool:
        changed = self._fair.waits_for(self._line, literal)
        self.world.changing |= changed
        known = None if changed else self.world.sure(literal)
        if known is None:
            allowed = self._fair.allowed(self._line, literal, [True, False])
            known = allowed[self._choices.choose(len(allowed), allowed, literal)]
            self.world.set(literal, known)
        self._fair.note(self._line, literal, known)
        return known

    def _suppose(self, literal: Literal) -> bool:
        """A policy asks what nobody has looked at: both are tried."""
        value = (True, False)[self._choices.choose(2, (True, False), literal)]
        self.world.set(literal, value)
        self._story.append(lambda: sentence(f"suppose {fact(self._domain, literal, value)}"))
        return value

    def _doubt(self) -> None:
        self._choices.leave_out(self._line, "a rule may mean somebody or some room, or not")

    def _literal(
        self, pattern: LiteralPattern, entities: dict[str, str], noted: bool = True
    ) -> Literal:
        parts = [pattern.predicate]
        for name in pattern.arguments:
            if name == "here":
                parts.append(self._here())
                if noted:
                    self._rooms.touched(parts[-1])
            else:
                parts.append(entities[name] if name in entities else _SPECIAL[name])
        return tuple(parts)

    def _room_of(self, word: str) -> str:
        here = self._here()
        room = here if word == "here" else self._start or here
        self._rooms.touched(room)
        return room

    def _here(self) -> str:
        here = self.world.argument_of(HERE)
        if here is None:
            here = self._past.location(len(self.calls)) or self._rooms.start()
            if not self.world.narrow(here, _LOCATION):
                raise ImpossibleWorld
            self.world.set((HERE, here), True)
            verb = "starts" if self._start is None else "is"
            place = here
            self._story.append(lambda: sentence(f"suppose the robot {verb} in {named(place)}"))
        if self._start is None:
            self._start = here
        return here

    def _fail(self, skill: Skill, code: ViolationCode, message: str) -> NoReturn:
        self._stop(code, skill.name, message)

    def _stop(self, code: ViolationCode, skill: str, message: str) -> NoReturn:
        column = self._facts.columns.get((self._line, skill), 0)
        raise ViolationFound(code, self._line, column, sentence(shortened(message, 400)))
