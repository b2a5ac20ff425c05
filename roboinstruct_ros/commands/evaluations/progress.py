"""Tells how far an evaluation is: a bar at a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from roboinstruct_ros.evaluate.runs.record import Record

_EVERY = 10.0
"""s between two lines where there is no terminal."""


def told(records: Iterable[Record], done: int, items: int) -> Iterator[Record]:
    """The same records; standard error tells of each.

    Args:
        done: records that were there before.
        items: records that there are in the end.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from _in_lines(records, done, items)
        return
    columns = (
        TextColumn("evaluating"), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[right]}"), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    right = 0
    with Progress(*columns, console=console, transient=True) as progress:
        shown = progress.add_task("", total=items, completed=done, right="")
        for count, record in enumerate(records, start=1):
            right += record.right
            progress.update(shown, advance=1, right=f"{right} of {count} right")
            yield record


def _in_lines(records: Iterable[Record], done: int, items: int) -> Iterator[Record]:
    begun = last = time.monotonic()
    right = 0
    for count, record in enumerate(records, start=1):
        right += record.right
        yield record
        now = time.monotonic()
        if now - last >= _EVERY or done + count == items:
            last = now
            counts = f"{done + count} of {items} evaluated, {right} of {count} right"
            print(f"{counts}, {now - begun:.0f} s", file=sys.stderr, flush=True)
