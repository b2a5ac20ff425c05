"""Access to Nav2's Python packages; no other module imports them."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Any, Protocol
from xml.etree import ElementTree

from rclpy.node import Node

from roboinstruct_ros.names import NAV2_SKILLS_NODE
from roboinstruct_ros.skill_servers.kit.robot_packages import robot_module

_NEEDED = ("nav2", NAV2_SKILLS_NODE)
ACTIONS = ("navigate_to_pose", "compute_path_to_pose")
"""The Nav2 actions that a drive uses."""


class Commander(Protocol):
    """The used part of `nav2_simple_commander.robot_navigator.BasicNavigator`.

    It spins itself in every call, so all calls must come from one thread.
    """

    result_future: Any
    """Result future of the last goal; its `result()` has `result`, with `error_code` since Iron."""

    def getPath(self, start: Any, goal: Any, planner_id: str = "", use_start: bool = False) -> Any:
        """Return a `nav_msgs/Path`, or None if there is none; may wait forever for the server."""

    def clearAllCostmaps(self) -> None:
        """Clear both costmaps; may wait forever for the services."""

    def destroy_node(self) -> None: ...


class Nav2Release(Enum):
    """The features of `NavigateToPose` that differ between Nav2 releases."""

    NO_ERROR_FIELDS = "Humble or older: NavigateToPose has no error fields"
    NO_ERROR_MSG = "Iron: NavigateToPose has an error_code and no error_msg"
    JAZZY = "Jazzy"
    KILTED = "Kilted or newer"

    @property
    def fits(self) -> bool:
        """Whether the release lets `go_to` report why it failed."""
        return self in (Nav2Release.JAZZY, Nav2Release.KILTED)


def make_commander(node: Node) -> Commander:
    """Create a `BasicNavigator`, itself a node, in the namespace of a node.

    Raises ConfigError if Nav2's Python packages are not installed.
    """
    made = commander_class()
    release = release_of(navigate_to_pose())
    if not release.fits:
        text = f"this Nav2 is {release.value}; a failed go_to cannot say why"
        node.get_logger().warning(text)
    name = f"{node.get_name()}_navigator"
    commander: Commander = made(node_name=name, namespace=node.get_namespace())
    return commander


def commander_class() -> Any:
    """`BasicNavigator`. Raises ConfigError if nav2_simple_commander is not installed."""
    return robot_module("nav2_simple_commander.robot_navigator", *_NEEDED).BasicNavigator


def navigate_to_pose() -> Any:
    """The action type. Raises ConfigError if nav2_msgs is not installed."""
    return robot_module("nav2_msgs.action", *_NEEDED).NavigateToPose


def release_of(action: Any) -> Nav2Release:
    """The Nav2 release, from the fields and constants of `NavigateToPose.Result`."""
    result = action.Result
    fields = result.get_fields_and_field_types()
    if "error_code" not in fields:
        return Nav2Release.NO_ERROR_FIELDS
    if "error_msg" not in fields:
        return Nav2Release.NO_ERROR_MSG
    return Nav2Release.KILTED if hasattr(result, "TF_ERROR") else Nav2Release.JAZZY


def nav2_version() -> str:
    """The version of nav2_msgs, in brackets; empty if unknown."""
    try:
        from ament_index_python.packages import get_package_share_directory

        package = Path(get_package_share_directory("nav2_msgs")) / "package.xml"
        version = ElementTree.parse(package).findtext("version")
    except (LookupError, OSError, ElementTree.ParseError):
        return ""
    return f" (nav2_msgs {version})" if version else ""
