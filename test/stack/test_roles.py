"""What the running graph shows is what `security/roles.py` says, so that nothing is denied by
mistake under Enforce, and nothing allowed that nobody uses."""

from __future__ import annotations

import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import Any

import pytest
import rclpy
from rclpy.context import Context
from running_stack import wait_up
from waiting import until

from roboinstruct_ros import names
from roboinstruct_ros.security.dds_names import topics_of
from roboinstruct_ros.security.roles import BY_NAME, ROLES, Role

NAMESPACE = "robot1"
RUNNING = ("executor", "generator", "kiosk", "recorder", "sim_robot", "cli")
OF_OTHER_COMMANDS = (
    names.PAUSE_SERVICE, names.FORGET_RUN_SERVICE, names.STOP_SERVICE, "generator/list_parameters",
    "executor/list_parameters",
)  # fmt: skip
"""What the command line uses for a moment only, or in another command than `status`."""


@contextmanager
def onlooker(domain: int) -> Iterator[Any]:
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    node = rclpy.create_node("onlooker", context=context)
    try:
        yield node
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


def role_of(node: str) -> Role:
    (found,) = [one for one in ROLES if any(fnmatchcase(node, own) for own in one.all_nodes)]
    return found


def used(node: Any) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """DDS topics that each role's nodes write and read."""
    written: dict[str, set[str]] = defaultdict(set)
    read: dict[str, set[str]] = defaultdict(set)
    ways = (
        (node.get_publisher_names_and_types_by_node, "rt{}", written, "rt{}", written),
        (node.get_subscriber_names_and_types_by_node, "rt{}", read, "rt{}", read),
        (node.get_service_names_and_types_by_node, "rr{}Reply", written, "rq{}Request", read),
        (node.get_client_names_and_types_by_node, "rq{}Request", written, "rr{}Reply", read),
    )
    for name, namespace in node.get_node_names_and_namespaces():
        if name == "onlooker":
            continue
        role = role_of(name).name
        for look, first, into, second, into_too in ways:
            for found, _ in look(name, namespace):
                into[role].add(first.format(found))
                into_too[role].add(second.format(found))
    return written, read


def allowed(topic: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(topic, pattern) for pattern in patterns)


@pytest.mark.stack
def test_the_running_graph_does_what_the_roles_say(
    stack_process: Callable[..., subprocess.Popen[bytes]], ros_domain: int, port: int
) -> None:
    stack = ("--namespace", NAMESPACE)
    up = stack_process("roboinstruct_ros.cli", "up", "--port", str(port), "--speed", "0", *stack)
    wait_up(lambda: stack_process.log_of(up))  # type: ignore[attr-defined]
    stack_process("roboinstruct_ros.cli", "status", "--follow", *stack)
    expected = {node for name in RUNNING if name != "cli" for node in BY_NAME[name].all_nodes}
    with onlooker(ros_domain) as node:
        until(lambda: expected <= set(node.get_node_names()), "all nodes are seen")
        until(
            lambda: any(name.startswith("roboinstruct_status") for name in node.get_node_names()),
            "the command is seen",
        )

        def unused() -> list[str]:
            """Topics by name that a role may use and does not."""
            written, read = used(node)
            return [
                f"{name}: {topic}"
                for name in RUNNING
                for role in [BY_NAME[name]]
                for topics, real in (
                    (topics_of(role, NAMESPACE).written, written[name]),
                    (topics_of(role, NAMESPACE).read, read[name]),
                )
                for topic in topics
                if topic not in real and not expected_unused(topic)
            ]

        until(lambda: not unused(), lambda: f"all is used: {unused()}")
        written, read = used(node)
    assert set(written) == set(RUNNING)
    for name in RUNNING:
        topics = topics_of(BY_NAME[name], NAMESPACE)
        assert [one for one in written[name] if not allowed(one, topics.written)] == []
        assert [one for one in read[name] if not allowed(one, topics.read)] == []


def expected_unused(topic: str) -> bool:
    """What comes with every node or action, used or not, and what is used for a moment only."""
    ros = (
        "rt/clock", "rt/rosout", "ros_discovery_info", "*parameter*", "*/get_type_description*",
        "*/roboinstruct_[*]*", "*/_action/feedback", "*/_action/status",
    )  # fmt: skip
    momentary = tuple(f"*/{NAMESPACE}/{service}Re*" for service in OF_OTHER_COMMANDS)
    return any(fnmatchcase(topic, pattern) for pattern in (*ros, *momentary))
