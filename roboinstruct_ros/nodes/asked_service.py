"""Calls a ROS service from a thread that does not spin the node, with a time limit."""

from __future__ import annotations

import threading
import time
from typing import Any

from rclpy.task import Future

LOOK = 0.02
"""Polling period (s) while waiting for the server."""


def answer_of(client: Any, request: Any, limit: float) -> Any:
    """The response, or None if none arrives within `limit` s. Another thread must spin the node."""
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
    """An event that is set once the future has a result or an exception."""
    event = threading.Event()
    future.add_done_callback(lambda _: event.set())
    return event
