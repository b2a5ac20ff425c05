"""Turns the camera to look around: with Nav2's spin, with a head joint, or not at all."""

from __future__ import annotations

import math
import time
from threading import Event
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.duration import Duration

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.result_client import GoalInFlight, ResultClient
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.motion_guard import MotionGuard
from roboinstruct_ros.skill_servers.kit.robot_packages import robot_module
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer
from roboinstruct_ros.skill_servers.perception.parameters import PerceptionParameters

POLL = 0.02
"""Polling period (s) for a cancel."""
AGAIN = 0.1
"""Interval (s) between cancels of a turn that has not ended yet."""
END_LIMIT = 3.0
"""Time (s) for which a cancelled or overlong turn is cancelled again."""
FIND_LIMIT = 1.0
"""Time (s) to find the action's server."""
STILL = 0.02
"""Smallest turn that is carried out, rad."""


class ActionTurner:
    """Turns by goals of an action, each of which takes at most `limit` s."""

    what: str

    def __init__(self, node: SkillServer, kind: Any, action: str, limit: float) -> None:
        self._action, self._limit = action, limit
        self._client = ResultClient(node, kind, action, ReentrantCallbackGroup())
        node.guard = self._guard = MotionGuard(node)
        self._sent: GoalInFlight | None = None
        self._at: float | None = None
        """Where it points, rad; None if unknown, as after a turn that was cut short."""

    def end(self) -> None:
        """End its own turn at once."""
        if sent := self._sent:  # which the turning thread clears
            sent.cancel()

    def begin(self) -> None:
        """Take the current direction as angle 0."""
        self._at = 0.0

    def is_at(self, angle: float) -> bool:
        """Whether it is known to point at the angle (rad)."""
        return self._at is not None and abs(angle - self._at) < STILL

    def turn_to(self, angle: float, cancelled: Event) -> Fault | None:
        """Turn to the angle (rad). On a cancel or time-out, cancels until the turn ends."""
        if self.is_at(angle):
            return None
        if not self._client.wait_ready(FIND_LIMIT):
            message = f"nobody serves '{self._action}'; {self.what} cannot be turned"
            return Fault(SkillErrorCode.SERVER_UNAVAILABLE, message)
        if unstoppable := self._guard.why_unstoppable([self._action]):
            return unstoppable
        deadline = time.monotonic() + self._limit
        goal, self._at = self.goal(angle), None
        self._sent = sent = self._client.send(goal)
        self._wait(sent, cancelled, deadline)
        self._sent, response = None, sent.response
        if not sent.accepted:
            return self._failed("was refused" if sent.over.is_set() else "was not answered")
        succeeded = response is not None and response.status == GoalStatus.STATUS_SUCCEEDED
        if not succeeded and time.monotonic() > deadline:
            return self._failed(f"took longer than {self._limit:g} s")
        if response is None:
            return self._failed("was not ended by its server")
        if not succeeded:
            said = getattr(response.result, "error_msg", "") or getattr(
                response.result, "error_string", ""
            )
            return self._failed(f"failed ({said})" if said else "failed")
        self._at = angle
        return None

    def goal(self, angle: float) -> Any:
        """The action's goal for an angle (rad)."""
        raise NotImplementedError

    def _failed(self, how: str) -> Fault:
        message = f"could not look around: turning {self.what} {how}"
        return Fault(SkillErrorCode.NAVIGATION_BLOCKED, message)

    def _wait(self, sent: GoalInFlight, cancelled: Event, deadline: float) -> None:
        """Wait for the end of the turn; after a cancel or time-out at most `END_LIMIT` s longer."""
        while not (cancelled.is_set() or time.monotonic() > deadline):
            if sent.over.wait(POLL):
                return
        give_up = time.monotonic() + END_LIMIT
        while time.monotonic() < give_up:
            self.end()
            if sent.over.wait(AGAIN):
                return
        sent.give_up()


class BaseTurner(ActionTurner):
    """Turns the robot in place; Nav2 checks for collisions. Source: nav2_msgs/action/Spin."""

    what = "the robot"

    def __init__(self, node: SkillServer, action: str, limit: float) -> None:
        """Raises ConfigError if nav2_msgs is not installed."""
        self._kind = robot_module("nav2_msgs.action", "turner", "'base'").Spin
        super().__init__(node, self._kind, action, limit)

    def goal(self, angle: float) -> Any:
        limit = Duration(seconds=self._limit).to_msg()
        return self._kind.Goal(target_yaw=angle - (self._at or 0.0), time_allowance=limit)


class HeadTurner(ActionTurner):
    """Turns a joint. Source: control_msgs/action/FollowJointTrajectory."""

    what = "the head"

    def __init__(self, node: SkillServer, action: str, given: PerceptionParameters) -> None:
        """Raises ConfigError if control_msgs is not installed."""
        self._kind = robot_module("control_msgs.action", "turner", "'head'").FollowJointTrajectory
        self._point = robot_module("trajectory_msgs.msg", "turner", "'head'").JointTrajectoryPoint
        super().__init__(node, self._kind, action, given.turn_limit)
        self._joint, self._speed = given.head_joint, given.head_speed

    def goal(self, angle: float) -> Any:
        way = math.pi if self._at is None else abs(angle - self._at)
        after = Duration(seconds=max(0.2, way / self._speed)).to_msg()
        goal = self._kind.Goal()
        goal.trajectory.joint_names = [self._joint]
        goal.trajectory.points = [self._point(positions=[angle], time_from_start=after)]
        return goal

    def begin(self) -> None:
        """Nothing to do: the joint's zero points straight ahead."""


def make_turner(node: SkillServer, given: PerceptionParameters) -> ActionTurner | None:
    """The turner that the parameters select; None for `none`.

    Raises:
        ConfigError: the head's joint is not named, or the action's messages are not installed.
    """
    kind, action = given.turner, given.turn_action
    if kind == "none":
        return None
    if kind == "base":
        return BaseTurner(node, action or "spin", given.turn_limit)
    if not given.head_joint:
        raise ConfigError("head_joint", 0, "", "is empty; name the joint that turns the head")
    return HeadTurner(node, action or "head_controller/follow_joint_trajectory", given)
