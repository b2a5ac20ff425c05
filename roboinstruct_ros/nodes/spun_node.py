"""Nodes in threads of their own that spin them."""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node

from roboinstruct_ros.nodes.patient_executor import PatientExecutor

THREAD_LOST = 70
"""Exit code of a process one of whose threads has ended that it cannot do without."""


class Spinning:
    """Spins a node in threads of its own; what one message does must not end it for the next.

    Args:
        threads: callbacks that may run at once.

    Attributes:
        node: not spun before `start`.
        over: set at the end.
    """

    def __init__(self, node: Node, threads: int = 1) -> None:
        self.node = node
        self._executor = (
            SingleThreadedExecutor(context=node.context)
            if threads == 1
            else PatientExecutor(num_threads=threads, context=node.context)
        )
        self._executor.add_node(node)
        self.over = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Let callbacks run."""
        self.keep(self._spin, "spin")

    def keep(self, work: Callable[[], None], what: str) -> None:
        """A thread that ends when `over` is set, and takes the process with it when it ends before.

        A node that goes on without it would look alive and not be: started anew it is whole.
        """

        def carried() -> None:
            try:
                work()
            except Exception:
                traceback.print_exc()
            if not self.over.is_set() and self.node.context.ok():
                name = self.node.get_name()
                print(f"{name}: its thread '{what}' has ended; ending the process", file=sys.stderr)
                sys.stderr.flush()
                os._exit(THREAD_LOST)

        thread = threading.Thread(
            target=carried, name=f"{self.node.get_name()}_{what}", daemon=True
        )
        self._threads.append(thread)
        thread.start()

    def close(self) -> None:
        """End the threads; the node is not spun any more."""
        self.over.set()
        self._executor.shutdown(0.5)
        for thread in self._threads:
            thread.join(1.0)
        if isinstance(self._executor, PatientExecutor):
            self._executor.finish()

    def _spin(self) -> None:
        while not self.over.is_set() and self.node.context.ok():
            try:
                self._executor.spin_once()
            except ExternalShutdownException:
                return
            except Exception:
                self.told("a message could not be taken in")

    def told(self, what: str) -> None:
        """Log the error that is being handled, unless everything ends."""
        if not self.over.is_set() and self.node.context.ok():
            told = f"{what}:\n{traceback.format_exc().rstrip()}"
            self.node.get_logger().error(told, throttle_duration_sec=1.0)  # whatever others send


class SpunNode(Spinning):
    """A node for what must not wait for whatever else the process does.

    After every callback rclpy builds anew what it waits for, and that takes as long as the node has
    entities: clients in a node of their own are answered sooner, and disturb nobody.

    Args:
        owner: the first node of the process, whose context and namespace this one shares.
    """

    def __init__(self, name: str, owner: Node, threads: int = 1) -> None:
        # a new name for the first node of the process must not become that of this one
        own_name = ["--ros-args", "-r", f"__node:={name}"]
        node = rclpy.create_node(
            name,
            context=owner.context,
            namespace=owner.get_namespace(),
            cli_args=own_name,
            enable_rosout=False,
            start_parameter_services=False,
        )
        super().__init__(node, threads)

    def close(self) -> None:
        """End the threads, then the node."""
        super().close()
        self.node.destroy_node()
