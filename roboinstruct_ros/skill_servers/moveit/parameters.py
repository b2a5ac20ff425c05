"""Parameters of `moveit_skills`: declared once, read into one value."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from rclpy.node import Node

from roboinstruct_ros.skill_servers.kit.parameter_tables import ParameterTables
from roboinstruct_ros.skill_servers.moveit.manipulation_goal import PickSettings
from roboinstruct_ros.skill_servers.moveit.motion_check import MotionLimits
from roboinstruct_ros.skill_servers.moveit.remote_arm import CallLimits


@dataclass(frozen=True)
class MoveItParameters:
    """What the node was started with; times in s, lengths in m.

    Attributes:
        moveit: settings of `moveit_arm.MoveItSettings`, for the arm's own process.
    """

    grasps: str
    object_names: str
    frames: str
    frame_patience: float
    controllers: tuple[str, ...]
    gripper_action: str
    gripper_scale: float
    gripper_limit: float
    joint_states: str
    objects_silence: float
    object_age: float
    obstacle_age: float
    reach: float
    goal_limit: float
    pick: PickSettings
    calls: CallLimits
    moveit: dict[str, Any]


TEXTS = {
    "grasps": ("", "YAML of grasps; empty is the shipped one"),
    "object_names": ("", "YAML of names; empty is the shipped one"),
    "frames": ("tf2", "where the robot is: tf2, or robot_pose"),
    "gripper_action": ("gripper_controller/gripper_cmd", "control_msgs/action/GripperCommand"),
    "joint_states": ("joint_states", "topic of the robot's joints"),
    "carry": ("", "named state of the arm to drive with after a pick; empty: none"),
    "package": ("", "package of the robot's MoveIt configuration"),
    "robot_name": ("", "of the configuration; empty is the package's name without _moveit_config"),
    "group": ("arm", "MoveIt's group of joints that make the arm"),
    "tip": ("tool0", "link that is brought to places"),
    "pipeline": ("ompl", "MoveIt's pipeline for any way"),
    "planner": ("", "planner of that pipeline; empty is its default"),
    "line_pipeline": ("pilz_industrial_motion_planner", "pipeline for straight ways"),
    "line_planner": ("LIN", "planner of that pipeline"),
}
LISTS = {
    "controllers": (
        ("arm_controller/follow_joint_trajectory",),
        "actions that move the arm; a stop cancels all their goals",
    ),
    "parameter_files": ((), "YAML files with MoveIt's parameters, instead of a package"),
    "touch_links": ((), "links that may touch what the hand holds"),
}
NUMBERS = {
    "frame_patience": (0.1, 0.0, 5.0, "how long to wait for a transform, s"),
    "gripper_scale": (1.0, 0.01, 1000.0, "the gripper's position for 1 m between the fingers"),
    "gripper_limit": (5.0, 0.1, 60.0, "how long the gripper may take, s"),
    "objects_silence": (2.0, 0.1, 60.0, "perception is silent after so long, s"),
    "object_age": (5.0, 0.1, 600.0, "a thing not seen for so long is not picked, s"),
    "obstacle_age": (60.0, 0.1, 3600.0, "a thing not seen for so long is no obstacle, s"),
    "reach": (1.2, 0.1, 10.0, "a thing farther from the robot is not picked, m"),
    "goal_limit": (180.0, 1.0, 3600.0, "how long one goal may take, s"),
    "plan_age": (5.0, 0.1, 60.0, "a plan older than this is not gone, s"),
    "state_age": (0.5, 0.02, 10.0, "joints not heard of for so long are not known, s"),
    "start_tolerance": (0.02, 0.0001, 0.5, "from a plan's start to the real joint, rad or m"),
    "line_tolerance": (0.01, 0.0001, 0.1, "a straight way may bend so far, m"),
    "planning_time": (3.0, 0.1, 60.0, "MoveIt may plan so long for one way, s"),
    "velocity_scaling": (0.2, 0.01, 1.0, "of the arm's highest speed"),
    "acceleration_scaling": (0.2, 0.01, 1.0, "of the arm's highest acceleration"),
    "line_velocity_scaling": (0.1, 0.01, 1.0, "of the arm's highest speed, near things"),
    "plan_limit": (30.0, 0.1, 600.0, "MoveIt counts as hung after planning so long, s"),
    "execute_limit": (30.0, 0.1, 600.0, "it counts as hung so long after a motion's own time, s"),
}
COUNTS = {
    "attempts": (2, "grasps at the most"),
    "candidates": (8, "ways that are planned for in one attempt, at the most"),
    "planning_attempts": (3, "MoveIt's own, for one way"),
}
MOVEIT = (
    "package", "robot_name", "group", "tip", "pipeline", "planner", "line_pipeline",
    "line_planner", "parameter_files", "touch_links", "planning_time", "velocity_scaling",
    "acceleration_scaling", "line_velocity_scaling", "start_tolerance", "planning_attempts",
)  # fmt: skip
TABLES = ParameterTables(TEXTS, LISTS, NUMBERS, COUNTS, most_count=50)


def declare(node: Node) -> MoveItParameters:
    """Declares every parameter on the node and reads it.

    Raises:
        rclpy.exceptions.ParameterException: a value of the wrong type or out of range.
    """
    TABLES.declare(node)
    return read(node)


def read(node: Node) -> MoveItParameters:
    """Reads the declared parameters."""

    def value(name: str) -> Any:
        return TABLES.value(node, name)

    limits = MotionLimits(**{field.name: value(field.name) for field in fields(MotionLimits)})
    pick = PickSettings(value("attempts"), value("candidates"), value("carry"), limits)
    calls = CallLimits(plan=value("plan_limit"), execute=value("execute_limit"))
    moveit = {name: value(name) for name in MOVEIT}
    moveit["namespace"] = node.get_namespace()
    made = {"pick": pick, "calls": calls, "moveit": moveit}
    own = [field.name for field in fields(MoveItParameters) if field.name not in made]
    return MoveItParameters(**{name: value(name) for name in own}, **made)
