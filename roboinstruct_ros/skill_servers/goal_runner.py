"""One way through every action of a skill server: begin, feedback, an end of any kind."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from rclpy.action import CancelResponse

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.activity import Activities, Activity
from roboinstruct_ros.skill_servers.fault import Fault

FEEDBACK_PERIOD = 0.1
"""s"""

Begin = Callable[[Activity], "Fault | None"]
Finish = Callable[[Any], "Fault | None"]


class Body(Protocol):
    """What carries the goals out: the simulated robot's clock, or a driver of a real one."""

    lock: AbstractContextManager[Any]
    """Reentrant; guards the activities."""

    def halt(self) -> None:
        """Takes every motion away, at once."""


class GoalRunner:
    """Carries goals out, each in the thread that rclpy gives it, and ends them on request."""

    def __init__(self, body: Body, activities: Activities) -> None:
        """Takes what moves the robot, whose lock guards everything here, and the goals."""
        self._body, self._activities = body, activities
        self._goals: dict[bytes, Activity] = {}
        self._stop_before: dict[bytes, Fault | None] = {}

    def accept(self, goal: Any) -> None:
        """Hands an accepted goal to a thread; the accepted callback of every action server.

        A stop may come before that thread runs, and must end the goal all the same.
        """
        with self._body.lock:
            self._stop_before[bytes(goal.goal_id.uuid)] = self._activities.last_stop
        goal.execute()

    def carry_out(
        self,
        goal: Any,
        activity: Activity,
        result: Any,
        begin: Begin,
        feedback: Callable[[Activity], Any],
        finish: Finish = lambda result: None,
        settle: Callable[[], None] = lambda: None,
    ) -> Any:
        """Runs one goal to its end, whatever ends it, and reports that end.

        Args:
            goal: rclpy's goal handle.
            activity: the goal's state, shared with the clock.
            result: the action's result, filled here.
            begin: refuses the goal or prepares the activity; the lock is held.
            feedback: gives the feedback message; the lock is held.
            finish: does to the world what the skill does, at its end; the lock is held.
            settle: waits, for a bounded time, until the robot has taken notice of the end.
        """
        key = bytes(goal.goal_id.uuid)
        try:
            fault = self._start(key, activity, begin)
            if fault is None:
                self._wait(goal, activity, feedback)
                settle()
                with self._body.lock:
                    fault = activity.fault or finish(result)
        finally:
            with self._body.lock:
                self._goals.pop(key, None)
                self._activities.finish(activity)
        return self._close(goal, result, fault)

    def _start(self, key: bytes, activity: Activity, begin: Begin) -> Fault | None:
        # One stretch under the lock: the clock must not see a goal whose duration is not set yet.
        with self._body.lock:
            stop = self._activities.last_stop
            if self._stop_before.pop(key, None) is not stop:
                return stop
            fault = self._activities.begin(activity)
            if fault is None:
                self._goals[key] = activity
                fault = begin(activity)
            return fault

    def _wait(self, goal: Any, activity: Activity, feedback: Callable[[Activity], Any]) -> None:
        give_up = time.monotonic() + activity.patience if activity.duration is None else None
        while not activity.over.is_set():
            with self._body.lock:
                if give_up is not None:
                    activity.patience_left = max(0.0, give_up - time.monotonic())
                    if activity.patience_left == 0.0:
                        self._end(activity, activity.out_of_patience)
                # A cancel may have come before this goal was known to `cancel`.
                if goal.is_cancel_requested:
                    self._end(activity, Fault(SkillErrorCode.CANCELED, "the goal was cancelled"))
                message = feedback(activity)
            goal.publish_feedback(message)
            activity.over.wait(FEEDBACK_PERIOD)

    def _close(self, goal: Any, result: Any, fault: Fault | None) -> Any:
        if fault is None:
            goal.succeed()
            return result
        result.error_code, result.error_msg = int(fault.code), fault.message
        if fault.code is SkillErrorCode.CANCELED:
            # rclpy moves the goal to "cancelling" only after the cancel callback has returned.
            limit = time.monotonic() + 1.0
            while not goal.is_cancel_requested and time.monotonic() < limit:
                time.sleep(0.001)
            if goal.is_cancel_requested:
                goal.canceled()
                return result
        goal.abort()
        return result

    def cancel(self, goal: Any) -> CancelResponse:
        """Ends a goal that its client cancels; the cancel callback of every action server."""
        with self._body.lock:
            activity = self._goals.get(bytes(goal.goal_id.uuid))
            if activity:
                self._end(activity, Fault(SkillErrorCode.CANCELED, "the goal was cancelled"))
        return CancelResponse.ACCEPT

    def _end(self, activity: Activity, fault: Fault) -> None:
        if activity.moves:
            self._body.halt()
        activity.end(fault)
