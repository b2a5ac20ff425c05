"""One drive with `nav2_simple_commander`: is there a way, go, watch, clear and try again.

No ROS here: what is used of `BasicNavigator` is the protocol `Navigator`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.nav2.errors import reason_for

INSTALL = (
    "nav2_simple_commander is not installed: 'apt install ros-jazzy-nav2-simple-commander', and "
    "source ROS"
)
ACTIONS = ("navigate_to_pose", "compute_path_to_pose")
"""The actions of Nav2 that a drive uses."""
END_AGAIN = 0.1
"""s between two cancels of a goal that Nav2 has not ended yet."""
STUCK = 5.0
"""s that Nav2 gets to end a cancelled goal before this node gives up on its navigator."""
END_LIMIT = 1.0
"""s that Nav2 gets to end a cancelled goal. Then everything of it is cancelled: a navigator that
has died leaves the controller driving, by a goal of its own."""


class Navigator(Protocol):
    """The part of `nav2_simple_commander.robot_navigator.BasicNavigator` that is used.

    It spins itself in nearly every call, so all calls come from one thread.
    """

    result_future: Any
    """The last goal's: its `result()` has `result`, with `error_code` since Iron."""
    goal_handle: Any
    """The last goal's, of a drive or of a search for a way, or None: it has `goal_id`."""

    def getPath(self, start: Any, goal: Any, planner_id: str = "", use_start: bool = False) -> Any:
        """Gives a `nav_msgs/Path`, or None when there is none; waits for the server for ever."""

    def goToPose(self, pose: Any, behavior_tree: str = "") -> Any:
        """Gives something true when the goal was accepted; waits for the server for ever."""

    def isTaskComplete(self) -> bool:
        """Spins for up to 0.1 s."""

    def getFeedback(self) -> Any:
        """Gives the newest feedback, maybe of an earlier goal, or None."""

    def getResult(self) -> Any:
        """Gives a `TaskResult`: UNKNOWN, SUCCEEDED, CANCELED or FAILED."""

    def clearAllCostmaps(self) -> None:
        """Waits for both services for ever."""

    def destroy_node(self) -> None:
        """Ends it."""


@dataclass(frozen=True)
class DriveSettings:
    """How `go_to` uses Nav2."""

    attempts: int = option(
        2, "drives at the most, each after the first with cleared costmaps", 1, 20, live=True
    )
    clear_pause: float = option(1.0, "wait after clearing costmaps", 0.0, 60.0, "s", live=True)
    check_path: bool = option(True, "ask Nav2's planner for a way before moving", live=True)
    silence_limit: float = option(
        5.0, "Nav2 without feedback counts as dead", 0.0, 600.0, "s", lowest="never", live=True
    )
    planner_id: str = option("", "planner of Nav2; empty is its default")
    behavior_tree: str = option("", "behaviour tree on Nav2's machine; empty is its default")


@dataclass(eq=False)
class Drive:
    """A room to go to, and what is known of the way there."""

    room: str
    pose: Any
    """The approach pose, `geometry_msgs/PoseStamped`."""
    on_feedback: Callable[[Any], None] = lambda feedback: None
    cancelled: threading.Event = field(default_factory=threading.Event)
    cancelled_at: float = 0.0

    def cancel(self) -> None:
        """Gives the drive up; whoever calls this tells Nav2 too."""
        if not self.cancelled.is_set():
            self.cancelled_at = time.monotonic()
            self.cancelled.set()

    @property
    def stuck(self) -> bool:
        """Whether it was given up longer than `STUCK` ago."""
        return self.cancelled.is_set() and time.monotonic() - self.cancelled_at > STUCK


@dataclass(frozen=True)
class Nav2Calls:
    """What a drive needs of Nav2 beside the navigator, none of which blocks for long.

    Attributes:
        halt: cancels every goal of Nav2, now.
        end: cancels the goal of that id, now.
        can_clear: whether both costmaps can be cleared.
        log: tells a person one line.
    """

    halt: Callable[[], None]
    end: Callable[[Any], None]
    can_clear: Callable[[], bool]
    log: Callable[[str], None]


@dataclass(frozen=True)
class Failure:
    """Why a drive, or the search for its way, came to nothing.

    Attributes:
        clears: cleared costmaps may mend it.
    """

    fault: Fault
    clears: bool = False


def carry_out(
    navigator: Navigator, drive: Drive, settings: DriveSettings, calls: Nav2Calls
) -> Fault | None:
    """Drives to the room; blocks until Nav2 has ended the goal. None is success."""
    for left in reversed(range(settings.attempts)):
        failure = _attempt(navigator, drive, settings, calls)
        if failure is None or drive.cancelled.is_set():
            break
        if not (left and failure.clears and calls.can_clear()):
            break
        calls.log(f"{failure.fault.message}; clearing the costmaps and trying again")
        navigator.clearAllCostmaps()
        if drive.cancelled.wait(settings.clear_pause):
            break
    return failure.fault if failure else None


def _attempt(
    navigator: Navigator, drive: Drive, settings: DriveSettings, calls: Nav2Calls
) -> Failure | None:
    if settings.check_path:
        failure = check_path(navigator, drive, settings)
        if failure is not None or drive.cancelled.is_set():
            return failure
    before = navigator.getFeedback()
    navigator.result_future = None
    if not navigator.goToPose(drive.pose, settings.behavior_tree):
        message = f"Nav2 refused the goal in the {drive.room}; is its navigator active?"
        return Failure(Fault(SkillErrorCode.SERVER_UNAVAILABLE, message))
    failure = _follow(navigator, drive, before, settings.silence_limit, calls)
    return failure or _ending(navigator, drive)


def check_path(navigator: Navigator, drive: Drive, settings: DriveSettings) -> Failure | None:
    """Asks the planner for a way from where the robot is; None when there is one."""
    navigator.result_future = None
    nowhere = type(drive.pose)()  # not used: the way begins where the robot is
    path = navigator.getPath(nowhere, drive.pose, settings.planner_id)
    if path is None:
        return _failed(navigator, drive)
    if not path.poses:
        message = f"no way to the {drive.room}: the planner gave an empty one"
        return Failure(Fault(SkillErrorCode.NAVIGATION_BLOCKED, message), clears=True)
    return None


def _follow(
    navigator: Navigator, drive: Drive, before: Any, silence: float, calls: Nav2Calls
) -> Failure | None:
    """Watches until Nav2 has ended the goal; a failure only when it never will."""
    heard = time.monotonic()
    ended = 0.0
    while True:
        now = time.monotonic()
        # A cancel that came before the goal was accepted did not reach it.
        if drive.cancelled.is_set() and now - ended >= END_AGAIN:
            calls.end(navigator.goal_handle.goal_id)
            if now - drive.cancelled_at > END_LIMIT:
                calls.halt()
            ended = now
        if navigator.isTaskComplete():
            return None
        feedback = navigator.getFeedback()
        if feedback is not before:
            drive.on_feedback(feedback)
            before, heard = feedback, now
        if silence and now - heard > silence:
            calls.halt()
            message = f"Nav2 fell silent for {silence:g} s on the way to the {drive.room}"
            return Failure(Fault(SkillErrorCode.SERVER_UNAVAILABLE, message))


def _ending(navigator: Navigator, drive: Drive) -> Failure | None:
    result = navigator.getResult().name
    if result == "SUCCEEDED":
        return None
    if result == "CANCELED":
        message = f"Nav2's goal in the {drive.room} was cancelled by somebody else"
        return Failure(Fault(SkillErrorCode.CANCELED, message))
    return _failed(navigator, drive)


def _failed(navigator: Navigator, drive: Drive) -> Failure:
    future = navigator.result_future
    response = future.result() if future is not None else None
    result = getattr(response, "result", None)
    reason = reason_for(getattr(result, "error_code", 0 if result is None else None))
    said = " ".join(str(getattr(result, "error_msg", "")).split())
    words = f"{reason.words} ({said})" if said else reason.words
    message = f"the robot cannot reach the {drive.room}: {words}"
    return Failure(Fault(reason.code, message), reason.clears)
