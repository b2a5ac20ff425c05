"""Sends a task to the running stack and follows it: what the command line is to ROS."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from rclpy.task import Future

from roboinstruct_msgs.action import ExecuteProgram, GenerateProgram
from roboinstruct_msgs.msg import Event, InterruptedRun, InterruptedRuns
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.nodes.asked_service import settled
from roboinstruct_ros.nodes.client_node import ClientNode
from roboinstruct_ros.nodes.conversions import event_object
from roboinstruct_ros.nodes.discovery import known_name, wait_discovered
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.nodes.lifeline import Stopped
from roboinstruct_ros.nodes.qos import EVENTS, LATCHED
from roboinstruct_ros.nodes.stack_client import StackClient, StackGoal

_Seen = TypeVar("_Seen")
_POLL = 0.02  # s
_DISCOVERY = 30.0  # s at least for a node that beats to answer, as one may that is just starting
_PATIENCE = 3.0  # s after which Ctrl-C is looked for; less would ask anew before it is discovered
_SIGN_LIMIT = 4.0  # s for any sign of a node that is asked something
_ANSWER_LIMIT = 10.0  # s for the answer of a node that is there, and for a goal to be accepted
_LAST_EVENT = 1.0  # s that the event of an end may come after the result
_TRIES = 3
_STOP_LIMIT = 1.0  # s for the executor to say what it makes of a stop
_SILENT = "the executor does not answer"
_CORE = (names.GENERATOR_NODE, names.EXECUTOR_NODE)
_EXECUTOR_FIRST = 0.5  # s for the executor to be discovered, before others are told without it


class StackError(Exception):
    """The stack is not there, or a part of it vanished; one line for a person."""

    def __init__(self, message: str, node: str = "") -> None:
        super().__init__(message)
        self.node = node


class Interrupted(Exception):
    """The person pressed Ctrl-C."""


class TaskClient:
    """A node of its own, in threads of its own; use it as a context manager.

    Args:
        on_event: told every event of the stack but `run_setting` as a JSON object.
        interrupt: set when the person wants to end.

    Attributes:
        follows: only events of this task, and of no task, are told; empty tells all.
        stops_heard: how often somebody has asked the robot to stop.
    """

    def __init__(
        self,
        on_event: Callable[[dict[str, Any]], None],
        interrupt: threading.Event,
        namespace: str = "",
    ) -> None:
        self._on_event = on_event
        self._interrupt = interrupt
        self._namespace = namespace
        self._awaited: dict[tuple[str, str], threading.Event] = {}
        self.follows = ""
        self.stops_heard = 0

    def __enter__(self) -> TaskClient:
        self._own = ClientNode("cli", self._namespace, threads=3, on_stop=self._hear_stop)
        self._node, self._lifeline = self._own.node, self._own.lifeline
        self.monitor = self._lifeline.heard
        self.stack = StackClient(self._node, self._lifeline)
        hear(self._node, Event, names.EVENTS_TOPIC, self._heard, EVENTS)
        self._own.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._own.end()

    def wait_ready(
        self,
        limit: float,
        servers: tuple[str, ...] = (),
        writes: bool = True,
        starting: float = 0.0,
    ) -> None:
        """Wait until generator, executor and `servers` beat and answer.

        Args:
            writes: whether programs are to be written; without, there need be no generator.
            starting: s instead of `limit` where one of them is heard.

        Raises:
            StackError: naming what is missing after `limit` s.
            Interrupted: the person did not want to wait.
        """
        begin = time.monotonic()
        while True:
            needed = _CORE if writes else (names.EXECUTOR_NODE,)
            core = [self.stack.name(name) for name in needed]
            missing = [name for name in (*core, *servers) if not self.monitor.alive(name)]
            if not missing and all(map(self.stack.serves, needed)):
                break
            if self._interrupt.wait(_POLL):
                raise Interrupted
            if len(missing) < len(core) + len(servers):
                limit = max(limit, starting)
            if time.monotonic() - begin > limit:
                what = ", ".join(missing) or "the actions of generator and executor"
                raise StackError(
                    f"the stack is not running: {what} not heard within {limit:g} s; start it "
                    "with 'roboinstruct up' (same ROS_DOMAIN_ID?)"
                )
        for name in core:
            self._wait_discovered(name, max(_DISCOVERY, limit))

    def _wait_discovered(self, name: str, limit: float) -> None:
        deadline = time.monotonic() + limit
        while not wait_discovered(self._node, name, _PATIENCE):
            if self._interrupt.is_set():
                raise Interrupted
            if time.monotonic() > deadline:
                raise StackError(f"the node '{name}' does not answer", name)

    def generate(self, instruction: str, task_id: str, *asked: Any) -> GenerateProgram.Result:
        """Have a program written, or one of an earlier task changed; `StackClient.generation` says
        what it takes.

        Raises:
            StackError: the generator vanished.
            Interrupted: after the goal was cancelled.
        """
        last = self._await(EventKind.GENERATION_FINISHED, task_id)
        for _ in range(_TRIES):  # writing a program moves nothing: it may be asked for again
            result = self._run(self.stack.generation(instruction, task_id, *asked))
            if result is not None:
                last.wait(_LAST_EVENT)
                return result
            # one that is being started, or gets no time to compute, answers nothing yet
            self._wait_discovered(self.stack.name(names.GENERATOR_NODE), _DISCOVERY)
        raise StackError("the generator does not answer; 'roboinstruct doctor' may tell why")

    def execute(
        self, text: str, source: str, sha256: str, task_id: str, approved_by: str, **more: Any
    ) -> ExecuteProgram.Result:
        """Have an approved program run; `StackClient.run` says what it takes.

        Raises:
            StackError: the executor vanished.
            Interrupted: after the robot was stopped.
        """
        last = self._await(EventKind.RUN_FINISHED, task_id)
        result = self._run(self.stack.run(text, source, sha256, task_id, approved_by, **more))
        if result is None:
            # never sent twice: it may have arrived, and only its answer was lost
            self.stop("cli", "the executor did not answer")
            message = "the executor did not answer; the robot was told to stop; try again"
            raise StackError(message)
        last.wait(_LAST_EVENT)
        return result

    def interrupted_runs(self, limit: float) -> list[InterruptedRun]:
        """Runs that can be gone on with, the latest last; waits `limit` s for the executor.

        Raises:
            StackError: the executor says nothing.
        """
        heard: queue.Queue[InterruptedRuns] = queue.Queue()
        listening = self._node.create_subscription(
            InterruptedRuns, names.INTERRUPTED_RUNS_TOPIC, heard.put, LATCHED
        )
        try:
            return list(heard.get(timeout=limit).runs)
        except queue.Empty:
            message = (
                f"the executor was not heard within {limit:g} s; start it with 'roboinstruct up'"
            )
            raise StackError(message, names.EXECUTOR_NODE) from None
        finally:
            self._node.destroy_subscription(listening)

    def forget(self, task_id: str) -> str:
        """Count an interrupted run as ended; what is wrong, empty for nothing."""
        return self._ask(lambda: self.stack.forget(task_id))

    def pause(self, paused: bool) -> str:
        """Hold the running task, or let it go on; what the executor says of it."""
        return self._ask(lambda: self.stack.pause(paused))

    def _ask(self, ask: Callable[[], Future | None]) -> str:
        core = names.EXECUTOR_NODE
        there = self._within(lambda: known_name(self._node, self.monitor, core))
        if not there or not wait_discovered(self._node, self.stack.name(core), _ANSWER_LIMIT):
            return _SILENT
        said = _said(self._within(ask), _ANSWER_LIMIT)
        return _SILENT if said is None else said

    def _within(self, look: Callable[[], _Seen]) -> _Seen:
        """The first true value, or the last within the limit of a sign."""
        deadline = time.monotonic() + _SIGN_LIMIT
        while not (seen := look()) and time.monotonic() < deadline:
            if self._interrupt.wait(_POLL):
                break
        return seen

    def stop_whoever_is_there(self, source: str, reason: str, limit: float) -> str:
        """Stop the robot as soon as somebody is discovered; needs nobody but the executor.

        Returns:
            What the executor says of it.

        Raises:
            StackError: it did not answer within `limit` s; all others that listen were told.
        """
        stopped = self._lifeline.stop(source, reason)
        begin, told = time.monotonic(), 1  # we listen ourselves
        while (passed := time.monotonic() - begin) < limit:
            listening = self._lifeline.listeners()
            asked = self.stack.stop(stopped)
            if asked is not None:
                self._lifeline.repeat(stopped)
                said = _said(asked, _STOP_LIMIT)
                if said:
                    return said
                told = max(told, listening)
            elif passed > _EXECUTOR_FIRST and listening > told:
                self._lifeline.repeat(stopped)
                told = listening
            self._interrupt.wait(_POLL)
        if told > 1:
            message = f"the request was sent, but the executor did not answer within {limit:g} s"
        else:
            message = "nobody listens: the stack is not running here (same ROS_DOMAIN_ID?)"
        raise StackError(message, names.EXECUTOR_NODE)

    def stop(self, source: str, reason: str) -> str:
        """Stop the robot now; what the executor says of it, empty when it does not answer."""
        stopped = self._lifeline.stop(source, reason)
        self._lifeline.repeat(stopped)
        return _said(self.stack.stop(stopped), _STOP_LIMIT) or ""

    def _run(self, goal: StackGoal) -> Any:
        """The result; None where it was neither accepted nor refused in time: discovery may have
        lost the answer."""
        sent = goal.send()
        deadline = time.monotonic() + _ANSWER_LIMIT
        while not sent.over.wait(_POLL):
            if self._interrupt.is_set():
                self.stop("cli", "Ctrl-C")
                sent.cancel()
                sent.over.wait(_STOP_LIMIT)
                raise Interrupted
            if goal.is_lost:
                sent.give_up()
                message = f"the node '{goal.server}' was lost in the middle of the task"
                raise StackError(message, goal.server)
            if not sent.accepted and time.monotonic() > deadline:
                sent.give_up()
                return None
        if sent.response is None:
            raise StackError(f"the node '{goal.server}' refused the task")
        return sent.response.result

    def _await(self, kind: EventKind, task_id: str) -> threading.Event:
        """Set once such an event was told; it may still be on its way when a result is here."""
        self._awaited[kind.value, task_id] = told = threading.Event()
        return told

    def _hear_stop(self, stopped: Stopped) -> None:
        self.stops_heard += 1

    def _heard(self, event: Event) -> None:
        if self.follows and event.task_id not in ("", self.follows):
            return
        if event.kind == EventKind.RUN_SETTING.value:  # 10 KB that only a bag has a use for
            return
        self._on_event(event_object(event))
        told = self._awaited.get((event.kind, event.task_id))
        if told is not None:
            told.set()


def _said(asked: Future | None, limit: float) -> str | None:
    """The message of the answer; None where none came within `limit` s."""
    return str(asked.result().message) if asked and settled(asked).wait(limit) else None
