"""Nodes that are spun in threads of their own."""

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
"""Exit code of a process that lost a thread it cannot do without."""


class Spinning:
    """Spins a node in threads of its own; an error in one callback does not end the others.

    Args:
        threads: callbacks that may run at once.

    Attributes:
        node: not spun before `start`.
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
        self.keep(self._spin, "spin")

    def keep(self, work: Callable[[], None], what: str) -> None:
        """Start a thread that runs until `over` is set. If it ends earlier, the process exits.

        Without that thread the node would look alive but not work; a restart repairs it.
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
        """End the threads; the node is no longer spun."""
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
        """Log the current exception, unless everything is shutting down."""
        if not self.over.is_set() and self.node.context.ok():
            told = f"{what}:\n{traceback.format_exc().rstrip()}"
            self.node.get_logger().error(told, throttle_duration_sec=1.0)  # whatever others send


class SpunNode(Spinning):
    """A separate node for what must not wait for other work of the process.

    rclpy rebuilds a node's wait set after every callback, which takes time proportional to its
    entities: clients on a small node respond faster and slow nothing else.

    Args:
        owner: the main node of the process, whose context and namespace this one shares.
    """

    def __init__(self, name: str, owner: Node, threads: int = 1) -> None:
        # a remapped name of the main node must not apply to this one
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
        super().close()
        self.node.destroy_node()
