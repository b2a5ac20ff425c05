"""Parameters of `perception`."""

from __future__ import annotations

from dataclasses import dataclass, field

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.skill_servers.perception.perceived_world import Memory


@dataclass(frozen=True)
class PerceptionParameters:
    """Start-up parameters of the node."""

    map: str = option(
        "home", "map or world YAML with the rooms: a path or the name of a shipped one"
    )
    object_names: str = option("", "YAML of names and thresholds; empty is the shipped one")
    detections_2d: tuple[str, ...] = option((), "topics of vision_msgs/Detection2DArray")
    detections_3d: tuple[str, ...] = option(
        ("detections_3d",),
        "topics of vision_msgs/Detection3DArray; every one of these topics must speak",
    )
    vocabulary: tuple[str, ...] = option(
        (), "the only class names that the detectors know; empty when they know any"
    )
    frames: str = option(
        "tf2", "where camera frames are: tf2, or robot_pose (frames map and base_link)"
    )
    frame_patience: float = option(
        0.1, "how long to wait for the transform of a frame", 0.0, 5.0, "s"
    )
    frame_age_limit: float = option(1.0, "a frame older than this is not used", 0.05, 60.0, "s")
    silence_limit: float = option(
        2.0, "without frames for so long, a camera is silent", 0.1, 60.0, "s"
    )
    look_limit: float = option(90.0, "how long one question may take", 1.0, 600.0, "s")
    trust: float = option(
        3.0, "what was seen so long ago is taken for still there", 0.0, 600.0, "s"
    )
    settle: float = option(0.3, "after a turn, frames of this time are not used", 0.0, 10.0, "s")
    turner: str = option("base", "what turns the camera to look around: base (Nav2), head, none")
    turn_action: str = option(
        "", "action that turns; empty is spin, or that of the head's controller"
    )
    turn_limit: float = option(15.0, "how long one turn may take", 0.5, 120.0, "s")
    head_joint: str = option("", "joint that turns the head")
    head_speed: float = option(0.6, "of the head's joint", 0.05, 10.0, "rad/s")
    arc: float = option(
        6.2832, "how much to look at before saying no; 6.2832 is all around", 0.0, 6.2832, "rad"
    )
    field_of_view: float = option(1.0, "of the camera, horizontally", 0.1, 6.2832, "rad")
    room_margin: float = option(
        0.3, "a thing this far outside the robot's room is in it", 0.0, 5.0, "m"
    )
    room_radius: float = option(
        1.5, "size of a room without a polygon, around its pose", 0.0, 100.0, "m"
    )
    held_reach: float = option(1.2, "a thing this near may be the one in the hand", 0.0, 5.0, "m")
    publish_period: float = option(0.2, "between two messages of what was seen", 0.05, 10.0, "s")
    memory: Memory = field(default_factory=Memory)
