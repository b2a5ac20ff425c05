"""The interface of a suite with its own worlds and checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from roboinstruct_ros.evaluate.suite.outcome import WorldRecord


class Check(Protocol):
    """Runs a program in its own worlds. A value that can be sent to another process."""

    def runs_of(self, program: str) -> Sequence[WorldRecord]:
        """The results of the program in each world, in order."""
