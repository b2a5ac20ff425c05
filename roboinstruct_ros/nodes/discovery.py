"""Who is there: by which name, and whether it has discovered this node's clients in turn.

A client sees a server as soon as it has discovered it; the server drops its answer when it has not
discovered the client in turn. DDS announces the endpoints of a participant in the order in which
they were made, so an answer to a client that was made last shows that the earlier ones are known.
"""

from __future__ import annotations

import time

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
_NOT_YET_TOLD = "_NODE_NAME_UNKNOWN_"  # rmw's name for whoever has not told its own
_AGAIN = 0.5  # s after which the question is repeated


def middleware() -> str:
    """The DDS implementation under rclpy, e.g. `rmw_fastrtps_cpp`."""
    return str(rclpy.get_rmw_implementation_identifier())


def known_name(node: Node, monitor: HeartbeatMonitor, core: str) -> str:
    """The name by which the generator or the executor goes, empty where it is not known yet.

    A remapping may have changed it: it is that of whoever serves the action. DDS tells of what is
    served before it tells by whom.

    Args:
        core: its own name.
    """
    if core in monitor.seen():
        return core
    told = node.resolve_topic_name(f"{_SERVED[core]}/_action/status")
    serving = (one.node_name for one in node.get_publishers_info_by_topic(told))
    return next((name for name in serving if name != _NOT_YET_TOLD), "")


def name_of(node: Node, monitor: HeartbeatMonitor, core: str) -> str:
    """The same; its own name where nothing else is known."""
    return known_name(node, monitor, core) or core


def wait_discovered(node: Node, server: str, limit: float) -> bool:
    """Whether the node `server` answers within `limit` s; another thread spins `node`."""
    client = node.create_client(
        ListParameters, f"{server}/list_parameters", callback_group=ReentrantCallbackGroup()
    )
    deadline = time.monotonic() + limit
    try:
        while time.monotonic() < deadline:
            if answer_of(client, ListParameters.Request(), _AGAIN) is not None:
                return True
        return False
    finally:
        node.destroy_client(client)
