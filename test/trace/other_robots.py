"""Bags as other robots record them, written with the `rosbags` library alone."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

INTERFACES = Path(__file__).parents[2] / "tools" / "robot_interfaces"
BEGAN = 1_700_000_000.0  # s

FEEDBACK = """\
unique_identifier_msgs/UUID goal_id
nav2_msgs/NavigateToPose_Feedback feedback
================================================================================
MSG: nav2_msgs/NavigateToPose_Feedback
geometry_msgs/PoseStamped current_pose
float32 distance_remaining
"""


def _store() -> Any:
    store = get_typestore(Stores.ROS2_JAZZY)
    types: dict[str, Any] = {}
    for path in sorted((INTERFACES / "vision_msgs" / "msg").glob("*.msg")):
        types.update(get_types_from_msg(path.read_text(), f"vision_msgs/msg/{path.stem}"))
    kind = "nav2_msgs/action/NavigateToPose_FeedbackMessage"
    types.update(get_types_from_msg(FEEDBACK, kind))
    store.register(types)
    return store


STORE = _store()
T = STORE.types


class OtherRobot:
    """Records while it drives; `at` is s since it began."""

    def __init__(self, folder: Path, storage: StoragePlugin = StoragePlugin.MCAP) -> None:
        self.at = 0.0
        self._bag = Writer(folder, version=9, storage_plugin=storage)
        self._topics: dict[str, Any] = {}
        self._bag.open()

    def tell(self, topic: str, message: Any) -> None:
        """One message now."""
        kind = message.__msgtype__
        if topic not in self._topics:
            self._topics[topic] = self._bag.add_connection(topic, kind, typestore=STORE)
        stamp = int((BEGAN + self.at) * 1e9)
        self._bag.write(self._topics[topic], stamp, bytes(STORE.serialize_cdr(message, kind)))

    def tell_other(self, topic: str, kind: str, definition: str, cdr: bytes) -> None:
        """A message of another version of a type."""
        other = self._bag.add_connection(topic, kind, msgdef=definition, rihs01="RIHS01_0")
        self._bag.write(other, int((BEGAN + self.at) * 1e9), cdr)

    def close(self) -> None:
        """Complete the bag."""
        self._bag.close()

    def transform(self, parent: str, child: str, x: float, y: float, yaw: float = 0.0) -> None:
        """One edge of the tree of frames."""
        moved = T["geometry_msgs/msg/Transform"](
            T["geometry_msgs/msg/Vector3"](x, y, 0.0), turned(yaw)
        )
        one = T["geometry_msgs/msg/TransformStamped"](header(parent), child, moved)
        self.tell("/tf", T["tf2_msgs/msg/TFMessage"]([one]))

    def odometry(self, x: float, y: float) -> None:
        """By the wheels alone."""
        twist = T["geometry_msgs/msg/Twist"](vector(), vector())
        self.tell(
            "/odom",
            T["nav_msgs/msg/Odometry"](
                header("odom"), "base_link",
                T["geometry_msgs/msg/PoseWithCovariance"](pose(x, y), zeros()),
                T["geometry_msgs/msg/TwistWithCovariance"](twist, zeros()),
            ),
        )  # fmt: skip

    def feedback(self, x: float, y: float) -> None:
        """Of Nav2, under way to a goal."""
        part = T["nav2_msgs/msg/NavigateToPose_Feedback"](stamped(x, y), 1.0)
        kind = T["nav2_msgs/action/NavigateToPose_FeedbackMessage"]
        self.tell("/navigate_to_pose/_action/feedback", kind(goal_id(), part))

    def status(self, code: int) -> None:
        """Of the one goal, e.g. 4: succeeded."""
        info = T["action_msgs/msg/GoalInfo"](goal_id(), time())
        one = T["action_msgs/msg/GoalStatus"](info, code)
        self.tell("/navigate_to_pose/_action/status", T["action_msgs/msg/GoalStatusArray"]([one]))

    def see(self, *names: str, score: float = 0.9) -> None:
        """Detections of one image."""
        found = [T["vision_msgs/msg/Detection3D"](header("camera"), [guess(name, score)], box(), "")
                 for name in names]  # fmt: skip
        kind = T["vision_msgs/msg/Detection3DArray"]
        self.tell("/detections", kind(header("camera"), found))


def header(frame: str) -> Any:
    return T["std_msgs/msg/Header"](time(), frame)


def time() -> Any:
    return T["builtin_interfaces/msg/Time"](0, 0)


def vector(x: float = 0.0, y: float = 0.0) -> Any:
    return T["geometry_msgs/msg/Vector3"](x, y, 0.0)


def turned(yaw: float = 0.0) -> Any:
    return T["geometry_msgs/msg/Quaternion"](0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2))


def pose(x: float, y: float) -> Any:
    return T["geometry_msgs/msg/Pose"](T["geometry_msgs/msg/Point"](x, y, 0.0), turned())


def stamped(x: float, y: float) -> Any:
    return T["geometry_msgs/msg/PoseStamped"](header("map"), pose(x, y))


def zeros() -> Any:
    return np.zeros(36)


def goal_id() -> Any:
    return T["unique_identifier_msgs/msg/UUID"](np.arange(16, dtype=np.uint8))


def box() -> Any:
    return T["vision_msgs/msg/BoundingBox3D"](pose(0.0, 0.0), vector())


def guess(name: str, score: float) -> Any:
    likely = T["vision_msgs/msg/ObjectHypothesis"](name, score)
    where = T["geometry_msgs/msg/PoseWithCovariance"](pose(0.0, 0.0), zeros())
    return T["vision_msgs/msg/ObjectHypothesisWithPose"](likely, where)
