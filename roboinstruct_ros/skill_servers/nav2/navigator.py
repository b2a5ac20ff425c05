"""Makes the real `BasicNavigator`, and knows which Nav2 it is; the only place that imports Nav2."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from rclpy.node import Node

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.skill_servers.nav2.drive import INSTALL, Navigator


class Nav2Release(Enum):
    """What tells the releases apart in `NavigateToPose`."""

    NO_ERROR_FIELDS = "Humble or older: NavigateToPose has no error fields"
    NO_ERROR_MSG = "Iron: NavigateToPose has an error_code and no error_msg"
    JAZZY = "Jazzy"
    KILTED = "Kilted or newer"

    @property
    def fits(self) -> bool:
        """Whether `go_to` can say why it failed."""
        return self in (Nav2Release.JAZZY, Nav2Release.KILTED)


def navigator_class() -> Any:
    """`BasicNavigator`.

    Raises:
        ConfigError: Nav2's Python packages are not installed.
    """
    try:
        from nav2_simple_commander.robot_navigator import BasicNavigator
    except ImportError as error:
        raise ConfigError("nav2", 0, "", f"{INSTALL} ({error})") from None
    return BasicNavigator


def make_navigator(node: Node) -> Navigator:
    """Makes the navigator in the namespace of a node, as a node of its own.

    Raises:
        ConfigError: Nav2's Python packages are not installed.
    """
    made = navigator_class()
    release = release_of(navigate_to_pose())
    if not release.fits:
        text = f"this Nav2 is {release.value}; a failed go_to cannot say why"
        node.get_logger().warning(text)
    name = f"{node.get_name()}_navigator"
    navigator: Navigator = made(node_name=name, namespace=node.get_namespace())
    return navigator


def navigate_to_pose() -> Any:
    """Gives Nav2's action type.

    Raises:
        ImportError: nav2_msgs is not there.
    """
    from nav2_msgs.action import NavigateToPose

    return NavigateToPose


def release_of(action: Any) -> Nav2Release:
    """Tells from the fields and constants of `NavigateToPose.Result` which Nav2 it is."""
    result = action.Result
    fields = result.get_fields_and_field_types()
    if "error_code" not in fields:
        return Nav2Release.NO_ERROR_FIELDS
    if "error_msg" not in fields:
        return Nav2Release.NO_ERROR_MSG
    return Nav2Release.KILTED if hasattr(result, "TF_ERROR") else Nav2Release.JAZZY


def nav2_version() -> str:
    """Gives the version of nav2_msgs, in brackets; empty when it cannot be told."""
    try:
        from ament_index_python.packages import get_package_share_directory

        package = Path(get_package_share_directory("nav2_msgs")) / "package.xml"
        version = ElementTree.parse(package).findtext("version")
    except (LookupError, OSError, ElementTree.ParseError):
        return ""
    return f" (nav2_msgs {version})" if version else ""
