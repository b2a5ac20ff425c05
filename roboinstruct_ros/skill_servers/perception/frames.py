"""The pose of a camera frame in frame `map`: from tf2, or from the robot's pose alone."""

from __future__ import annotations

import math
from typing import Any, Protocol

from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.time import Time as RosTime

from roboinstruct_ros.names import BASE_FRAME, MAP_FRAME, ROBOT_POSE_TOPIC
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.kit.pose import placement_of
from roboinstruct_ros.skill_servers.kit.robot_packages import robot_module
from roboinstruct_ros.skill_servers.kit.rotation import Placement, normalised


class Frames(Protocol):
    def in_map(self, frame: str, stamp: Time) -> Placement | None:
        """The pose of a frame at a time, in frame `map`; None if unknown."""

    def robot(self) -> Placement | None:
        """The robot's current pose; None if unknown."""


class RobotPoseFrames:
    """Knows `map`, and `base_link` from topic `robot_pose`; for detectors that use these frames."""

    def __init__(self, node: Node) -> None:
        self._robot: Placement | None = None
        hear(node, PoseStamped, ROBOT_POSE_TOPIC, self._hear, LATCHED)

    def in_map(self, frame: str, stamp: Time) -> Placement | None:
        if frame == MAP_FRAME:
            return Placement()
        return self._robot if frame == BASE_FRAME else None

    def robot(self) -> Placement | None:
        return self._robot

    def _hear(self, message: PoseStamped) -> None:
        if message.header.frame_id.strip("/") != MAP_FRAME:
            return
        placement = placement_of(message.pose)
        turn = normalised(placement.orientation)
        if turn is not None and all(map(math.isfinite, placement.position)):
            self._robot = Placement(placement.position, turn)


class Tf2Frames:
    """Frame poses from tf2. Source: tf2_ros.Buffer.lookup_transform."""

    def __init__(self, node: Node, patience: float) -> None:
        """One lookup waits at most `patience` s. Raises ConfigError if tf2_ros is not installed."""
        tf2_ros = robot_module("tf2_ros", "frames", "'tf2'", ", or use 'robot_pose'")
        self._fault = tf2_ros.TransformException
        self._patience = Duration(nanoseconds=int(patience * 1e9))
        self._buffer = tf2_ros.Buffer()
        self._listener = tf2_ros.TransformListener(self._buffer, node)

    def in_map(self, frame: str, stamp: Time) -> Placement | None:
        if stamp.sec < 0:  # rclpy rejects negative times
            return None
        return self._look_up(frame, RosTime.from_msg(stamp))

    def robot(self) -> Placement | None:
        return self._look_up(BASE_FRAME, RosTime())

    def _look_up(self, frame: str, at: Any) -> Placement | None:
        try:
            found = self._buffer.lookup_transform(MAP_FRAME, frame, at, self._patience)
        except self._fault:
            return None
        moved, turned = found.transform.translation, found.transform.rotation
        position = (moved.x, moved.y, moved.z)
        return Placement(position, (turned.x, turned.y, turned.z, turned.w))


def make_frames(node: Node, kind: str, patience: float) -> Frames:
    """The source of that kind, `tf2` or `robot_pose`. Raises ConfigError if it is not installed."""
    return Tf2Frames(node, patience) if kind == "tf2" else RobotPoseFrames(node)
