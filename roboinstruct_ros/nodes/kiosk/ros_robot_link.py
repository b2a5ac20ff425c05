"""The kiosk's `RobotLink` over ROS."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from typing import Any

from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.task import Future

from roboinstruct_msgs.action import ExecuteProgram, GenerateProgram
from roboinstruct_msgs.msg import Answer
from roboinstruct_msgs.srv import ForgetRun, Pause, Stop, VerifyProgram
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.run_counters import RunCounters
from roboinstruct_ros.nodes.discovery import name_of
from roboinstruct_ros.nodes.goal_client import GoalClient
from roboinstruct_ros.nodes.kiosk.conversions import (
    result_data,
    text_in,
    verdict_data,
)
from roboinstruct_ros.nodes.kiosk.robot_ears import RobotEars
from roboinstruct_ros.nodes.lifeline import Lifeline, Stopped
from roboinstruct_ros.nodes.spun_node import THREAD_LOST
from roboinstruct_ros.nodes.steady_timer import steady_timer
from roboinstruct_ros.web.robot_link import (
    Heard,
    JobEnded,
    LinkHealth,
    Listener,
    NodesSeen,
    ProgramJudged,
    StopAnswer,
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
        self._ears = RobotEars(node, self._tell, counters)
        self._robot_nodes = robot_nodes
        self._listener: Listener | None = None
        self._jobs: dict[str, _Job] = {}
        self._turned = time.monotonic()
        self._closing = False
        self._states: dict[str, str] = {}
        self._lifeline = Lifeline(node, self._ears.hear_stop, self._tick)
        self._monitor = self._lifeline.heard
        self._answers = node.create_publisher(Answer, names.ANSWER_TOPIC, 10)
        self._stop_client = node.create_client(Stop, names.STOP_SERVICE)
        self._verify = node.create_client(VerifyProgram, names.VERIFY_PROGRAM_SERVICE)
        self._pause = node.create_client(Pause, names.PAUSE_SERVICE)
        self._forget = node.create_client(ForgetRun, names.FORGET_RUN_SERVICE)
        self._generate = GoalClient(node, GenerateProgram, names.GENERATE_PROGRAM_ACTION)
        self._execute = GoalClient(node, ExecuteProgram, names.EXECUTE_PROGRAM_ACTION)
        # who is lost must be noticed also while a simulator holds the ROS clock
        steady_timer(node, WATCH_PERIOD, self._watch)
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
        stop_number: int | None = None,
    ) -> None:
        goal = ExecuteProgram.Goal(
            task_id=task_id,
            instruction=instruction,
            source=source,
            program_sha256=sha256,
            approved_by=approved_by,
            resume=resume,
            stop_number=self.stop_number() if stop_number is None else stop_number,
        )
        kind = EventKind.RUN_FINISHED
        job = self._job(task_id, self._execute, names.EXECUTOR_NODE, kind)
        self._executor.create_task(self._send, job, self._execute, goal)

    def verify(self, task_id: str, source: str, sha256: str) -> None:
        if not self._verify.service_is_ready():
            message = f"no node '{names.EXECUTOR_NODE}' is there to check the program; try again"
            raise WebError(WebErrorCode.NODE_MISSING, message)
        self._executor.create_task(self._ask_verdict, task_id, source, sha256)

    def stop_number(self) -> int:
        return int(self._lifeline.stops.current)

    def health(self) -> LinkHealth:
        there = [name for name in self._states if name in self._monitor.seen()]
        heard = {name: self._monitor.silence(self._monitor.session(name)) for name in there}
        return LinkHealth(heard, time.monotonic() - self._turned)

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
        self._answers.publish(Answer(question=question, answer=answer))

    def close(self) -> None:
        """Ends the thread. A run that was started here is stopped: its Stop button goes away."""
        if any(job.finished is EventKind.RUN_FINISHED for job in list(self._jobs.values())):
            self.stop("the kiosk is shutting down", time.time())
        self._closing = True
        self._executor.shutdown(timeout_sec=0.2)
        if self._spinner.is_alive():
            self._spinner.join(0.2)
        self._lifeline.close()

    # Goals; on the spinning thread

    def _job(self, task_id: str, client: GoalClient, core: str, kind: EventKind) -> _Job:
        server = self._name(core)
        if not client.server_is_ready() or self._monitor.lost(server):
            doing = {names.GENERATOR_NODE: "writes", names.EXECUTOR_NODE: "runs"}[core]
            message = f"no node '{server}' is there, which {doing} programs; try again soon"
            raise WebError(WebErrorCode.NODE_MISSING, message)
        job = _Job(task_id, server, self._monitor.session(server), kind)
        self._jobs[task_id] = job
        self._ears.know(task_id)
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
            try:
                self._finish(job, result_data(future.result().result, job.finished))
            except ValueError as error:
                message = f"the answer of the {job.server} cannot be read: {error}"
                self._end(job, TaskErrorCode.UNKNOWN, message)

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
        self._ears.count(job.finished.value, data, time.time())
        self._finish(job, data)

    def _finish(self, job: _Job, data: dict[str, Any]) -> None:
        if self._jobs.get(job.task_id) is job:
            del self._jobs[job.task_id]
            self._tell(JobEnded(job.finished, job.task_id, data))

    def _call(self, client: Any, request: Any) -> None:
        """Ask the executor; what comes of it is seen in its events."""
        if client.service_is_ready():
            client.call_async(request)

    def _ask_verdict(self, task_id: str, source: str, sha256: str) -> None:
        def answered(future: Future) -> None:
            answer = future.result()
            verdict = verdict_data(answer.verdict)
            code, message = int(answer.error_code), text_in(answer.error_msg)
            self._tell(ProgramJudged(task_id, sha256, verdict, code, message))

        request = VerifyProgram.Request(source=source)
        self._verify.call_async(request).add_done_callback(answered)

    def _call_stop(self, stopped: Stopped) -> None:
        if not self._stop_client.service_is_ready():
            return

        def answered(future: Future) -> None:
            answer = future.result()
            latency, message = float(answer.latency), text_in(answer.message)
            self._tell(StopAnswer(answer.was_running, latency, message))

        request = Stop.Request(source=stopped.source, reason=stopped.reason, number=stopped.number)
        self._stop_client.call_async(request).add_done_callback(answered)

    # On the spinning thread

    def _tick(self, passed: float) -> None:
        """A pose that nobody is told of would not be told again while the robot stands."""
        if self._listener is not None:
            self._ears.take_pose()

    def _tell(self, heard: Heard) -> None:
        if self._listener is not None:
            self._listener(heard)

    def _watch(self) -> None:
        self._turned = time.monotonic()
        core = {name: self._name(name) for name in (names.GENERATOR_NODE, names.EXECUTOR_NODE)}
        robot = {name: name for name in self._robot_nodes if name in self._monitor.seen()}
        states = {known: self._state(name) for known, name in {**core, **robot}.items()}
        if states != self._states:
            self._states = states
            self._tell(NodesSeen(states))
        for job in list(self._jobs.values()):
            restarted = job.session and self._monitor.session(job.server) != job.session
            if restarted or self._monitor.lost(job.server):
                self._lose(job)

    def _name(self, core: str) -> str:
        return name_of(self._node, self._monitor, core)

    def _state(self, name: str) -> str:
        if self._monitor.lost(name):
            return "lost"
        return "up" if self._monitor.alive(name) else "waiting"

    def _lose(self, job: _Job) -> None:
        lost = lost_node(job.server)
        self._ears.count(lost.kind, dict(lost.data), lost.stamp)
        if job.finished is EventKind.RUN_FINISHED:
            self.stop("the executor is lost", time.time())
            message = "the program runner was lost during the run; the robot was told to stop"
            self._end(job, TaskErrorCode.PROGRAM_LOST, message)
        else:
            message = "the program writer was lost while it wrote; it restarts, so try again soon"
            self._end(job, TaskErrorCode.MODEL_FAILED, message)

    def _spin(self) -> None:
        try:
            while self._node.context.ok() and not self._closing:
                self._spin_once()
        except ExternalShutdownException:
            pass
        finally:
            if self._node.context.ok() and not self._closing:
                # Without it the page shows what was; started anew the kiosk is whole.
                os._exit(THREAD_LOST)

    def _spin_once(self) -> None:
        try:
            self._executor.spin_once()
        except ExternalShutdownException:
            raise
        except Exception as error:  # what one message does must not end it for the next
            self._ears.warn(f"a message could not be taken in: {error!r:.200}")
