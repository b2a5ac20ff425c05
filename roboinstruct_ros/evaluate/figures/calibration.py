"""The calibration of a model's confidence: what share is right at each level of confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum

from roboinstruct_ros.evaluate.figures.estimate import Estimate, share
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.evaluate.suite.outcome import Outcome

BOUNDS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Bounds of the ranges of confidence; the last range includes its upper end."""

_GOOD = (Outcome.RIGHT, Outcome.OFFERED)


@dataclass(frozen=True)
class Range:
    """Items with similar confidence: the mean confidence, and the share that is right."""

    low: float
    high: float
    confidence: float
    right: Estimate


@dataclass(frozen=True)
class Calibration:
    """The relation between confidence and correctness.

    Attributes:
        error: the expected calibration error: mean over the items of the distance between
            confidence and share of right items.
        brier: mean squared distance between confidence and 1 or 0 (G. W. Brier, 1950).
    """

    ranges: tuple[Range, ...]
    error: float
    brier: Estimate


def calibration(records: Sequence[Record]) -> Calibration | None:
    """The calibration of all records with a confidence; None if there is none."""
    told = [one for one in records if one.confidence is not None]
    if not told:
        return None
    ranges = [_range(told, low, high) for low, high in pairwise(BOUNDS)]
    some = tuple(one for one in ranges if one is not None)
    apart = fsum(one.right.count * abs(one.confidence - (one.right.value or 0)) for one in some)
    brier = share((one.key.task, (_sure(one) - _good(one)) ** 2) for one in told)
    return Calibration(some, apart / len(told), brier)


def _range(told: Sequence[Record], low: float, high: float) -> Range | None:
    some = [one for one in told if low <= _sure(one) < high or _sure(one) == high == BOUNDS[-1]]
    if not some:
        return None
    mean = fsum(map(_sure, some)) / len(some)
    return Range(low, high, mean, share((one.key.task, _good(one)) for one in some))


def _sure(record: Record) -> float:
    return record.confidence or 0.0


def _good(record: Record) -> bool:
    """Whether the item is right; of a question between two programs, the likelier one."""
    return record.outcome in _GOOD and not record.why
