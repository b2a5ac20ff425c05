"""Chance and time as the verifier plays them: both are choices like any other."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from operator import index
from typing import Any

from roboinstruct_ros.verify.choices import Choices
from roboinstruct_ros.verify.line_watch import program_line

FEW = 6
"""Up to so many outcomes are all tried; of more, the first, the middle and the last."""

_SOON, _LATE = 1.0, 86_400.0  # s between two looks at the clock
_SOME_TIME = 1_700_000_000.0  # s since the epoch

Decide = Callable[[str, int], int]
"""Takes a question and a number of alternatives, and gives the one taken."""


class ImaginedChance:
    """Serves `random`, with the names of its arguments: each outcome is a world of its own."""

    def __init__(self, decide: Decide, choices: Choices) -> None:
        self._decide = decide
        self._choices = choices

    def choice(self, seq: Sequence[Any]) -> Any:
        """One of the values. Raises IndexError when there is none."""
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._index(len(seq))]

    def randint(self, a: int, b: int) -> int:
        """A whole number, both ends included. Raises ValueError when there is none."""
        low, high = index(a), index(b)
        if high < low:
            raise ValueError(f"empty range for randint({low}, {high})")
        return low + self._index(high - low + 1)

    def random(self) -> float:
        """0 <= x < 1: the ends and the middle are tried."""
        self._choices.leave_out(program_line(), "of all random numbers, three are tried")
        return (0.0, 0.5, 1.0 - 2.0**-53)[self._decide("random", 3)]

    def uniform(self, a: float, b: float) -> float:
        """A number between two others."""
        return a + (b - a) * self.random()

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        """k of the values, in any order. Raises ValueError when there are fewer, and TypeError for
        a set or a dict."""
        if not isinstance(population, Sequence):
            raise TypeError("Population must be a sequence. For dicts or sets, use sorted(d).")
        if not 0 <= k <= len(population):
            raise ValueError("Sample larger than population or is negative")
        rest = list(population)
        return [rest.pop(self._index(len(rest))) for _ in range(k)]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Any order, in place."""
        x[:] = self.sample(x, len(x))

    def _index(self, count: int) -> int:
        if count <= FEW:
            return self._decide("random", count)
        self._choices.leave_out(program_line(), f"of {count} random outcomes, three are tried")
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

    def state(self) -> object:
        """What the next reading depends on; nothing where there was none."""
        return self._now if self._looked else None

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
            self._choices.leave_out(program_line(), "a clock may show any time")
            self._now += (_SOON, _LATE)[self._decide("time", 2)] if self._looked else 0.0
        self._now = self._now if real is None else real
        self._looked = True
        return self._now
