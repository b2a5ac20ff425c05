"""Parameters of `moveit_skills`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.skill_servers.moveit.manipulation_goal import PickSettings
from roboinstruct_ros.skill_servers.moveit.moveit_arm import MoveItSettings
from roboinstruct_ros.skill_servers.moveit.remote_arm import CallLimits
from roboinstruct_ros.skill_servers.moveit.sight import SightLimits
from roboinstruct_ros.skill_servers.perception.parameters import FRAME_SOURCES


@dataclass(frozen=True)
class MoveItParameters:
    grasps: str = option("", "YAML of grasps; empty: the shipped one")
    object_names: str = option("", "YAML of names; empty: the shipped one")
    frames: str = option("tf2", "source of the robot's pose", choices=FRAME_SOURCES)
    frame_patience: float = option(0.1, "how long to wait for a transform", 0.0, 5.0, "s")
    controllers: tuple[str, ...] = option(
        ("arm_controller/follow_joint_trajectory",),
        "actions that move the arm; a stop cancels all their goals",
    )
    gripper_action: str = option(
        "gripper_controller/gripper_cmd",
        "action of the gripper, control_msgs/action/GripperCommand",
    )
    gripper_scale: float = option(
        1.0,
        "gripper position for 1 m between the fingers; 0.5 if it is the position of one finger",
        0.01,
        1000.0,
    )
    gripper_limit: float = option(5.0, "maximum duration of a gripper motion", 0.1, 60.0, "s")
    joint_states: str = option("joint_states", "topic of the robot's joint states")
    goal_limit: float = option(180.0, "maximum duration of one goal", 1.0, 3600.0, "s")
    sight: SightLimits = field(default_factory=SightLimits)
    pick: PickSettings = field(default_factory=PickSettings)
    calls: CallLimits = field(default_factory=CallLimits)
    moveit: MoveItSettings = field(default_factory=MoveItSettings)

    def of_arm(self, namespace: str) -> dict[str, Any]:
        """The settings for the arm's process, as JSON values."""
        tolerance = self.pick.limits.start_tolerance
        return asdict(replace(self.moveit, namespace=namespace, start_tolerance=tolerance))
