"""Cancels the goals of other nodes' actions, whatever their types.

The cancel service of any action is `action_msgs/srv/CancelGoal`, and a request without a goal id
cancels every goal. Source: the cancel policy in action_msgs/srv/CancelGoal.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from action_msgs.srv import CancelGoal
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

from roboinstruct_ros.nodes.asked_service import answer_of

NAVIGATORS = ("navigate_to_pose", "navigate_through_poses", "follow_waypoints")
"""The Nav2 actions that choose a destination."""

ASK_AGAIN = 0.2
"""Interval (s) between requests: servers drop responses to clients not yet discovered."""


class ActionStop:
    """Clients of the cancel services of some actions; only `answers` blocks. Thread-safe."""

    def __init__(self, node: Node, actions: Iterable[str]) -> None:
        # early, so that they are discovered by the time they are needed
        group = ReentrantCallbackGroup()
        self._clients = {
            action: node.create_client(
                CancelGoal, f"{action}/_action/cancel_goal", callback_group=group
            )
            for action in actions
        }

    def halt(self, actions: Iterable[str] | None = None) -> dict[str, Any]:
        """Cancel every goal of these actions (None: of all). Returns a future for each server."""
        wanted = self._clients if actions is None else actions
        return {
            action: self._clients[action].call_async(CancelGoal.Request())
            for action in wanted
            if self._clients[action].service_is_ready()
        }

    def answers(self, limit: float, actions: Iterable[str] = ()) -> bool:
        """Whether the servers of these actions (none given: all) answer a cancel within `limit` s.

        Requests the cancellation of a goal that does not exist, which ends nothing: before a motion
        this shows whether a stop would be heard. DDS announces a node's clients in the order of
        their creation, so clients made earlier are then known as well.
        """
        request = CancelGoal.Request()
        request.goal_info.goal_id.uuid = list(uuid.uuid4().bytes)
        asked = [self._clients.get(action) for action in actions or self._clients]
        if not all(asked):
            return False
        with ThreadPoolExecutor(max(1, len(asked))) as threads:  # all at once, as a stop asks them
            answered = threads.map(lambda one: answer_of(one, request, limit, ASK_AGAIN), asked)
            return all(answered)
