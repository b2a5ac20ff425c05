"""The clocks of a run: wall time on a robot, simulated time in a simulator."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

_LOOK = 0.02
"""Polling period (s) of `sleep`; short, as a simulator's clock may run faster than real time."""


@dataclass(frozen=True)
class Clocks:
    """The clocks of a run. Time limits for nodes and people always use real time.

    Attributes:
        read: what the program reads, in s since the epoch.
        stamp: for stamping calls, in s since the epoch.
        passing: what the program sleeps on, in s from an arbitrary origin.
    """

    read: Callable[[], float] = time.time
    stamp: Callable[[], float] = time.time
    passing: Callable[[], float] = time.monotonic

    def sleep(self, seconds: float, over: threading.Event) -> None:
        """Wait for `seconds` on the `passing` clock, or until `over` is set."""
        end = self.passing() + seconds
        while (left := end - self.passing()) > 0.0 and not over.wait(min(left, _LOOK)):
            pass
