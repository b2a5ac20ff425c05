"""What an exploration has found so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.program.violation import Violation
from roboinstruct_ros.verify.explore.line_watch import Reached
from roboinstruct_ros.verify.world.assumptions import Assumed


@dataclass
class Exploration:
    """What was found in all worlds so far.

    Attributes:
        violations: the one with the shortest story for each code and line.
        finished: worlds in which the program came to its end.
        frontier: the first choice sequence that was not tried; None when all were.
        advice: (line, warning) to whether the call was of use in some world.
        assumed: what some world took for granted.
        slow_line: where the time ended, 0 between two worlds; None where it did not.
        left_out: (line, reason) why worlds were left out; line 0 for the whole program.
    """

    violations: dict[tuple[ViolationCode, int], Violation] = field(default_factory=dict)
    paths: int = 0
    finished: int = 0
    exhaustive: bool = False
    frontier: tuple[int, ...] | None = None
    slow_line: int | None = None
    waited: bool = False
    holds: dict[str, None] = field(default_factory=dict)
    advice: dict[tuple[int, str], bool] = field(default_factory=dict)
    assumed: dict[Assumed, None] = field(default_factory=dict)
    reached: Reached = field(default_factory=Reached)
    left_out: dict[tuple[int, str], None] = field(default_factory=dict)
