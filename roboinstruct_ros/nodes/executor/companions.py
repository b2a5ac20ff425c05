"""Watches nodes that must stay alive during a task although the task calls none of their skills."""

from __future__ import annotations

from roboinstruct_ros.nodes.heartbeat import HeartbeatMonitor


class Companions:
    """Detects the loss or restart of a companion node during a run."""

    def __init__(self, names: tuple[str, ...], heard: HeartbeatMonitor) -> None:
        self.names = names
        self._heard = heard
        self._sessions: dict[str, str] = {}

    def begin(self) -> str:
        """Start watching. Returns why the run must not begin; empty if it may."""
        absent = next((name for name in self.names if not self._heard.alive(name)), "")
        if absent:
            return f"the node '{absent}' has to be heard during a run (stop_when_lost) and is not"
        self._sessions = {name: self._heard.session(name) for name in self.names}
        return ""

    def end(self) -> None:
        self._sessions = {}

    def gone(self) -> str:
        """The first node that was lost or restarted since `begin`; empty for none."""
        for name, session in list(self._sessions.items()):
            if not self._heard.alive(name) or self._heard.restarted(name, session):
                return name
        return ""
