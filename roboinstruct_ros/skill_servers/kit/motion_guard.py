"""The skill server's connection to node `motion_stop`, for motion by other nodes' actions.

The kernel closes the connection however the server ends, which tells `motion_stop` at once of a
server that was killed. A request line asks which actions `motion_stop` can reach.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import threading
from collections.abc import Iterable
from contextlib import suppress

from rclpy.node import Node

from roboinstruct_ros import names
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.steady_timer import steady_timer
from roboinstruct_ros.skill_servers.kit.fault import Fault

CHECK, CANCEL, BYE = "check", "cancel", "bye"
"""First words of a line: check actions, cancel everything, end in good order."""
ANSWER_LIMIT = 0.5
"""Time (s) for an action server to answer the cancel of a goal that does not exist."""
CONNECT_LIMIT = 1.0
"""Time (s) for `motion_stop` itself to answer."""
KEEP = 1.0
"""Period (s) of the connection check."""


def address(node: Node) -> str:
    """Abstract socket of the robot's `motion_stop`; one per ROS domain and namespace."""
    return f"\0roboinstruct/{node.context.get_domain_id()}{node.get_namespace()}/motion_stop"


def peer(connection: socket.socket) -> bool:
    """Whether the other end is a process of the same user."""
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return bool(struct.unpack("3i", told)[1] == os.getuid())


class MotionGuard:
    """The connection, re-established whenever it is lost. Thread-safe."""

    def __init__(self, node: Node) -> None:
        self._node, self._lock = node, threading.Lock()
        self._connection: socket.socket | None = None
        self._keeping = steady_timer(node, KEEP, self._keep)

    def why_unstoppable(self, actions: Iterable[str]) -> Fault | None:
        """Why a stop would not reach these actions (then they must not be used), or None."""
        wanted = tuple(actions)
        with self._lock:
            reached = self._ask(wanted)
        missing = next((action for action in wanted if action not in (reached or ())), None)
        if reached is None:
            message = f"the node '{names.MOTION_STOP_NODE}' is not there"
        elif missing:
            message = (
                f"'{names.MOTION_STOP_NODE}' does not reach '{missing}' (its parameter actions)"
            )
        else:
            return None
        message += ", and nothing moves that cannot be stopped"
        return Fault(SkillErrorCode.SERVER_UNAVAILABLE, message)

    def cancel(self) -> None:
        """Cancel all motion of the robot, whoever commanded it."""
        self._write(CANCEL)

    def dismiss(self) -> None:
        """Announce an orderly shutdown, after which nothing needs cancelling."""
        self._keeping.cancel()
        self._write(BYE)

    def _ask(self, wanted: tuple[str, ...]) -> list[str] | None:
        line = " ".join((CHECK, self._node.get_name(), *wanted))
        try:
            if self._is_gone():
                self._connection = self._connected()
            connection = self._connection
            assert connection is not None
            connection.settimeout(CONNECT_LIMIT + ANSWER_LIMIT * len(wanted))
            connection.sendall(line.encode() + b"\n")
            if told := connection.makefile("rb", buffering=0).readline():
                return told.decode().split()
        except OSError:
            self._write(BYE)  # slow or dead: a dropped connection must not count as a dead server
        self._connection = None
        return None

    def _connected(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(CONNECT_LIMIT)
        connection.connect(address(self._node))
        if not peer(connection):
            raise PermissionError("the process of another user")
        return connection

    def _keep(self) -> None:
        if self._lock.acquire(blocking=False):  # otherwise another thread is asking, and connects
            try:
                if self._is_gone():
                    self._ask(())
            finally:
                self._lock.release()

    def _is_gone(self) -> bool:
        if self._connection is None:
            return True
        with suppress(OSError):  # nothing arrives unasked except the end
            return bool(select.select([self._connection], [], [], 0.0)[0])
        return True

    def _write(self, word: str) -> None:
        connection = self._connection  # without the lock: its holder may block
        if connection is not None:
            with suppress(OSError):
                connection.sendall(word.encode() + b"\n")
