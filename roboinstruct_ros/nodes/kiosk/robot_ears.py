"""The kiosk's subscriptions to the robot; runs on the thread that spins its node."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from std_msgs.msg import String
from visualization_msgs.msg import Marker, MarkerArray

from roboinstruct_msgs.action import Ask
from roboinstruct_msgs.msg import Event, InterruptedRuns, Question
from roboinstruct_msgs.msg import TaskState as TaskStateMsg
from roboinstruct_ros import names
from roboinstruct_ros.domain.arrival import read_object
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.execute.run_counters import RunCounters
from roboinstruct_ros.execute.task_state import IN_RUN, TaskState
from roboinstruct_ros.nodes.hearing import Untold
from roboinstruct_ros.nodes.kiosk.conversions import (
    MAX_NAME,
    MAX_THINGS,
    diagnoses_in,
    interrupted_run,
    metres,
    question_in,
    text_in,
    things,
)
from roboinstruct_ros.nodes.kiosk.unheard_ends import UnheardEnds
from roboinstruct_ros.nodes.qos import DIAGNOSES, EVENTS, LATCHED
from roboinstruct_ros.nodes.stop_link import Stopped
from roboinstruct_ros.web.robot_link import (
    AnswerTime,
    Dictated,
    InterruptedSeen,
    Listener,
    NothingRuns,
    RobotEvent,
    RobotPose,
    Speech,
    WorldSeen,
)

_GOING = frozenset(state.value for state in (*IN_RUN, TaskState.STOPPING))
_NEW = frozenset({TaskState.IDLE.value, TaskState.AWAITING_APPROVAL.value})
"""States of an executor that has not begun a run since it started."""
MAX_KNOWN = 1000


class RobotEars:
    """Subscribes to the robot's topics and forwards their contents; a bad message is logged in one
    line.

    Args:
        counters: count every event of the stack.
        ends: learn every state of the executor.
    """

    def __init__(
        self, node: Node, tell: Listener, counters: RunCounters, ends: UnheardEnds
    ) -> None:
        self._node, self._tell, self._counters, self._ends = node, tell, counters, ends
        self._known: dict[str, None] = {}
        self._pose: RobotPose | None = None
        topics: list[tuple[Any, str, Callable[[Any], None], Any]] = [
            (Event, names.EVENTS_TOPIC, self._hear_event, EVENTS),
            (TaskStateMsg, names.TASK_STATE_TOPIC, self._hear_state, LATCHED),
            (MarkerArray, names.MARKERS_TOPIC, self._hear_markers, LATCHED),
            (String, names.SPEECH_TOPIC, lambda said: tell(Speech(text_in(said.data))), 10),
            (String, names.DICTATION_TOPIC, lambda said: tell(Dictated(text_in(said.data))), 10),
            (Question, names.QUESTION_TOPIC, lambda asked: tell(question_in(asked)), LATCHED),
            (Ask.Impl.FeedbackMessage, names.ASK_FEEDBACK_TOPIC, self._hear_patience, 10),
            (InterruptedRuns, names.INTERRUPTED_RUNS_TOPIC, self._hear_interrupted, LATCHED),
        ]
        for kind, topic, hear, qos in topics:
            node.create_subscription(kind, topic, partial(self._take, topic, hear), qos)
        self._health = Untold(node, DiagnosticArray, names.DIAGNOSTICS_TOPIC, DIAGNOSES)
        self._poses = Untold(node, PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)

    def _take(self, topic: str, hear: Callable[[Any], None], message: Any) -> None:
        try:
            hear(message)
        except ValueError as error:
            self.warn(f"a message on {topic} is not taken in: {error}")

    def warn(self, line: str) -> None:
        """Log at most one line per second, whatever others send."""
        self._node.get_logger().warning(line, throttle_duration_sec=1.0)

    def _hear_event(self, event: Event) -> None:
        data = read_object(event.data, "its data")
        kind, source = text_in(event.kind, MAX_NAME), text_in(event.source, MAX_NAME)
        task_id = text_in(event.task_id, MAX_NAME)
        self.know(task_id)
        if kind == EventKind.RUN_FINISHED.value:
            self._ends.heard(task_id)
        stamp = self._when(event.stamp)
        self.count(kind, data, stamp)
        self._tell(RobotEvent(kind, task_id, data, source, stamp))

    def _when(self, stamp: Time) -> float:
        """Stamp as s since the epoch by the system clock, also under simulated time."""
        since = self._node.get_clock().now().nanoseconds * 1e-9 - stamp.sec - stamp.nanosec * 1e-9
        return time.time() - float(since)

    def know(self, task_id: str) -> None:
        self._known[task_id] = None
        if len(self._known) > MAX_KNOWN:
            del self._known[next(iter(self._known))]

    def count(self, kind: str, data: dict[str, Any], stamp: float) -> None:
        """Count an event; if that fails, log why."""
        try:
            self._counters.note(kind, data, stamp)
        except ValueError as error:
            self.warn(str(error)[:100])

    def _hear_state(self, state: TaskStateMsg) -> None:
        """Show a run that began before the kiosk did, and end those of an earlier executor."""
        if state.state in _NEW:
            self._tell(NothingRuns())
        task_id = text_in(state.task_id, MAX_NAME)
        self._ends.note(state.state, task_id, text_in(state.message))
        if state.state not in _GOING or task_id in self._known:
            return
        self.know(task_id)
        stamp = self._when(state.stamp)
        data = {
            "instruction": text_in(state.instruction),
            "program_sha256": text_in(state.program_sha256),
        }
        kind = EventKind.RUN_STARTED.value
        self._tell(RobotEvent(kind, task_id, data, names.EXECUTOR_NODE, stamp))
        if state.state == TaskState.PAUSED.value:
            kind = EventKind.RUN_PAUSED.value
            self._tell(RobotEvent(kind, task_id, {"paused": True}, names.EXECUTOR_NODE, stamp))

    def hear_stop(self, stopped: Stopped) -> None:
        """Forward a stop. It belongs to no task: between two rounds nothing runs."""
        data = {"source": text_in(stopped.source), "reason": text_in(stopped.reason)}
        kind = EventKind.STOP_REQUESTED.value
        self._tell(RobotEvent(kind, "", data, data["source"], time.time()))

    def take_pose(self) -> None:
        """Forward new poses. Polled: waking for each of 25 a second costs far more."""
        for pose in self._poses.take():
            self._take(names.ROBOT_POSE_TOPIC, self._hear_pose, pose)

    def take_diagnoses(self) -> None:
        """Forward new diagnoses. Polled: drivers publish on this topic too."""
        for message in self._health.take():
            self._take(names.DIAGNOSTICS_TOPIC, self._hear_health, message)

    def _hear_health(self, message: DiagnosticArray) -> None:
        for told in diagnoses_in(message, self._node.get_namespace()):
            self._tell(told)

    def _hear_pose(self, pose: PoseStamped) -> None:
        at, turn = pose.pose.position, pose.pose.orientation
        seen = RobotPose(metres(at.x), metres(at.y), metres(2.0 * math.atan2(turn.z, turn.w)))
        if seen != self._pose:
            self._pose = seen
            self._tell(seen)

    def _hear_markers(self, markers: MarkerArray) -> None:
        shown = [m for m in markers.markers if m.action == Marker.ADD]
        held = next((text_in(m.text, MAX_NAME) for m in shown if m.ns == "held"), "")
        self._tell(
            WorldSeen(
                things(shown, "doors"), things(shown, "objects"), things(shown, "people"), held
            )
        )

    def _hear_patience(self, told: Any) -> None:
        self._tell(AnswerTime(max(0.0, metres(told.feedback.time_remaining))))

    def _hear_interrupted(self, message: InterruptedRuns) -> None:
        runs = message.runs[:MAX_THINGS]
        self._tell(InterruptedSeen(tuple(interrupted_run(run) for run in runs)))
