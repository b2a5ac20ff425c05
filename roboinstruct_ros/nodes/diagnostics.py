"""Publishes a node's status on `/diagnostics`."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node

from roboinstruct_ros import names
from roboinstruct_ros.domain.diagnosis import Diagnosis
from roboinstruct_ros.nodes.steady_timer import steady_timer

PERIOD = 1.0  # s between two messages if nothing changes
_MOST = 1000  # statuses of one message that are read


def diagnoses_of_stack(
    message: DiagnosticArray, namespace: str
) -> Iterator[tuple[str, DiagnosticStatus]]:
    """Diagnoses by nodes of the stack in this namespace, as ("node: part", status)."""
    for status in message.status[:_MOST]:
        place, _, name = status.name.rpartition("/")
        if place == namespace.strip("/") and ": " in name:
            yield name, status


class Diagnostics:
    """Publishes at 1 Hz and soon after each `changed`.

    Args:
        collect: returns the node's diagnoses; called on the threads that spin it.
    """

    def __init__(self, node: Node, collect: Callable[[], Sequence[Diagnosis]]) -> None:
        self._node = node
        self._collect = collect
        self._name = node.get_fully_qualified_name().lstrip("/")
        self._publisher = node.create_publisher(DiagnosticArray, names.DIAGNOSTICS_TOPIC, 10)
        group = MutuallyExclusiveCallbackGroup()
        steady_timer(node, PERIOD, self._publish, group)
        self._asked = node.create_guard_condition(self._publish, callback_group=group)

    def changed(self) -> None:
        """Request an early message; returns at once, from any thread."""
        self._asked.trigger()

    def _publish(self) -> None:
        message = DiagnosticArray(status=[self._status(one) for one in self._collect()])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)

    def _status(self, diagnosis: Diagnosis) -> DiagnosticStatus:
        return DiagnosticStatus(
            level=bytes([diagnosis.level]),
            name=f"{self._name}: {diagnosis.part}",
            message=diagnosis.message,
            hardware_id=socket.gethostname(),
            values=[KeyValue(key=key, value=value) for key, value in diagnosis.values.items()],
        )
