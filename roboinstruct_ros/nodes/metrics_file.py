"""Writes the stack's counters to a file, for robots without a kiosk to query."""

from __future__ import annotations

import threading
from pathlib import Path

from rclpy.node import Node

from roboinstruct_msgs.msg import Event
from roboinstruct_ros.domain.arrival import read_object
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.execute.run_counters import RunCounters
from roboinstruct_ros.nodes.conversions import seconds_of
from roboinstruct_ros.nodes.heartbeat import HeartbeatMonitor
from roboinstruct_ros.nodes.steady_timer import steady_timer

PERIOD = 1.0  # s between two writes, if anything was counted


class MetricsFile:
    """Counts the events and losses that the node hears of and writes the counters to a file.

    Raises:
        ConfigError: the file cannot be written.
    """

    def __init__(self, node: Node, path: Path, domain: Domain) -> None:
        self._node, self._path = node, path
        self._counters = RunCounters(domain.skill_names)
        self._heard: HeartbeatMonitor | None = None
        self._new = False
        self._failed = False
        self._lock = threading.Lock()
        try:
            self._counters.write(path)
        except OSError as error:
            message = f"{path} cannot be written: {error.strerror}"
            raise ConfigError("metrics_file", 0, "", message) from None
        steady_timer(node, PERIOD, self.write)

    def watch(self, heard: HeartbeatMonitor) -> None:
        """Count the nodes that fall silent there."""
        self._heard = heard

    def note(self, event: Event) -> None:
        try:
            data = read_object(event.data, f"event {event.kind}")
            self._counters.note(event.kind, data, seconds_of(event.stamp))
        except ValueError as error:
            self._node.get_logger().warning(str(error))
        self._new = True

    def write(self) -> None:
        """Write the counters if they have changed; a write error is logged once."""
        with self._lock:
            if self._heard is not None and self._counters.note_losses(self._heard.losses):
                self._new = True
            if not self._new:
                return
            self._new = False
            try:
                self._counters.write(self._path)
                self._failed = False
            except OSError as error:
                self._new = True
                if not self._failed:
                    message = f"metrics_file: {self._path} cannot be written: {error.strerror}"
                    self._node.get_logger().error(message)
                self._failed = True
