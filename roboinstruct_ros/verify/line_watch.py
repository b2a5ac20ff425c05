"""Watches a program's lines: what is reached, how many, and whether a loop can end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from roboinstruct_ros.sandbox.namespace import FILENAME
from roboinstruct_ros.verify.choices import Choices
from roboinstruct_ros.verify.program_facts import ProgramFacts
from roboinstruct_ros.verify.program_state import program_state

_TRIES = 2000
"""Lines past the limit in which a loop may show that it has come back to where it was."""


class OutOfLines(BaseException):
    """A path ran longer than any sensible program does.

    Attributes:
        line: of the loop that does not end.
        still_choosing: its second half left questions open; with other answers it may end.
        endless: the program is back where it was, with nothing open: it never ends.
    """

    def __init__(self, line: int, still_choosing: bool, endless: bool) -> None:
        super().__init__(f"line {line}")
        self.line, self.still_choosing, self.endless = line, still_choosing, endless


class OutOfTime(BaseException):
    """The wall time of the verification is spent; `line` is where."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


@dataclass
class Reached:
    """What all paths together reached.

    Attributes:
        lines: line numbers.
        branches: (line of an `if`, `while` or `for`, whether its body was entered).
    """

    lines: set[int] = field(default_factory=set)
    branches: set[tuple[int, bool]] = field(default_factory=set)


class LineWatch:
    """Counts the program's lines while a function runs, and ends it past a limit."""

    def __init__(
        self,
        limit: int,
        deadline: float,
        facts: ProgramFacts,
        reached: Reached,
        choices: Choices,
        world: Callable[[], object],
    ) -> None:
        self._left = limit
        self._half = limit // 2
        self._deadline = deadline
        self._facts = facts
        self._bodies: Mapping[int, int] = facts.branches
        self._reached = reached
        self._lines = reached.lines
        self._choices = choices
        self._world = world
        self._chosen = 0
        self._late: set[int] | None = None
        self._pending: dict[int, int] = {}
        self._seen: object = None
        self._seen_line = 0
        self._tries = _TRIES

    def call(self, function: Callable[[], None]) -> None:
        """Run the function under watch.

        Raises:
            OutOfLines, OutOfTime: a limit is passed.
        """
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            function()
        finally:
            sys.settrace(before)

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
            self._left -= 1
            if self._late is not None:
                self._late.add(line)
            if self._left == self._half:
                self._chosen, self._late = len(self._choices.taken), set()
            if self._left % 256 == 0 and time.monotonic() > self._deadline:
                raise OutOfTime(line)
            if self._left <= 0:
                self._past_limit(frame, line)
        return self._step

    def _note_branch(self, frame: FrameType, event: str) -> None:
        header = self._pending.pop(id(frame), None)
        if header is None:
            return
        if event == "line":
            self._reached.branches.add((header, frame.f_lineno == self._bodies[header]))
        elif event == "return":
            self._reached.branches.add((header, False))

    def _past_limit(self, frame: FrameType, line: int) -> None:
        """A program that leaves nothing open gets a few more rounds to repeat itself."""
        late = self._late or {line}
        loop = min(late)
        if len(self._choices.taken) > self._chosen:
            raise OutOfLines(loop, still_choosing=True, endless=False)
        if self._seen is None and self._is_steady(frame, late):
            self._seen, self._seen_line = self._state(frame), line
        elif line == self._seen_line and self._is_steady(frame, late):
            endless = self._state(frame) == self._seen
            if endless:
                raise OutOfLines(loop, still_choosing=False, endless=True)
        self._tries -= 1
        if self._tries <= 0:
            raise OutOfLines(loop, still_choosing=False, endless=False)

    def _is_steady(self, frame: FrameType | None, late: set[int]) -> bool:
        """Whether no `for` under way can be moving on unseen: its place is in no variable."""
        moving = late & self._facts.looping_lines
        while frame is not None:
            if frame.f_code.co_filename == FILENAME and frame.f_lineno in moving:
                return False
            frame = frame.f_back
        return True

    def _state(self, frame: FrameType) -> object:
        return program_state(frame), self._world()
