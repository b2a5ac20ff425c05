"""Findings of a replay, before comparison with the expectations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.trace.compared import Timing
from roboinstruct_ros.trace.run_trace import RunTrace


class Depth(str, Enum):
    """What a replay repeats: the calls, the verdict, the generation, or the run on the
    full stack."""

    CALLS = "calls"
    VERDICT = "verdict"
    PROGRAM = "program"
    SIMULATE = "simulate"


Again = Callable[[RunTrace], object | None]
"""Replays a run at one depth: returns the first difference (`str()` is one line), None, or `Timed`.

Raises CannotReplay.
"""


@dataclass(frozen=True)
class Found:
    """Result of one bag at one depth.

    Attributes:
        now: the first difference, in one line; empty for none.
        fault: why it cannot be replayed; empty if it can.
        times: durations of its calls, if they were carried out.
        duration: of the replay, s.
    """

    now: str = ""
    fault: str = ""
    times: tuple[Timing, ...] = ()
    duration: float = 0.0
