"""A stop signal that also comes when the time is over."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from roboinstruct_ros.generate.backends.backend import StopSignal


@dataclass(frozen=True)
class TimeLimit:
    """Set when somebody cancels, or `limit` s after it was made."""

    cancel: StopSignal
    limit: float
    start: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        """s since it was made."""
        return time.monotonic() - self.start

    @property
    def left(self) -> float:
        """s until the time is over; 0 when it is."""
        return max(0.0, self.limit - self.elapsed)

    def is_set(self) -> bool:
        return self.cancel.is_set() or not self.left
