"""Parameters of `perception`: declared once, read into one value."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from rclpy.node import Node

from roboinstruct_ros.skill_servers.kit.parameter_tables import ParameterTables
from roboinstruct_ros.skill_servers.perception.perceived_world import Memory


@dataclass(frozen=True)
class PerceptionParameters:
    """What the node was started with; times in s, lengths in m, angles in rad."""

    map: str
    object_names: str
    detections_2d: tuple[str, ...]
    detections_3d: tuple[str, ...]
    vocabulary: tuple[str, ...]
    frames: str
    frame_patience: float
    frame_age_limit: float
    silence_limit: float
    look_limit: float
    trust: float
    settle: float
    turner: str
    turn_action: str
    turn_limit: float
    head_joint: str
    head_speed: float
    arc: float
    field_of_view: float
    room_margin: float
    room_radius: float
    held_reach: float
    publish_period: float
    memory: Memory


TEXTS = {
    "map": ("home", "map or world YAML with the rooms: a path or the name of a shipped one"),
    "object_names": ("", "YAML of names and thresholds; empty is the shipped one"),
    "frames": ("tf2", "where camera frames are: tf2, or robot_pose (frames map and base_link)"),
    "turner": ("base", "what turns the camera to look around: base (Nav2), head, none"),
    "turn_action": ("", "action that turns; empty is spin, or that of the head's controller"),
    "head_joint": ("", "joint that turns the head"),
}
LISTS = {
    "detections_2d": ((), "topics of vision_msgs/Detection2DArray"),
    "detections_3d": (("detections_3d",), "topics of vision_msgs/Detection3DArray"),
    "vocabulary": ((), "the only class names that the detectors know; empty when they know any"),
}
NUMBERS = {
    "frame_patience": (0.1, 0.0, 5.0, "how long to wait for the transform of a frame, s"),
    "frame_age_limit": (1.0, 0.05, 60.0, "a frame older than this is not used, s"),
    "silence_limit": (2.0, 0.1, 60.0, "without frames for so long, a camera is silent, s"),
    "look_limit": (90.0, 1.0, 600.0, "how long one question may take, s"),
    "trust": (3.0, 0.0, 600.0, "what was seen so long ago is taken for still there, s"),
    "settle": (0.3, 0.0, 10.0, "after a turn, frames of the first so many s are not used"),
    "turn_limit": (15.0, 0.5, 120.0, "how long one turn may take, s"),
    "head_speed": (0.6, 0.05, 10.0, "of the head's joint, rad/s"),
    "arc": (6.2832, 0.0, 6.2832, "how much to look at before saying no, rad; 6.2832 is all around"),
    "field_of_view": (1.0, 0.1, 6.2832, "of the camera, horizontally, rad"),
    "room_margin": (0.3, 0.0, 5.0, "a thing this far outside the robot's room is in it, m"),
    "room_radius": (1.5, 0.0, 100.0, "size of a room without a polygon, m around its pose"),
    "held_reach": (1.2, 0.0, 5.0, "a thing this near may be the one in the hand, m"),
    "publish_period": (0.2, 0.05, 10.0, "between two messages of what was seen, s"),
    "distance": (0.3, 0.01, 5.0, "two sightings of one name farther apart are two things, m"),
    "people_distance": (1.0, 0.01, 10.0, "the same for people, m"),
    "forget_after": (3600.0, 1.0, 1e6, "a thing not seen for so long is forgotten, s"),
}
COUNTS = {
    "hits": (3, "a thing is there when it was seen in so many ..."),
    "frames_of_hits": (5, "... of so many frames"),
}
TABLES = ParameterTables(TEXTS, LISTS, NUMBERS, COUNTS, most_count=100)


def declare(node: Node) -> PerceptionParameters:
    """Declares every parameter on the node and reads it.

    Raises:
        rclpy.exceptions.ParameterException: a value of the wrong type or out of range.
    """
    TABLES.declare(node)
    return read(node)


def read(node: Node) -> PerceptionParameters:
    """Reads the declared parameters."""

    def value(name: str) -> Any:
        return TABLES.value(node, name)

    memory = Memory(
        hits=value("hits"),
        frames=max(value("frames_of_hits"), value("hits")),
        distance=value("distance"),
        people_distance=value("people_distance"),
        forget_after=value("forget_after"),
    )
    own = [field.name for field in fields(PerceptionParameters) if field.name != "memory"]
    return PerceptionParameters(**{name: value(name) for name in own}, memory=memory)
