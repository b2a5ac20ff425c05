"""What the arm's node receives: perceived objects, the robot's pose and its joint states."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState as JointStateMsg

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.names import MAP_FRAME, MOVEIT_SKILLS_NODE, OBJECTS_TOPIC
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.robot_packages import robot_module
from roboinstruct_ros.skill_servers.kit.rotation import Placement
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box
from roboinstruct_ros.skill_servers.perception.frames import Frames
from roboinstruct_ros.skill_servers.perception.messages import best_result, placed
from roboinstruct_ros.skill_servers.perception.object_name_match import ObjectNames

MOST_THINGS = 500
"""Most objects taken from one message; perception keeps no more."""
MOST_JOINTS = 500
"""Most joints remembered."""
LEAST_SIDE = 0.01
"""Side length (m) assumed where perception knows none."""


@dataclass(frozen=True)
class SightLimits:
    objects_silence: float = option(
        2.0, "perception counts as silent after this long", 0.1, 60.0, "s"
    )
    object_age: float = option(5.0, "a thing unseen for this long is not picked", 0.1, 600.0, "s")
    obstacle_age: float = option(
        60.0, "a thing unseen for this long is not an obstacle", 0.1, 3600.0, "s"
    )
    reach: float = option(1.2, "a thing farther away than this is not picked", 0.1, 10.0, "m")


class ObjectSight:
    """Perceived objects, as boxes in frame `map`, from their topic."""

    def __init__(self, node: Node, frames: Frames, names: ObjectNames, limits: SightLimits) -> None:
        """Subscribe. Raises ConfigError if vision_msgs is not installed."""
        kind = robot_module("vision_msgs.msg", MOVEIT_SKILLS_NODE).Detection3DArray
        self._node, self._frames, self._names, self._limits = node, frames, names, limits
        self._seen: list[tuple[Box, float]] = []  # replaced as a whole, for the other threads
        self._heard = -math.inf
        hear(node, kind, OBJECTS_TOPIC, self._hear)

    def find(self, name: str) -> Box | Fault:
        """Return the object of that name that is here, or why there is none."""
        now, heard, seen = time.monotonic(), self._heard, self._seen
        if now - heard > self._limits.objects_silence:
            message = f"nothing has come on '{OBJECTS_TOPIC}'; is the node perception running?"
            return Fault(SkillErrorCode.SERVER_UNAVAILABLE, message)
        like = [(box, at) for box, at in seen if self._names.is_a(box.name, name)]
        if not like:
            return Fault(SkillErrorCode.OBJECT_NOT_FOUND, f"no {name} has been seen")
        new = [box for box, at in like if now - at <= self._limits.object_age]
        if not new:
            ago = now - max(at for _, at in like)
            message = f"no {name} is seen here now; the last time was {ago:.0f} s ago"
            return Fault(SkillErrorCode.OBJECT_NOT_FOUND, message)
        robot = self.robot()
        if robot is None:
            message = "where the robot stands is not known"
            return Fault(SkillErrorCode.NOT_LOCALIZED, message)

        def apart(box: Box) -> float:
            return math.dist(box.placement.position[:2], robot.position[:2])

        nearest = min(new, key=apart)
        if (far := apart(nearest)) > self._limits.reach:
            message = f"the {name} is {far:.1f} m away; the arm reaches {self._limits.reach:g} m"
            return Fault(SkillErrorCode.GRASP_FAILED, message)
        return nearest

    def seen_since(self, name: str, moment: float) -> bool:
        """Whether an object of that name was seen at `moment` (s, monotonic) or later."""
        return any(at >= moment and self._names.is_a(box.name, name) for box, at in self._seen)

    def all(self) -> list[Box]:
        """All objects that are here."""
        now = time.monotonic()
        return [box for box, at in self._seen if now - at <= self._limits.obstacle_age]

    def robot(self) -> Placement | None:
        """The robot's pose; None if unknown."""
        return self._frames.robot()

    def _hear(self, message: Any) -> None:
        if message.header.frame_id.strip("/") != MAP_FRAME:
            return
        now, ros_now = time.monotonic(), self._node.get_clock().now().nanoseconds * 1e-9
        seen = []
        for detection in message.detections[:MOST_THINGS]:
            box = _box(detection)
            if box is not None:
                stamp = detection.header.stamp  # rclpy's Time rejects a negative stamp
                ago = ros_now - (stamp.sec + stamp.nanosec * 1e-9)
                seen.append((box, now - max(0.0, ago)))
        self._seen, self._heard = seen, now


class JointStates:
    """Joint states from the robot's drivers; their topic may have several publishers."""

    def __init__(self, node: Node, topic: str) -> None:
        self._joints: dict[str, tuple[float, float]] = {}  # replaced as a whole, like those seen
        hear(node, JointStateMsg, topic, self._hear, qos_profile_sensor_data)

    def positions(self) -> Mapping[str, float]:
        """Latest position of each joint, rad or m."""
        return {name: position for name, (position, _) in self._joints.items()}

    def age(self, names: Iterable[str]) -> float:
        """Age of the oldest of these joints' states, s."""
        now, joints = time.monotonic(), self._joints
        heard = [joints.get(name, (0.0, -math.inf))[1] for name in names]
        return now - min(heard, default=-math.inf)

    def _hear(self, message: JointStateMsg) -> None:
        now, joints = time.monotonic(), {**self._joints}
        for name, position in zip(message.name, message.position, strict=False):
            if name in joints or len(joints) < MOST_JOINTS:
                joints[name] = (float(position), now)
        self._joints = joints


def _box(detection: Any) -> Box | None:
    """The box of a detection; None if it has no name or no position."""
    best, size = best_result(detection), detection.bbox.size
    at = placed(detection.bbox.center, size)
    if best is None or at is None:
        return None
    name = best.hypothesis.class_id
    sides = (max(LEAST_SIDE, size.x), max(LEAST_SIDE, size.y), max(LEAST_SIDE, size.z))
    return Box(name, at, sides, f"{name} {detection.id}".strip())
