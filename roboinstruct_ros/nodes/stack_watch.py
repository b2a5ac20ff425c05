"""Listens to a running stack without sending requests; the ROS side of `roboinstruct status`."""

from __future__ import annotations

import queue
import threading
import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray

from roboinstruct_msgs.msg import Event, InterruptedRuns, TaskState
from roboinstruct_ros import names
from roboinstruct_ros.domain.diagnosis import Level
from roboinstruct_ros.domain.events import EventKind, EventNumbers
from roboinstruct_ros.execute.executor_diagnosis import NODES, TASK
from roboinstruct_ros.nodes.client_node import ClientNode
from roboinstruct_ros.nodes.conversions import event_object
from roboinstruct_ros.nodes.diagnostics import diagnoses_of_stack
from roboinstruct_ros.nodes.discovery import CORE, name_of
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.nodes.qos import EVENTS, LATCHED

_COMPLETE_LIMIT = 8.0  # s from the first heartbeat until everything sent at 1 Hz has arrived
_QUIET = 1.0  # s without a new node after which discovery counts as complete


class StackWatch(ClientNode):
    """A listening node with its own threads; use as a context manager.

    Args:
        interrupt: set when the user wants to end.

    Attributes:
        events: every event as a JSON object, and `events_lost` for gaps in the numbering.
    """

    def __init__(self, interrupt: threading.Event, namespace: str = "") -> None:
        self.events: queue.Queue[dict[str, Any]] = queue.Queue()
        self._numbers = EventNumbers()
        self._state: TaskState | None = None
        self._interrupted: InterruptedRuns | None = None
        self._diagnoses: dict[str, Any] = {}
        self._found: tuple[set[str], float] = (set(), 0.0)
        super().__init__("status", namespace, threads=2, interrupt=interrupt)
        node, self._monitor = self.node, self.stop_link.heard
        hear(node, Event, names.EVENTS_TOPIC, self._hear_event, EVENTS)
        hear(node, TaskState, names.TASK_STATE_TOPIC, self._hear_state, LATCHED)
        hear(node, InterruptedRuns, names.INTERRUPTED_RUNS_TOPIC, self._hear_interrupted, LATCHED)
        hear(node, DiagnosticArray, names.DIAGNOSTICS_TOPIC, self._hear_diagnostics)

    def wait_heard(self, limit: float) -> bool:
        """Wait at most `limit` s for a node, then briefly for the rest. Returns whether one was
        heard."""
        if not self.within(limit, self._monitor.seen):
            return False
        self.within(_COMPLETE_LIMIT, self._complete)
        return True

    def nodes(self) -> dict[str, str]:
        """State of each node: "up", "lost", or "not heard" for an expected one."""
        executor = self._name(names.EXECUTOR_NODE)
        told = self._told(executor, NODES) if self._monitor.alive(executor) else {}
        heard = {name: self._monitor.state(name) for name in self._monitor.seen()}
        return {**dict.fromkeys(map(self._name, CORE), "not heard"), **told, **heard}

    def status(self) -> dict[str, Any]:
        """The known state as a JSON object; `executor` is None if it is not up."""
        nodes = self.nodes()
        up = nodes.get(self._name(names.EXECUTOR_NODE)) == "up"
        return {
            "nodes": nodes,
            "executor": self._executor_now(self._state) if up and self._state else None,
            "interrupted": [
                {"task_id": run.task_id, "instruction": run.instruction, "calls": run.calls}
                for run in (self._interrupted.runs if up and self._interrupted else ())
            ],
            "doubts": [
                {"name": name, "level": Level(status.level[0]).name, "message": status.message}
                for name, status in sorted(self._diagnoses.items())
                if 0 < status.level[0] <= Level.ERROR and nodes.get(_owner(name)) == "up"
            ]
            + [
                {"name": name, "level": Level.ERROR.name, "message": "runs twice; end one"}
                for name in nodes
                if self._monitor.doubled(name)
            ],
        }

    def _executor_now(self, state: TaskState) -> dict[str, Any]:
        told = self._told(self._name(names.EXECUTOR_NODE), TASK)
        return {
            "state": state.state,
            "task_id": state.task_id,
            "instruction": state.instruction,
            "line": state.line,
            "message": state.message,
            "waiting": int(told.get("waiting", 0)),
        }

    def _complete(self) -> bool:
        """Whether all expected nodes were heard and have published their state."""
        seen, now = set(self._monitor.seen()), time.monotonic()
        core = {self._name(name) for name in CORE}
        if seen != self._found[0]:
            self._found = (seen, now)
        if now - self._found[1] < _QUIET or not core <= seen:
            return False
        told = all(any(_owner(one) == name for one in self._diagnoses) for name in core)
        return told and self._state is not None and self._interrupted is not None

    def _name(self, core: str) -> str:
        return name_of(self.node, self._monitor, core)

    def _told(self, node: str, part: str) -> dict[str, str]:
        status = self._diagnoses.get(f"{node}: {part}")
        return {pair.key: pair.value for pair in status.values} if status else {}

    def _hear_state(self, state: TaskState) -> None:
        self._state = state

    def _hear_interrupted(self, runs: InterruptedRuns) -> None:
        self._interrupted = runs

    def _hear_diagnostics(self, message: DiagnosticArray) -> None:
        self._diagnoses.update(diagnoses_of_stack(message, self.node.get_namespace()))

    def _hear_event(self, event: Event) -> None:
        told = event_object(event)
        lost = self._numbers.missed(event.source, event.session, event.seq)
        if lost:
            kind = EventKind.EVENTS_LOST.value
            head = {"t": told["t"], "source": event.source, "task_id": ""}
            self.events.put({**head, "kind": kind, "data": {"count": lost}})
        self.events.put(told)


def _owner(diagnosis: str) -> str:
    return diagnosis.partition(": ")[0]
