"""An answer that comes before the request is noted is not lost."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import rclpy
from goal_client import GoalClient
from rclpy.action import ActionServer
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor

from roboinstruct_msgs.action import Say

pytestmark = pytest.mark.stack
LIMIT = 60.0  # s


class _Overtaken:
    """Sends a goal, and comes back only when its answer has been taken by another thread."""

    def __init__(self, handle: Any, taken: threading.Event) -> None:
        self._handle, self._taken = handle, taken

    def __getattr__(self, name: str) -> Any:
        return getattr(self._handle, name)

    def send_goal_request(self, request: Any) -> int:
        number = self._handle.send_goal_request(request)
        assert self._taken.wait(LIMIT)
        return int(number)


def test_an_answer_that_is_faster_than_its_bookkeeping(ros_domain: int) -> None:
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    node = rclpy.create_node("goal_client_test", context=context)
    executor = MultiThreadedExecutor(2, context=context)
    executor.add_node(node)
    ActionServer(node, Say, "say", lambda goal: (goal.succeed(), Say.Result())[1])
    client = GoalClient(node, Say, "say", callback_group=ReentrantCallbackGroup())
    thread = threading.Thread(target=executor.spin, daemon=True)
    thread.start()
    try:
        assert client.wait_for_server(LIMIT)
        taken, answered = threading.Event(), threading.Event()
        take_data = client.take_data

        def take_and_tell() -> Any:
            data = take_data()
            if "goal" in data:
                taken.set()
            return data

        client.take_data = take_and_tell
        client._client_handle = _Overtaken(client._client_handle, taken)
        future = client.send_goal_async(Say.Goal(message="hello"))
        future.add_done_callback(lambda _: answered.set())
        assert answered.wait(LIMIT)
        assert future.result().accepted
    finally:
        executor.shutdown()
        thread.join(LIMIT)
        node.destroy_node()
        rclpy.shutdown(context=context)
