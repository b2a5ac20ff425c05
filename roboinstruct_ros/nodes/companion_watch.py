"""Ends the executor's task when a node that has to live during it is gone."""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.execute.companions import Companions
from roboinstruct_ros.nodes.heartbeat import HeartbeatMonitor


class CompanionWatch:
    """Looks at the nodes of the parameter `stop_when_lost`.

    Args:
        names: of these nodes.
        lost: told once a run, with the node's name and what is said of it.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        monitor: HeartbeatMonitor,
        lost: Callable[[str, str], None],
    ) -> None:
        self.companions = Companions(names, monitor)
        self._lost = lost

    def look(self) -> None:
        """Called often, on a steady clock."""
        gone = self.companions.gone()
        if gone:
            self.companions.end()
            self._lost(gone, f"the node '{gone}' fell silent during the run")
