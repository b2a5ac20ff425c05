"""A gripper behind control_msgs/action/GripperCommand, as ros2_control serves it."""

from __future__ import annotations

import time
from threading import Event

from action_msgs.msg import GoalStatus
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

from roboinstruct_ros.nodes.result_client import ResultClient
from roboinstruct_ros.skill_servers.kit.robot_packages import robot_module
from roboinstruct_ros.skill_servers.moveit.arm import ArmFault, ArmProblem, Grip

POLL = 0.01
"""Polling period (s) for a stop."""


class ActionGripper:
    """A two-finger gripper; the node is spun by other threads.

    Args:
        scale: the action's position per m of finger distance; 0.5 if it is that of one finger.
        limit: time limit of one move, s.

    Raises:
        ConfigError: control_msgs is not installed.
    """

    def __init__(self, node: Node, action: str, scale: float, limit: float) -> None:
        self._kind = robot_module("control_msgs.action", "gripper_action").GripperCommand
        self._action, self._scale, self._limit = action, scale, limit
        self._client = ResultClient(node, self._kind, action, ReentrantCallbackGroup())

    def move(self, width: float, force: float, cancelled: Event) -> Grip:
        """Open or close to a width (m) with at most that force (N). Blocks.

        Raises:
            ArmFault: it did not answer, or the goal was cancelled, by whomever; the canceller
                stops it.
        """
        deadline = time.monotonic() + self._limit
        goal = self._kind.Goal()
        goal.command.position, goal.command.max_effort = width * self._scale, force
        sent = self._client.send(goal)
        try:
            while not sent.over.wait(POLL):
                if cancelled.is_set():
                    raise ArmFault(ArmProblem.STOPPED, "the gripper was told to stop")
                if time.monotonic() > deadline:
                    message = f"'{self._action}' did not move the gripper within {self._limit:g} s"
                    raise ArmFault(ArmProblem.LOST, message)
        except ArmFault:
            sent.give_up()  # if accepted later, it would still close
            raise
        if sent.response is None:
            message = f"'{self._action}' refused to move the gripper"
            raise ArmFault(ArmProblem.NOT_EXECUTED, message)
        if sent.response.status == GoalStatus.STATUS_CANCELED:  # its result tells no position
            message = f"the goal of '{self._action}' was cancelled by somebody else"
            raise ArmFault(ArmProblem.STOPPED, message)
        result = sent.response.result
        # Stalled fingers have not reached their goal, but have not failed either.
        return Grip(result.position / self._scale, result.effort, bool(result.stalled))
