"""Parameters of `perception`."""

from __future__ import annotations

from dataclasses import dataclass, field

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.skill_servers.perception.perceived_world import Memory

FRAME_SOURCES = ("tf2", "robot_pose")


@dataclass(frozen=True)
class PerceptionParameters:
    map: str = option(
        "home", "map or world YAML with the rooms: a path or the name of a shipped one"
    )
    object_names: str = option("", "YAML of names and thresholds; empty: the shipped one")
    detections_2d: tuple[str, ...] = option((), "topics of vision_msgs/Detection2DArray")
    detections_3d: tuple[str, ...] = option(
        ("detections_3d",),
        "topics of vision_msgs/Detection3DArray; perception needs messages on all detection topics",
    )
    vocabulary: tuple[str, ...] = option((), "class names that the detectors know; empty: any")
    frames: str = option(
        "tf2",
        "source of camera poses (robot_pose knows the frames map and base_link only)",
        choices=FRAME_SOURCES,
    )
    frame_patience: float = option(
        0.1, "how long to wait for the transform of a frame", 0.0, 5.0, "s"
    )
    frame_age_limit: float = option(1.0, "maximum age of a camera frame", 0.05, 60.0, "s")
    silence_limit: float = option(
        2.0, "a camera counts as silent after this long without frames", 0.1, 60.0, "s"
    )
    look_limit: float = option(90.0, "maximum duration of one is_in_room", 1.0, 600.0, "s")
    trust: float = option(
        3.0, "a thing counts as still there for this long after it was seen", 0.0, 600.0, "s"
    )
    settle: float = option(0.3, "frames of this long after a turn are not used", 0.0, 10.0, "s")
    turner: str = option(
        "base",
        "what turns the camera to look around (base with Nav2)",
        choices=("base", "head", "none"),
    )
    turn_action: str = option("", "action that turns; empty: spin, or the head controller's action")
    turn_limit: float = option(15.0, "maximum duration of one turn", 0.5, 120.0, "s")
    head_joint: str = option("", "joint that turns the head")
    head_speed: float = option(0.6, "speed of the head joint", 0.05, 10.0, "rad/s")
    arc: float = option(
        6.2832, "angle to search before the answer is no; 6.2832 is all around", 0.0, 6.2832, "rad"
    )
    field_of_view: float = option(1.0, "horizontal field of view of the camera", 0.1, 6.2832, "rad")
    room_margin: float = option(
        0.3, "a thing up to this far outside the robot's room counts as inside", 0.0, 5.0, "m"
    )
    room_radius: float = option(
        1.5, "radius around the pose of a room without a polygon", 0.0, 100.0, "m"
    )
    held_reach: float = option(
        1.2, "a thing up to this far away may be the one in the hand", 0.0, 5.0, "m"
    )
    publish_period: float = option(
        0.2, "interval between messages with what was seen", 0.05, 10.0, "s"
    )
    memory: Memory = field(default_factory=Memory)
