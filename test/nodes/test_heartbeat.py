"""A skill server has heard the executor before a goal comes, and no more often than it must."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

from roboinstruct_msgs.msg import Heartbeat as HeartbeatMsg
from roboinstruct_ros import names
from roboinstruct_ros.nodes.heartbeat import Heartbeat
from roboinstruct_ros.nodes.qos import STREAM

pytestmark = pytest.mark.stack

LIMIT = 20.0  # s


@pytest.fixture
def graph(ros_domain: int) -> Iterator[SingleThreadedExecutor]:
    """An executor that is spun by another thread."""
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    executor = SingleThreadedExecutor(context=context)
    over = threading.Event()

    def spin() -> None:
        while not over.is_set():
            executor.spin_once(0.05)

    thread = threading.Thread(target=spin)
    thread.start()
    yield executor
    over.set()
    thread.join(LIMIT)
    executor.shutdown()
    rclpy.shutdown(context=context)


def test_who_came_after_the_last_heartbeat_gets_one(
    graph: SingleThreadedExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "HEARTBEAT_PERIOD", 3600.0)  # the timer stays away
    sender = rclpy.create_node("sender", context=graph.context)
    heartbeat = Heartbeat(sender)
    first = listener(graph, "first")
    wait_until(lambda: heartbeat._publisher.get_subscription_count() == 1)
    heartbeat.be_heard()
    wait_until(lambda: first == ["sender"])
    heartbeat.be_heard()
    second = listener(graph, "second")
    wait_until(lambda: heartbeat._publisher.get_subscription_count() == 2)
    heartbeat.be_heard()
    wait_until(lambda: second == ["sender"])
    wait_until(lambda: len(first) > 1)
    assert first == ["sender", "sender"], "the second of three was not needed"


def listener(graph: SingleThreadedExecutor, name: str) -> list[str]:
    """Names of the nodes that a new node hears."""
    heard: list[str] = []
    node = Node(name, context=graph.context)
    node.create_subscription(
        HeartbeatMsg, names.HEARTBEAT_TOPIC, lambda message: heard.append(message.node), STREAM
    )
    graph.add_node(node)
    return heard


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)
