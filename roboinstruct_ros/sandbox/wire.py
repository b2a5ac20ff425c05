"""JSON messages, one per line, over a pair of pipes."""

from __future__ import annotations

import json
import os
import select
import time
from typing import Any

MAX_LINE_BYTES = 4 * 1024 * 1024
"""Longest accepted message; a longer one is not sent, or closes the connection."""

_LONGER = f"a message is longer than {MAX_LINE_BYTES} bytes"


class WireClosed(Exception):
    """The other side is gone, or sent something that is not a message."""


class TooLong(WireClosed):
    """The message is longer than the other side accepts, and was not sent."""


class WireTimeout(Exception):
    """No message arrived in time."""


class Wire:
    """Sends and receives JSON objects over two file descriptors."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._buffer = bytearray()

    def send(self, message: dict[str, Any]) -> None:
        """Send one object.

        Raises:
            TooLong: nothing was sent.
            WireClosed: the other side no longer reads.
        """
        data = memoryview(json.dumps(message).encode() + b"\n")
        if len(data) > MAX_LINE_BYTES:
            raise TooLong(_LONGER)
        try:
            while data:
                data = data[os.write(self._write_fd, data) :]
        except OSError as error:
            raise WireClosed(str(error)) from error

    def receive(self, timeout: float | None = None) -> dict[str, Any]:
        """Receive one object.

        Args:
            timeout: s; None waits without limit.

        Raises:
            WireTimeout: nothing arrived in time.
            WireClosed: the other side ended, or sent something else.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while b"\n" not in self._buffer:
            self._read_more(deadline)
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        return _object(line)

    def _read_more(self, deadline: float | None) -> None:
        wait = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            if not select.select([self._read_fd], [], [], wait)[0]:
                raise WireTimeout
            chunk = os.read(self._read_fd, 65536)
        except (OSError, ValueError) as error:
            raise WireClosed(str(error)) from error
        if not chunk:
            raise WireClosed("the other side ended")
        self._buffer += chunk
        if len(self._buffer) > MAX_LINE_BYTES:
            raise WireClosed(_LONGER)


def _object(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WireClosed(f"not a message: {error}") from error
    if not isinstance(message, dict):
        raise WireClosed("not a message: an object is needed")
    return message
