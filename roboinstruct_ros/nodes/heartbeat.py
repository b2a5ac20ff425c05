"""Tracks which nodes are alive from their heartbeats, on a steady clock. Free of ROS."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from roboinstruct_ros import names

LONGEST_STEP = 0.1
"""Most silence that one step adds (s): a process that was suspended itself heard nobody."""

_MOST_NODES = 256  # limit on names, which any sender may invent


@dataclass
class _Heard:
    """The latest session of a node.

    Attributes:
        before: the session before it; empty for none.
        turns: it had been heard before that one, too.
    """

    session: str
    silence: float = 0.0
    before: str = ""
    turns: bool = False


class HeartbeatMonitor:
    """Tracks how long each node has been silent. Thread-safe.

    Attributes:
        losses: Times that a node fell silent for more than `names.HEARTBEAT_TIMEOUT`.
    """

    def __init__(self) -> None:
        self.losses = 0
        self._nodes: dict[str, _Heard] = {}
        self._sessions: dict[str, _Heard] = {}
        self._lock = threading.Lock()

    def note(self, name: str, session: str) -> None:
        with self._lock:
            known = self._nodes.get(name, _Heard(session))
            if session == known.session:
                before, turns = known.before, known.turns
            else:
                before, turns = known.session, session == known.before
            _note(self._nodes, name, _Heard(session, before=before, turns=turns))
            _note(self._sessions, session, _Heard(session))

    def pass_time(self, passed: float) -> None:
        """Advance the steady clock by `passed` s."""
        step = min(passed, LONGEST_STEP)
        with self._lock:
            before = self._silent()
            for heard in (*self._nodes.values(), *self._sessions.values()):
                heard.silence += step
            self.losses += self._silent() - before

    def _silent(self) -> int:
        return sum(heard.silence > names.HEARTBEAT_TIMEOUT for heard in self._nodes.values())

    def seen(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._nodes)

    def alive(self, name: str) -> bool:
        """Whether the node was heard within the last `names.HEARTBEAT_TIMEOUT` s."""
        return name in self._nodes and not self.lost(name)

    def lost(self, name: str, after: float = names.HEARTBEAT_TIMEOUT) -> bool:
        """Whether the node was heard once and has been silent for more than `after` s."""
        heard = self._nodes.get(name)
        return heard is not None and heard.silence > after

    def state(self, name: str) -> str:
        """The node as "up", "lost" or "not heard"."""
        if self.alive(name):
            return "up"
        return "lost" if self.lost(name) else "not heard"

    def session(self, name: str) -> str:
        """Session of the node's latest start; empty if never heard."""
        heard = self._nodes.get(name)
        return heard.session if heard else ""

    def restarted(self, name: str, session: str) -> bool:
        """Whether the node has started again since it had that session; "" is no session."""
        return session != "" and self.session(name) != session

    def doubled(self, name: str) -> bool:
        """Whether two processes with this node name are alive, and not one that was restarted."""
        heard = self._nodes.get(name)
        return (
            heard is not None
            and heard.turns
            and self.silence(heard.before) < names.HEARTBEAT_TIMEOUT
        )

    def silence(self, session: str) -> float:
        """Silence of that session (s). One never heard starts counting at this call."""
        with self._lock:
            return self._sessions.setdefault(session, _Heard(session)).silence


class Companions:
    """Nodes that must stay alive during a run although it calls none of their skills."""

    def __init__(self, nodes: tuple[str, ...], heard: HeartbeatMonitor) -> None:
        self._nodes = nodes
        self._heard = heard
        self._sessions: dict[str, str] = {}

    def begin(self) -> str:
        """Start watching. Returns why the run must not begin; empty if it may."""
        absent = next((name for name in self._nodes if not self._heard.alive(name)), "")
        if absent:
            return f"the node '{absent}' has to be heard during a run (stop_when_lost) and is not"
        self._sessions = {name: self._heard.session(name) for name in self._nodes}
        return ""

    def end(self) -> None:
        self._sessions = {}

    def gone(self) -> str:
        """The first node that was lost or restarted since `begin`; empty for none."""
        for name, session in list(self._sessions.items()):
            if not self._heard.alive(name) or self._heard.restarted(name, session):
                return name
        return ""


def _note(known: dict[str, _Heard], name: str, heard: _Heard) -> None:
    """Note a heartbeat. Beyond the limit, drop the most silent entry; of equals the newest, so that
    a flood of names evicts no node."""
    known[name] = heard
    if len(known) > _MOST_NODES:
        del known[max(reversed(known), key=lambda one: known[one].silence)]
