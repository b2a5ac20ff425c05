"""The head of a request as the front door reads it, and the short answers that the door gives."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.datastructures import Headers

from roboinstruct_ros.web.door.guard import HEADERS

API = "/api/v1"
"""Of every route that is not a file; the number is a new one when a client would have to change."""
STOP_PATH = f"{API}/stop"
END = b"\r\n\r\n"


@dataclass(frozen=True)
class RequestHead:
    """Method, path without its query, and headers of an HTTP/1.1 request."""

    method: str
    path: str
    headers: Headers

    @classmethod
    def read(cls, raw: bytes) -> RequestHead | None:
        """The head in `raw`, which ends before the blank line; None when it is no HTTP."""
        first, *lines = raw.split(b"\r\n")
        parts = first.decode("latin-1").split(" ")
        if len(parts) != 3:
            return None
        pairs = [line.partition(b":")[::2] for line in lines]
        headers = [(name.strip().lower(), value.strip()) for name, value in pairs]
        return cls(parts[0], parts[1].partition("?")[0], Headers(raw=headers))

    @property
    def opens_a_socket(self) -> bool:
        """Whether it asks for a WebSocket."""
        return self.method == "GET" and self.headers.get("upgrade", "").lower() == "websocket"

    @property
    def is_stop(self) -> bool:
        """Whether it is Stop, or the socket for it."""
        return self.path == STOP_PATH and (self.method == "POST" or self.opens_a_socket)


def answer(status: HTTPStatus, body: dict[str, Any]) -> bytes:
    """A whole answer in JSON, after which the connection ends."""
    text = json.dumps(body).encode()
    headers = {
        **HEADERS,
        "Content-Type": "application/json",
        "Content-Length": str(len(text)),
        "Connection": "close",
    }
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{k}: {v}" for k, v in headers.items())]
    return "\r\n".join(lines).encode("latin-1") + END + text
