"""Imports Python packages that come with the robot's ROS installation, not from a package index."""

from __future__ import annotations

import importlib
from typing import Any

from roboinstruct_ros.domain.configuration import ConfigError

_NAMED_OTHERWISE = {"moveit": "moveit_py", "tf2_ros": "tf2_ros_py"}


def robot_module(name: str, field: str, whose: str = "", instead: str = "") -> Any:
    """Import a module of such a package.

    Raises:
        ConfigError: the package is not installed. It names the configuration's `field`, `whose`
            choice needs it, and what else to choose `instead`.
    """
    package = name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ImportError:
        wanted = _NAMED_OTHERWISE.get(package, package)
        needed = f"needs {wanted}: apt install {debian(package)}, and source ROS"
        raise ConfigError(field, 0, "", f"{whose} {needed}{instead}".strip()) from None


def debian(package: str) -> str:
    """The Debian package of a Python package."""
    return f"ros-jazzy-{_NAMED_OTHERWISE.get(package, package).replace('_', '-')}"
