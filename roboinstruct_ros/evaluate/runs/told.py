"""A line for each kind of task, until there is more to tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from roboinstruct_ros.evaluate.runs.record import Record


def table(records: Sequence[Record]) -> str:
    """Markdown."""
    return str(Counter(record.outcome.value for record in records))
