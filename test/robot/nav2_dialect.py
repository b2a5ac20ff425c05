"""The types that Nav2's interfaces have: its own, or stand-ins where nav2_msgs is not installed.

Cancel, lifecycle and pose interfaces are the true ones in either case: they are ROS's own.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import PoseStamped
from std_srvs.srv import Empty

from roboinstruct_msgs.action import GoTo
from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.skill_servers.kit.pose import pose_of


class StandInTypes:
    """`GoTo` carries a pose as text; what navigators hand out has the fields of Nav2's messages."""

    navigate = plan = GoTo
    clear = Empty

    @staticmethod
    def goal(pose: PoseStamped) -> GoTo.Goal:
        there = pose_of(pose)
        return GoTo.Goal(location=json.dumps([there.x, there.y, there.yaw]))

    @staticmethod
    def pose(goal: GoTo.Goal) -> Pose:
        return Pose(*json.loads(goal.location))

    @staticmethod
    def feedback(pose: PoseStamped, distance: float, seconds: float) -> GoTo.Feedback:
        return GoTo.Feedback(
            current_pose=pose, distance_remaining=distance, estimated_time_remaining=seconds
        )

    @staticmethod
    def as_nav2(feedback: GoTo.Feedback) -> Any:
        return SimpleNamespace(
            current_pose=feedback.current_pose,
            distance_remaining=feedback.distance_remaining,
            estimated_time_remaining=duration(feedback.estimated_time_remaining),
        )

    @staticmethod
    def path(start: PoseStamped, goal: PoseStamped) -> Any:
        return None  # a GoTo has no path; the stand-in navigator makes one up


class Nav2Types:
    """nav2_msgs."""

    def __init__(self) -> None:
        from nav2_msgs.action import ComputePathToPose, NavigateToPose
        from nav2_msgs.srv import ClearEntireCostmap

        self.navigate, self.plan, self.clear = (
            NavigateToPose,
            ComputePathToPose,
            ClearEntireCostmap,
        )

    @staticmethod
    def pose(goal: Any) -> Pose:
        return pose_of(goal.pose if hasattr(goal, "pose") else goal.goal)

    def feedback(self, pose: PoseStamped, distance: float, seconds: float) -> Any:
        return self.navigate.Feedback(
            current_pose=pose,
            distance_remaining=distance,
            estimated_time_remaining=duration(seconds),
        )

    @staticmethod
    def path(start: PoseStamped, goal: PoseStamped) -> Any:
        from nav_msgs.msg import Path

        return Path(header=start.header, poses=[start, goal])


def duration(seconds: float) -> Duration:
    """Seconds as ROS has them."""
    whole = int(seconds)
    return Duration(sec=whole, nanosec=int((seconds - whole) * 1e9))
