"""Runs a program in one world after another, depth first, until none is left."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.task_program import ENTRY_POINT
from roboinstruct_ros.program.violation import Counterexample, Violation, ViolationCode
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.sandbox.namespace import FILENAME, program_namespace
from roboinstruct_ros.verify.choices import Choices, TooManyChoices
from roboinstruct_ros.verify.program_facts import ProgramFacts
from roboinstruct_ros.verify.rooms import ImpossibleWorld
from roboinstruct_ros.verify.simulated_skills import SimulatedSkills, ViolationFound
from roboinstruct_ros.verify.story import shortened

_CUT_PATHS = 8
"""Worlds with too many open questions after which the rest is sampled."""

_TOLD_STEPS = 12
"""Steps told at the beginning and at the end of a long story."""


@dataclass(frozen=True)
class Budget:
    """Limits of one verification.

    Attributes:
        paths: worlds explored depth first.
        samples: worlds drawn at random when the paths are not enough.
        seed: of those draws.
        choices: open questions in one world; one with more is left to the samples.
        lines: program lines executed in one world.
        seconds: wall time of the whole verification, s.
    """

    paths: int = 2000
    samples: int = 200
    seed: int = 0
    choices: int = 200
    lines: int = 20_000
    seconds: float = 2.0


class OutOfLines(BaseException):
    """A path ran longer than any sensible program does.

    Attributes:
        still_choosing: its second half left questions open; with other answers it may end.
    """

    def __init__(self, line: int, still_choosing: bool) -> None:
        super().__init__(f"line {line}")
        self.line, self.still_choosing = line, still_choosing


class OutOfTime(BaseException):
    """The wall time of the verification is spent."""


@dataclass
class Exploration:
    """What was found in all worlds so far.

    Attributes:
        violations: the one with the shortest story for each code and line.
        finished: worlds in which the program came to its end.
    """

    violations: dict[tuple[ViolationCode, int], Violation] = field(default_factory=dict)
    paths: int = 0
    finished: int = 0
    exhaustive: bool = False
    out_of_time: bool = False
    waited: bool = False
    ends_holding: str | None = None
    reached: set[int] = field(default_factory=set)


class Explorer:
    """Explores one compiled program."""

    def __init__(
        self,
        code: CodeType,
        facts: ProgramFacts,
        domain: Domain,
        semantic_map: SemanticMap | None,
        budget: Budget,
    ) -> None:
        self._code = code
        self._facts = facts
        self._domain = domain
        self._map = semantic_map
        self._budget = budget
        self._deadline = time.monotonic() + budget.seconds
        self._cut: list[Violation | None] = []
        self._left_out = False
        self.found = Exploration()

    def explore(self) -> Exploration:
        """All worlds, depth first; sampled ones beyond the budget of paths."""
        prefix: tuple[int, ...] | None = ()
        while prefix is not None and self.found.paths < self._budget.paths:
            choices = Choices(prefix, limit=self._budget.choices)
            self.run(choices)
            if self.found.out_of_time:
                return self.found
            if len(self._cut) >= _CUT_PATHS:
                break
            prefix = choices.next_prefix()
        self.found.exhaustive = prefix is None and not self._cut and not self._left_out
        if prefix is not None or self._cut:
            self._sample()
        self._judge_endless()
        return self.found

    def _sample(self) -> None:
        rng = random.Random(self._budget.seed)
        for _ in range(self._budget.samples):
            self.run(Choices(rng=rng))
            if self.found.out_of_time:
                return

    def _judge_endless(self) -> None:
        """A program that ends in some world may wait; one that ends in none does not end."""
        endless = [violation for violation in self._cut if violation is not None]
        if not endless:
            return
        if self.found.finished or self.found.violations:
            self.found.waited = True
        else:
            self.found.violations[endless[0].code, endless[0].line] = endless[0]

    def run(self, choices: Choices) -> None:
        """One world."""
        skills = SimulatedSkills(self._domain, self._map, self._facts, choices)
        watch = _LineWatch(self._budget.lines, self._deadline, self.found.reached, choices)
        self.found.paths += 1
        try:
            watch.call(lambda: self._execute(skills))
            if skills.fault is not None:
                raise skills.fault
            self._finish(skills)
        except ViolationFound as end:
            self._note(end.code, end.line, end.column, end.message, skills, choices)
        except OutOfLines as end:
            message = "The program does not come to an end from here."
            code = ViolationCode.NON_TERMINATION
            if end.still_choosing:
                steps = (*skills.steps, f"Line {end.line}: {message}")
                self._cut.append(_violation(code, end.line, 0, message, steps, choices))
            else:
                self._note(code, end.line, 0, message, skills, choices)
        except TooManyChoices:
            self._cut.append(None)
        except ImpossibleWorld:
            self.found.paths -= 1
        except OutOfTime:
            self.found.out_of_time = True
        except Exception as error:
            reason = shortened(str(error), 300)
            message = sentence(f"Python stops here: {type(error).__name__}: {reason}")
            line = _line_of(error)
            self._note(ViolationCode.PYTHON_ERROR, line, 0, message, skills, choices)
        self._left_out |= choices.left_out
        self.found.waited |= skills.waited

    def _finish(self, skills: SimulatedSkills) -> None:
        self.found.finished += 1
        held = skills.world.argument_of("holding") if self._has_gripper() else None
        self.found.ends_holding = self.found.ends_holding or held

    def _has_gripper(self) -> bool:
        return any(predicate.name == "holding" for predicate in self._domain.predicates)

    def _execute(self, skills: SimulatedSkills) -> None:
        namespace = program_namespace(
            {name: _untraced(call) for name, call in skills.callables().items()},
            sleep=skills.sleep,
            print_=_discard,
            clock=skills.clock.time,
            rng=skills.chance,
        )
        exec(self._code, namespace)
        namespace[ENTRY_POINT]()

    def _note(
        self,
        code: ViolationCode,
        line: int,
        column: int,
        message: str,
        skills: SimulatedSkills,
        choices: Choices,
    ) -> None:
        known = self.found.violations.get((code, line))
        steps = (*skills.steps, f"Line {line}: {message}")
        shorter = known is None or (
            known.counterexample is not None and len(steps) < len(known.counterexample.steps)
        )
        if shorter:
            found = _violation(code, line, column, message, steps, choices)
            self.found.violations[code, line] = found


def _untraced(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function without the watch, which would slow its every call."""

    def call(*args: Any, **kwargs: Any) -> Any:
        watch = sys.gettrace()
        sys.settrace(None)
        try:
            return function(*args, **kwargs)
        finally:
            sys.settrace(watch)

    return call


class _LineWatch:
    """Counts the program's lines while a function runs, and ends it past a limit."""

    def __init__(self, limit: int, deadline: float, reached: set[int], choices: Choices) -> None:
        self._left = limit
        self._half = limit // 2
        self._choices = choices
        self._chosen = 0
        self._deadline = deadline
        self._reached = reached

    def call(self, function: Callable[[], None]) -> None:
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            function()
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._step if frame.f_code.co_filename == FILENAME else None

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self._reached.add(frame.f_lineno)
            self._left -= 1
            if self._left <= 0:
                raise OutOfLines(frame.f_lineno, len(self._choices.taken) > self._chosen)
            if self._left == self._half:
                self._chosen = len(self._choices.taken)
            if self._left % 256 == 0 and time.monotonic() > self._deadline:
                raise OutOfTime
        return self._step


def _violation(
    code: ViolationCode,
    line: int,
    column: int,
    message: str,
    steps: tuple[str, ...],
    choices: Choices,
) -> Violation:
    counterexample = Counterexample(choices=choices.sequence, steps=_told(steps))
    return Violation(
        code=code, line=line, column=column, message=message, counterexample=counterexample
    )


def _told(steps: tuple[str, ...]) -> tuple[str, ...]:
    """A story short enough to be read: a loop that never ends would tell thousands of steps."""
    left_out = len(steps) - 2 * _TOLD_STEPS
    if left_out <= 0:
        return steps
    return (*steps[:_TOLD_STEPS], f"... {left_out} steps more ...", *steps[-_TOLD_STEPS:])


def _discard(*values: object, **options: object) -> None:
    """Serves `print` in a world that is only imagined."""


def _line_of(error: BaseException) -> int:
    line = 0
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == FILENAME:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line
