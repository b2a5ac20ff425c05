"""Waits until another node has discovered this one's clients, not just the other way round.

A client sees a server as soon as it has discovered it; the server drops its answer when it has not
discovered the client in turn. DDS announces the endpoints of a participant in the order in which
they were made, so an answer to a client that was made last shows that the earlier ones are known.
"""

from __future__ import annotations

import threading
import time

import rclpy
from rcl_interfaces.srv import ListParameters
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

_AGAIN = 0.5  # s after which the question is repeated


def middleware() -> str:
    """The DDS implementation under rclpy, e.g. `rmw_fastrtps_cpp`."""
    return str(rclpy.get_rmw_implementation_identifier())


def wait_discovered(node: Node, server: str, limit: float) -> bool:
    """Whether the node `server` answers within `limit` s; another thread spins `node`."""
    client = node.create_client(
        ListParameters, f"{server}/list_parameters", callback_group=ReentrantCallbackGroup()
    )
    deadline = time.monotonic() + limit
    try:
        while time.monotonic() < deadline:
            if not client.wait_for_service(_AGAIN):
                continue
            answered = threading.Event()
            future = client.call_async(ListParameters.Request())
            future.add_done_callback(lambda _, event=answered: event.set())
            if answered.wait(_AGAIN):
                return True
        return False
    finally:
        node.destroy_client(client)
