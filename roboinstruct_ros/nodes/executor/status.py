"""The executor's status: a log line for each transition, and `/diagnostics`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rclpy.node import Node

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.diagnosis import Diagnosis
from roboinstruct_ros.execute.executor_diagnosis import (
    TaskNow,
    executor_diagnoses,
    policies_diagnosis,
)
from roboinstruct_ros.execute.task_run import TaskOrder
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.execute.transition_log import TransitionLog
from roboinstruct_ros.nodes.diagnostics import Diagnostics
from roboinstruct_ros.nodes.heartbeat import HeartbeatMonitor
from roboinstruct_ros.verify.service.current_rules import CurrentRules


class ExecutorStatus:
    """Receives the task runner's reports and publishes the status.

    Args:
        rules: re-read at each message, so that a change shows even while nothing runs.
        watched: nodes whose heartbeat must not stop.

    Attributes:
        log: receives ended calls and orders.
    """

    def __init__(
        self,
        node: Node,
        monitor: HeartbeatMonitor,
        rules: CurrentRules,
        journals: Path | None,
        watched: Sequence[str],
        waiting: Callable[[], int],
    ) -> None:
        logger = node.get_logger()
        self.log = TransitionLog(logger.info, logger.debug)
        self.interrupted = 0
        self._name = node.get_name()
        self._monitor = monitor
        self._rules, self._layers, self._journals = rules, rules.layers, journals
        self._watched = tuple(dict.fromkeys(watched))
        self._waiting = waiting
        self._diagnostics = Diagnostics(node, self._collect)

    def told(self, state: TaskState, order: TaskOrder, line: int, message: str) -> None:
        """Receive a state or a line, as `RunnerHooks.state`."""
        if self.log.told(state, order, line, message):
            self._diagnostics.changed()

    def offered(self, interrupted: int) -> None:
        self.interrupted = interrupted
        self._diagnostics.changed()

    def _collect(self) -> list[Diagnosis]:
        log = self.log
        task = TaskNow(log.state, log.task_id, log.line, self._waiting(), self.interrupted)
        others = dict.fromkeys((*self._watched, *self._monitor.seen()))
        others.pop(self._name, None)
        nodes = {name: self._monitor.state(name) for name in others}
        return executor_diagnoses(
            task, self._layers, self._journals, self._rules_now(), nodes, self._watched
        )

    def _rules_now(self) -> Diagnosis:
        fault = ""
        try:
            self._rules.look()
        except ConfigError as error:
            fault = str(error)
        rules = self._rules.last
        policies = [one.name for one in rules.policies.enabled]
        return policies_diagnosis(policies, rules.sha256, fault)
