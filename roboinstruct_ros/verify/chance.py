"""Chance and time as the verifier plays them: both are choices like any other."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

from roboinstruct_ros.verify.choices import Choices

FEW = 6
"""Up to so many outcomes are all tried; of more, the first, the middle and the last."""

_SOON, _LATE = 1.0, 86_400.0  # s between two looks at the clock
_SOME_TIME = 1_700_000_000.0  # s since the epoch

Decide = Callable[[str, int], int]
"""Takes a question and a number of alternatives, and gives the one taken."""


class ImaginedChance:
    """Serves `random`: each outcome is a world of its own."""

    def __init__(self, decide: Decide, choices: Choices) -> None:
        self._decide = decide
        self._choices = choices

    def choice(self, values: Sequence[Any]) -> Any:
        """One of the values. Raises IndexError when there is none."""
        if not len(values):
            raise IndexError("Cannot choose from an empty sequence")
        return values[self._index(len(values))]

    def randint(self, low: int, high: int) -> int:
        """A whole number, both ends included. Raises ValueError when there is none."""
        if high < low:
            raise ValueError(f"empty range for randint({low}, {high})")
        return low + self._index(high - low + 1)

    def random(self) -> float:
        """0 <= x < 1: the ends and the middle are tried."""
        self._choices.left_out = True
        return (0.0, 0.5, 1.0 - 2.0**-53)[self._decide("random", 3)]

    def uniform(self, low: float, high: float) -> float:
        """A number between two others."""
        return low + (high - low) * self.random()

    def sample(self, values: Sequence[Any], k: int) -> list[Any]:
        """k of the values, in any order. Raises ValueError when there are fewer."""
        if not 0 <= k <= len(values):
            raise ValueError("Sample larger than population or is negative")
        rest = list(values)
        return [rest.pop(self._index(len(rest))) for _ in range(k)]

    def shuffle(self, values: MutableSequence[Any]) -> None:
        """Any order, in place."""
        values[:] = self.sample(values, len(values))

    def _index(self, count: int) -> int:
        if count <= FEW:
            return self._decide("random", count)
        self._choices.left_out = True
        return (0, count // 2, count - 1)[self._decide("random", 3)]


class ImaginedClock:
    """Serves `time.time`: between two looks, a moment or a day has passed.

    Attributes:
        slept: s that the program has waited.

    Args:
        real: what a run has really read here, s since the epoch; None where nobody knows.
    """

    def __init__(self, decide: Decide, choices: Choices, real: Callable[[], float | None]) -> None:
        self._decide = decide
        self._choices = choices
        self._real = real
        self._now = _SOME_TIME
        self._looked = False
        self.slept = 0.0

    def sleep(self, seconds: float) -> None:
        """Raises ValueError for what `time.sleep` does not take."""
        if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or seconds < 0:
            raise ValueError("time.sleep takes a number of seconds that is not negative")
        self._now += seconds
        self.slept += seconds

    def time(self) -> float:
        """s since the epoch."""
        real = self._real()
        if real is None:
            self._choices.left_out = True  # a real clock says something else
            self._now += (_SOON, _LATE)[self._decide("time", 2)] if self._looked else 0.0
        self._now = self._now if real is None else real
        self._looked = True
        return self._now
