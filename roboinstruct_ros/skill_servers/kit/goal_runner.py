"""Executes the goals of a skill server's actions: start, feedback and every kind of end, a stop and
the loss of the executor among them; also answers its services."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import RCLError
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import InvalidHandle

from roboinstruct_msgs.msg import Admission as AdmissionMsg
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.nodes.qos import ACTION_SERVER, REQUESTS
from roboinstruct_ros.nodes.stop_link import StopLink, Stopped
from roboinstruct_ros.skill_servers.kit.activity import Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault, internal_fault

if TYPE_CHECKING:
    from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer

FEEDBACK_PERIOD = 0.1
"""Period (s) of feedback messages."""
CANCELING_LIMIT = 1.0
"""Time (s) for rclpy to record a cancel, which it does after the callback has returned."""

CANCELLED = Fault(SkillErrorCode.CANCELED, "the goal was cancelled")

Begin = Callable[[Activity], "Fault | None"]
Finish = Callable[[Any], "Fault | None"]


class GoalRunner:
    """Executes goals, each in the thread that rclpy gives it, and ends them.

    Attributes:
        stop_link: stops and heartbeats, in threads that no callback can delay. It begins before any
            skill is offered, so that an executor that sees the skills already hears it.
    """

    def __init__(self, server: SkillServer) -> None:
        self._server, self._activities = server, server.activities
        self._group = ReentrantCallbackGroup()
        self._last_stop = Fault(SkillErrorCode.STOPPED, "the robot was stopped before")
        self._goals: dict[bytes, Activity] = {}
        self._admitted: dict[bytes, Admission] = {}
        self._cancelled: set[bytes] = set()
        self._under_way = threading.Condition()
        self._count = 0
        self._closing: Fault | None = None
        self._gone = False
        with server.lock:  # a first tick, in the link's thread, waits until the link is known here
            self.stop_link = StopLink(server, self._stopped, self._tick)

    def offer(self, kind: Any, name: str, run: Callable[[Any], Any]) -> ActionServer:
        """Serve an action whose result has `error_code` and `error_msg`.

        `run` executes one goal by `carry_out` and returns the result.
        """

        def execute(goal: Any) -> Any:
            try:
                return run(goal)
            except Exception as error:
                return self._close(goal, kind.Result(), internal_fault(self._server, name, error))
            finally:
                self._leave(bytes(goal.goal_id.uuid))

        return ActionServer(
            self._server,
            kind,
            name,
            execute,
            handle_accepted_callback=self._accept,
            cancel_callback=self._cancel,
            callback_group=self._group,
            **ACTION_SERVER,
        )

    def offer_service(self, kind: Any, name: str, answer: Callable[[Any, Any], object]) -> None:
        """Serve a service whose response has `error_code` and `error_msg`.

        `answer` fills in the response, or returns a `Fault` to report instead.
        """

        def answer_safely(request: Any, _: Any) -> Any:
            response = kind.Response(check_fields=True)  # wrong types raise now
            try:
                made = answer(request, response)
                check_fields(response)
            except Exception as error:  # rclpy would send no response and end the node
                made = internal_fault(self._server, name, error)
            if isinstance(made, Fault):
                response = kind.Response(error_code=int(made.code), error_msg=made.message)
            return response

        self._server.create_service(
            kind, name, answer_safely, qos_profile=REQUESTS, callback_group=self._group
        )

    def close(self, reason: str, limit: float) -> bool:
        """End every remaining goal with `STOPPED` and refuse new ones; for shutdown.

        Returns:
            Whether every goal has ended within `limit` s; later results are not sent.
        """
        self._closing = Fault(SkillErrorCode.STOPPED, reason)
        self._server.end_now()  # now: a thread that holds the lock must not delay it
        with self._server.lock:  # and again for a goal that has just begun
            for activity in self._activities.running:
                self._end(activity, self._closing)
        with self._under_way:
            ended = self._under_way.wait_for(lambda: not self._count, limit)
        self._gone = True
        return bool(ended)

    def _accept(self, goal: Any) -> None:
        """Admit an accepted goal at once: a stop may arrive before a thread executes it."""
        with self._under_way:
            self._count += 1
        self._admitted[bytes(goal.goal_id.uuid)] = self._admit(goal.request.admission)
        try:
            goal.execute()
        except RCLError:  # cancelled between rclpy's check and this call
            goal.execute()

    def _admit(self, admission: AdmissionMsg) -> Admission:
        """Admit a goal as its sender did; after a newer stop the result is already set."""
        self.stop_link.learn(admission.stop_number, "the sender of a goal")
        self.stop_link.heard.silence(admission.session)  # a new session's silence counts from now
        return self.stop_link.stops.admit(admission.stop_number)

    def _stopped(self, stopped: Stopped) -> None:
        self._last_stop = Fault(SkillErrorCode.STOPPED, str(stopped))  # for a goal just beginning
        self._server.stop_now()  # before any lock is taken
        with self._server.lock:
            self._activities.end_all(self._last_stop)

    def _tick(self, passed: float) -> None:
        with self._server.lock:
            silence = self.stop_link.heard.silence
            self._activities.end_left_behind(silence, self._server.executor_lost)
        self._server.tick(passed)

    def _leave(self, key: bytes) -> None:
        self._admitted.pop(key, None)
        self._cancelled.discard(key)
        with self._under_way:
            self._count -= 1
            self._under_way.notify_all()

    def carry_out(
        self,
        goal: Any,
        activity: Activity,
        result: Any,
        begin: Begin,
        feedback: Callable[[Activity], Any],
        finish: Finish = lambda result: None,
        settle: Callable[[], object] = lambda: None,
    ) -> Any:
        """Execute one goal until it ends for any reason, and report the end.

        Args:
            begin: rejects the goal or prepares the activity; called with the lock held.
            feedback: returns the feedback message; called with the lock held.
            finish: applies the skill's effects at its end; called with the lock held.
            settle: waits, for a bounded time, until the robot has reacted to the end.
        """
        key = bytes(goal.goal_id.uuid)
        try:
            activity.session = goal.request.admission.session
            fault = self._start(key, activity, begin)
            if fault is None:
                self._wait(goal, activity, feedback)
                settle()
                with self._server.lock:
                    fault = activity.fault or finish(result)
                check_fields(result)
        except Exception:
            # on any error, end the goal's motion
            self._end(activity, Fault(SkillErrorCode.UNKNOWN, "an internal fault"))
            raise
        finally:
            with self._server.lock:
                self._goals.pop(key, None)
                self._activities.finish(activity)
        return self._close(goal, result, fault)

    def _start(self, key: bytes, activity: Activity, begin: Begin) -> Fault | None:
        # One critical section: the clock must not see a goal whose duration is not set yet.
        with self._server.lock:
            if self._closing is not None:
                return self._closing
            if key in self._cancelled:
                return CANCELLED
            if self._admitted[key].is_set():
                return self._last_stop
            fault = self._activities.begin(activity)
            if fault is None:
                self._goals[key] = activity
                fault = begin(activity)
                ended = key in self._cancelled or self._admitted[key].is_set()
                if fault is None and activity.moves and ended:
                    self._server.end_now()  # what ended it did so before its motion was prepared
            return fault

    def _wait(self, goal: Any, activity: Activity, feedback: Callable[[Activity], Any]) -> None:
        key = bytes(goal.goal_id.uuid)
        give_up = time.monotonic() + activity.patience if activity.duration is None else None
        while not activity.over.is_set():
            with self._server.lock:
                if give_up is not None:
                    activity.patience_left = max(0.0, give_up - time.monotonic())
                    if activity.patience_left == 0.0:
                        self._end(activity, activity.out_of_patience)
                # A cancel may arrive before `_cancel` knows this goal.
                if key in self._cancelled:
                    self._end(activity, CANCELLED)
                message = feedback(activity)
                check_fields(message)
            self._tell(partial(goal.publish_feedback, message))
            activity.over.wait(FEEDBACK_PERIOD)

    def _close(self, goal: Any, result: Any, fault: Fault | None) -> Any:
        if fault is None:
            self._tell(goal.succeed)
            return result
        result.error_code, result.error_msg = int(fault.code), fault.message
        if fault.code is SkillErrorCode.CANCELED and self._is_canceling(goal):
            self._tell(goal.canceled)
        elif goal.is_active:
            self._tell(goal.abort)
        return result

    def _is_canceling(self, goal: Any) -> bool:
        """Whether the client cancelled the goal, rather than the node that serves the motion.

        rclpy changes the goal's state to CANCELING only after the cancel callback has returned.
        """
        limit = time.monotonic() + CANCELING_LIMIT
        while not goal.is_cancel_requested:
            if bytes(goal.goal_id.uuid) not in self._cancelled or time.monotonic() > limit:
                return False
            time.sleep(0.001)
        return True

    def _tell(self, how: Callable[[], None]) -> None:
        try:
            how()
        except (RCLError, InvalidHandle):
            # after shutdown nobody listens, which is no fault
            if not self._gone:
                raise

    def _cancel(self, goal: Any) -> CancelResponse:
        key = bytes(goal.goal_id.uuid)
        self._cancelled.add(key)
        activity = self._goals.get(key)  # without the lock: its holder must not delay a stop
        if activity is not None:
            self._end(activity, CANCELLED)
        return CancelResponse.ACCEPT

    def _end(self, activity: Activity, fault: Fault) -> None:
        if activity.moves:
            self._server.end_now()
        with self._server.lock:
            activity.end(fault)


def check_fields(message: Any) -> None:
    """Check the fields of a message that is sent, and of those within it.

    Raises:
        AssertionError: one has another type, such as an int in a float64; in the C code that sends
            it, it would end the process.
    """
    values = {name: getattr(message, name) for name in message.get_fields_and_field_types()}
    type(message)(check_fields=True, **values)
    for value in values.values():
        for part in value if isinstance(value, (list, tuple)) else (value,):
            if hasattr(part, "get_fields_and_field_types"):
                check_fields(part)
