"""Something that could go wrong in the rest of a running program, and the reaction to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class OnHazard(str, Enum):
    """Reaction when the rest of a program could go wrong: WARN reports it, PAUSE holds the run
    until a person lets it continue, STOP ends it."""

    WARN = "warn"
    PAUSE = "pause"
    STOP = "stop"


@dataclass(frozen=True)
class Hazard:
    """Something that could go wrong from here.

    Attributes:
        code: violation code, or why the outcome is unknown.
        line: program line; 0 for none.
    """

    code: str
    message: str
    line: int = 0
