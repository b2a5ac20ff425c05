"""Calls a ROS service from a thread that does not spin the node, with a time limit."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any

from rclpy.task import Future

_LOOK = 0.02  # polling period for a server, s


def wait_served(is_ready: Callable[[], bool], limit: float) -> bool:
    """Wait at most `limit` s for a server. Returns whether one is available."""
    deadline = time.monotonic() + limit
    while not is_ready():
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK)
    return True


def answer_of(client: Any, request: Any, limit: float, again: float = math.inf) -> Any:
    """The response, or None if none arrives within `limit` s. Another thread must spin the node.

    Args:
        again: interval (s) between requests: a server drops its response to a client that it has
            not discovered yet. A late response to an earlier request counts too.
    """
    deadline = time.monotonic() + limit
    if not wait_served(client.service_is_ready, limit):
        return None
    heard, asked = threading.Event(), []
    try:
        while (left := deadline - time.monotonic()) > 0.0 and not heard.is_set():
            asked.append(client.call_async(request))
            asked[-1].add_done_callback(lambda _: heard.set())
            heard.wait(min(left, again))
        ended = (future for future in asked if future.done() and future.exception() is None)
        return next((future.result() for future in ended), None)
    finally:
        for future in asked:
            client.remove_pending_request(future)


def settled(future: Future) -> threading.Event:
    """An event that is set once the future has a result or an exception."""
    event = threading.Event()
    future.add_done_callback(lambda _: event.set())
    return event
