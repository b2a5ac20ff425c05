"""What the running graph shows is what docs/interfaces.md says."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import rclpy
from rclpy.action import get_action_names_and_types
from rclpy.context import Context
from running_stack import wait_until, wait_up

import roboinstruct_ros
from roboinstruct_ros.bringup.node_set import Options, describe
from roboinstruct_ros.generate.models.model_options import MODEL_OPTIONS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "interfaces.md").read_text()
NODES = ("generator", "executor", "kiosk", "recorder", "sim_robot")
MODULES = {spec.name: spec.module for sim in (True, False) for spec in describe(Options(sim=sim))}
DECLARING = ("nodes/companion_watch.py", "nodes/metrics_file.py")
"""What declares parameters of the nodes that have it."""
ROS_TOPICS = ("/parameter_events", "/rosout")
ROS_SERVICES = (
    "describe_parameters", "get_parameter_types", "get_parameters", "list_parameters",
    "set_parameters", "set_parameters_atomically", "get_type_description",
)  # fmt: skip


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
        wait_until(lambda: set(NODES) <= set(node.get_node_names()), 20, "all nodes are seen")
        wait_until(lambda: len(get_action_names_and_types(node)) == 8, 20, "all actions are seen")
        topics = [name for name, _ in node.get_topic_names_and_types() if name not in ROS_TOPICS]
        services = [
            name
            for name, _ in node.get_service_names_and_types()
            if name.rpartition("/")[2] not in ROS_SERVICES and "/onlooker/" not in name
        ]
        actions = [name for name, _ in get_action_names_and_types(node)]
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)
    assert {"/odom", "/roboinstruct/events"} <= set(topics)
    shown = [name for name in (*topics, *services, *actions) if "/_action/" not in name]
    assert [name for name in shown if not documented(name)] == []


@pytest.mark.parametrize("node", (*NODES, "nav2_skills"))
def test_every_documented_parameter_exists(node: str) -> None:
    package = Path(roboinstruct_ros.__file__).parent
    module = package.parent / f"{MODULES[node].replace('.', '/')}.py"
    beside = module.parent.glob("*.py") if module.stem == "node" else [module]
    declaring = (*beside, *(package / part for part in DECLARING))
    source = "".join(path.read_text() for path in declaring)
    if node == "generator":
        source += "".join(f'"{one.name}"' for one in MODEL_OPTIONS)
    rows = [line for line in PAGE.splitlines() if line.startswith(f"| {node} |")]
    assert rows
    for row in rows:
        for name in row.split("|")[2].replace("`", "").split(","):
            assert f'"{name.strip()}"' in source, f"{node} has no parameter {name.strip()}"
