"""What a replay has found, before it is held against what is expected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.trace.compared import Timing
from roboinstruct_ros.trace.run_trace import RunTrace


class Depth(str, Enum):
    """What is done again: the program's calls, the verdict on it, its writing, or all the stack."""

    CALLS = "calls"
    VERDICT = "verdict"
    PROGRAM = "program"
    SIMULATE = "simulate"


Again = Callable[[RunTrace], object | None]
"""Does it again: the first difference, whose `str()` is a line, None, or `Timed`.

Raises CannotReplay.
"""


@dataclass(frozen=True)
class Found:
    """Of one bag at one depth.

    Attributes:
        now: the first difference, in a line; empty where all goes as recorded.
        fault: why it cannot be replayed; empty where it can.
        times: of its calls, where they were carried out.
        duration: of the replay, s.
    """

    now: str = ""
    fault: str = ""
    times: tuple[Timing, ...] = ()
    duration: float = 0.0
