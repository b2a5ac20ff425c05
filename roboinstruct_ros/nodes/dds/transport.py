"""Restricts Fast DDS to UDP.

Its shared-memory transport, on by default, declares a port dead when a clock jumps or a thread gets
no CPU for a second, and a killed process may leave it locked. Two nodes then discover each other
but receive nothing, without an error. The messages of this stack are small enough for UDP.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from roboinstruct_ros.domain.files.shared_files import shared_file

REACH = "ROS_AUTOMATIC_DISCOVERY_RANGE"

_PROFILE_VARIABLES = ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")
_TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
_PROFILE = "config/dds_this_machine.xml"


def transport_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Environment variables to set in this process before `rclpy.init` and in its children.

    A Fast DDS profile or transport chosen by the user takes precedence. With `LOCALHOST`, rclpy
    always adds shared memory, so that range is set by a profile of our own instead.
    """
    if any(environ.get(name) for name in (*_PROFILE_VARIABLES, _TRANSPORTS)):
        return {}
    if environ.get(REACH) != "LOCALHOST":
        return {_TRANSPORTS: "UDPv4"}
    return {REACH: "SYSTEM_DEFAULT", _PROFILE_VARIABLES[0]: str(shared_file(_PROFILE))}


def choose_transport() -> None:
    """Set the variables for this process and its children."""
    os.environ.update(transport_variables(os.environ))


def reach(environ: Mapping[str, str]) -> str:
    """Range of discovery, as the value of the ROS 2 variable."""
    if environ.get(_PROFILE_VARIABLES[0], "").endswith(_PROFILE):
        return "LOCALHOST"
    return environ.get(REACH) or "SUBNET"
