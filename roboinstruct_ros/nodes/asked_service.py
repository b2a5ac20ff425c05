"""A service asked from a thread that does not spin, never for longer than wanted."""

from __future__ import annotations

import threading
import time
from typing import Any

from rclpy.task import Future

LOOK = 0.02
"""s between two looks for a server that is not there yet."""


def answer_of(client: Any, request: Any, limit: float) -> Any:
    """The response, or None where none has come within `limit` s; another thread spins the node."""
    deadline = time.monotonic() + limit
    while not client.service_is_ready():
        if time.monotonic() > deadline:
            return None
        time.sleep(LOOK)
    future = client.call_async(request)
    if not settled(future).wait(max(0.0, deadline - time.monotonic())):
        return None
    return future.result() if future.exception() is None else None


def settled(future: Future) -> threading.Event:
    """Set once the future has an answer, or a fault."""
    event = threading.Event()
    future.add_done_callback(lambda _: event.set())
    return event
