"""Ends the executor's task when a node that has to live during it is gone."""

from __future__ import annotations

from collections.abc import Callable

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node

from roboinstruct_ros.execute.companions import Companions
from roboinstruct_ros.nodes.heartbeat import HeartbeatMonitor


class CompanionWatch:
    """Declares the node's parameter `stop_when_lost` and looks at those nodes.

    Args:
        lost: told once a run, with the node's name and what is said of it.
    """

    def __init__(
        self, node: Node, monitor: HeartbeatMonitor, lost: Callable[[str, str], None]
    ) -> None:
        described = ParameterDescriptor(
            description="nodes whose loss stops a running task, by commas, e.g. kiosk; without "
            "them none is begun",
            read_only=True,
        )
        node.declare_parameter("stop_when_lost", "", described)
        given = str(node.get_parameter("stop_when_lost").value).split(",")
        names = tuple(dict.fromkeys(name.strip() for name in given if name.strip()))
        self.companions = Companions(names, monitor)
        self._lost = lost

    def look(self) -> None:
        """Called often, on a steady clock."""
        gone = self.companions.gone()
        if gone:
            self.companions.end()
            self._lost(gone, f"the node '{gone}' fell silent during the run")
