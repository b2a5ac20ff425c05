"""The ROS node of a command-line command, spun in its own threads."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from typing import TypeVar

import rclpy
from rclpy.node import Node

from roboinstruct_ros.nodes.node_process import make_node
from roboinstruct_ros.nodes.spun_node import Spinning
from roboinstruct_ros.nodes.stop_link import StopLink

POLL = 0.02  # s

_Entered = TypeVar("_Entered", bound="ClientNode")
_Seen = TypeVar("_Seen")


class ClientNode:
    """A node with its own threads; use as a context manager.

    Signal handling is left to the command.

    Args:
        what: name of the command; part of the node name.
        namespace: namespace of the stack; empty for none.
        interrupt: set when the user wants to end.

    Attributes:
        node: spun within the context.
        stop_link: of this process; it sends no heartbeats.
    """

    def __init__(self, what: str, namespace: str, threads: int, interrupt: threading.Event) -> None:
        name = f"roboinstruct_{what}_{uuid.uuid4().hex[:6]}"
        space = namespace.strip("/") or None  # ROS refuses a / at its end
        self.node = make_node(lambda: Node(name, namespace=space), [])
        self._interrupt = interrupt
        self.stop_link = StopLink(self.node, beats=False)
        self._spinning = Spinning(self.node, threads)

    def within(self, limit: float, look: Callable[[], _Seen]) -> _Seen:
        """Poll until the value is true, at most `limit` s or until the user interrupts.

        Returns:
            The last value.
        """
        deadline = time.monotonic() + limit
        while not (seen := look()) and time.monotonic() < deadline:
            if self._interrupt.wait(POLL):
                break
        return seen

    def __enter__(self: _Entered) -> _Entered:
        self._spinning.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """Wait for running callbacks, then destroy the node and shut rclpy down."""
        self.stop_link.close()
        self._spinning.close()
        self.node.destroy_node()
        rclpy.try_shutdown()
