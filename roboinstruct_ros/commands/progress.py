"""Reports progress on standard error: a bar at a terminal, periodic lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

_EVERY = 10.0
"""Interval (s) between lines without a terminal."""


@contextmanager
def told(name: str) -> Iterator[Told]:
    """Report the progress of something of that name for the duration of the block."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[more]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),  # else what is printed would not get into its file
    ) as bar:
        yield Told(name, bar)


class Told:
    """Counts what is done of a total."""

    def __init__(self, name: str, bar: Progress) -> None:
        self._name, self._bar = name, bar
        self._shown = bar.add_task(name, total=None, more="")
        self._done, self._total, self._last = 0, 0, time.monotonic()
        self._at_first, self._begun = 0, self._last

    def total(self, count: int) -> None:
        self._total = count
        self._bar.update(self._shown, total=count)

    def advance(self, count: int = 1, more: str = "") -> None:
        """Count further ones; `more` is told of them in the place of the time left."""
        if not self._done:  # items completed earlier are counted first
            self._at_first, self._begun = count, time.monotonic()
        self._done += count
        self._bar.update(self._shown, completed=self._done, more=more)
        now = time.monotonic()
        due = now - self._last >= _EVERY or self._done == self._total
        if self._bar.disable and self._total and due:
            self._last = now
            self.note(f"{self._done} of {self._total}{more or self._left(now)}")

    def _left(self, now: float) -> str:
        done, left = self._done - self._at_first, self._total - self._done
        if done <= 0 or left <= 0:
            return ""
        seconds = left * (now - self._begun) / done
        return f", about {seconds / 60:.0f} min left" if seconds > 90 else f", {seconds:.0f} s left"

    def note(self, text: str) -> None:
        line = f"{self._name}: {text}"
        if self._bar.disable:
            print(line, file=sys.stderr, flush=True)
        else:
            self._bar.console.print(line, markup=False, highlight=False)
