"""The controllers of a crane with a gripper, and what its perception says; over real DDS."""

from __future__ import annotations

import math
import time
from typing import Any

import robot_interfaces  # noqa: F401
from control_msgs.action import FollowJointTrajectory, GripperCommand
from gantry import HOME, JOINTS
from geometry_msgs.msg import PoseStamped
from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.duration import Duration
from scripted_node import ScriptedNode
from sensor_msgs.msg import JointState
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose

from roboinstruct_ros import names
from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.kit.pose import stamped_pose
from roboinstruct_ros.skill_servers.kit.rotation import Vector

PERIOD = 0.01
GRIPPER_SPEED = 0.4  # m/s between the fingers
IN_HAND = 0.03  # m


class ScriptedRobot(ScriptedNode):
    """Serves the controllers; use it as a context manager.

    Attributes:
        apple: where it is, m; it moves with the hand that holds it.
        seen, joints: whether perception and the joints' drivers say anything.
        joints_told: when the joints' drivers said something last, s of the monotonic clock.
        seen_ago: how long ago perception saw what it tells, s.
        slow: how many times as long as told a motion of the arm takes, as with a slider for speed.
        slips: the apple falls out of the hand when that moves.
        moved: (controller, how it ended, s since the epoch) of each motion.
        moving: the controllers at work.
    """

    def __init__(self, domain: int) -> None:
        self.apple: Vector = (0.6, 0.1, 0.74)
        self.at: Vector = HOME
        self.width = 0.08
        self.held = False
        self.seen = self.joints = True
        self.joints_told = time.monotonic()
        self.slips, self.seen_ago, self.slow = False, 0.0, 1.0
        self.moved: list[tuple[str, str, float]] = []
        self.moving: set[str] = set()
        super().__init__("scripted_robot", domain, self._tell)
        self._pose = self.node.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)
        self._objects = self.node.create_publisher(Detection3DArray, names.OBJECTS_TOPIC, 10)
        self._states = self.node.create_publisher(JointState, "joint_states", 10)
        ways = {
            "cancel_callback": lambda _: CancelResponse.ACCEPT,
            "callback_group": ReentrantCallbackGroup(),
        }
        self._servers = [
            ActionServer(self.node, kind, name, run, **ways)
            for kind, name, run in (
                (FollowJointTrajectory, "arm_controller/follow_joint_trajectory", self._follow),
                (GripperCommand, "gripper_controller/gripper_cmd", self._grip),
            )
        ]

    def __enter__(self) -> ScriptedRobot:
        self._pose.publish(stamped_pose(Pose(0.0, 0.0, 0.0), self.node.get_clock().now().to_msg()))
        super().__enter__()
        return self

    def _tell(self) -> None:
        count = 0
        while not self.over.wait(PERIOD):
            now = self.node.get_clock().now()
            stamp = now.to_msg()
            if self.joints:
                state = JointState(name=list(JOINTS), position=list(self.at))
                state.header.stamp = stamp
                self._states.publish(state)
                self.joints_told = time.monotonic()
            count += 1
            if self.seen and count % 10 == 0:
                seen = now - Duration(nanoseconds=int(self.seen_ago * 1e9))
                self._objects.publish(self._seen(seen.to_msg()))

    def _seen(self, stamp: Any) -> Detection3DArray:
        message = Detection3DArray()
        message.header.stamp, message.header.frame_id = stamp, "map"
        known = {
            "table": ((0.7, 0.0, 0.35), (0.6, 1.0, 0.7)),
            "lamp": ((3.0, 0.0, 0.8), (0.1, 0.1, 0.3)),  # out of reach
        }
        if not self.held:
            known["apple"] = (self.apple, (0.07, 0.07, 0.08))
        for number, (name, (at, size)) in enumerate(known.items()):
            detection, result = Detection3D(id=str(number)), ObjectHypothesisWithPose()
            detection.header = message.header
            result.hypothesis.class_id, result.hypothesis.score = name, 0.9
            detection.results = [result]
            middle, sides = detection.bbox.center.position, detection.bbox.size
            middle.x, middle.y, middle.z = at
            sides.x, sides.y, sides.z = size
            message.detections.append(detection)
        return message

    def _follow(self, goal: Any) -> Any:
        points = goal.request.trajectory.points
        begin, last = self.at, points[-1]
        told = last.time_from_start.sec + last.time_from_start.nanosec * 1e-9
        total = max(1e-3, self.slow * told)

        def step(part: float) -> None:
            end = last.positions
            self.at = tuple(a + (b - a) * part for a, b in zip(begin, end, strict=True))  # type: ignore[assignment]
            if self.held and self.slips and part > 0.5:
                self.held = False
            if self.held:
                self.apple = self.at

        return self._move("arm", goal, total, step, FollowJointTrajectory.Result())

    def _grip(self, goal: Any) -> Any:
        begin, wanted = self.width, goal.request.command.position
        near = math.dist(self.at, self.apple) < IN_HAND
        end = max(wanted, 0.07) if near and wanted < begin else wanted

        def step(part: float) -> None:
            self.width = begin + (end - begin) * part

        total = max(0.02, abs(end - begin) / GRIPPER_SPEED)
        result = self._move("gripper", goal, total, step, GripperCommand.Result())
        self.held = near and self.width <= 0.0701
        result.position, result.stalled = self.width, self.held
        result.reached_goal = abs(self.width - wanted) < 1e-3
        return result

    def _move(self, name: str, goal: Any, total: float, step: Any, result: Any) -> Any:
        self.moving.add(name)
        began, how = time.monotonic(), ""
        while not how:
            time.sleep(PERIOD)
            part = min(1.0, (time.monotonic() - began) / total)
            step(part)
            how = "canceled" if goal.is_cancel_requested else "done" if part >= 1.0 else ""
        self.moving.discard(name)
        self.moved.append((name, how, time.time()))
        (goal.canceled if how == "canceled" else goal.succeed)()
        return result
