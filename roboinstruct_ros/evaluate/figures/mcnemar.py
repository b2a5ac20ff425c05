"""Tests whether two evaluations of the same items differ by more than chance, from the items
that only one of them has right."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, fsum, lgamma, log


@dataclass(frozen=True)
class McNemar:
    """Two-sided p-values of the exact conditional test, which assumes independent items.

    Source: M. W. Fagerland, S. Lydersen, P. Laake, The McNemar test for binary matched-pairs data,
    2013, equations 2 and 3; mid-p keeps its level and has more power.
    """

    exact: float
    mid: float


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """The test for the numbers of items that only the first, and only the second, has right."""
    pairs, fewer = only_first + only_second, min(only_first, only_second)
    upto = fsum(_chance(pairs, count) for count in range(fewer + 1))
    exact = min(1.0, 2 * upto)
    return McNemar(exact, min(1.0, 2 * upto - _chance(pairs, fewer)) if pairs else 1.0)


def _chance(pairs: int, count: int) -> float:
    """The probability of `count` heads in `pairs` tosses of a fair coin."""
    ways = lgamma(pairs + 1) - lgamma(count + 1) - lgamma(pairs - count + 1)
    return exp(ways - pairs * log(2))
