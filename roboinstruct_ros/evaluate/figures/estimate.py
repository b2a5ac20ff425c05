"""A mean over items with its confidence interval.

Items of different tasks are independent: a share of them has its Wilson interval. If tasks have
several items (phrasings or samples), the interval comes from the bootstrap over tasks (BCa). With
fewer than 20 tasks, or if all tasks are alike, the bootstrap is too narrow; with more than 500 it
is not needed. A share then has the Wilson interval for the effective sample size (L. Kish, 1965;
one per task if none differ) with Student's t, and a difference has Student's t interval.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from roboinstruct_ros.evaluate.figures.groups import Groups
from roboinstruct_ros.evaluate.figures.interval import Z95, wilson

FEW, MANY = 20, 500
"""Tasks; with fewer the bootstrap's intervals are too narrow, with more it only costs memory."""

# 97.5 % quantiles of Student's t for 1 to 18 degrees of freedom
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101)  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval.

    Attributes:
        value: None if nothing was counted; the interval is then the full range.
        count: of the items.
    """

    value: float | None
    low: float
    high: float
    count: int

    def percent(self, digits: int = 0) -> str:
        """Such as `25 % (10 to 51)`; a dash if nothing was counted."""
        if self.value is None:
            return "-"
        low, high = (f"{100 * end:.{digits}f}" for end in (self.low, self.high))
        return f"{100 * self.value:.{digits}f} % ({low} to {high})"

    def points(self) -> str:
        """A difference, such as `+4.0 (+1.2 to +6.8)`; a dash if nothing was counted."""
        if self.value is None:
            return "-"
        return f"{100 * self.value:+.1f} ({100 * self.low:+.1f} to {100 * self.high:+.1f})"


def share(values: Iterable[tuple[str, float]]) -> Estimate:
    """The mean of values from 0 to 1, each given with its task."""
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
    """The mean of differences of two shares, from -1 to 1, each given with its task."""
    groups = Groups.of(values)
    if not len(groups):
        return Estimate(None, -1.0, 1.0, 0)
    if not groups.standard_error:  # nothing differs, or everything differs alike
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
    """Whether to use the bootstrap."""
    return FEW <= len(groups) <= MANY and groups.standard_error > 0


def _worth(groups: Groups) -> float:
    """The effective sample size; never less than the number of tasks."""
    error = groups.standard_error
    worth = groups.mean * (1 - groups.mean) / error**2 if error else 0.0
    return min(max(worth, len(groups)), groups.count)


def _t(groups: Groups) -> float:
    """Student's t for few groups; one degree of freedom for a single group."""
    return _T95[max(len(groups) - 2, 0)] if len(groups) < FEW else Z95
