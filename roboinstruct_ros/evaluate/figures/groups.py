"""The mean of grouped values, such as the phrasings and samples of a task, and its uncertainty.

Values of one group are correlated, so groups are resampled and never values (a clustered
bootstrap).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating[Any]]

DRAWS = 10_000
"""Number of bootstrap samples."""

SEED = 20
"""Random seed, so that the same values give the same interval."""

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Groups:
    """For each group, in the order of their names: the sum and the number of its values."""

    sums: Numbers
    sizes: Numbers

    @classmethod
    def of(cls, values: Iterable[tuple[str, float]]) -> Groups:
        """From pairs of a group's name and a value; their order does not matter."""
        by_name: dict[str, list[float]] = defaultdict(list)
        for name, value in values:
            by_name[name].append(value)
        of_groups = [by_name[name] for name in sorted(by_name)]
        return cls(
            np.array([fsum(group) for group in of_groups], dtype=float),
            np.array([len(group) for group in of_groups], dtype=float),
        )

    def __len__(self) -> int:
        return len(self.sums)

    @property
    def count(self) -> int:
        """Number of values."""
        return int(self.sizes.sum())

    @property
    def mean(self) -> float:
        """Mean of all values."""
        return float(self.sums.sum() / self.sizes.sum())

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, from the differences between groups; 0 for one group.

        Source: the linearized variance of a ratio, W. G. Cochran, Sampling Techniques, 1977, 6.19.
        """
        if len(self) < 2:
            return 0.0
        residuals = self.sums - self.mean * self.sizes
        inflated = len(self) / (len(self) - 1)
        return sqrt(float(residuals @ residuals) * inflated) / self.count

    def bca(self) -> tuple[float, float]:
        """The 95 % interval of the mean by the bias-corrected and accelerated bootstrap.

        Source: B. Efron, Better bootstrap confidence intervals, 1987.
        """
        drawn = _draws(len(self)).astype(float)
        means = (drawn @ self.sums) / (drawn @ self.sizes)
        below = np.mean(means < self.mean) + np.mean(means == self.mean) / 2
        bias = _NORMAL.inv_cdf(float(np.clip(below, 1 / DRAWS, 1 - 1 / DRAWS)))
        ends = [self._level(bias, _NORMAL.inv_cdf(level)) for level in (0.025, 0.975)]
        low, high = np.quantile(means, ends)
        return float(low), float(high)

    def _level(self, bias: float, z: float) -> float:
        """The share of bootstrap means below an end of the interval."""
        without = (self.sums.sum() - self.sums) / (self.sizes.sum() - self.sizes)
        apart = without.mean() - without
        acceleration = float((apart**3).sum() / (6 * (apart**2).sum() ** 1.5))
        return _NORMAL.cdf(bias + (bias + z) / (1 - acceleration * (bias + z)))


@lru_cache(maxsize=16)
def _draws(groups: int) -> NDArray[np.uint8]:
    """How often each group is in each bootstrap sample; cached for the means of a table."""
    even = np.full(groups, 1 / groups)
    return np.random.default_rng(SEED).multinomial(groups, even, size=DRAWS).astype(np.uint8)
