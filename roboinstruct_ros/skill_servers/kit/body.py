"""What moves for a skill server."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol


class Body(Protocol):
    """What carries the goals out: the simulated robot's clock, or a driver of a real one."""

    lock: AbstractContextManager[Any]
    """Reentrant; guards the activities."""

    def halt(self) -> None:
        """Takes every motion away at once, whoever began it: a stop."""

    def end(self) -> None:
        """Takes the motion of its own goal away at once, and nobody else's: a cancel."""
