"""Nodes that have to live while a task runs, beside those whose skills are called."""

from __future__ import annotations

from typing import Protocol


class Pulse(Protocol):
    """What is heard of nodes."""

    def alive(self, name: str) -> bool:
        """Whether the node is heard now."""

    def session(self, name: str) -> str:
        """Which start of the node was heard last."""


class Companions:
    """Says whether one of them has gone since a run began; between runs none is missed."""

    def __init__(self, names: tuple[str, ...], pulse: Pulse) -> None:
        self.names = names
        self._pulse = pulse
        self._sessions: dict[str, str] = {}

    def begin(self) -> str:
        """A run begins. Why it must not; empty when it may."""
        absent = next((name for name in self.names if not self._pulse.alive(name)), "")
        if absent:
            return f"the node '{absent}' has to be heard during a run (stop_when_lost) and is not"
        self._sessions = {name: self._pulse.session(name) for name in self.names}
        return ""

    def end(self) -> None:
        """The run is over."""
        self._sessions = {}

    def gone(self) -> str:
        """The first that has fallen silent or was started anew since `begin`; empty for none."""
        for name, session in list(self._sessions.items()):
            if not self._pulse.alive(name) or self._pulse.session(name) != session:
                return name
        return ""
