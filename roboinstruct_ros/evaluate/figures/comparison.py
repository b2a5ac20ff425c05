"""A paired comparison of two evaluations of the same items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from roboinstruct_ros.evaluate.figures.estimate import Estimate, difference, share
from roboinstruct_ros.evaluate.figures.mcnemar import McNemar, mcnemar
from roboinstruct_ros.evaluate.runs.record import Key, Record

Pair = tuple[Record, Record]


@dataclass(frozen=True)
class Comparison:
    """The results on the same items in A and in B.

    Attributes:
        pairs: in the order of their keys.
        only_a, only_b: items that only one evaluation has.
        asked_otherwise: items with equal keys but different words or expectations.
        other_suite: whether the suites differ, so that worlds and conditions may.
    """

    pairs: tuple[Pair, ...]
    only_a: tuple[Key, ...] = ()
    only_b: tuple[Key, ...] = ()
    asked_otherwise: tuple[Key, ...] = ()
    other_suite: bool = False

    @cached_property
    def lost(self) -> tuple[Pair, ...]:
        """Right in A, not in B."""
        return tuple((a, b) for a, b in self.pairs if a.right and not b.right)

    @cached_property
    def won(self) -> tuple[Pair, ...]:
        """Right in B, not in A."""
        return tuple((a, b) for a, b in self.pairs if b.right and not a.right)

    @cached_property
    def by_task(self) -> dict[str, tuple[int, int, int]]:
        """For each task whose count changed: items right in A, right in B, and compared; the
        largest loss first."""
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for a, b in self.pairs:
            for place, count in enumerate((a.right, b.right, 1)):
                counts[a.key.task][place] += count
        changed = {task: (a, b, of) for task, (a, b, of) in counts.items() if a != b}
        return dict(sorted(changed.items(), key=lambda one: one[1][1] - one[1][0]))

    @cached_property
    def pass_a(self) -> Estimate:
        """pass@1 of A over the pairs."""
        return share((a.key.task, a.right) for a, _ in self.pairs)

    @cached_property
    def pass_b(self) -> Estimate:
        """pass@1 of B over the pairs."""
        return share((b.key.task, b.right) for _, b in self.pairs)

    @cached_property
    def difference(self) -> Estimate:
        """pass@1 of B minus that of A, over the pairs."""
        return _difference(self.pairs)

    @cached_property
    def by_kind(self) -> dict[str, Estimate]:
        """The difference for each kind of item."""
        kinds = sorted({a.kind for a, _ in self.pairs})
        return {
            kind: _difference([pair for pair in self.pairs if pair[0].kind == kind])
            for kind in kinds
        }

    @cached_property
    def mcnemar(self) -> McNemar:
        """Over the items that only one of them has right."""
        return mcnemar(len(self.lost), len(self.won))

    @property
    def verdict(self) -> str:
        """One sentence; points are percentage points of pass@1."""
        some = self.difference
        if some.value is None:
            return "Nothing can be compared: no item is in both."
        if not (self.lost or self.won):
            return f"A and B have the same of {some.count} items right."
        if some.low <= 0 <= some.high:
            return f"Neither is shown to be better; B less A, in points: {some.points()}."
        word = "better" if some.value > 0 else "worse"
        near, far = sorted((abs(100 * some.low), abs(100 * some.high)))
        return f"B is {word} by {abs(100 * some.value):.1f} points ({near:.1f} to {far:.1f})."

    def worse_by_more_than(self, bound: float) -> bool:
        """Whether pass@1 has fallen by more than `bound`, whatever the interval."""
        return -(self.difference.value or 0.0) > bound


def compared(
    first: Sequence[Record], second: Sequence[Record], other_suite: bool = False
) -> Comparison:
    """Pair the records by task, phrasing and sample."""
    a, b = ({one.key: one for one in records} for records in (first, second))
    both = _ordered(a.keys() & b.keys())
    alike = [key for key in both if _asked(a[key]) == _asked(b[key])]
    return Comparison(
        tuple((a[key], b[key]) for key in alike),
        _ordered(a.keys() - b.keys()),
        _ordered(b.keys() - a.keys()),
        tuple(key for key in both if _asked(a[key]) != _asked(b[key])),
        other_suite,
    )


def _difference(pairs: Iterable[Pair]) -> Estimate:
    return difference((a.key.task, b.right - a.right) for a, b in pairs)


def _ordered(keys: Iterable[Key]) -> tuple[Key, ...]:
    return tuple(sorted(keys, key=lambda key: (key.task, key.phrasing, key.sample)))


def _asked(record: Record) -> tuple[object, ...]:
    return record.text, frozenset(record.wanted)
