"""rclpy's action client, whose answers cannot overtake its own bookkeeping here."""

from __future__ import annotations

import threading
from typing import Any

from rclpy.action import ActionClient
from rclpy.task import Future

from roboinstruct_ros.nodes.qos import ACTION


class GoalClient(ActionClient):
    """rclpy notes a request only after it is sent, without a lock.

    An answer that another thread takes in between is dropped as unexpected, and whoever waits for
    it waits for ever. Here answers are looked at only when no request is being sent.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._sending = threading.Lock()
        super().__init__(*args, **{**ACTION, **options})

    def send_goal_async(self, *args: Any, **options: Any) -> Future:
        with self._sending:
            return super().send_goal_async(*args, **options)

    def _cancel_goal_async(self, goal_handle: Any) -> Future:
        with self._sending:
            return super()._cancel_goal_async(goal_handle)

    def _get_result_async(self, goal_handle: Any) -> Future:
        with self._sending:
            return super()._get_result_async(goal_handle)

    async def execute(self, taken_data: Any) -> None:
        with self._sending:
            pass
        await super().execute(taken_data)
