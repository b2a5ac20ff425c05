"""Ends every goal of other nodes' actions, whatever their types: motion that somebody else makes.

An action's cancel service is `action_msgs/srv/CancelGoal` whatever the action is, and a request
without a goal id means every goal. Source: the cancel policy in action_msgs/srv/CancelGoal.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterable

from action_msgs.srv import CancelGoal
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.client import Client
from rclpy.node import Node

ASK_AGAIN = 0.2
"""s; a server that does not know the client yet drops its answer."""


class ActionStop:
    """Clients of the cancel services of some actions; `halt` never blocks. Thread-safe."""

    def __init__(self, node: Node, actions: Iterable[str]) -> None:
        """Makes the clients, so that discovery is over when they are needed."""
        group = ReentrantCallbackGroup()
        self._clients = [
            node.create_client(CancelGoal, f"{action}/_action/cancel_goal", callback_group=group)
            for action in actions
        ]

    def halt(self) -> None:
        """Cancels every goal of those actions whose server is there."""
        for client in self._clients:
            if client.service_is_ready():
                client.call_async(CancelGoal.Request())

    def answers(self, limit: float) -> bool:
        """Whether every one of those servers answers a cancel of nothing within `limit` s.

        Who is about to move the robot learns whether a stop would be heard. DDS announces a node's
        clients in the order in which they were made, so those made before are known then as well.
        """
        deadline = time.monotonic() + limit
        return all(_answers(client, deadline) for client in self._clients)


def _answers(client: Client, deadline: float) -> bool:
    request = CancelGoal.Request()
    request.goal_info.goal_id.uuid = list(uuid.uuid4().bytes)
    answered = threading.Event()
    while (left := deadline - time.monotonic()) > 0.0:
        if client.service_is_ready():
            client.call_async(request).add_done_callback(lambda _: answered.set())
        if answered.wait(min(left, ASK_AGAIN)):
            return True
    return False
