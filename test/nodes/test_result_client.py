"""Goals that are given up leave nothing behind, also when their server has died."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import rclpy
from action_msgs.msg import GoalStatus
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import RCLError
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from waiting import LIMIT, until

from roboinstruct_msgs.action import Say
from roboinstruct_ros.nodes import result_client
from roboinstruct_ros.nodes.result_client import ResultClient

pytestmark = pytest.mark.stack


@contextmanager
def spun(domain: int) -> Iterator[Node]:
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    node = rclpy.create_node("result_client_test", context=context)
    executor = MultiThreadedExecutor(4, context=context)
    executor.add_node(node)

    def spin() -> None:
        while context.ok():
            with suppress(RCLError):  # it was about to read from a server that is destroyed
                return executor.spin()

    thread = threading.Thread(target=spin, daemon=True)
    thread.start()
    try:
        yield node
    finally:
        executor.shutdown(2.0)
        thread.join(2.0)
        node.destroy_node()
        rclpy.shutdown(context=context)


def test_a_goal_that_is_cancelled_before_it_is_accepted_is_not_carried_out(ros_domain: int) -> None:
    with spun(ros_domain) as node:
        cancelled, ended = threading.Event(), threading.Event()

        def cancel(goal: Any) -> CancelResponse:
            cancelled.set()
            return CancelResponse.ACCEPT

        def carry_out(goal: Any) -> Say.Result:
            assert cancelled.wait(LIMIT)
            until(lambda: goal.is_cancel_requested)
            goal.canceled()
            return Say.Result()

        group = ReentrantCallbackGroup()
        ActionServer(node, Say, "say", carry_out, cancel_callback=cancel, callback_group=group)
        client = ResultClient(node, Say, "say", group)
        assert client.wait_ready(LIMIT)
        goal = client.send(Say.Goal(message="hello"), lambda goal: ended.set())
        goal.cancel()
        assert ended.wait(LIMIT) and goal.over.is_set()
        assert goal.response.status == GoalStatus.STATUS_CANCELED


def test_what_a_dead_server_will_never_answer_is_forgotten(
    ros_domain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, release = threading.Event(), threading.Event()

    def hold(goal: Any) -> Say.Result:
        begun.set()
        release.wait(LIMIT)
        return Say.Result()

    def answer(goal: Any) -> Say.Result:
        goal.succeed()
        return Say.Result()

    def serve(run: Any) -> ActionServer:
        return ActionServer(node, Say, "say", run, callback_group=ReentrantCallbackGroup())

    with spun(ros_domain) as node:
        client = ResultClient(node, Say, "say")
        first = serve(hold)
        until(client.is_ready)
        goal = client.send(Say.Goal(message="hello"))
        assert begun.wait(LIMIT)
        until(lambda: client.results._pending_requests)
        first.destroy()
        until(lambda: not client.is_ready())
        goal.give_up()
        serve(answer)
        until(client.is_ready)
        monkeypatch.setattr(result_client, "LATE", 0.0)
        until(lambda: _answered(client))
        for asked in (client.goals, client.cancels, client.results):
            assert not asked._pending_requests
        release.set()


def _answered(client: ResultClient) -> bool:
    """A server that has just come may answer before it has found who asks: DDS drops the answer."""
    goal = client.send(Say.Goal(message="again"))
    if not goal.over.wait(1.0):
        goal.give_up()
    return goal.over.is_set()
