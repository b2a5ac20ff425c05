"""A stop signal with a timeout."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from roboinstruct_ros.generate.backends.backend import StopSignal


@dataclass(frozen=True)
class TimeLimit:
    """Set on cancellation, or `limit` s after its creation."""

    cancel: StopSignal
    limit: float
    start: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        """s since its creation."""
        return time.monotonic() - self.start

    @property
    def left(self) -> float:
        """s until the timeout; 0 after it."""
        return max(0.0, self.limit - self.elapsed)

    def is_set(self) -> bool:
        return self.cancel.is_set() or not self.left
