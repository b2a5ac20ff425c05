"""A second node in a process, with a thread of its own that spins it."""

from __future__ import annotations

import threading
from contextlib import suppress

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node


class SpunNode:
    """For clients whose answers must not wait for what else the process does.

    After every callback rclpy builds anew what it waits for, and that takes as long as the node has
    entities: clients in a node of their own are answered sooner, and disturb nobody.

    Attributes:
        node: another thread spins it until `close`.
    """

    def __init__(self, name: str) -> None:
        # a new name for the first node of the process must not become that of this one
        own_name = ["--ros-args", "-r", f"__node:={name}"]
        self.node: Node = rclpy.create_node(
            name, cli_args=own_name, enable_rosout=False, start_parameter_services=False
        )
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._spin, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread, then the node."""
        self._over.set()
        self._executor.wake()
        self._thread.join(1.0)
        self._executor.shutdown()
        self.node.destroy_node()

    def _spin(self) -> None:
        with suppress(ExternalShutdownException):
            while not self._over.is_set():
                self._spin_once()

    def _spin_once(self) -> None:
        try:
            self._executor.spin_once()
        except ExternalShutdownException:
            raise
        except Exception as error:  # without this thread no call would ever be answered
            self.node.get_logger().error(f"an answer could not be taken in: {error}")
