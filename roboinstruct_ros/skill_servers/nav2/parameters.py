"""Parameters of `nav2_skills`: declared once, read into one value."""

from __future__ import annotations

from dataclasses import dataclass

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node

from roboinstruct_ros.skill_servers.nav2.drive import DriveSettings


@dataclass(frozen=True)
class Nav2Parameters:
    """What the node was started with; times in s, lengths in m."""

    map: str
    navigator: str
    localizer: str
    pose_topic: str
    largest_deviation: float
    ready_limit: float
    go_to_limit: float
    room_margin: float
    room_radius: float
    drive: DriveSettings


def declare(node: Node) -> Nav2Parameters:
    """Declares every parameter on the node and reads it.

    Raises:
        rclpy.exceptions.ParameterException: a value of the wrong type or out of range.
    """
    texts = {
        "map": ("home", "map or world YAML with the rooms: a path or the name of a shipped one"),
        "navigator": ("bt_navigator", "lifecycle node of Nav2 that must be active"),
        "localizer": ("amcl", "lifecycle node that localises; empty when it is no lifecycle node"),
        "pose_topic": ("amcl_pose", "geometry_msgs/PoseWithCovarianceStamped in frame map"),
        "planner_id": ("", "planner of Nav2; empty is its default"),
        "behavior_tree": ("", "behaviour tree on Nav2's machine; empty is its default"),
    }
    for name, (default, text) in texts.items():
        described = ParameterDescriptor(description=text, read_only=True)
        node.declare_parameter(name, default, described)
    numbers = {
        "largest_deviation": (1.0, 0.0, 100.0, "position known worse than this is lost, m; 0: any"),
        "ready_limit": (5.0, 0.1, 600.0, "how long go_to waits for Nav2 to be active, s"),
        "go_to_limit": (300.0, 1.0, 86400.0, "how long one go_to may take, s"),
        "silence_limit": (5.0, 0.0, 600.0, "Nav2 without feedback counts as dead, s; 0: never"),
        "clear_pause": (1.0, 0.0, 60.0, "wait after clearing costmaps, s"),
        "room_margin": (0.3, 0.0, 10.0, "a robot this far outside is still in its room, m"),
        "room_radius": (1.5, 0.0, 100.0, "size of a room without a polygon, m around its pose"),
    }
    for name, (default, low, high, text) in numbers.items():
        described = ParameterDescriptor(description=text)
        described.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
        node.declare_parameter(name, default, described)
    tries = ParameterDescriptor(description="drives at the most, clearing costmaps in between")
    tries.integer_range = [IntegerRange(from_value=1, to_value=20, step=1)]
    node.declare_parameter("attempts", 2, tries)
    check = ParameterDescriptor(description="ask Nav2's planner for a way before moving")
    node.declare_parameter("check_path", True, check)
    return read(node)


def read(node: Node) -> Nav2Parameters:
    """Reads the declared parameters."""

    def value(name: str) -> object:
        return node.get_parameter(name).value

    own = Nav2Parameters.__dataclass_fields__.keys() - {"drive"}
    settings = {name: value(name) for name in DriveSettings.__dataclass_fields__}
    return Nav2Parameters(**{name: value(name) for name in own}, drive=DriveSettings(**settings))
