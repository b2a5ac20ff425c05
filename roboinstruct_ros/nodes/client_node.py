"""The node of a command: a context of its own, spun in threads of its own."""

from __future__ import annotations

import threading
import uuid

import rclpy
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from roboinstruct_ros.nodes.dds_security import one_line_refusals
from roboinstruct_ros.nodes.dds_transport import choose_transport
from roboinstruct_ros.nodes.patient_executor import PatientExecutor


class ClientNode:
    """Made with rclpy, gone with it; signals are left to the command.

    Attributes:
        node: not spun before `start`.
    """

    def __init__(self, what: str, namespace: str, threads: int) -> None:
        """Takes what the command does, the stack's namespace (empty for none) and how many threads
        spin."""
        choose_transport()
        name = f"roboinstruct_{what}_{uuid.uuid4().hex[:6]}"
        with one_line_refusals():
            rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
            self.node: Node = rclpy.create_node(name, namespace=namespace or None)
        self._executor = PatientExecutor(num_threads=threads)
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)

    def start(self) -> None:
        """Let callbacks run."""
        self._executor.add_node(self.node)
        self._thread.start()

    def end(self) -> None:
        """Wait for callbacks that have begun; then node and rclpy are gone."""
        self._executor.shutdown(timeout_sec=0.5)
        self._thread.join(timeout=1)
        self._executor.finish()
        self.node.destroy_node()
        rclpy.try_shutdown()
