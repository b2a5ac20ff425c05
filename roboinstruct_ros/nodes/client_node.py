"""The node of a command: a context of its own, spun in threads of its own."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import rclpy
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from roboinstruct_ros.nodes.dds_security import one_line_refusals
from roboinstruct_ros.nodes.dds_transport import choose_transport
from roboinstruct_ros.nodes.lifeline import Lifeline, Stopped
from roboinstruct_ros.nodes.spun_node import Spinning


class ClientNode:
    """Made with rclpy, gone with it; signals are left to the command.

    Args:
        what: the command does; part of the node's name.
        namespace: of the stack; empty for none.
        threads: that spin it.
        on_stop: as of `Lifeline`.

    Attributes:
        node: not spun before `start`.
        lifeline: of this process; it does not beat.
    """

    def __init__(
        self,
        what: str,
        namespace: str,
        threads: int,
        on_stop: Callable[[Stopped], object] = lambda stopped: None,
    ) -> None:
        choose_transport()
        name = f"roboinstruct_{what}_{uuid.uuid4().hex[:6]}"
        with one_line_refusals():
            rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
            self.node: Node = rclpy.create_node(name, namespace=namespace or None)
        self.lifeline = Lifeline(self.node, on_stop, beats=False)
        self._spinning = Spinning(self.node, threads)

    def start(self) -> None:
        """Let callbacks run."""
        self._spinning.start()

    def end(self) -> None:
        """Wait for callbacks that have begun; then node and rclpy are gone."""
        self.lifeline.close()
        self._spinning.close()
        self.node.destroy_node()
        rclpy.try_shutdown()
