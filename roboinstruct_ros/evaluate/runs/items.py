"""What is evaluated one by one: a phrasing of a task, once for each sample."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from roboinstruct_ros.evaluate.runs.record import Key
from roboinstruct_ros.evaluate.suite.case import Case, Suite

_SEEDS = 2**30
"""A draw takes the seed of its item and the numbers after it, and a model takes 32 bits."""


@dataclass(frozen=True)
class Item:
    """One evaluation that is to be done."""

    key: Key
    case: Case

    def seed(self, run: int) -> int:
        """Of its first draw: a function of the run's seed and the item, so that neither the order
        nor who does it makes a difference."""
        text = f"{run}\n{self.key.model_dump_json()}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % _SEEDS


def items_of(suite: Suite, samples: int = 1, tasks: str = "") -> list[Item]:
    """Every phrasing of the suite so many times, in its order.

    Args:
        tasks: only those whose name or kind fits this pattern of `*` and `?`.
    """
    return [
        Item(Key(task=case.name, phrasing=phrasing, sample=sample), case)
        for case, phrasing in _numbered(suite)
        if fits(case, tasks)
        for sample in range(samples)
    ]


def fits(case: Case, tasks: str) -> bool:
    """Whether the name or the kind of its task is of this pattern; all are of ""."""
    return not tasks or fnmatchcase(case.name, tasks) or fnmatchcase(case.kind, tasks)


def _numbered(suite: Suite) -> Iterator[tuple[Case, int]]:
    """The cases, each with its phrasing's number, or the next one that its task has free: of sets
    of single sentences some come twice."""
    taken: set[tuple[str, int]] = set()
    for case in suite.cases:
        phrasing = case.phrasing
        while (case.name, phrasing) in taken:
            phrasing += 1
        taken.add((case.name, phrasing))
        yield case, phrasing
