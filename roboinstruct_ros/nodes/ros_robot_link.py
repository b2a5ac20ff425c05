"""The kiosk's `RobotLink` over ROS."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import PoseStamped
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future
from std_msgs.msg import String
from visualization_msgs.msg import Marker, MarkerArray

from roboinstruct_msgs.action import ExecuteProgram, GenerateProgram
from roboinstruct_msgs.msg import Event, InterruptedRuns
from roboinstruct_msgs.msg import TaskState as TaskStateMsg
from roboinstruct_msgs.srv import ForgetRun, Pause, Stop
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.run_counters import RunCounters
from roboinstruct_ros.nodes.goal_client import GoalClient
from roboinstruct_ros.nodes.kiosk_conversions import (
    interrupted_run,
    json_object,
    result_data,
    things,
)
from roboinstruct_ros.nodes.lifeline import Lifeline, Stopped
from roboinstruct_ros.nodes.qos import EVENTS, LATCHED
from roboinstruct_ros.web.robot_link import (
    Heard,
    InterruptedSeen,
    Listener,
    NodesSeen,
    Question,
    RobotEvent,
    RobotPose,
    Speech,
    StopAnswer,
    WorldSeen,
    lost_node,
)
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

WATCH_PERIOD = 0.2
"""Time between two looks at who is still there, s."""


@dataclass
class _Job:
    """A goal that is on its way: who does it, and in which start of that node."""

    task_id: str
    server: str
    session: str
    finished: EventKind
    handle: Any = None
    cancelled: bool = False


class RosRobotLink:
    """Implements `web.robot_link.RobotLink`; its node is spun in a thread of its own.

    A single-threaded executor: no callback here waits, and one thread leaves the interpreter to
    the web server, which has to pass a stop on at once. The stop itself needs no executor.

    Args:
        counters: count every event of the stack, and the ends of what a lost node did.
    """

    def __init__(self, node: Node, robot_nodes: tuple[str, ...], counters: RunCounters) -> None:
        self._node = node
        self._counters = counters
        self._robot_nodes = robot_nodes
        self._listener: Listener = lambda heard: None
        self._jobs: dict[str, _Job] = {}
        self._known: set[str] = set()
        self._states: dict[str, str] = {}
        self._pose: RobotPose | None = None
        self._lifeline = Lifeline(node, self._hear_stop)
        self._monitor = self._lifeline.heard
        self._answers = node.create_publisher(String, names.ANSWER_TOPIC, 10)
        self._stop_client = node.create_client(Stop, names.STOP_SERVICE)
        self._pause = node.create_client(Pause, names.PAUSE_SERVICE)
        self._forget = node.create_client(ForgetRun, names.FORGET_RUN_SERVICE)
        self._generate = GoalClient(node, GenerateProgram, names.GENERATE_PROGRAM_ACTION)
        self._execute = GoalClient(node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION)
        self._subscribe()
        node.create_timer(WATCH_PERIOD, self._watch)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(node)
        self._spinner = threading.Thread(target=self._spin, name="spin", daemon=True)

    # What people do; on the web server's thread

    def listen(self, listener: Listener) -> None:
        self._listener = listener
        self._spinner.start()

    def generate(
        self,
        task_id: str,
        instruction: str,
        follows: str = "",
        found: tuple[str, ...] = (),
    ) -> None:
        goal = GenerateProgram.Goal(
            task_id=task_id,
            instruction=instruction,
            language="en",
            asked_by="kiosk",
            follows=follows,
            found=list(found),
        )
        kind = EventKind.GENERATION_FINISHED
        job = self._job(task_id, self._generate, names.GENERATOR_NODE, kind)
        self._executor.create_task(self._send, job, self._generate, goal)

    def execute(
        self,
        task_id: str,
        instruction: str,
        source: str,
        sha256: str,
        approved_by: str,
        resume: bool = False,
    ) -> None:
        goal = ExecuteProgram.Goal(
            task_id=task_id,
            instruction=instruction,
            source=source,
            program_sha256=sha256,
            approved_by=approved_by,
            resume=resume,
            stop_number=self._lifeline.stops.current,
        )
        kind = EventKind.RUN_FINISHED
        job = self._job(task_id, self._execute, names.EXECUTOR_NODE, kind)
        self._executor.create_task(self._send, job, self._execute, goal)

    def cancel(self, task_id: str) -> None:
        self._executor.create_task(self._cancel, task_id)

    def pause(self, paused: bool) -> None:
        request = Pause.Request(paused=paused, stop_number=self._lifeline.stops.current)
        self._executor.create_task(self._call, self._pause, request)

    def forget(self, task_id: str) -> None:
        self._executor.create_task(self._call, self._forget, ForgetRun.Request(task_id=task_id))

    def stop(self, reason: str, pressed: float) -> None:
        stopped = self._lifeline.stop(names.KIOSK_NODE, reason, pressed)
        self._executor.create_task(self._call_stop, stopped)

    def answer(self, question: str, answer: str) -> None:
        said = json.dumps({"question": question, "answer": answer})
        self._answers.publish(String(data=said))

    def close(self) -> None:
        """Ends the thread. A run that was started here is stopped: its Stop button goes away."""
        if any(job.finished is EventKind.RUN_FINISHED for job in list(self._jobs.values())):
            self.stop("the kiosk is shutting down", time.time())
        self._executor.shutdown(timeout_sec=0.2)
        if self._spinner.is_alive():
            self._spinner.join(0.2)
        self._lifeline.close()

    # Goals; on the spinning thread

    def _job(self, task_id: str, client: GoalClient, server: str, kind: EventKind) -> _Job:
        if not client.server_is_ready() or self._monitor.lost(server):
            doing = {names.GENERATOR_NODE: "writes", names.EXECUTOR_NODE: "runs"}[server]
            message = f"no node '{server}' is there, which {doing} programs; try again soon"
            raise WebError(WebErrorCode.NODE_MISSING, message)
        job = _Job(task_id, server, self._monitor.session(server), kind)
        self._jobs[task_id] = job
        self._known.add(task_id)
        return job

    def _send(self, job: _Job, client: GoalClient, goal: Any) -> None:
        def accepted(future: Future) -> None:
            job.handle = future.result()
            if not job.handle.accepted:
                self._end(job, TaskErrorCode.UNKNOWN, f"the {job.server} refused the task")
                return
            job.handle.get_result_async().add_done_callback(finished)
            if job.cancelled:
                job.handle.cancel_goal_async()

        def finished(future: Future) -> None:
            self._finish(job, result_data(future.result().result, job.finished))

        client.send_goal_async(goal).add_done_callback(accepted)

    def _cancel(self, task_id: str) -> None:
        job = self._jobs.get(task_id)
        if job is None or job.cancelled:
            return
        job.cancelled = True
        if job.handle is not None:
            job.handle.cancel_goal_async()

    def _end(self, job: _Job, code: TaskErrorCode, message: str) -> None:
        outcome = {"outcome": "failed"} if job.finished is EventKind.RUN_FINISHED else {}
        data = {**outcome, "error_code": int(code), "error_msg": message}
        # no node tells this end, so no event is counted for it
        self._count(job.finished.value, data, time.time())
        self._finish(job, data)

    def _finish(self, job: _Job, data: dict[str, Any]) -> None:
        # The event of the same kind mostly came before; this one counts where that was lost.
        if self._jobs.get(job.task_id) is job:
            del self._jobs[job.task_id]
            kind = job.finished.value
            self._tell(RobotEvent(kind, job.task_id, data, names.KIOSK_NODE, time.time()))

    def _call(self, client: Any, request: Any) -> None:
        """Ask the executor; what comes of it is seen in its events."""
        if client.service_is_ready():
            client.call_async(request)

    def _call_stop(self, stopped: Stopped) -> None:
        if not self._stop_client.service_is_ready():
            return

        def answered(future: Future) -> None:
            answer = future.result()
            self._tell(StopAnswer(answer.was_running, float(answer.latency), answer.message))

        request = Stop.Request(source=stopped.source, reason=stopped.reason, number=stopped.number)
        self._stop_client.call_async(request).add_done_callback(answered)

    # What the robot says; on the spinning thread

    def _subscribe(self) -> None:
        topics: list[tuple[Any, str, Callable[[Any], None], Any]] = [
            (Event, names.EVENTS_TOPIC, self._hear_event, EVENTS),
            (TaskStateMsg, names.TASK_STATE_TOPIC, self._hear_state, LATCHED),
            (PoseStamped, names.ROBOT_POSE_TOPIC, self._hear_pose, LATCHED),
            (MarkerArray, names.MARKERS_TOPIC, self._hear_markers, LATCHED),
            (String, names.SPEECH_TOPIC, lambda said: self._tell(Speech(said.data)), 10),
            (String, names.QUESTION_TOPIC, self._hear_question, LATCHED),
            (InterruptedRuns, names.INTERRUPTED_RUNS_TOPIC, self._hear_interrupted, LATCHED),
        ]
        for kind, topic, hear, qos in topics:
            self._node.create_subscription(kind, topic, hear, qos)

    def _tell(self, heard: Heard) -> None:
        self._listener(heard)

    def _hear_event(self, event: Event) -> None:
        data = json_object(event.data)
        if data is None:
            self._node.get_logger().warning(f"event {event.kind} of {event.source} is no JSON")
            return
        self._known.add(event.task_id)
        stamp = event.stamp.sec + event.stamp.nanosec * 1e-9
        self._count(event.kind, data, stamp)
        self._tell(RobotEvent(event.kind, event.task_id, data, event.source, stamp))

    def _count(self, kind: str, data: dict[str, Any], stamp: float) -> None:
        try:
            self._counters.note(kind, data, stamp)
        except ValueError as error:
            self._node.get_logger().warning(str(error))

    def _hear_state(self, state: TaskStateMsg) -> None:
        """A kiosk that starts in the middle of a run must still show it."""
        if state.state != "running" or state.task_id in self._known:
            return
        self._known.add(state.task_id)
        stamp = state.stamp.sec + state.stamp.nanosec * 1e-9
        data = {"instruction": state.instruction, "program_sha256": state.program_sha256}
        kind = EventKind.RUN_STARTED.value
        self._tell(RobotEvent(kind, state.task_id, data, names.EXECUTOR_NODE, stamp))

    def _hear_stop(self, stopped: Stopped) -> None:
        """Somebody's stop, which is not of one task: between two rounds nothing runs."""
        data = {"source": stopped.source, "reason": stopped.reason}
        kind = EventKind.STOP_REQUESTED.value
        self._tell(RobotEvent(kind, "", data, stopped.source, time.time()))

    def _hear_pose(self, pose: PoseStamped) -> None:
        at, turn = pose.pose.position, pose.pose.orientation
        yaw = 2.0 * math.atan2(turn.z, turn.w)
        seen = RobotPose(round(at.x, 3), round(at.y, 3), round(yaw, 4))
        if seen != self._pose:
            self._pose = seen
            self._tell(seen)

    def _hear_markers(self, markers: MarkerArray) -> None:
        shown = [m for m in markers.markers if m.action == Marker.ADD]
        held = next((m.text for m in shown if m.ns == "held"), "")
        self._tell(
            WorldSeen(
                things(shown, "doors"), things(shown, "objects"), things(shown, "people"), held
            )
        )

    def _hear_question(self, message: String) -> None:
        asked = json_object(message.data) or {}
        given = asked.get("options")
        options = tuple(map(str, given)) if isinstance(given, list) else ()
        text, person = str(asked.get("question", "")), str(asked.get("person", ""))
        self._tell(Question(text, person, options, bool(asked.get("live", False))))

    def _hear_interrupted(self, message: InterruptedRuns) -> None:
        self._tell(InterruptedSeen(tuple(interrupted_run(run) for run in message.runs)))

    def _watch(self) -> None:
        core = (names.GENERATOR_NODE, names.EXECUTOR_NODE)
        robot = tuple(name for name in self._robot_nodes if name in self._monitor.seen())
        states = {name: self._state(name) for name in (*core, *robot)}
        if states != self._states:
            self._states = states
            self._tell(NodesSeen(states))
        for job in list(self._jobs.values()):
            restarted = job.session and self._monitor.session(job.server) != job.session
            if restarted or self._monitor.lost(job.server):
                self._lose(job)

    def _state(self, name: str) -> str:
        if self._monitor.lost(name):
            return "lost"
        return "up" if self._monitor.alive(name) else "waiting"

    def _lose(self, job: _Job) -> None:
        lost = lost_node(job.server)
        self._count(lost.kind, dict(lost.data), lost.stamp)
        if job.finished is EventKind.RUN_FINISHED:
            self.stop("the executor is lost", time.time())
            message = "the program runner was lost during the run; the robot was told to stop"
            self._end(job, TaskErrorCode.PROGRAM_LOST, message)
        else:
            message = "the program writer was lost while it wrote; it restarts, so try again soon"
            self._end(job, TaskErrorCode.MODEL_FAILED, message)

    def _spin(self) -> None:
        try:
            self._executor.spin()
        except ExternalShutdownException:
            pass
        except Exception:
            self._node.get_logger().error("the kiosk's ROS thread failed", exc_info=True)
            raise
