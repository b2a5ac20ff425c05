"""What the running graph shows is what docs/interfaces.md and docs/options.md say."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rclpy
from rclpy.action import get_action_names_and_types
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter_client import AsyncParameterClient
from running_stack import wait_up
from waiting import until

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "interfaces.md").read_text()
NODES = ("generator", "executor", "kiosk", "recorder", "sim_robot")
OPTIONS = (Path(__file__).resolve().parents[2] / "docs" / "options.md").read_text()
ROS_TOPICS = ("/parameter_events", "/rosout")
ROS_SERVICES = (
    "describe_parameters", "get_parameter_types", "get_parameters", "list_parameters",
    "set_parameters", "set_parameters_atomically", "get_type_description",
)  # fmt: skip


def parameters_of(name: str, node: Node) -> set[str]:
    """What the running node lists, less what ROS itself adds."""
    client = AsyncParameterClient(node, name)
    executor = SingleThreadedExecutor(context=node.context)

    def listed() -> Any:  # DDS drops the answer to a client that has only just come
        asked = client.list_parameters([], 1)
        rclpy.spin_until_future_complete(node, asked, executor, timeout_sec=1)
        return asked.result()

    return {*until(listed).result.names} - {"use_sim_time", "start_type_description_service"}


def parameters_documented(name: str) -> set[str]:
    table = OPTIONS.partition(f"## {name}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE))


def documented(name: str) -> bool:
    return f"`{name.lstrip('/')}`" in PAGE or f"`{name}`" in PAGE


@pytest.mark.stack
def test_every_name_is_documented(
    stack_process: Callable[..., subprocess.Popen[bytes]], ros_domain: int, port: int
) -> None:
    up = stack_process("roboinstruct_ros.cli", "up", "--port", str(port), "--speed", "0")
    wait_up(lambda: stack_process.log_of(up))  # type: ignore[attr-defined]
    context = Context()
    rclpy.init(context=context, domain_id=ros_domain)
    node = rclpy.create_node("onlooker", context=context)
    try:
        until(lambda: set(NODES) <= set(node.get_node_names()), "all nodes are seen")
        until(lambda: len(get_action_names_and_types(node)) == 8, "all actions are seen")
        topics = [name for name, _ in node.get_topic_names_and_types() if name not in ROS_TOPICS]
        services = [
            name
            for name, _ in node.get_service_names_and_types()
            if name.rpartition("/")[2] not in ROS_SERVICES and "/onlooker/" not in name
        ]
        actions = [name for name, _ in get_action_names_and_types(node)]
        unhidden = [name for name in node.get_node_names() if not name.startswith("_")]
        served = {name for name, _ in node.get_service_names_and_types()}
        declared = {name: parameters_of(name, node) for name in NODES}
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)
    assert {"/odom", "/roboinstruct/events"} <= set(topics)
    # `ros2 param list` waits 5 s for each that has none
    assert [name for name in unhidden if f"/{name}/list_parameters" not in served] == []
    shown = [name for name in (*topics, *services, *actions) if "/_action/" not in name]
    assert [name for name in shown if not documented(name)] == []
    assert declared == {name: parameters_documented(name) for name in NODES}
