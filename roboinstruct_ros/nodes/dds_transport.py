"""How Fast DDS carries messages: by UDP only.

Its shared memory, on by default, takes a port for dead when a clock jumps or when a thread gets no
processor for a second, and a process that is killed may leave it locked. Two nodes then see each
other and hear nothing, without an error. This stack's messages are small: UDP does as well.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from roboinstruct_ros.domain.shared_files import shared_file

REACH = "ROS_AUTOMATIC_DISCOVERY_RANGE"
"""Variable of ROS 2: how far discovery reaches."""

_PROFILE_VARIABLES = ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")
_TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
_PROFILE = "config/dds_this_machine.xml"


def transport_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Variables to set, in this process before `rclpy.init` and for those it starts.

    What the user says of Fast DDS (a profile, the transports) holds. With `LOCALHOST`, rclpy adds
    shared memory whatever is said, so that this reach is put down as a profile of our own.
    """
    if any(environ.get(name) for name in (*_PROFILE_VARIABLES, _TRANSPORTS)):
        return {}
    if environ.get(REACH) != "LOCALHOST":
        return {_TRANSPORTS: "UDPv4"}
    return {REACH: "SYSTEM_DEFAULT", _PROFILE_VARIABLES[0]: str(shared_file(_PROFILE))}


def choose_transport() -> None:
    """Set them, for this process and those it starts."""
    os.environ.update(transport_variables(os.environ))


def reach(environ: Mapping[str, str]) -> str:
    """How far discovery reaches, in ROS 2's words."""
    if environ.get(_PROFILE_VARIABLES[0], "").endswith(_PROFILE):
        return "LOCALHOST"
    return environ.get(REACH) or "SUBNET"
