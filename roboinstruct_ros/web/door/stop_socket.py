"""The WebSocket that a page keeps open for Stop alone; one for each page, without a thread or loop.

Browsers let a seventh request wait for the six before it, but not a message on an open WebSocket.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable

from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

MAX_MESSAGE = 1024
"""Bytes of one message; a time of the press is all that there is to say."""
MAX_SAID = 64 * 1024
"""Bytes that one socket may send in all; nobody presses Stop that often."""
CLOCK_LIMIT = 10.0
"""Difference of a page's clock to this one that can be true, s."""


class StopSocket:
    """One page's socket, whose handshake is still unread; every message on it is a Stop.

    Args:
        stop: called with the time of the press, s since the Unix epoch, or None for now.
    """

    def __init__(self, connection: socket.socket, stop: Callable[[float | None], None]) -> None:
        self._connection = connection
        self._stop = stop
        self._protocol = ServerProtocol(max_size=MAX_MESSAGE)
        self._left = MAX_SAID

    def take(self) -> bool:
        """Read what has come, and stop the robot for each message. Whether it goes on.

        Raises:
            OSError: the connection is gone, or the page reads no answers.
        """
        data = self._connection.recv(MAX_SAID)
        self._left -= len(data)
        if not data or self._left < 0:
            return False
        was_open, closes = self._protocol.state is State.OPEN, False
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._protocol.send_response(self._protocol.accept(event))
            elif isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY):
                self._stop(pressed_in(bytes(event.data)))
                if self._protocol.state is State.OPEN:
                    self._protocol.send_text(b'{"sent": true}')
            elif isinstance(event, Frame):
                closes |= event.opcode is Opcode.CLOSE
        goes_on = self._protocol.state is State.OPEN
        if was_open and not goes_on and not closes:  # what cannot be read is a Stop too
            self._stop(None)
        for part in self._protocol.data_to_send():
            self._connection.sendall(part)
        return goes_on


def pressed_in(message: bytes) -> float | None:
    """The page's own time of the press in s, if there is one that can be true on this clock."""
    try:
        told = json.loads(message)
    except (ValueError, RecursionError):
        return None
    pressed = told.get("pressed") if isinstance(told, dict) else None
    now = time.time()
    # Compared, not subtracted: a whole number of 400 digits is no float.
    if isinstance(pressed, int | float) and now - CLOCK_LIMIT < pressed < now + CLOCK_LIMIT:
        return float(pressed)
    return None
