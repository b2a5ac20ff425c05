"""Reports the progress of an evaluation: a bar at a terminal, periodic lines elsewhere."""

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
"""Interval (s) between lines without a terminal."""


def told(records: Iterable[Record], what: str, done: int, items: int) -> Iterator[Record]:
    """Pass the records on; once the first has arrived, report each on standard error.

    Args:
        done: number of earlier records.
        items: number of records in the end.
    """
    console = Console(stderr=True)
    counted = (TextColumn("evaluating"), BarColumn(), MofNCompleteColumn())
    columns = (*counted, TextColumn("{task.fields[right]}"), TimeElapsedColumn())
    left, off = TimeRemainingColumn(), not console.is_terminal
    right, begun = 0, time.monotonic()
    last = begun
    with Progress(*columns, left, console=console, disable=off) as progress:
        shown = progress.add_task("", total=items, completed=done, right="")
        for count, record in enumerate(records, start=1):
            yield record
            right += record.right
            new = " new" if done else ""
            counts, now = f"{right} of {count}{new} right", time.monotonic()
            progress.update(shown, advance=1, right=counts)
            if count == 1:
                print(f"{what}: {items} evaluations", file=sys.stderr, flush=True)
            if off and (now - last >= _EVERY or done + count == items):
                last = now
                line = f"{done + count} of {items} evaluated, {counts}, {now - begun:.0f} s"
                print(line, file=sys.stderr, flush=True)
