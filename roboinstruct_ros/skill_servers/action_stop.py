"""Ends every goal of other nodes' actions, whatever their types: motion that somebody else makes.

An action's cancel service is `action_msgs/srv/CancelGoal` whatever the action is, and a request
without a goal id means every goal. Source: the cancel policy in action_msgs/srv/CancelGoal.
"""

from __future__ import annotations

from collections.abc import Iterable

from action_msgs.srv import CancelGoal
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node


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
