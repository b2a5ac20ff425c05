"""The `random` module of task programs, with the same code in a trial and in a run.

Standard library only. Only the source of the numbers differs: a trial enumerates them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, MutableSequence, Sequence
from operator import index
from typing import Any


class Chance:
    """The functions in the task language, with Python's parameter names.

    Args:
        below: returns an integer in [0, n) for n of at least 1.
        fraction: returns a number in [0, 1).
    """

    def __init__(self, below: Callable[[int], int], fraction: Callable[[], float]) -> None:
        self._below = below
        self._fraction = fraction

    def choice(self, seq: Sequence[Any]) -> Any:
        """One of the values. Raises IndexError if there is none."""
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._below(len(seq))]

    def randint(self, a: int, b: int) -> int:
        """An integer in [a, b]. Raises ValueError if there is none."""
        low, high = index(a), index(b)
        if high < low:
            raise ValueError(f"empty range for randint({low}, {high})")
        return low + self._below(high - low + 1)

    def random(self) -> float:
        """0 <= x < 1."""
        return self._fraction()

    def uniform(self, a: float, b: float) -> float:
        return a + (b - a) * self._fraction()

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        """`k` of the values, in random order.

        Raises:
            TypeError: a set or a dict has no reproducible order.
            ValueError: there are fewer than `k`.
        """
        if not isinstance(population, Sequence):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        rest, k = list(population), index(k)
        if not 0 <= k <= len(rest):
            raise ValueError("Sample larger than population or is negative")
        return [rest.pop(self._below(len(rest))) for _ in range(k)]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        x[:] = self.sample(x, len(x))


def seeded(seed: int) -> Chance:
    """The generator of a run; the same seed gives the same numbers."""
    numbers = random.Random(seed)
    return Chance(numbers.randrange, numbers.random)
