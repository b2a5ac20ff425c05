"""A mean over items, with the interval that it may be off by.

Items of different tasks are independent: a share of them has its Wilson interval. Where tasks have
several items, phrasings or samples, the interval is that of the bootstrap that draws tasks (BCa).
Of fewer than 20 tasks, or where all tasks are alike, drawing them again tells too little, and of
more than 500 nothing new. There a share has Wilson's interval for as many items as these are
worth by how tasks differ (the effective sample size of L. Kish, 1965; one a task where none
differ), with Student's t, and a difference has Student's t interval.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from roboinstruct_ros.evaluate.figures.groups import Groups
from roboinstruct_ros.evaluate.figures.interval import Z95, wilson

FEW, MANY = 20, 500
"""Tasks; of fewer the bootstrap's intervals are too narrow, of more it only takes memory."""

# Student's t that 2.5 % lie above, for 1 to 18 degrees of freedom
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101)  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval.

    Attributes:
        value: None where nothing was counted; the interval is then all that there could be.
        count: of the items.
    """

    value: float | None
    low: float
    high: float
    count: int

    def percent(self, digits: int = 0) -> str:
        """Such as `25 % (10 to 51)`; a dash where nothing was counted."""
        if self.value is None:
            return "-"
        low, high = (f"{100 * end:.{digits}f}" for end in (self.low, self.high))
        return f"{100 * self.value:.{digits}f} % ({low} to {high})"

    def points(self) -> str:
        """A difference, such as `+4.0 (+1.2 to +6.8)`; a dash where nothing was counted."""
        if self.value is None:
            return "-"
        return f"{100 * self.value:+.1f} ({100 * self.low:+.1f} to {100 * self.high:+.1f})"


def share(values: Iterable[tuple[str, float]]) -> Estimate:
    """The mean of values from 0 to 1, each with the task that it is of."""
    counted = list(values)
    groups = Groups.of(counted)
    if not counted:
        return Estimate(None, 0.0, 1.0, 0)
    independent = len(groups) == len(counted) and all(value in (0, 1) for _, value in counted)
    if independent:
        return _within(groups, wilson(float(groups.sums.sum()), len(groups)))
    if not _drawn(groups):
        worth = _worth(groups)
        z = _t(groups) if groups.standard_error else Z95
        return _within(groups, wilson(groups.mean * worth, worth, z))
    return _within(groups, groups.bca())


def difference(values: Iterable[tuple[str, float]]) -> Estimate:
    """The mean of differences of two shares, from -1 to 1, each with the task that it is of."""
    groups = Groups.of(values)
    if not len(groups):
        return Estimate(None, -1.0, 1.0, 0)
    if not groups.standard_error:  # nothing differs, or everything does alike
        half = wilson(0, len(groups))[1]
    elif not _drawn(groups):
        half = _t(groups) * groups.standard_error
    else:
        return _within(groups, groups.bca())
    ends = max(-1.0, groups.mean - half), min(1.0, groups.mean + half)
    return _within(groups, ends)


def _within(groups: Groups, ends: tuple[float, float]) -> Estimate:
    return Estimate(groups.mean, *ends, groups.count)


def _drawn(groups: Groups) -> bool:
    """Whether the interval is that of the bootstrap."""
    return FEW <= len(groups) <= MANY and groups.standard_error > 0


def _worth(groups: Groups) -> float:
    """How many independent items tell as much; never fewer than there are tasks."""
    error = groups.standard_error
    worth = groups.mean * (1 - groups.mean) / error**2 if error else 0.0
    return min(max(worth, len(groups)), groups.count)


def _t(groups: Groups) -> float:
    """Student's t for a few groups; that of one degree of freedom for a single one."""
    return _T95[max(len(groups) - 2, 0)] if len(groups) < FEW else Z95
