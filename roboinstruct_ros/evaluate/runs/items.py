"""The items of an evaluation: each phrasing of a task, once per sample."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from roboinstruct_ros.evaluate.runs.record import Key
from roboinstruct_ros.evaluate.suite.case import Case, Suite

_SEEDS = 2**30
"""A draw uses the seed of its item and the numbers after it; a model takes 32 bits."""


@dataclass(frozen=True)
class Item:
    """One evaluation to be done."""

    key: Key
    case: Case

    def seed(self, run: int) -> int:
        """Seed of the item's first draw, a function of the run's seed and the item, so that
        neither order nor distribution matters."""
        text = f"{run}\n{self.key.model_dump_json()}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % _SEEDS


def items_of(suite: Suite, samples: int = 1, tasks: str = "", most: int = 0) -> list[Item]:
    """Every phrasing of the suite, `samples` times, in the order of the suite.

    Args:
        tasks: pattern with `*` and `?` for the name or kind of the selected tasks.
        most: number of phrasings of these, spread over all kinds; 0 is all.
    """
    asked = replace(suite, cases=tuple(case for case in suite.cases if fits(case, tasks)))
    return [
        Item(Key(task=case.name, phrasing=phrasing, sample=sample), case)
        for case, phrasing in _numbered(asked.some(most) if most else asked)
        for sample in range(samples)
    ]


def fits(case: Case, tasks: str) -> bool:
    """Whether the name or kind of the case's task matches the pattern; "" matches all."""
    return not tasks or fnmatchcase(case.name, tasks) or fnmatchcase(case.kind, tasks)


def _numbered(suite: Suite) -> Iterator[tuple[Case, int]]:
    """The cases, each with its phrasing's number or, for duplicates in sets of single sentences,
    the task's next free number."""
    taken: set[tuple[str, int]] = set()
    for case in suite.cases:
        phrasing = case.phrasing
        while (case.name, phrasing) in taken:
            phrasing += 1
        taken.add((case.name, phrasing))
        yield case, phrasing
