"""Chance and time as the verifier plays them: both are choices like any other."""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.sandbox.chance import Chance
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.explore.line_watch import program_line

FEW = 6
"""Up to so many outcomes are all tried; of more, the first, the middle and the last."""

_SOON, _LATE = 1.0, 86_400.0  # s between two looks at the clock
_SOME_TIME = 1_700_000_000.0  # s since the epoch

Decide = Callable[[str, int], int]
"""Takes a question and a number of alternatives, and gives the one taken."""


class ImaginedChance(Chance):
    """Serves `random`: each outcome is a world of its own."""

    def __init__(self, decide: Decide, choices: Choices) -> None:
        super().__init__(self._index, self._some)
        self._decide = decide
        self._choices = choices

    def _some(self) -> float:
        """The ends and the middle are tried."""
        self._choices.leave_out(program_line(), "of all random numbers, three are tried")
        return (0.0, 0.5, 1.0 - 2.0**-53)[self._decide("random", 3)]

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
        """So many seconds pass."""
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
