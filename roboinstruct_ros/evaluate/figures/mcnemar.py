"""Whether two that were asked the same differ more than by luck, by the items that only one of them
has right."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, fsum, lgamma, log


@dataclass(frozen=True)
class McNemar:
    """Two-sided p-values of the exact conditional test; it takes items for independent.

    Source: M. W. Fagerland, S. Lydersen, P. Laake, The McNemar test for binary matched-pairs data,
    2013, equations 2 and 3; mid-p keeps its level and finds more.
    """

    exact: float
    mid: float


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """Of how many items only the one, and only the other, has right."""
    pairs, fewer = only_first + only_second, min(only_first, only_second)
    upto = fsum(_chance(pairs, count) for count in range(fewer + 1))
    exact = min(1.0, 2 * upto)
    return McNemar(exact, min(1.0, 2 * upto - _chance(pairs, fewer)) if pairs else 1.0)


def _chance(pairs: int, count: int) -> float:
    """Of so many heads in so many tosses of a fair coin."""
    ways = lgamma(pairs + 1) - lgamma(count + 1) - lgamma(pairs - count + 1)
    return exp(ways - pairs * log(2))
