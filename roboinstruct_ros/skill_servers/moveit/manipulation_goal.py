"""Parts of a pick or place goal: limits, the held object, and how it ends. No ROS."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event
from types import SimpleNamespace
from typing import Any

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.rotation import Placement
from roboinstruct_ros.skill_servers.moveit.grasp_config import GraspEntry
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box
from roboinstruct_ros.skill_servers.moveit.motion_check import MotionLimits


@dataclass(frozen=True)
class PickSettings:
    attempts: int = option(2, "maximum number of grasp attempts", 1, 50)
    candidates: int = option(8, "maximum number of grasps to plan for in one attempt", 1, 50)
    carry: str = option("", "named state that the arm takes after a pick, for driving; empty: none")
    limits: MotionLimits = field(default_factory=MotionLimits)


@dataclass(frozen=True)
class Held:
    """The held object: box and tip when it was grasped, and how it was grasped."""

    box: Box
    tip: Placement
    entry: GraspEntry
    width: float


@dataclass(eq=False)
class Job:
    """One goal: its current phase, and whether it was cancelled."""

    feedback: Any = field(default_factory=SimpleNamespace)
    """Its `phase` names the current step."""
    cancelled: Event = field(default_factory=Event)


class Cancelled(Exception):
    """The goal was cancelled; the canceller has stopped the arm."""


class StepFailed(Exception):
    def __init__(self, code: SkillErrorCode, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(code, message)
