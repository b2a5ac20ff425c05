"""Drives to a room: checks for a path, drives, monitors, clears the costmaps and retries.

The drive is a goal of Nav2's `navigate_to_pose`, sent by an action client of this node, which
cancels that goal alone. `nav2_simple_commander` plans the path and clears the costmaps.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from action_msgs.msg import GoalStatus
from rclpy.callback_groups import ReentrantCallbackGroup

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.result_client import GoalInFlight, ResultClient
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer
from roboinstruct_ros.skill_servers.nav2.commander import ACTIONS, Commander, navigate_to_pose
from roboinstruct_ros.skill_servers.nav2.errors import DriveFault, reason_for

POLL = 0.02
"""Polling period (s) during a drive."""
END_AGAIN = 0.1
"""Interval (s) between cancels of a goal that Nav2 has not ended yet."""
END_LIMIT = 1.0
"""Time (s) for Nav2 to end a cancelled goal. Then all its goals are cancelled: a dead navigator
leaves the controller driving on a goal of its own."""


@dataclass(frozen=True)
class DriveSettings:
    attempts: int = option(
        2, "maximum number of drives; the costmaps are cleared before each retry", 1, 20, live=True
    )
    clear_pause: float = option(1.0, "wait after clearing costmaps", 0.0, 60.0, "s", live=True)
    check_path: bool = option(True, "ask Nav2's planner for a path before moving", live=True)
    silence_limit: float = option(
        5.0,
        "Nav2 counts as dead after this long without feedback",
        0.0,
        600.0,
        "s",
        lowest="never",
        live=True,
    )
    planner_id: str = option("", "planner of Nav2; empty: Nav2's default")
    behavior_tree: str = option("", "behaviour tree file on Nav2's machine; empty: Nav2's default")


class Driver:
    """Drives, one goal at a time.

    Args:
        node: sends the goals; other threads spin it.
        can_clear: whether both costmaps can be cleared.
        cancel_all: cancels all motion of the robot, without waiting.
    """

    def __init__(
        self,
        node: SkillServer,
        commander: Commander,
        can_clear: Callable[[], bool],
        cancel_all: Callable[[], None],
    ) -> None:
        self._commander, self._can_clear, self._cancel_all = commander, can_clear, cancel_all
        self._warn = node.get_logger().warning
        self._kind = kind = navigate_to_pose()
        self._client = ResultClient(node, kind, ACTIONS[0], ReentrantCallbackGroup())
        node.hear(kind.Impl.FeedbackMessage, f"{ACTIONS[0]}/_action/feedback", self._hear)
        self._sent: GoalInFlight | None = None
        self._heard = 0.0
        self._tell: Callable[[Any], None] = lambda feedback: None

    def end(self) -> None:
        """Cancel the drive at once; from any thread."""
        if sent := self._sent:
            sent.cancel()

    def go(
        self,
        room: str,
        pose: Any,
        settings: DriveSettings,
        over: threading.Event,
        tell: Callable[[Any], None],
    ) -> Fault | None:
        """Drive to a `geometry_msgs/PoseStamped`; returns when Nav2 has ended the goal.

        Args:
            over: set when the drive is no longer wanted.
            tell: receives Nav2's feedback.
        """
        self._tell = tell
        left = settings.attempts
        while fault := self._attempt(room, pose, settings, over):
            left -= 1
            if over.is_set() or not (left and fault.clears and self._can_clear()):
                break
            self._warn(f"{fault.message}; clearing the costmaps and trying again")
            self._commander.clearAllCostmaps()
            if over.wait(settings.clear_pause):
                break
        return fault

    def _attempt(
        self, room: str, pose: Any, settings: DriveSettings, over: threading.Event
    ) -> DriveFault | None:
        if settings.check_path:
            fault = check_path(self._commander, room, pose, settings.planner_id)
            if fault is not None or over.is_set():
                return fault
        self._heard = time.monotonic()
        goal = self._kind.Goal(pose=pose, behavior_tree=settings.behavior_tree)
        # kept after its end, so that `end` reaches the goal whatever fails here
        self._sent = sent = self._client.send(goal)
        if not self._ended(sent, settings.silence_limit, over):
            silent = f"Nav2 fell silent for {settings.silence_limit:g} s"
            message = f"{silent} on the way to the {room}"
            return DriveFault(SkillErrorCode.SERVER_UNAVAILABLE, message)
        return _ending(sent, room)

    def _ended(self, sent: GoalInFlight, silence: float, over: threading.Event) -> bool:
        """Wait until Nav2 has ended the goal. Returns False if Nav2 has fallen silent."""
        cancelled = told = 0.0
        while not sent.over.wait(POLL):
            now = time.monotonic()
            if over.is_set() and now - told >= END_AGAIN:
                sent.cancel()
                cancelled, told = cancelled or now, now
                if now - cancelled > END_LIMIT:
                    self._cancel_all()
            if silence and now - self._heard > silence:
                self._cancel_all()
                sent.give_up()
                return False
        return True

    def _hear(self, message: Any) -> None:
        sent = self._sent
        if sent is not None and message.goal_id == sent.id:
            self._heard = time.monotonic()
            self._tell(message.feedback)


def check_path(commander: Commander, room: str, pose: Any, planner: str) -> DriveFault | None:
    """Plan a path from the robot's position. Returns None if there is one."""
    commander.result_future = None
    nowhere = type(pose)()  # unused: the path begins at the robot
    path = commander.getPath(nowhere, pose, planner)
    if path is None:
        told = commander.result_future
        return _failed(told.result().result if told is not None else None, room)
    if not path.poses:
        message = f"no way to the {room}: the planner gave an empty one"
        return DriveFault(SkillErrorCode.NAVIGATION_BLOCKED, message, clears=True)
    return None


def _ending(sent: GoalInFlight, room: str) -> DriveFault | None:
    if sent.response is None:
        message = f"Nav2 refused the goal in the {room}; is its navigator active?"
        return DriveFault(SkillErrorCode.SERVER_UNAVAILABLE, message)
    if sent.response.status == GoalStatus.STATUS_SUCCEEDED:
        return None
    if sent.response.status == GoalStatus.STATUS_CANCELED:
        message = f"Nav2's goal in the {room} was cancelled by somebody else"
        return DriveFault(SkillErrorCode.CANCELED, message)
    return _failed(sent.response.result, room)


def _failed(result: Any, room: str) -> DriveFault:
    reason = reason_for(getattr(result, "error_code", 0 if result is None else None))
    said = " ".join(str(getattr(result, "error_msg", "")).split())
    words = f"{reason.message} ({said})" if said else reason.message
    return replace(reason, message=f"the robot cannot reach the {room}: {words}")
