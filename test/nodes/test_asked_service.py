"""Services that answer late, or never."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import rclpy
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from std_srvs.srv import Trigger
from waiting import LIMIT

from roboinstruct_ros.nodes.asked_service import answer_of

pytestmark = pytest.mark.stack


@pytest.fixture
def node(ros_domain: int) -> Iterator[Node]:
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    node = rclpy.create_node("asked_service_test", context=context)
    executor = MultiThreadedExecutor(4, context=context)
    executor.add_node(node)
    thread = threading.Thread(target=executor.spin, daemon=True)
    thread.start()
    yield node
    executor.shutdown(2.0)
    thread.join(2.0)
    node.destroy_node()
    rclpy.shutdown(context=context)


def test_an_answer_that_comes_after_the_next_request_counts(node: Node) -> None:
    asked, over = threading.Semaphore(0), threading.Event()
    first = threading.Lock()

    def serve(request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        if first.acquire(blocking=False):
            response.success = asked.acquire(timeout=LIMIT)
        else:
            asked.release()
            over.wait(LIMIT)
        return response

    group = ReentrantCallbackGroup()
    node.create_service(Trigger, "late", serve, callback_group=group)
    client = node.create_client(Trigger, "late", callback_group=group)
    answer = answer_of(client, Trigger.Request(), LIMIT, again=0.1)
    over.set()
    assert answer is not None and answer.success


def test_one_that_never_answers_is_left_behind(node: Node) -> None:
    over = threading.Event()

    def serve(request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        over.wait(LIMIT)
        return response

    group = ReentrantCallbackGroup()
    node.create_service(Trigger, "never", serve, callback_group=group)
    client = node.create_client(Trigger, "never", callback_group=group)
    assert answer_of(client, Trigger.Request(), 0.3, again=0.1) is None
    over.set()
