"""Traces a program's lines: coverage, line budgets, and loops that never end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NoReturn

from roboinstruct_ros.sandbox.namespace import FILENAME
from roboinstruct_ros.verify.budget import LOOK_WORK, Budget, Deadline, Work
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.explore.program_state import program_state
from roboinstruct_ros.verify.explore.standing import program_frames
from roboinstruct_ros.verify.program_facts import ProgramFacts

_FIRST_LOOK = 500
"""Lines after which the program is checked for repetition; the interval then doubles."""

_DEEP = 40
"""Most frames on the stack; deeper programs recurse, which Python itself ends."""

_MOST_ROUNDS = 400
"""Loop iterations per world whose state is compared."""

_LINES, _PULSE = 256, 10_000
"""Lines between two updates of the work count, and work between two checks of the time."""

_TRIES = 100
"""Lines at which the state is recorded in each check for repetition."""


@dataclass(eq=False)
class OutOfLines(BaseException):
    """A path ran longer than any sensible program does.

    Attributes:
        line: of the loop that does not end.
        still_choosing: its second half left questions open; with other answers it may end.
        most: the line limit; None if the program returned to an earlier state without an open
            question, so that it never ends.
    """

    line: int
    still_choosing: bool
    most: int | None


@dataclass(eq=False)
class CameBack(BaseException):
    """A loop begins an iteration in a state in which it has begun one before.

    Attributes:
        line: of the loop.
        chosen: number of choices made at that time; all continuations are tried from there.
    """

    line: int
    chosen: int


@dataclass(eq=False)
class OutOfWork(BaseException):
    """The work budget of all worlds together is spent; `line` is where."""

    line: int


@dataclass(eq=False)
class OutOfTime(BaseException):
    """The time of the verification is spent; `line` is where."""

    line: int


@dataclass
class Reached:
    """Coverage of all paths together.

    Attributes:
        lines: line numbers.
        branches: (line of an `if`, `while` or `for`, whether its body was entered).
    """

    lines: set[int] = field(default_factory=set)
    branches: set[tuple[int, bool]] = field(default_factory=set)


@dataclass(eq=False)
class LineWatch:
    """Counts the program's lines while a function runs, and ends it at a limit.

    Attributes:
        work: the remaining work of all worlds together.
        world: returns the state of the world.
        round_begins: takes the frame of a loop that begins an iteration; returns the number of
            choices made when the state was the same, or None for a new state.
        end: the exception that ended the path, if any.
        acted: the program's lines up to its latest skill call or wait.
    """

    budget: Budget
    deadline: Deadline
    work: Work
    facts: ProgramFacts
    reached: Reached
    choices: Choices
    world: Callable[[], object]
    round_begins: Callable[[FrameType], int | None]
    end: BaseException | None = None
    acted: int = 0

    def __post_init__(self) -> None:
        self._unlooked = 0
        self._bodies, self._rounds = self.facts.branches, self.facts.round_lines
        self._lines = self.reached.lines
        self._pending: dict[int, int] = {}
        self.begin_anew()

    def begin_anew(self) -> None:
        """Reset the line counts."""
        self._count = self.acted = 0
        self._rounds_left = _MOST_ROUNDS
        self._next_look = _FIRST_LOOK
        self._late: set[int] | None = None
        self._look: _Look | None = None

    def spend(self, lines: int, line: int) -> None:
        """Charge work, in program lines.

        Raises:
            OutOfWork, OutOfTime: the budget is spent.
        """
        self.work.left -= lines
        if self.work.left < 0:
            self._stop(OutOfWork(line))
        self._unlooked += lines
        if self._unlooked >= _PULSE:
            self._unlooked = 0
            if self.deadline.is_past:
                self._stop(OutOfTime(line))

    def acts(self) -> None:
        """Note that the program has called a skill or waits."""
        self.acted = self._count

    def call(self, function: Callable[[], None]) -> None:
        """Run the function under watch.

        An end of the path stays in force even if the program suppresses it: a `finally:` may raise
        another error in its place, and a handler may catch that error, or a full stack or memory,
        which a real run would reach elsewhere.

        Raises:
            OutOfLines, OutOfWork, OutOfTime: a limit is passed.
            RecursionError, MemoryError: whether or not the program caught it.
        """
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            function()
        except Exception:
            if self.end is None:
                raise
        finally:
            lost = sys.gettrace() != self._enter
            sys.settrace(before)
        if self.end is not None:
            raise self.end
        if lost:  # the stack overflowed inside the trace function, which Python then removes
            raise RecursionError("maximum recursion depth exceeded")

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._step if frame.f_code.co_filename == FILENAME else None

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self._pending:
            self._note_branch(frame, event)
        if event == "line":
            line = frame.f_lineno
            self._lines.add(line)
            if line in self._bodies:
                self._pending[id(frame)] = line
            self._count += 1
            if self._late is not None:
                self._late.add(line)
                self._look_for_repetition(frame, line)
            if self._count >= self._next_look:
                self._look_again(line)
            if line in self._rounds and self._rounds_left:
                self._rounds_left -= 1
                self.work.left -= LOOK_WORK
                chosen = self.round_begins(frame)
                if chosen is not None:
                    self._stop(CameBack(line, chosen))
            if not self._count % _LINES:
                self.spend(_LINES, line)
        elif event == "exception":
            self._note_end(argument[1])
        return self._step

    def _stop(self, end: BaseException) -> NoReturn:
        self.end = self.end or end
        raise end

    def _note_end(self, error: object) -> None:
        if isinstance(error, Exception):
            is_end = isinstance(error, (RecursionError, MemoryError))
        else:
            is_end = not isinstance(error, GeneratorExit)  # a GeneratorExit ends only the generator
        if is_end and self.end is None and isinstance(error, BaseException):
            self.end = error

    def _note_branch(self, frame: FrameType, event: str) -> None:
        header = self._pending.pop(id(frame), None)
        if header is None:
            return
        if event == "line":
            self.reached.branches.add((header, frame.f_lineno == self._bodies[header]))
        elif event == "return":
            self.reached.branches.add((header, False))

    def _look_again(self, line: int) -> None:
        """At doubling intervals, check for a while whether the program only repeats itself."""
        limit = min(self.budget.lines, self.acted + self.budget.quiet_lines)
        if self._count >= limit:
            assert self._late is not None and self._look is not None
            still_choosing = len(self.choices.taken) > self._look.chosen
            all_lines = limit == self.budget.lines
            most = limit if all_lines else self.budget.quiet_lines
            self._stop(OutOfLines(min(self._late), still_choosing, most))
        self._next_look = max(min(2 * self._count, limit), self._count + _FIRST_LOOK)
        self._look, self._late = _Look(len(self.choices.taken)), set()

    def _look_for_repetition(self, frame: FrameType, line: int) -> None:
        look, late = self._look, self._late
        assert look is not None and late is not None
        if look.tries <= 0 or (look.state is not None and line != look.line):
            return
        look.tries -= 1
        if len(self.choices.taken) > look.chosen:
            look.tries = 0  # other answers may lead out of the loop
        elif self._is_steady(frame, late):
            state = program_state(frame), self.world()
            if look.state == state:
                self._stop(OutOfLines(min(late), still_choosing=False, most=None))
            if look.state is None:
                look.state, look.line = state, line

    def _is_steady(self, frame: FrameType | None, late: set[int]) -> bool:
        """Whether no `for` in progress can advance unseen: its position is in no variable."""
        moving, frames = late & self.facts.looping_lines, program_frames(frame)
        return len(frames) < _DEEP and all(frame.f_lineno not in moving for frame in frames)


@dataclass
class _Look:
    """One check for a recurring state.

    Attributes:
        chosen: number of choices when it began.
    """

    chosen: int
    tries: int = _TRIES
    state: object = None
    line: int = 0


def is_within(lines: Collection[int]) -> bool:
    """Whether one of these program lines is being executed, or waits for a call to return."""
    return any(frame.f_lineno in lines for frame in program_frames(sys._getframe(1)))
