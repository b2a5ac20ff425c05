"""How often somebody may ask."""

from __future__ import annotations

import time
from collections.abc import Callable

MAX_KEYS = 1000
"""Addresses that are remembered; those that asked longest ago are forgotten first."""


class RateLimit:
    """A bucket for each key: `count` at once, refilled in `period` s."""

    def __init__(
        self, count: int, period: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._count, self._rate, self._clock = count, count / period, clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> float:
        """0 when it may ask now; else the time after which it may, s."""
        now = self._clock()
        left, seen = self._left.pop(key, (float(self._count), now))
        left = min(self._count, left + (now - seen) * self._rate)
        allowed = left >= 1.0
        self._left[key] = (left - 1.0 if allowed else left, now)
        if len(self._left) > MAX_KEYS:
            del self._left[next(iter(self._left))]
        return 0.0 if allowed else (1.0 - left) / self._rate
