"""Sends a task to the running stack and follows it; the ROS side of the command line."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from rclpy.task import Future

from roboinstruct_msgs.action import ExecuteProgram, GenerateProgram
from roboinstruct_msgs.msg import Event, InterruptedRun, InterruptedRuns
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.nodes.asked_service import settled
from roboinstruct_ros.nodes.client_node import POLL, ClientNode
from roboinstruct_ros.nodes.conversions import event_object
from roboinstruct_ros.nodes.discovery import CORE, elsewhere, known_name, wait_discovered
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.nodes.qos import EVENTS, LATCHED
from roboinstruct_ros.nodes.stack_client import StackClient, StackGoal

_DISCOVERY = 30.0  # s at least for a node that sends heartbeats to answer; it may be starting
_PATIENCE = 3.0  # s between checks for Ctrl-C; if shorter, the request is repeated before discovery
_SIGN_LIMIT = 4.0  # s for any sign of a node that gets a request
_ANSWER_LIMIT = 10.0  # s for a response, or for the acceptance of a goal
_TWICE_LIMIT = 0.5  # s to tell a node that runs twice from one that was restarted
_LAST_EVENT = 1.0  # s that the final event may arrive after the result
_TRIES = 3
_STOP_LIMIT = 1.0  # s for the executor to report the effect of a stop
_START_IT = "start it with 'roboinstruct up'"
_EXECUTOR_FIRST = 0.5  # s to discover the executor before the other nodes are stopped without it


class StackError(Exception):
    """The stack or a part of it is missing; one line for the user."""

    def __init__(self, message: str, node: str = "") -> None:
        super().__init__(message)
        self.node = node


class Interrupted(Exception):
    """The user pressed Ctrl-C."""


class TaskClient(ClientNode):
    """A client node with its own threads; use as a context manager.

    Args:
        on_event: receives every event of the stack except `run_setting`, as a JSON object.
        interrupt: set when the user wants to end.

    Attributes:
        follows: report only events of this task and of no task; empty reports all.
    """

    def __init__(
        self,
        on_event: Callable[[dict[str, Any]], None],
        interrupt: threading.Event,
        namespace: str = "",
    ) -> None:
        self._on_event = on_event
        self._awaited: dict[tuple[str, str], threading.Event] = {}
        self.follows = ""
        super().__init__("cli", namespace, threads=3, interrupt=interrupt)
        self.monitor = self.stop_link.heard
        self.stack = StackClient(self.node, self.stop_link)
        hear(self.node, Event, names.EVENTS_TOPIC, self._heard, EVENTS)

    @property
    def last_stop(self) -> int:
        """The number of the last stop that is known."""
        return self.stop_link.stops.current

    def wait_ready(
        self,
        limit: float,
        servers: tuple[str, ...] = (),
        writes: bool = True,
        starting: float = 0.0,
    ) -> None:
        """Wait until generator, executor and `servers` send heartbeats and respond.

        Args:
            writes: programs will be written; if False no generator is needed.
            starting: replaces `limit` if one of the nodes is heard (s).

        Raises:
            StackError: names what is missing after `limit` s.
            Interrupted: the user cancelled the wait.
        """
        begin = time.monotonic()
        while True:
            needed = CORE if writes else (names.EXECUTOR_NODE,)
            core = [self.stack.name(name) for name in needed]
            missing = [name for name in (*core, *servers) if not self.monitor.alive(name)]
            if not missing and all(map(self.stack.serves, needed)):
                break
            if self._interrupt.wait(POLL):
                raise Interrupted
            if len(missing) < len(core) + len(servers):
                limit = max(limit, starting)
            if time.monotonic() - begin > limit:
                what = ", ".join(missing) or "the actions of generator and executor"
                raise StackError(
                    f"the stack is not running: {what} not heard within {limit:g} s; {_START_IT} "
                    f"({elsewhere(self.node)})"
                )
        for name in core:
            self._wait_discovered(name, max(_DISCOVERY, limit))

    def _wait_discovered(self, name: str, limit: float) -> None:
        if not self.within(limit, lambda: wait_discovered(self.node, name, _PATIENCE)):
            if self._interrupt.is_set():
                raise Interrupted
            raise StackError(f"the node '{name}' does not answer", name)

    def generate(self, instruction: str, task_id: str, *asked: Any) -> GenerateProgram.Result:
        """Have a program written or an earlier one changed; arguments as `StackClient.generation`.

        Raises:
            StackError: the generator vanished.
            Interrupted: after the goal was cancelled.
        """
        for _ in range(_TRIES):  # writing a program moves nothing, so the request may be repeated
            goal = self.stack.generation(instruction, task_id, *asked)
            result = self._run(goal, EventKind.GENERATION_FINISHED)
            if result is not None:
                return result
            # a node that is starting, or gets no CPU, does not answer yet
            self._wait_discovered(self.stack.name(names.GENERATOR_NODE), _DISCOVERY)
        raise StackError("the generator does not answer; 'roboinstruct doctor' may tell why")

    def execute(
        self, text: str, source: str, sha256: str, task_id: str, approved_by: str, **more: Any
    ) -> ExecuteProgram.Result:
        """Have an approved program run; arguments as `StackClient.run`.

        Raises:
            StackError: the executor vanished.
            Interrupted: after the robot was stopped.
        """
        goal = self.stack.run(text, source, sha256, task_id, approved_by, **more)
        result = self._run(goal, EventKind.RUN_FINISHED)
        if result is None:
            # never sent twice: the goal may have arrived and only the response was lost
            self.stop("cli", "the executor did not answer")
            message = "the executor did not answer; the robot was told to stop; try again"
            raise StackError(message)
        return result

    def interrupted_runs(self, limit: float) -> list[InterruptedRun]:
        """Interrupted runs, latest last; waits at most `limit` s for the executor.

        Raises:
            StackError: the executor is silent.
        """
        heard: queue.Queue[InterruptedRuns] = queue.Queue()
        listening = self.node.create_subscription(
            InterruptedRuns, names.INTERRUPTED_RUNS_TOPIC, heard.put, LATCHED
        )
        try:
            return list(heard.get(timeout=limit).runs)
        except queue.Empty:
            where = elsewhere(self.node)
            message = f"the executor was not heard within {limit:g} s; {_START_IT} ({where})"
            raise StackError(message, names.EXECUTOR_NODE) from None
        finally:
            self.node.destroy_subscription(listening)

    def forget(self, task_id: str) -> str:
        """Mark an interrupted run as ended. Returns what is wrong; empty for nothing."""
        return self._ask(lambda: self.stack.forget(task_id))

    def pause(self, paused: bool) -> str:
        """Pause or continue the running task. Returns the executor's message.

        Raises:
            StackError: there is no executor, or it does not answer.
        """
        return self._ask(lambda: self.stack.pause(paused))

    def _ask(self, ask: Callable[[], Future | None]) -> str:
        core = names.EXECUTOR_NODE
        there = self.within(_SIGN_LIMIT, lambda: known_name(self.node, self.monitor, core))
        if not there:
            where = elsewhere(self.node)
            raise StackError(f"the stack is not running: {core} not heard; {_START_IT} ({where})")
        said = None
        if wait_discovered(self.node, self.stack.name(core), _ANSWER_LIMIT):
            said = _said(self.within(_SIGN_LIMIT, ask), _ANSWER_LIMIT)
        if said is None:
            raise StackError("the executor does not answer", core)
        return said

    def stop_whoever_is_there(self, source: str, reason: str, limit: float) -> str:
        """Stop the robot as soon as any node is discovered; requires only the executor to answer.

        Returns:
            The executor's message.

        Raises:
            StackError: it did not answer within `limit` s; all other listeners were notified.
        """
        stopped = self.stop_link.stop(source, reason)
        begin, told = time.monotonic(), 1  # this process listens too
        while (passed := time.monotonic() - begin) < limit:
            listening = self.stop_link.listeners()
            asked = self.stack.stop(stopped)
            if asked is not None:
                self.stop_link.request(stopped)
                said = _said(asked, _STOP_LIMIT)
                if said:
                    return said
                told = max(told, listening)
            elif passed > _EXECUTOR_FIRST and listening > told:
                self.stop_link.request(stopped)
                told = listening
            self._interrupt.wait(POLL)
        if told > 1:
            message = f"the request was sent, but the executor did not answer within {limit:g} s"
        else:
            where = elsewhere(self.node)
            message = f"nobody listens: the stack is not running here ({where})"
        raise StackError(message, names.EXECUTOR_NODE)

    def stop(self, source: str, reason: str) -> str:
        """Stop the robot now. Returns the executor's message; empty if it does not answer."""
        stopped = self.stop_link.stop(source, reason)
        self.stop_link.request(stopped)
        return _said(self.stack.stop(stopped), _STOP_LIMIT) or ""

    def _run(self, goal: StackGoal, end: EventKind) -> Any:
        """Send a goal and wait for its result, then briefly for the event `end` of its task.

        Returns:
            None if it was neither accepted nor rejected in time: discovery may have lost the
            response.
        """
        if self._interrupt.is_set():  # before it was sent: nothing may begin
            raise Interrupted
        self._awaited[end.value, goal.task_id] = last = threading.Event()
        sent = goal.send()
        deadline = time.monotonic() + _ANSWER_LIMIT
        while not sent.over.wait(POLL):
            if self._interrupt.is_set():
                self.stop("cli", "Ctrl-C")
                sent.cancel()
                sent.over.wait(_STOP_LIMIT)
                raise Interrupted
            if goal.is_lost:
                sent.give_up()
                twice = self.within(_TWICE_LIMIT, lambda: self.monitor.doubled(goal.server))
                how = "runs twice; end one" if twice else "was lost in the middle of the task"
                raise StackError(f"the node '{goal.server}' {how}", goal.server)
            if not sent.accepted and time.monotonic() > deadline:
                sent.give_up()
                return None
        if sent.response is None:
            raise StackError(f"the node '{goal.server}' refused the task")
        last.wait(_LAST_EVENT)
        return sent.response.result

    def _heard(self, event: Event) -> None:
        if self.follows and event.task_id not in ("", self.follows):
            return
        if event.kind == EventKind.RUN_SETTING.value:  # 10 KB that only a bag needs
            return
        self._on_event(event_object(event))
        told = self._awaited.get((event.kind, event.task_id))
        if told is not None:
            told.set()


def _said(asked: Future | None, limit: float) -> str | None:
    """The message of the response; None if none arrives within `limit` s."""
    return str(asked.result().message) if asked and settled(asked).wait(limit) else None
