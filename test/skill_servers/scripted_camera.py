"""A robot that stands in a room, its detector, and what turns it; `vision_msgs` over real DDS."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import robot_interfaces  # noqa: F401
from control_msgs.action import FollowJointTrajectory
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import Spin
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.time import Time
from scripted_node import ScriptedNode
from vision_msgs.msg import (
    Detection2D,
    Detection2DArray,
    Detection3D,
    Detection3DArray,
    ObjectHypothesisWithPose,
)

from roboinstruct_ros import names
from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.kit.pose import stamped_pose

PERIOD = 0.02
FIELD_OF_VIEW = 1.0


@dataclass(frozen=True)
class Thing:
    """An object in frame `map`, m."""

    name: str
    x: float
    y: float
    z: float = 0.8
    score: float = 0.9


class ScriptedCamera(ScriptedNode):
    """Publishes what lies in the field of view; use it as a context manager.

    Attributes:
        things: what there is.
        sees: whether a detector at work notices a thing in view, asked for every frame.
        late: how old frames are when they come, s.
        frame: of the detections; only that of the robot's base is known to the node.
        stuck: turns end in failure.
        turned: how each turn ended, and when (s since the epoch).
        turning: a turn is under way.
        accepts: set, or a turn that is asked for is accepted only when it is.
    """

    def __init__(self, domain: int, pose: Pose, *things: Thing) -> None:
        self.pose, self.things = pose, list(things)
        self.sees: Callable[[Thing], bool] = lambda thing: True
        self.late, self.frame, self.on, self.stuck = 0.0, names.BASE_FRAME, True, False
        self.turned: list[tuple[str, float]] = []
        self.turning = False
        self.accepts = threading.Event()
        self.accepts.set()
        self.speed = 6.0  # rad/s
        super().__init__("scripted_camera", domain, self._look)
        self._pose = self.node.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)
        self._deep = self.node.create_publisher(Detection3DArray, "detections_3d", 10)
        self._flat = self.node.create_publisher(Detection2DArray, "detections_2d", 10)
        ways = {
            "goal_callback": self._accept,
            "cancel_callback": lambda _: CancelResponse.ACCEPT,
            "callback_group": ReentrantCallbackGroup(),
        }
        self._spin = ActionServer(self.node, Spin, "spin", self._spin_asked, **ways)
        head = "head_controller/follow_joint_trajectory"
        self._head = ActionServer(self.node, FollowJointTrajectory, head, self._head_asked, **ways)
        self._straight = pose.yaw

    def __enter__(self) -> ScriptedCamera:
        self._tell_pose()
        super().__enter__()
        return self

    def _tell_pose(self) -> None:
        self._pose.publish(stamped_pose(self.pose, self.node.get_clock().now().to_msg()))

    def _look(self) -> None:
        while not self.over.wait(PERIOD):
            if not self.on:
                continue
            stamp = self.node.get_clock().now().nanoseconds - int(self.late * 1e9)
            deep, flat = Detection3DArray(), Detection2DArray()
            for message in (deep, flat):
                message.header.stamp = Time(nanoseconds=stamp).to_msg()
                message.header.frame_id = self.frame
            for thing in [t for t in list(self.things) if self._in_view(t) and self.sees(t)]:
                deep.detections.append(self._deep_detection(thing))
                flat.detections.append(Detection2D(results=[_result(thing)]))
            self._deep.publish(deep)
            self._flat.publish(flat)

    def frame_of(self, *things: Thing) -> Detection3DArray:
        """What a detector would say that sees these, wherever they are."""
        message = Detection3DArray(detections=[self._deep_detection(thing) for thing in things])
        message.header.stamp = self.node.get_clock().now().to_msg()
        message.header.frame_id = self.frame
        return message

    def _in_view(self, thing: Thing) -> bool:
        bearing = math.atan2(thing.y - self.pose.y, thing.x - self.pose.x) - self.pose.yaw
        return abs(math.remainder(bearing, 2 * math.pi)) <= FIELD_OF_VIEW / 2

    def _deep_detection(self, thing: Thing) -> Detection3D:
        dx, dy = thing.x - self.pose.x, thing.y - self.pose.y
        cosine, sine = math.cos(self.pose.yaw), math.sin(self.pose.yaw)
        detection = Detection3D(results=[_result(thing)])
        at = detection.bbox.center.position
        at.x, at.y, at.z = cosine * dx + sine * dy, cosine * dy - sine * dx, thing.z
        size = detection.bbox.size
        size.x = size.y = size.z = 0.08
        return detection

    def _accept(self, _: Any) -> GoalResponse:
        self.accepts.wait(30.0)
        return GoalResponse.ACCEPT

    def _spin_asked(self, goal: Any) -> Any:
        return self._turn(goal, self.pose.yaw + goal.request.target_yaw, Spin.Result())

    def _head_asked(self, goal: Any) -> Any:
        angle = goal.request.trajectory.points[0].positions[0]
        return self._turn(goal, self._straight + angle, FollowJointTrajectory.Result())

    def _turn(self, goal: Any, yaw: float, result: Any) -> Any:
        self.turning = True
        how = "turned"
        while abs(yaw - self.pose.yaw) > 1e-6 and how == "turned":
            time.sleep(PERIOD)
            step = min(self.speed * PERIOD, abs(yaw - self.pose.yaw))
            turned = math.copysign(step, yaw - self.pose.yaw)
            self.pose = Pose(self.pose.x, self.pose.y, self.pose.yaw + turned)
            self._tell_pose()
            how = "canceled" if goal.is_cancel_requested else "aborted" if self.stuck else how
        self.turning = False
        self.turned.append((how, time.time()))
        {"turned": goal.succeed, "canceled": goal.canceled, "aborted": goal.abort}[how]()
        if self.stuck and hasattr(result, "error_msg"):
            result.error_msg = "scripted: a chair is in the way"
        return result


def _result(thing: Thing) -> ObjectHypothesisWithPose:
    result = ObjectHypothesisWithPose()
    result.hypothesis.class_id, result.hypothesis.score = thing.name, thing.score
    return result
