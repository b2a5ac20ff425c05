"""Measures how well a model's results on the roots of families carry over to the variations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from roboinstruct_ros.evaluate.families.lineage import Change, Lineage
from roboinstruct_ros.evaluate.figures.estimate import Estimate, difference, share
from roboinstruct_ros.evaluate.runs.record import Record

AS_WRITTEN = "as written"


@dataclass(frozen=True)
class Group:
    """Evaluations of tasks at the same distance from their roots, by the same kinds of changes.

    Intervals resample complete families: results on a task and its variations are correlated.

    Attributes:
        changes: such as `semantic + behaviour`; `as written` for roots.
        distance: steps from the root.
        tasks: number of tasks.
        right: the pass rate.
        against_root: difference to the pass rate of the same families' roots, over families whose
            root was evaluated; nothing for roots.
    """

    changes: str
    distance: int
    tasks: int
    right: Estimate
    against_root: Estimate

    @property
    def name(self) -> str:
        """Such as `world, 2 steps`."""
        steps = {0: "", 1: ", 1 step"}.get(self.distance, f", {self.distance} steps")
        return self.changes + steps


def generalization(records: Sequence[Record], lineage: Lineage) -> tuple[Group, ...]:
    """Roots first, then single kinds of change, then combinations; each from near to far."""
    grouped: dict[tuple[int, tuple[int, ...], int], list[Record]] = defaultdict(list)
    for record in records:
        if record.is_task:
            path = lineage.path(record.key.task)
            kinds = {list(Change).index(step.change) for step in path}
            grouped[len(kinds), tuple(sorted(kinds)), len(path)].append(record)
    roots = _rates(grouped[0, (), 0])
    return tuple(
        _group(_named(kinds), distance, grouped[count, kinds, distance], lineage, roots)
        for count, kinds, distance in sorted(grouped)
    )


def _group(
    changes: str, distance: int, some: Sequence[Record], lineage: Lineage, roots: dict[str, float]
) -> Group:
    by_root = [(lineage.root(one.key.task), float(one.right)) for one in some]
    against = [(root, right - roots[root]) for root, right in by_root if distance and root in roots]
    tasks = len({one.key.task for one in some})
    return Group(changes, distance, tasks, share(by_root), difference(against))


def _rates(records: Iterable[Record]) -> dict[str, float]:
    """The pass rate of each task."""
    right: dict[str, list[bool]] = defaultdict(list)
    for record in records:
        right[record.key.task].append(record.right)
    return {task: sum(some) / len(some) for task, some in right.items()}


def _named(kinds: tuple[int, ...]) -> str:
    return " + ".join(list(Change)[kind].value for kind in kinds) or AS_WRITTEN
