"""Runs a program in one world after another, depth first, until no world is left."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.program.task_program import ENTRY_POINT
from roboinstruct_ros.program.violation import Violation
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.sandbox.namespace import program_namespace
from roboinstruct_ros.verify.budget import WORLD_WORK, Budget, Deadline, Work
from roboinstruct_ros.verify.explore.bounded_waits import BoundedWaits, RoundsDiffer
from roboinstruct_ros.verify.explore.choices import Choices, Corner, TooManyChoices
from roboinstruct_ros.verify.explore.equal_states import EqualStates, Merged
from roboinstruct_ros.verify.explore.findings import Exploration, PathEnd, PathEnds, begins
from roboinstruct_ros.verify.explore.line_watch import (
    CameBack,
    LineWatch,
    OutOfLines,
    OutOfTime,
    OutOfWork,
)
from roboinstruct_ros.verify.explore.loops import Loops
from roboinstruct_ros.verify.explore.misuse import answer_in_words, misused_skill, place_of
from roboinstruct_ros.verify.explore.standing import LoopPlace
from roboinstruct_ros.verify.question import Question
from roboinstruct_ros.verify.rooms.room_names import NameTest, NewWord, RoomWord, Test
from roboinstruct_ros.verify.rooms.rooms import Rooms
from roboinstruct_ros.verify.story import counterexample, shortened
from roboinstruct_ros.verify.world.path import ViolationFound
from roboinstruct_ros.verify.world.simulated_skills import SimulatedSkills
from roboinstruct_ros.verify.world.world import ImpossibleWorld

_Result = TypeVar("_Result")

_CUT_PATHS = 8
"""Worlds with too many open questions after which the exploration switches to sampling."""

_CORNERS = 100
"""Approximate number of samples in which one answer differs from all others."""

_ENDLESS = str(phrase("told.endless"))

_MOST_WORDS = 16
"""Most texts for which rooms are made up; a program that compares with more is not exhausted."""


class Explorer:
    """Explores one question."""

    def __init__(
        self, question: Question, budget: Budget, words: tuple[RoomWord, ...] | None = None
    ) -> None:
        self._question = question
        self._budget = budget
        self._deadline = Deadline(budget.seconds)
        self._work = Work(budget.work)
        if words is None:
            words = tuple(RoomWord(Test.EQUALS, text) for text in question.facts.rooms.keys)
        self._words = words
        self._full_loops: set[LoopPlace] = set()
        self._tries_all = True
        self._begin()

    def explore(self, begin: tuple[int, ...] = ()) -> Exploration:
        """Explore all worlds depth first; beyond the budget of paths, sample.

        Args:
            begin: the choice sequence to begin at, e.g. the frontier of an earlier exploration.
        """
        self._restarting(lambda: self._explore(begin))
        return self.found

    def replay(self, choices: tuple[int, ...]) -> Exploration:
        """Replay the one world of these choices, found by a search, a corner case or a sample.

        A search asks fewer questions than a sample does, so each mode is tried until one meets a
        violation after all these choices.
        """
        for rng in (None, Corner(last=False), random.Random(self._budget.seed)):
            self._begin()
            sequence = self._restarting(partial(self._replay, choices, rng))
            if self.found.violations and begins(sequence, choices):
                break
        return self.found

    def _replay(
        self, choices: tuple[int, ...], rng: random.Random | Corner | None
    ) -> tuple[int, ...]:
        world = Choices(choices, rng=rng)
        self.run(world)
        self._judge_endless()
        return world.sequence

    def _restarting(self, explore: Callable[[], _Result]) -> _Result:
        """Explore again from the beginning with whatever turns out to matter."""
        while True:
            try:
                return explore()
            except NewWord as new:
                self._words = (*self._words, new.word)
            except RoundsDiffer as loop:
                self._full_loops.add(loop.place)
            self._begin()

    def _begin(self) -> None:
        self.found = Exploration()
        self._cut: list[Violation | None] = []
        self._tired = False
        self._ends = PathEnds()
        self._tests: set[NameTest] = set()
        self._states = EqualStates()
        self._bounded = BoundedWaits(self._full_loops)
        facts = self._question.facts
        if facts.sees_addresses:
            self.found.left_out[0, "it may see where in memory its values lie"] = None
        if self._question.semantic_map is None and facts.rooms.is_spelled_twice:
            self.found.left_out[0, "two spellings may mean one room"] = None

    def _explore(self, begin: tuple[int, ...]) -> None:
        facts = self._question.facts
        self._tries_all = not begin
        prefix: tuple[int, ...] | None = begin
        while prefix is not None and self.found.paths < self._budget.paths:
            choices = self._choices(prefix)
            self.run(choices)
            if self.ran_out:
                break
            prefix = choices.next_prefix()
            if len(self._cut) >= _CUT_PATHS:
                break
            if prefix is not None and self._deadline.is_past:
                self.found.slow_line = 0
                break
        self.found.frontier = prefix
        if prefix is not None and self._bounded.first_skip is not None:
            self.found.frontier = self._bounded.first_skip or (0,)  # to be tried without skipping
        if self._tests:
            self._judge_names()
        if self._question.semantic_map is None and facts.rooms.asks and not self.found.violations:
            for line in sorted(facts.statement_lines - self.found.reached.lines):
                self.found.left_out[line, "some other rooms may lead here"] = None
        self.found.exhaustive = prefix is None and not (begin or self._cut or self.found.left_out)
        samples = self._budget.samples if prefix is not None or self._cut else 2 * self._tired
        if samples and self.found.slow_line is None:
            kept = self._work.left
            try:
                self._sample(samples)
            finally:
                self._work.left = kept  # a restarted exploration continues with the same work
        self._judge_endless()

    def _choices(self, prefix: tuple[int, ...]) -> Choices:
        return Choices(prefix, limit=self._budget.choices)

    def _judge_names(self) -> None:
        """Check that the made-up names gave every combination of answers."""
        rooms = Rooms(self._question, self._words, Choices())
        if not rooms.tried(self._tests):
            reason = "a room's name may answer in more ways than are tried"
            self.found.left_out[0, reason] = None

    def _sample(self, most: int) -> None:
        """Try corner cases first, which programs tend to forget, then random worlds."""
        left = self._budget.work // 2
        for choices in islice(self._samples(), most):
            share = self._budget.work // (8 if choices.is_corner else 20)
            self._work.left = share
            self.run(choices)
            left -= share - self._work.left
            if left < 0 or self.found.slow_line is not None:
                return

    def _samples(self) -> Iterator[Choices]:
        corners = {last: Choices(rng=Corner(last)) for last in (True, False)}
        yield from corners.values()
        if not any(choices.taken for choices in corners.values()):
            return
        for last, choices in corners.items():
            questions = len(choices.taken)
            for one in range(0, questions, 1 + 2 * questions // _CORNERS):
                yield Choices(rng=Corner(last, but=one))
        rng = random.Random(self._budget.seed)
        while True:
            yield Choices(rng=rng)

    def _judge_endless(self) -> None:
        """Reject a program that ends in no world; one that ends in some world may wait."""
        self.found.waited = bool(self._ends.rounds)
        if self.found.slow_line is not None:
            return
        endless = [violation for violation in self._cut if violation is not None]
        if self.found.exhaustive or not (self.found.finished or self.found.violations):
            found = (violation.counterexample for violation in self.found.violations.values())
            endless += self._ends.endless([told.choices for told in found if told is not None])
            if self.found.exhaustive:
                for violation in endless:
                    self.found.violations.setdefault((violation.code, violation.line), violation)
        if not endless:
            return
        if self.found.finished or self.found.violations:
            self.found.waited = True
        else:
            self.found.violations[endless[0].code, endless[0].line] = endless[0]

    @property
    def words(self) -> tuple[RoomWord, ...]:
        """The texts found so far that the program compares with made-up room names."""
        return self._words

    @property
    def ran_out(self) -> bool:
        """Whether the work or the time did not suffice."""
        return self._work.left < 0 or self.found.slow_line is not None

    def run(self, choices: Choices) -> SimulatedSkills:
        """Run one world. Return its skills, which record what was done.

        Raises:
            NewWord: the program compares made-up names with a text for which there is no room yet.
        """
        skills = SimulatedSkills(self._question, choices, self._words)
        watch = LineWatch(
            self._budget,
            self._deadline,
            self._work,
            self._question.facts,
            self.found.reached,
            choices,
            skills.state,
            skills.round_begins,
        )
        before = self._work.left
        self._work.left -= WORLD_WORK
        self.found.paths += 1
        cut: int | None = None
        namespace = self._namespace(skills, watch)
        try:
            watch.call(partial(self._execute, namespace))
            self._finish(skills)
        except Merged as end:
            self._ended(skills, "as in another world", end.seen.choices)
        except ViolationFound as end:
            self._note(end.code, (end.line, end.column), end.message, skills)
        except OutOfLines as end:
            cut = 0
            self._out_of_lines(end, skills)
        except CameBack as end:
            cut = end.chosen
            self._waits(end, skills)
        except TooManyChoices:
            cut = 0
            self._cut.append(None)
        except ImpossibleWorld:
            self.found.paths -= 1
            self._states.ended(skills.world.read, None)
            return skills
        except OutOfTime as end:
            self.found.slow_line = end.line
        except OutOfWork as end:
            if before > self._budget.work // 2:
                message = "The program does more from here than one world may cost."
                self._note(ViolationCode.STEP_BUDGET, (end.line, 0), message, skills)
        except NewWord:
            if len(self._words) < _MOST_WORDS:
                raise
            cut = 0
            choices.leave_out(0, "names of rooms are compared with too many texts")
        except Exception as error:
            if skills.has_failed(error):
                self.found.finished += skills.has_really_failed(error)
                self._ended(skills, "ends by the skill that failed")
            else:
                self._python_error(error, skills)
        finally:  # breaks reference cycles, which would otherwise pile up for the garbage collector
            namespace.clear()
            watch.end = None
        self._states.ended(skills.world.read, cut)
        self.found.left_out.update(choices.left_out)
        self.found.assumed.update(skills.assumed.seen)
        self._tests |= choices.tests
        self._tired |= skills.is_tired
        for place, helped in skills.advice.items():
            self.found.advice[place] = self.found.advice.get(place, False) or helped
        return skills

    def _finish(self, skills: SimulatedSkills) -> None:
        skills.end()
        if not skills.past_is_over:
            raise ImpossibleWorld
        self.found.finished += 1
        self._ended(skills, "the program ends")
        self.found.holds.update(dict.fromkeys(skills.world.held()))

    def _execute(self, namespace: dict[str, Any]) -> None:
        exec(self._question.code, namespace)
        namespace[ENTRY_POINT]()

    def _namespace(self, skills: SimulatedSkills, watch: LineWatch) -> dict[str, Any]:
        round_begins = partial(self._bounded.round_begins, skills, watch)
        skips = self._tries_all and skills.choices.tries_all
        loops = Loops(round_begins if skips else None)
        clear = self._question.facts.clear_calls
        free = not self._question.monitors
        comparison = self._states.run(
            skills.choices, clear, loops, skills.run_limits.may_print, free
        )

        def sleep(seconds: float) -> None:
            watch.acts()
            skills.sleep(seconds)

        namespace = program_namespace(
            skills.callables(watch, comparison),
            sleep=sleep,
            print_=skills.run_limits.print,
            clock=skills.clock.time,
            chance=skills.chance,
        )
        namespace.update(loops.names())
        return namespace

    def _ended(
        self, skills: SimulatedSkills, text: str, goal: tuple[int, ...] | None = None
    ) -> None:
        self._ends.all.append(PathEnd(skills.choices.sequence, text, goal))

    def _waits(self, end: CameBack, skills: SimulatedSkills) -> None:
        state = skills.choices.sequence[: end.chosen]
        self._ended(skills, f"Line {end.line}: as in an earlier round", state)
        if state not in self._ends.rounds:
            code, place = ViolationCode.NON_TERMINATION, (end.line, 0)
            self._ends.rounds[state] = self._violation(code, place, _ENDLESS, skills)

    def _out_of_lines(self, end: OutOfLines, skills: SimulatedSkills) -> None:
        code, message = ViolationCode.NON_TERMINATION, _ENDLESS
        if not end.still_choosing and end.most is not None:
            code = ViolationCode.STEP_BUDGET
            message = str(phrase("told.many_lines", n=end.most))
        if end.still_choosing:
            self._cut.append(self._violation(code, (end.line, 0), message, skills))
        else:
            self._note(code, (end.line, 0), message, skills)

    def _python_error(self, error: Exception, skills: SimulatedSkills) -> None:
        place = place_of(error)
        reason = f"{type(error).__name__}: {shortened(_text(error), 300)}"
        code, message = ViolationCode.PYTHON_ERROR, f"Python stops here: {reason}"
        skill = misused_skill(self._question.facts.tree, self._question.domain, place, error)
        if skill is not None:
            code = ViolationCode.MISUSED_RESULT
            message = f"{answer_in_words(skill)}, which cannot be used like this ({reason})"
        elif isinstance(error, MemoryError):
            code, message = ViolationCode.MEMORY_BUDGET, "the program needs more memory than it may"
        self._note(code, place[:2], sentence(message), skills)

    def _note(
        self, code: ViolationCode, place: tuple[int, int], message: str, skills: SimulatedSkills
    ) -> None:
        """End the path with a violation; of similar ones, keep the one with the shortest story."""
        told = f"Line {place[0]}: {code.value}: {message}"
        self._ends.all.append(PathEnd(skills.choices.sequence, told, is_violation=True))
        known = self.found.violations.get((code, place[0]))
        shown = known.counterexample if known is not None else None
        if shown is None or skills.length + 1 < shown.length:
            violation = self._violation(code, place, message, skills)
            self.found.violations[code, place[0]] = violation

    def _violation(
        self, code: ViolationCode, place: tuple[int, int], message: str, skills: SimulatedSkills
    ) -> Violation:
        line, column = place
        told = counterexample(line, message, skills, skills.choices, self._words)
        return Violation(code=code, line=line, column=column, message=message, counterexample=told)


def _text(error: Exception) -> str:
    """An error as text; it may carry a value of the program that cannot be printed."""
    try:
        return str(error)
    except (RecursionError, MemoryError, ValueError):
        return "it cannot be written"
