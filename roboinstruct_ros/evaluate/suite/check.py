"""How a suite that brings its own worlds and checks judges a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from roboinstruct_ros.evaluate.suite.outcome import WorldRecord


class Check(Protocol):
    """Runs a program in worlds of its own. A value: it may be sent to another process."""

    def runs_of(self, program: str) -> Sequence[WorldRecord]:
        """How the program does in each world, in their order."""
