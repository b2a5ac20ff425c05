"""The kiosk's `RobotLink` over ROS."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from rclpy.task import Future
from std_msgs.msg import Bool

from roboinstruct_msgs.action import Say
from roboinstruct_msgs.msg import Admission, Answer
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.run_counters import RunCounters
from roboinstruct_ros.nodes.discovery import CORE
from roboinstruct_ros.nodes.kiosk.conversions import (
    result_data,
    text_in,
    verdict_data,
)
from roboinstruct_ros.nodes.kiosk.robot_ears import RobotEars
from roboinstruct_ros.nodes.kiosk.unheard_ends import UnheardEnd, UnheardEnds
from roboinstruct_ros.nodes.result_client import GoalInFlight, ResultClient
from roboinstruct_ros.nodes.spun_node import Spinning
from roboinstruct_ros.nodes.stack_client import StackClient, StackGoal
from roboinstruct_ros.nodes.steady_timer import steady_timer
from roboinstruct_ros.nodes.stop_link import StopLink
from roboinstruct_ros.web.robot_link import (
    AnnouncementEnded,
    DictationSeen,
    Heard,
    JobEnded,
    LinkHealth,
    Listener,
    NodesSeen,
    NothingRuns,
    ProgramJudged,
    RobotEvent,
    StopAnswer,
)
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

WATCH_PERIOD = 0.2
"""Period (s) of the check for lost nodes."""

_END_OF = {
    names.GENERATOR_NODE: EventKind.GENERATION_FINISHED,
    names.EXECUTOR_NODE: EventKind.RUN_FINISHED,
}


class RosRobotLink:
    """Implements `web.robot_link.RobotLink`; its node is spun in a thread of its own.

    The executor is single-threaded: no callback here blocks, and one thread leaves the interpreter
    to the web server, which must pass a stop on at once. The stop itself needs no executor.

    Args:
        counters: count every event of the stack, the ends of jobs that a lost node left, and the
            nodes that fall silent.
    """

    def __init__(self, node: Node, robot_nodes: tuple[str, ...], counters: RunCounters) -> None:
        self._node = node
        self._goals: dict[str, StackGoal] = {}
        self._ends = UnheardEnds(self._run_of)
        self._ears = RobotEars(node, self._tell, counters, self._ends)
        self._counters = counters
        self._robot_nodes = robot_nodes
        self._listener: Listener | None = None
        self._turned = time.monotonic()
        self._states: dict[str, str] = {}
        self._stop_link = StopLink(node, self._ears.hear_stop, self._tick)
        self._monitor = self._stop_link.heard
        self._stack = StackClient(node, self._stop_link, verifies=True)
        self._answers = node.create_publisher(Answer, names.ANSWER_TOPIC, 10)
        self._talk = node.create_publisher(Bool, names.PUSH_TO_TALK_TOPIC, 10)
        self._mouth = ResultClient(node, Say, names.SAY_ACTION)
        self._announcements: dict[str, GoalInFlight] = {}
        self._dictation = self._executor_gone = self._closed = False
        # a lost node must be noticed even while a simulator holds the ROS clock
        steady_timer(node, WATCH_PERIOD, self._watch)
        self._spinning = Spinning(node)

    # Requests by people; on the web server's thread

    def listen(self, listener: Listener) -> None:
        self._listener = listener
        self._spinning.start()

    def generate(
        self,
        task_id: str,
        instruction: str,
        asked_by: str,
        follows: str = "",
        found: tuple[str, ...] = (),
    ) -> None:
        self._send(self._stack.generation(instruction, task_id, asked_by, follows, found))

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
        goal = self._stack.run(
            instruction, source, sha256, task_id, approved_by, resume, stop_number
        )
        self._send(goal)

    def verify(self, task_id: str, source: str, sha256: str) -> None:
        def answered(answer: Any) -> None:
            verdict = verdict_data(answer.verdict)
            code, message = int(answer.error_code), text_in(answer.error_msg)
            self._tell(ProgramJudged(task_id, sha256, verdict, code, message))

        if not _then(self._stack.verify(source), answered):
            message = f"no node '{names.EXECUTOR_NODE}' is there to check the program; try again"
            raise WebError(WebErrorCode.NODE_MISSING, message)

    def stop_number(self) -> int:
        return int(self._stop_link.stops.current)

    def health(self) -> LinkHealth:
        there = [name for name in self._states if name in self._monitor.seen()]
        heard = {name: self._monitor.silence(self._monitor.session(name)) for name in there}
        return LinkHealth(heard, time.monotonic() - self._turned)

    def cancel(self, task_id: str) -> None:
        goal = self._goals.get(task_id)
        if goal is not None and goal.sent is not None:
            goal.sent.cancel()

    def pause(self, paused: bool) -> None:
        self._stack.pause(paused)

    def forget(self, task_id: str) -> None:
        self._stack.forget(task_id)

    def stop(self, reason: str, pressed: float) -> None:
        def answered(answer: Any) -> None:
            latency, message = float(answer.latency), text_in(answer.message)
            self._tell(StopAnswer(answer.was_running, latency, message))

        stopped = self._stop_link.stop(names.KIOSK_NODE, reason, pressed)
        _then(self._stack.stop(stopped), answered)

    def answer(self, question: str, answer: str, goal_id: str) -> None:
        self._answers.publish(Answer(question=question, answer=answer, goal_id=goal_id))

    def talk(self, down: bool) -> None:
        self._talk.publish(Bool(data=down))

    def announce(self, name: str, text: str) -> None:
        if not self._mouth.is_ready():
            self._tell(AnnouncementEnded(name, f"nobody serves {names.SAY_ACTION}"))
            return

        def ended(sent: GoalInFlight) -> None:
            self._announcements.pop(name, None)
            result = sent.response.result if sent.response is not None else None
            fault = "it was refused" if result is None else text_in(result.error_msg)
            self._tell(AnnouncementEnded(name, fault))

        number, session = self._stop_link.stops.current, self._stop_link.session
        admission = Admission(stop_number=number, session=session)
        goal = Say.Goal(message=text, admission=admission)
        said = self._announcements[name] = self._mouth.send(goal, ended)
        if said.over.is_set():  # it was refused in between
            self._announcements.pop(name, None)

    def hush(self, name: str) -> None:
        said = self._announcements.pop(name, None)
        if said is not None:
            said.give_up()

    def close(self) -> None:
        """End the thread and stop a run that was started here, as its Stop button disappears.

        No further one begins, though the web server answers for a moment more.
        """
        self._closed = True
        if any(goal.core == names.EXECUTOR_NODE for goal in list(self._goals.values())):
            self.stop("the kiosk is shutting down", time.time())
        self._spinning.close()
        self._stop_link.close()

    def _send(self, goal: StackGoal) -> None:
        if self._closed or not goal.is_served:
            doing = {names.GENERATOR_NODE: "writes", names.EXECUTOR_NODE: "runs"}[goal.core]
            message = f"no node '{goal.server}' is there, which {doing} programs; try again soon"
            raise WebError(WebErrorCode.NODE_MISSING, message)
        self._ears.know(goal.task_id)
        self._goals[goal.task_id] = goal
        goal.send(self._ended)

    # On the spinning thread

    def _ended(self, goal: StackGoal, sent: GoalInFlight) -> None:
        if sent.response is None:
            why = f"the {goal.server} refused the task" if sent.fault is None else str(sent.fault)
            self._fail(goal, TaskErrorCode.UNKNOWN, why)
            return
        try:
            self._finish(goal, result_data(sent.response.result, _END_OF[goal.core]))
        except ValueError as error:
            message = f"the answer of the {goal.server} cannot be read: {error}"
            self._fail(goal, TaskErrorCode.UNKNOWN, message)

    def _fail(self, goal: StackGoal, code: TaskErrorCode, message: str) -> None:
        kind = _END_OF[goal.core]
        outcome = {"outcome": "failed"} if kind is EventKind.RUN_FINISHED else {}
        data = {**outcome, "error_code": int(code), "error_msg": message}
        # no node reports this end, so no event is counted for it
        self._ears.count(kind.value, data, time.time())
        self._finish(goal, data)

    def _finish(self, goal: StackGoal, data: dict[str, Any]) -> None:
        if self._goals.get(goal.task_id) is goal:
            del self._goals[goal.task_id]
            self._tell(JobEnded(_END_OF[goal.core], goal.task_id, data))

    def _tick(self, passed: float) -> None:
        """Forward poses only to a listener: a stationary robot's pose would not be sent again."""
        if self._listener is not None:
            self._ears.take_pose()

    def _tell(self, heard: Heard) -> None:
        if self._listener is not None:
            self._listener(heard)

    def _watch(self) -> None:
        self._turned = time.monotonic()
        self._ears.take_diagnoses()
        self._counters.note_losses(self._monitor.losses)
        core = {name: self._stack.name(name) for name in CORE}
        robot = {name: name for name in self._robot_nodes if name in self._monitor.seen()}
        states = {known: self._state(name) for known, name in {**core, **robot}.items()}
        if states != self._states:
            self._states = states
            self._tell(NodesSeen(states))
        dictation = self._node.count_publishers(names.DICTATION_TOPIC) > 0
        if dictation != self._dictation:
            self._dictation = dictation
            self._tell(DictationSeen(dictation))
        gone = self._monitor.lost(core[names.EXECUTOR_NODE], names.RESULT_PATIENCE)
        if gone and not self._executor_gone:
            self._tell(NothingRuns())
        self._executor_gone = gone
        for goal in list(self._goals.values()):
            if goal.is_lost:
                self._lose(goal)
        for end in self._ends.due():
            self._end(end)

    def _run_of(self, task_id: str) -> StackGoal | None:
        goal = self._goals.get(task_id)
        return goal if goal is not None and goal.core == names.EXECUTOR_NODE else None

    def _end(self, end: UnheardEnd) -> None:
        if isinstance(end.goal, StackGoal):
            if end.goal.sent is not None:
                end.goal.sent.give_up()
            self._finish(end.goal, end.data)
        else:
            kind, source = EventKind.RUN_FINISHED.value, names.EXECUTOR_NODE
            self._tell(RobotEvent(kind, end.task_id, end.data, source, time.time()))

    def _state(self, name: str) -> str:
        return self._monitor.state(name).replace("not heard", "waiting")

    def _lose(self, goal: StackGoal) -> None:
        if goal.sent is not None:
            goal.sent.give_up()
        if goal.core == names.EXECUTOR_NODE:
            self.stop("the executor is lost", time.time())
            message = "the program runner was lost during the run; the robot was told to stop"
            self._fail(goal, TaskErrorCode.PROGRAM_LOST, message)
        else:
            message = "the program writer was lost while it wrote; it restarts, so try again soon"
            if self._monitor.doubled(goal.server):
                message = f"the node '{goal.server}' runs twice; end one"
            self._fail(goal, TaskErrorCode.MODEL_FAILED, message)


def _then(asked: Future | None, answered: Callable[[Any], None]) -> bool:
    """Call `answered` with the result, on the spinning thread. Returns False without a future."""
    if asked is not None:
        asked.add_done_callback(lambda asked: answered(asked.result()))
    return asked is not None
