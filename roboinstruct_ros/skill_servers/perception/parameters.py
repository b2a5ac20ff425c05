"""Parameters of `perception`."""

from __future__ import annotations

from dataclasses import dataclass, field

from roboinstruct_ros.skill_servers.kit.parameter import parameter
from roboinstruct_ros.skill_servers.perception.perceived_world import Memory


@dataclass(frozen=True)
class PerceptionParameters:
    """What the node was started with."""

    map: str = parameter(
        "home", "map or world YAML with the rooms: a path or the name of a shipped one"
    )
    object_names: str = parameter("", "YAML of names and thresholds; empty is the shipped one")
    detections_2d: tuple[str, ...] = parameter((), "topics of vision_msgs/Detection2DArray")
    detections_3d: tuple[str, ...] = parameter(
        ("detections_3d",), "topics of vision_msgs/Detection3DArray"
    )
    vocabulary: tuple[str, ...] = parameter(
        (), "the only class names that the detectors know; empty when they know any"
    )
    frames: str = parameter(
        "tf2", "where camera frames are: tf2, or robot_pose (frames map and base_link)"
    )
    frame_patience: float = parameter(
        0.1, "how long to wait for the transform of a frame, s", 0.0, 5.0
    )
    frame_age_limit: float = parameter(1.0, "a frame older than this is not used, s", 0.05, 60.0)
    silence_limit: float = parameter(
        2.0, "without frames for so long, a camera is silent, s", 0.1, 60.0
    )
    look_limit: float = parameter(90.0, "how long one question may take, s", 1.0, 600.0)
    trust: float = parameter(
        3.0, "what was seen so long ago is taken for still there, s", 0.0, 600.0
    )
    settle: float = parameter(
        0.3, "after a turn, frames of the first so many s are not used", 0.0, 10.0
    )
    turner: str = parameter("base", "what turns the camera to look around: base (Nav2), head, none")
    turn_action: str = parameter(
        "", "action that turns; empty is spin, or that of the head's controller"
    )
    turn_limit: float = parameter(15.0, "how long one turn may take, s", 0.5, 120.0)
    head_joint: str = parameter("", "joint that turns the head")
    head_speed: float = parameter(0.6, "of the head's joint, rad/s", 0.05, 10.0)
    arc: float = parameter(
        6.2832, "how much to look at before saying no, rad; 6.2832 is all around", 0.0, 6.2832
    )
    field_of_view: float = parameter(1.0, "of the camera, horizontally, rad", 0.1, 6.2832)
    room_margin: float = parameter(
        0.3, "a thing this far outside the robot's room is in it, m", 0.0, 5.0
    )
    room_radius: float = parameter(
        1.5, "size of a room without a polygon, m around its pose", 0.0, 100.0
    )
    held_reach: float = parameter(1.2, "a thing this near may be the one in the hand, m", 0.0, 5.0)
    publish_period: float = parameter(0.2, "between two messages of what was seen, s", 0.05, 10.0)
    memory: Memory = field(default_factory=Memory)
