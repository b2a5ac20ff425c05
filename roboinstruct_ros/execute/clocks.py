"""What time it is for a run: a simulator's time, where the robot lives in one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

_LOOK = 0.02
"""s between two looks at a clock that a simulator may run faster than time."""


@dataclass(frozen=True)
class Clocks:
    """The clocks of a run; limits on others' patience count in real time, whatever these say.

    Attributes:
        read: what programs read, s since the epoch.
        stamp: what calls are stamped with, s since the epoch.
        passing: what programs sleep on, s since some moment.
    """

    read: Callable[[], float] = time.time
    stamp: Callable[[], float] = time.time
    passing: Callable[[], float] = time.monotonic

    def sleep(self, seconds: float, over: threading.Event) -> None:
        """Lets s pass; `over` ends it early."""
        end = self.passing() + seconds
        while (left := end - self.passing()) > 0.0 and not over.wait(min(left, _LOOK)):
            pass
