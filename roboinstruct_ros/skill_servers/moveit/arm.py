"""What the skills need of an arm and a gripper, whatever moves them. No ROS."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

from roboinstruct_ros.skill_servers.kit.rotation import Placement, Vector
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box

W = TypeVar("W")
"""A way: a `Plan`, or what it is where it was made."""


class ArmProblem(str, Enum):
    """Why an arm did not do what it was told."""

    NO_PLAN = "no_plan"
    """There is no way, or none was found in time; nothing moved."""
    NOT_EXECUTED = "not_executed"
    """The controller gave up; the arm stands somewhere on the way."""
    STOPPED = "stopped"
    """It was told to stop."""
    NOT_READY = "not_ready"
    """It is still starting, or does not know its own state."""
    LOST = "lost"
    """Its process died or hangs."""


class ArmFault(Exception):
    """A call of an arm that failed; the text is for a person."""

    def __init__(self, problem: ArmProblem, message: str) -> None:
        super().__init__(message)
        self.problem = problem


class NotYet(RuntimeError):
    """An arm that cannot be made before something else is there; the text is one line."""


@dataclass(frozen=True)
class Plan:
    """A way for the arm, not yet gone.

    Attributes:
        number: by which the arm knows it.
        points: how many there are; 0 is no plan at all.
        duration: s.
        start: position of each joint at its beginning, rad or m.
        tips: where the tip is at each point, in the frame of the goal, m.
        made: when it was made, s on the clock of `time.monotonic`.
    """

    number: int
    points: int
    duration: float
    start: Mapping[str, float]
    tips: tuple[Vector, ...]
    made: float


class Arm(Protocol[W]):
    """An arm with its planning scene. Calls block, come from one thread, and raise `ArmFault`."""

    def plan_to(self, goal: Placement) -> W:
        """Find any trajectory of the tip to a placement in frame `map`."""

    def plan_line(self, goal: Placement) -> W:
        """Find a straight one."""

    def plan_named(self, name: str) -> W:
        """Find one to a named state of the arm's own description."""

    def execute(self, plan: W) -> None:
        """Carry it out; return at its end."""

    def stop(self) -> None:
        """Stand still, at once; from any thread."""

    def show(self, boxes: Sequence[Box]) -> None:
        """Make these the obstacles of the planning scene, beside the robot and what it holds."""

    def attach(self, box: Box) -> None:
        """Fix a thing to the tip: it moves along, the hand may touch it. Twice is once."""

    def detach(self, box: Box) -> None:
        """Let it go; it stays where it is as an obstacle until the next `show`."""


@dataclass(frozen=True)
class Grip:
    """How a gripper stands after a move: m between the fingers, N, and whether it was held up."""

    width: float
    effort: float = 0.0
    stalled: bool = False


class Gripper(Protocol):
    """Two fingers. `move` blocks; `stop` comes from any thread."""

    def move(self, width: float, force: float) -> Grip:
        """Opens or closes to a width (m) with at most that force (N).

        Raises:
            ArmFault: it did not answer, or was stopped.
        """

    def stop(self) -> None:
        """Ends a move; the fingers stay where they are."""


class JointState(Protocol):
    """What the robot's own drivers say of its joints."""

    def positions(self) -> Mapping[str, float]:
        """Each joint's newest position, rad or m."""

    def age(self, names: Iterable[str]) -> float:
        """Since when nothing was heard of one of these joints, s."""
