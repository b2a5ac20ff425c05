"""Work for the stack while it is stopped: pages, half-open connections, programs to verify.

A process of its own, so that whoever judges the stop is not kept busy by it; it may be held by
SIGSTOP like any other client. Each line of its standard input says how much there is to be:
`{"pages": 30, "half_open": 20, "verifying": 9}`. It ends with its input.
"""

from __future__ import annotations

import itertools
import json
import selectors
import socket
import sys
import threading
from contextlib import suppress

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node

from roboinstruct_msgs.srv import VerifyProgram
from roboinstruct_ros import names
from roboinstruct_ros.nodes.qos import REQUESTS

TICK = 0.05  # s
LOOKED_AT = """def task_program():
    n = {0}
    for room in ["kitchen", "garage", "study"]:
        go_to(room)
        for thing in ["apple", "cup", "pear"]:
            if is_in_room(thing):
                n = n + 1
    say(str(n))
"""
"""Takes the verifier a tenth of a second or more; a number makes it another program."""

PAGE = (
    b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n"
    b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: c3RvcCB0cmlhbHMgbG9hZA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HALF = b"POST /api/v1/stop HTTP/1.1\r\nHost: localhost\r\nX-More: "


class Connections:
    """So many connections to the kiosk, each opened with the same words; another for one that goes.

    Args:
        unread: whether every other one is not read, and falls behind.
    """

    def __init__(self, port: int, opening: bytes, unread: bool = False) -> None:
        self._port, self._opening, self._unread = port, opening, unread
        self._open: list[socket.socket] = []
        self._read = selectors.DefaultSelector()

    def keep(self, count: int) -> None:
        """Open or close until there are `count`, and read what has come."""
        while len(self._open) > count:
            self._close(self._open[-1])
        for _ in range(count - len(self._open)):
            self._add()
        for key, _ in self._read.select(0):
            connection = key.fileobj
            assert isinstance(connection, socket.socket)
            with suppress(BlockingIOError):
                try:
                    gone = not connection.recv(2**20)
                except ConnectionError:
                    gone = True
                if gone:
                    self._close(connection)

    def _add(self) -> None:
        with suppress(OSError):
            connection = socket.create_connection(("127.0.0.1", self._port), 0.2)
            self._open.append(connection)
            connection.sendall(self._opening)
            connection.setblocking(False)
            if len(self._open) % 2 or not self._unread:
                self._read.register(connection, selectors.EVENT_READ)

    def _close(self, connection: socket.socket) -> None:
        with suppress(KeyError):
            self._read.unregister(connection)
        self._open.remove(connection)
        connection.close()


class Verifications:
    """So many programs at once that somebody wants to see verified, each of them a new one."""

    def __init__(self, node: Node) -> None:
        self._client = node.create_client(
            VerifyProgram, names.VERIFY_PROGRAM_SERVICE, qos_profile=REQUESTS
        )
        self._numbers = itertools.count()
        self._under_way = 0

    def keep(self, count: int) -> None:
        for _ in range(count - self._under_way):
            if self._client.service_is_ready():
                source = LOOKED_AT.format(next(self._numbers))
                self._under_way += 1
                future = self._client.call_async(VerifyProgram.Request(source=source))
                future.add_done_callback(self._answered)

    def _answered(self, _: object) -> None:
        self._under_way -= 1


def main(port: int) -> None:
    wanted = {"pages": 0, "half_open": 0, "verifying": 0}
    ended = threading.Event()

    def listen() -> None:
        for line in sys.stdin:
            wanted.update(json.loads(line))
        ended.set()

    rclpy.init()
    node = rclpy.create_node("stop_load")
    pages, half_open = Connections(port, PAGE, unread=True), Connections(port, HALF)
    verifications = Verifications(node)

    def tick() -> None:
        pages.keep(wanted["pages"])
        half_open.keep(wanted["half_open"])
        verifications.keep(wanted["verifying"])

    node.create_timer(TICK, tick)
    threading.Thread(target=listen, daemon=True).start()
    with suppress(ExternalShutdownException, KeyboardInterrupt):
        while not ended.is_set():
            rclpy.spin_once(node, timeout_sec=0.2)


if __name__ == "__main__":
    main(int(sys.argv[1]))
