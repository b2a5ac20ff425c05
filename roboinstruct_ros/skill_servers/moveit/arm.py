"""The arm, and the state of the gripper, as the skills need them: independent of the driver. No
ROS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from roboinstruct_ros.skill_servers.kit.rotation import Placement, Vector
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box


class ArmProblem(str, Enum):
    """Why an arm failed to carry out a command."""

    NO_PLAN = "no_plan"
    """No plan exists or none was found in time; nothing moved."""
    NOT_EXECUTED = "not_executed"
    """The controller aborted; the arm may be anywhere on its trajectory."""
    STOPPED = "stopped"
    NOT_READY = "not_ready"
    """It is still starting or does not know its own state."""
    LOST = "lost"
    """Its process died or hangs."""


class ArmFault(Exception):
    """A failed call of an arm; the text is for a person."""

    def __init__(self, problem: ArmProblem, message: str) -> None:
        super().__init__(message)
        self.problem = problem


class NotYet(RuntimeError):
    """The arm cannot be created until something else is available; the text is one line."""


@dataclass(frozen=True)
class Plan:
    """A planned trajectory, not yet executed.

    Attributes:
        points: number of trajectory points; 0 is an empty plan.
        duration: s.
        start: initial joint positions, rad or m.
        tips: tip position at each point, in the goal's frame, m.
        trajectory: the planner's own, which stays in the process that made the plan.
        number: identifies the plan to that process.
        made: planning time, in s on the clock of `time.monotonic`.
    """

    points: int
    duration: float
    start: Mapping[str, float]
    tips: tuple[Vector, ...]
    trajectory: Any = None
    number: int = 0
    made: float = 0.0


class Arm(Protocol):
    """An arm with its planning scene. Calls block, come from one thread, and raise `ArmFault`."""

    def plan(self, goal: Placement | str, line: bool = False) -> Plan:
        """Plan a trajectory of the tip to a placement in frame `map`, on a straight `line` if asked
        for, or of the arm to a named state of its SRDF."""

    def execute(self, plan: Plan) -> None:
        """Execute a plan; returns at its end."""

    def stop(self) -> None:
        """Stop motion at once; from any thread."""

    def show(self, boxes: Sequence[Box]) -> None:
        """Replace the obstacles of the planning scene, except the robot and the object it holds."""

    def attach(self, box: Box) -> None:
        """Attach an object to the tip and allow contact with the hand. Idempotent."""

    def detach(self, box: Box) -> None:
        """Detach an object; it stays in place as an obstacle until the next `show`."""


@dataclass(frozen=True)
class Grip:
    """Gripper state after a move: finger distance (m), effort (N), and whether it stalled."""

    width: float
    effort: float = 0.0
    stalled: bool = False
