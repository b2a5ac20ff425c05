"""Finds nodes by their current names and waits for mutual discovery.

A client sees a server as soon as it has discovered it, but the server drops its response until it
has discovered the client in turn. DDS announces a participant's endpoints in the order of their
creation, so a response to the client created last shows that the earlier ones are known.
"""

from __future__ import annotations

from typing import Any

import rclpy
from rcl_interfaces.srv import ListParameters
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node

from roboinstruct_ros import names
from roboinstruct_ros.nodes.asked_service import answer_of
from roboinstruct_ros.nodes.heartbeat import HeartbeatMonitor

_SERVED = {
    names.GENERATOR_NODE: names.GENERATE_PROGRAM_ACTION,
    names.EXECUTOR_NODE: names.EXECUTE_PROGRAM_ACTION,
}
CORE = tuple(_SERVED)
"""The nodes of every stack, by their default names."""

_NOT_YET_TOLD = "_NODE_NAME_UNKNOWN_"  # rmw's placeholder for a node whose name has not arrived
_AGAIN = 0.5  # s after which the request is repeated


def middleware() -> str:
    """The DDS implementation under rclpy, e.g. `rmw_fastrtps_cpp`."""
    return str(rclpy.get_rmw_implementation_identifier())


def known_name(node: Node, monitor: HeartbeatMonitor, core: str) -> str:
    """The current name of the generator or the executor; empty if not yet known.

    A remapping may have changed it, so the node is found by the action that it serves. DDS
    announces an endpoint before the name of its node.

    Args:
        core: the node's default name.
    """
    if core in monitor.seen():
        return core
    return next((path.rpartition("/")[2] for path, _ in servers_of(node, _SERVED[core])), "")


def servers_of(node: Node, action: str) -> list[tuple[str, str]]:
    """(node with its namespace, type of its feedback) of each server of an action whose name DDS
    has told.

    A node that was killed is told of for some seconds more.
    """
    told = node.resolve_topic_name(f"{action}/_action/feedback")
    serving = node.get_publishers_info_by_topic(told)
    return sorted(
        (f"{one.node_namespace.rstrip('/')}/{one.node_name}", one.topic_type)
        for one in serving
        if one.node_name != _NOT_YET_TOLD
    )


def feedback_type(action: Any) -> str:
    """The type of the feedback messages of an action, as the graph tells it."""
    package = action.__module__.partition(".")[0]
    return f"{package}/action/{action.__name__}_FeedbackMessage"


def name_of(node: Node, monitor: HeartbeatMonitor, core: str) -> str:
    """As `known_name`, with the default name as fallback."""
    return known_name(node, monitor, core) or core


def elsewhere(node: Node) -> str:
    """Where a stack may be that was not heard: the namespaces that have one, or what to check."""
    own, ending = node.resolve_topic_name(names.TASK_STATE_TOPIC), f"/{names.TASK_STATE_TOPIC}"
    told = (topic for topic, _ in node.get_topic_names_and_types() if topic.endswith(ending))
    others = sorted(one for one in told if one != own and node.count_publishers(one))
    spaces = [topic.removesuffix(ending).strip("/") for topic in others]
    if not spaces:
        return "same ROS_DOMAIN_ID and --namespace?"
    return "there is " + " and ".join(
        f"one with --namespace {space}" if space else "one without --namespace" for space in spaces
    )


def wait_discovered(node: Node, server: str, limit: float) -> bool:
    """Whether the node `server` responds within `limit` s. Another thread must spin `node`."""
    client = node.create_client(
        ListParameters, f"{server}/list_parameters", callback_group=ReentrantCallbackGroup()
    )
    try:
        return answer_of(client, ListParameters.Request(), limit, _AGAIN) is not None
    finally:
        node.destroy_client(client)
