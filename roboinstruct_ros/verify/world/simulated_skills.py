"""The skills in the verifier's worlds: facts are made up when a program needs them.

Source: seed paper section 2.2 and appendix A.2; here each decision is a recorded choice.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import HERE, Precondition, Skill
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.sandbox.chance import seeded
from roboinstruct_ros.sandbox.namespace import SkillError, program_line
from roboinstruct_ros.verify.budget import CALL_WORK, LOOK_WORK
from roboinstruct_ros.verify.explore.choices import Choices, Spent
from roboinstruct_ros.verify.explore.equal_states import Comparison
from roboinstruct_ros.verify.explore.line_watch import LineWatch
from roboinstruct_ros.verify.explore.rounds import FEW_ROUNDS, Rounds
from roboinstruct_ros.verify.question import Question
from roboinstruct_ros.verify.rooms.room_names import RoomName, RoomWord, plain
from roboinstruct_ros.verify.rooms.rooms import Rooms
from roboinstruct_ros.verify.story import Made, Tell, call_text, fact, filled, listed
from roboinstruct_ros.verify.world.assumptions import TakenForGranted
from roboinstruct_ros.verify.world.failures import Failures
from roboinstruct_ros.verify.world.footprint import Facts
from roboinstruct_ros.verify.world.kept_policies import KeptPolicies
from roboinstruct_ros.verify.world.limits import Limits
from roboinstruct_ros.verify.world.open_questions import (
    ImaginedClock,
    OpenQuestions,
    imagined_chance,
)
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.real_past import RealPast, seed_of
from roboinstruct_ros.verify.world.remains import Remains
from roboinstruct_ros.verify.world.run_limits import RunLimits
from roboinstruct_ros.verify.world.skill_arguments import Call, SkillArguments, kept
from roboinstruct_ros.verify.world.whereabouts import LOCATION, Whereabouts
from roboinstruct_ros.verify.world.world import ImpossibleWorld, World


class SimulatedSkills:
    """The skills of one path through a program.

    Attributes:
        calls: the skill calls so far.
        assumed: the assumptions so far.
        run_limits: what it has used of the limits of a run.
        advice: (line, message) to whether a call there was useful.
        chance_is_known: the program draws random numbers, and those of the run are known.
    """

    def __init__(
        self, question: Question, choices: Choices, words: tuple[RoomWord, ...] = ()
    ) -> None:
        facts = question.facts
        seed = seed_of(question.past) if "random" in facts.names else None
        self._domain, self.choices = question.domain, choices
        self.world = world = World(question.domain)
        self.advice: dict[tuple[int, str], bool] = {}
        self._path = path = Path(question, choices)
        self.calls = path.calls
        self.run_limits = RunLimits(path)
        self._open = OpenQuestions(path, world)
        self._rooms = rooms = Rooms(question, words, choices)
        self._past = RealPast(question.past, world, rooms)
        self.chance = imagined_chance(self._open, choices) if seed is None else seeded(seed)
        self.chance_is_known = seed is not None
        past, calls = self._past, path.calls
        self.clock = ImaginedClock(self._open, path, lambda: past.clock(len(calls)))
        self._arguments = SkillArguments(path, world, rooms)
        self._begin_with(question.remains)
        self._limits = Limits(question.domain)
        few = 1 if question.past else FEW_ROUNDS
        self._rounds = Rounds(facts.round_lines, facts.rounds_tried, few)
        self._printed: dict[int, int] = {}  # by number of choices at the start of an iteration
        self._has_past = bool(question.past)
        self._whereabouts = Whereabouts(path, world, rooms, self._past)
        self._policies = KeptPolicies(path, world, rooms, self._whereabouts)
        self._failures = Failures(path, world, self._past, self._whereabouts)
        self.assumed = TakenForGranted(path, rooms)
        self._unsure: set[str] = set()

    @property
    def steps(self) -> tuple[str, ...]:
        """The story so far, one sentence per step."""
        return tuple(tell() for tell in self._path.told)

    @property
    def length(self) -> int:
        """Number of steps of the story."""
        return len(self._path.told)

    @property
    def past_is_over(self) -> bool:
        """Whether this path has repeated all calls made in reality."""
        return self._past.over(len(self.calls))

    def callables(
        self, watch: LineWatch, comparison: Comparison | None
    ) -> dict[str, Callable[..., Any]]:
        """One function per skill that the program names; a call after the end of the path re-raises
        the end.

        Args:
            comparison: with other paths.
        """
        named = self._path.question.facts.names
        return {
            skill.name: self._callable(skill, watch, comparison)
            for skill in self._domain.skills
            if skill.name in named
        }

    def bound(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Check a call against the domain and the map.

        Raises:
            ViolationFound: no path may make it.
        """
        return self._arguments.bound(self._domain.skill(name), args, kwargs)

    def check(self, call: Call) -> None:
        """Check a call against what earlier calls have settled, such as what the hand holds.

        Raises:
            ViolationFound: no path may make it here.
        """
        for precondition in call.skill.preconditions:
            predicate = self._domain.predicate(precondition.pattern.predicate)
            if predicate.initially is not None and predicate.name not in self._unsure:
                self._require(call, precondition)
        limits, self._limits = self._limits, self._limits.copy()
        try:
            self._keep_limits(call)
        finally:
            self._limits = limits

    def follow(self, real: SkillCall) -> None:
        """Repeat a call made in reality; after a failure, its intended effects are uncertain."""
        skill = self._domain.skill(real.skill)
        self.world.changing = True  # facts were observed at different times
        changed = {effect.pattern.predicate for effect in skill.effects}
        self._unsure = self._unsure | changed if real.error_code else self._unsure - changed
        call = self._arguments.bound(skill, real.arguments, {})
        self.calls.append(Made(skill.name, call.values, real.line))
        with contextlib.suppress(SkillError):
            self._repeat(call, real)

    def sleep(self, seconds: float) -> None:
        """Implement `time.sleep`: time passes, people come and go."""
        self.clock.sleep(seconds)
        self.world.time_passes()

    def state(self) -> object:
        """Everything that determines how the world continues; equal states mean no progress."""
        world = self.world
        return (
            frozenset(world.literals.items()),
            frozenset(world.stale),
            self._types(),
            self._open.sites,
            self._state_but_facts(),
        )

    def _types(self) -> object:
        return frozenset(self.world.entity_types.items())

    def _state_but_facts(self) -> object:
        if self.chance_is_known or not self.past_is_over:
            return object()
        return (
            self.world.rest(),
            self._limits.state(),
            self._policies.state(),
            self._rooms.state(),
            self.clock.state(),
            self._whereabouts.start,
            self._failures.count,
        )

    def round_begins(self, frame: FrameType) -> int | None:
        """Handle the beginning of an iteration. Return the number of choices in an equal earlier
        state, or None."""
        chosen, printed = len(self.choices.taken), self.run_limits.spent.printed
        known = self._rounds.came_back(frame, self.state, chosen, bool(self.choices.left_out))
        self._printed.setdefault(chosen, printed)
        if known is not None and printed > self._printed[known]:
            self.choices.leave_out(frame.f_lineno, "a wait may print more than a run may")
        if known is not None and not self.choices.tries_all:
            self._open.tired = True  # a sampled world continues with other answers
            return None
        self._open.tired |= self._rounds.tired and not self.choices.is_corner
        return known

    def skips(self, line: int, rounds: int, before: Spent) -> None:
        """Skip rounds of a loop that are like the last one, before which so much was spent."""
        self.choices.skip()
        self._path.tell(lambda: f"Line {line}: {rounds} more rounds like the last one.")
        self.run_limits.skip(line, rounds, before)

    def end(self) -> None:
        """Handle the end of the program."""
        self._policies.end()

    @property
    def is_tired(self) -> bool:
        """Whether some loop was tried for fewer iterations than it may have."""
        return self._open.tired

    def has_failed(self, error: Exception) -> bool:
        """Whether the program ends because of a skill's failure and no other error."""
        return self.has_really_failed(error) or self._failures.includes(error)

    def has_really_failed(self, error: Exception) -> bool:
        """Whether it ends by a failure of the real run."""
        return any(error is failure for failure in self._past.failures)

    def _begin_with(self, remains: Remains) -> None:
        for remaining, value in remains:
            kinds = self._domain.predicate(remaining[0]).arguments
            literal = (remaining[0], *map(self._spelled, remaining[1:], kinds))
            self.world.set(literal, value)
            self.world.left.add(literal)
            told = f"from earlier, {fact(self._domain, literal, value)}"
            self._path.tell(partial(sentence, told))

    def _spelled(self, name: str, kind: str) -> str:
        return name if kind == "location" else self._arguments.spelled(name)

    def _callable(
        self, skill: Skill, watch: LineWatch, comparison: Comparison | None
    ) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if watch.end is not None:
                raise watch.end
            trace = sys.gettrace()
            sys.settrace(None)  # the trace is for the program's lines, and would slow ours
            try:
                self._path.line = program_line()
                if self._has_past and not self.past_is_over:
                    watch.begin_anew()  # a real run may be of any length
                else:
                    watch.acts()
                    watch.spend(CALL_WORK, self._path.line)
                    self.run_limits.call()
                made = self._arguments.bound(skill, args, kwargs)
                if self._failures.count:  # else there are no words of one
                    self.run_limits.say(made)
                if comparison is not None and not skill.asks:
                    comparison.states.says(made.characters)
                elif comparison is not None and self.past_is_over:
                    self._compare(comparison, watch, made)
                return self._perform(made)
            finally:
                sys.settrace(trace)

        return call

    def _compare(self, comparison: Comparison, watch: LineWatch, call: Call) -> None:
        def facts() -> Facts:
            return self.world.facts(self._open.sites)

        def rest() -> object:
            given = repr(call.values), tuple(call.entities.items())
            tried = self._open.tired, self._rounds.tried()
            types = self._types() if self._path.question.monitors else None  # a policy reads all
            return given, self._state_but_facts(), types, tried

        if comparison.asks(call.skill.name, self.world.read, facts, rest):
            watch.spend(LOOK_WORK, self._path.line)

    def _perform(self, call: Call) -> Any:
        skill, line = call.skill, self._path.line
        self._policies.begin()
        real = self._past.next(call, len(self.calls)) if self._has_past else None
        self.calls.append(Made(skill.name, call.values, line))  # includes a call that fails
        if real is not None:
            return self._repeat(call, real)
        self.assumed.rooms(call)
        for precondition in skill.preconditions:
            self._require(call, precondition)
        self._policies.keep(call)
        if self._failures.expected:
            self._failures.may_come(call, self._open.tired)
        if skill.adds or skill.books:
            self._keep_limits(call)
        if skill.takes_time:
            self.world.takes_time()
        result, said = self._result(call)
        self._path.tell(lambda: f"Line {line}: {call_text(skill.name, call.values)}{said()}.")
        self._settle(call, result)
        return result

    def _settle(self, call: Call, result: Any) -> None:
        """Apply the effects of a call."""
        if result is not None:
            self.calls[-1] = self.calls[-1]._replace(result=kept(result))
        for advice in call.skill.advice:
            if "here" in advice.pattern.arguments and self.world.argument_of(HERE) is None:
                continue  # asking for the robot's room would add worlds for a mere warning
            literal = self._whereabouts.literal(advice.pattern, call.entities, noted=False)
            helps = self.world.may_be(literal, advice.is_)
            place = (self._path.line, advice.message.format(**filled(call.entities)))
            self.advice[place] = self.advice.get(place, False) or helps
        for effect in call.skill.effects:
            literal = self._whereabouts.literal(effect.pattern, call.entities, looks=False)
            if literal[0] == HERE:
                self._rooms.went(call.arguments.get(effect.pattern.arguments[0]))
            self.world.set(literal, None if effect.becomes == "undefined" else effect.becomes)
            self._open.forget(literal)
        self._policies.keep(call, done=True)

    def _repeat(self, call: Call, real: SkillCall) -> Any:
        """Repeat a call made in reality with its real result."""
        skill, line, how = call.skill, self._path.line, self._past.told(real)
        self._path.tell(lambda: f"Line {line}: {call_text(skill.name, call.values)} {how}.")
        self._policies.repeat(call)
        for precondition in skill.preconditions:
            literal = self._whereabouts.literal(precondition.pattern, call.entities)
            if not real.error_code and "*" not in literal:
                self.world.set(literal, precondition.is_)
        if real.error_code:
            self._past.unsettle(skill, self._whereabouts.effects(call))
            raise self._past.failure(skill, real)
        if skill.adds or skill.books:
            self._keep_limits(call)
        answer = self._whereabouts.literal(skill.answer, call.entities) if skill.answer else None
        result = self._past.learn(skill, real, answer)
        self._open.note(line, answer, result)
        if skill.takes_time:
            self.world.takes_time()
        self._settle(call, result)
        return result

    def _require(self, call: Call, precondition: Precondition) -> None:
        """Angelic check: an Undefined literal is assumed to have the value that the skill needs."""
        literal = self._whereabouts.literal(precondition.pattern, call.entities)
        value = self.world.value(literal)
        if value is None and "*" not in literal:
            self.world.set(literal, precondition.is_)
            self.assumed.fact(precondition.pattern, literal, precondition.is_)
        elif value is not None and value != precondition.is_:
            message = self._whereabouts.unmet(precondition, literal, call.entities)
            self._path.fail(call.skill.name, precondition.violation, message)

    def _keep_limits(self, call: Call) -> None:
        for addition in call.skill.adds:
            quantity = self._whereabouts.literal(addition.pattern, call.entities)
            fault = self._limits.add(addition, quantity, call.arguments, call.entities)
            if fault:
                self._path.fail(call.skill.name, addition.violation, fault)
        for booking in call.skill.books:
            fault = self._limits.book(booking, call.arguments, call.entities)
            if fault:
                self._path.fail(call.skill.name, booking.violation, fault)

    def _result(self, call: Call) -> tuple[Any, Tell]:
        """The answer, and its words in the story."""
        skill = call.skill
        if skill.returns == "nothing":
            return None, lambda: ""
        if skill.returns == "current_location":
            here = self._rooms.name(self._whereabouts.here())
            return here, lambda: f" answers '{here}'"
        if skill.returns == "all_locations":
            rooms = self._all_rooms()
            return rooms, lambda: f" answers {listed(rooms)}"
        if skill.returns == "one_of_options":
            option = self._open.option(call)
            return option, lambda: f" is answered '{option}'"
        assert skill.answer is not None
        literal = self._whereabouts.literal(skill.answer, call.entities)
        value, domain = self._open.truth(literal), self._domain
        return value, lambda: f" answers {value}: {fact(domain, literal, value)}"

    def _all_rooms(self) -> list[RoomName]:
        rooms = self._rooms.all()
        for room in map(plain, rooms):
            if not self.world.narrow(room, LOCATION) and self._rooms.is_made_up(room):
                raise ImpossibleWorld
        return list(rooms)
