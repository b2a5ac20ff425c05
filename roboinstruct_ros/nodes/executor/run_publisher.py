"""Publishes what runs report, in order and on its own thread, so that no run waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Any

from builtin_interfaces.msg import Time
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node

from roboinstruct_msgs.action import ExecuteProgram
from roboinstruct_msgs.msg import TaskState as TaskStateMsg
from roboinstruct_ros import names
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.task_run import TaskOrder
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.execute.transition_log import TransitionLog
from roboinstruct_ros.nodes.conversions import skill_call_to_msg
from roboinstruct_ros.nodes.events import EventPublisher
from roboinstruct_ros.nodes.qos import LATCHED

_GATHER = 0.01  # s; messages that arrive together are sent together, to interrupt the run only once


class RunPublisher:
    """The task runner's hooks: publishes states and events, and sends feedback to the goal's
    client.

    Args:
        log: also receives states and calls.
        changed: called when the state of the executor has changed.

    Attributes:
        goals: goal handles, keyed by the id of their order.
        clocks: clocks for runs; simulated time if `use_sim_time` is set.
    """

    def __init__(self, node: Node, log: TransitionLog, changed: Callable[[], object]) -> None:
        self.goals: dict[int, ServerGoalHandle] = {}
        self._log, self._changed = log, changed
        self.clocks = Clocks(self._now, self._now, self._passing)
        self._clock = node.get_clock()
        self._events = EventPublisher(node)
        self._state = node.create_publisher(TaskStateMsg, names.TASK_STATE_TOPIC, LATCHED)
        self._teller = Teller(node.get_logger().error)
        self.told, self.close = self._teller.told, self._teller.close
        self._goal: ServerGoalHandle | None = None

    def idle(self) -> None:
        """Publish that no task has begun yet."""
        stamp = self._clock.now().to_msg()
        self._state.publish(TaskStateMsg(state=TaskState.IDLE.value, stamp=stamp))

    def state(self, state: TaskState, order: TaskOrder, line: int, message: str) -> None:
        if state is TaskState.VERIFYING:
            self._goal = self.goals.get(id(order))
        stamp = self._clock.now().to_msg()
        self._teller.tell(self._publish_state, state, order, line, message, stamp)

    def event(self, kind: EventKind, data: dict[str, Any], task_id: str) -> None:
        if kind is EventKind.RUN_FINISHED:
            self._goal = None
        self._teller.tell(self._events.publish, kind, data, task_id)

    def call(self, call: SkillCall) -> None:
        self._teller.tell(self._publish_call, call, self._goal)

    def _publish_state(
        self, state: TaskState, order: TaskOrder, line: int, message: str, stamp: Time
    ) -> None:
        self._state.publish(
            TaskStateMsg(
                state=state.value,
                task_id=order.task_id,
                instruction=order.instruction,
                program_sha256=order.program_sha256,
                line=line,
                message=message,
                stamp=stamp,
            )
        )
        if self._log.told(state, order, line, message):
            self._changed()

    def _publish_call(self, call: SkillCall, goal: ServerGoalHandle | None) -> None:
        self._log.called(call)
        if goal is not None and goal.is_active:
            feedback = ExecuteProgram.Feedback(line=call.line, call=skill_call_to_msg(call))
            goal.publish_feedback(feedback)

    def _now(self) -> float:
        return float(self._clock.now().nanoseconds * 1e-9)

    def _passing(self) -> float:
        """Monotonic without a simulator: the system time may be set during a sleep."""
        return self._now() if self._clock.ros_time_is_active else time.monotonic()


class Teller:
    """Calls queued functions in order, each once, on its own thread.

    Args:
        fault: receives one line for each function that raises; the others are still called.
    """

    def __init__(self, fault: Callable[[str], object]) -> None:
        self._fault = fault
        self._waiting: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._hurry = threading.Event()
        self._thread = threading.Thread(target=self._run, name="teller", daemon=True)
        self._thread.start()

    def tell(self, function: Callable[..., object], *arguments: Any) -> None:
        """Queue a call, made within about 10 ms; returns at once, from any thread."""
        self._waiting.put(partial(function, *arguments))

    def told(self, limit: float) -> bool:
        """Make all queued calls now. Returns whether all were made within `limit` s."""
        done = threading.Event()
        self.tell(done.set)
        self._hurry.set()
        return done.wait(limit)

    def close(self) -> None:
        """Make the remaining calls, then end the thread."""
        self._waiting.put(None)
        self._hurry.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        gathered = 0
        while (function := self._waiting.get()) is not None:
            if not gathered:
                self._hurry.wait(_GATHER)
                self._hurry.clear()
                gathered = 1 + self._waiting.qsize()
            gathered -= 1
            try:
                function()
            except Exception as error:
                self._fault(f"something could not be told: {error}")
