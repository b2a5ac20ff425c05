"""Assigns a process its enclave, by the variables that rcl reads.

A process started by a node (MoveIt's, Nav2's guard) inherits them, and so its enclave.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from roboinstruct_ros.security.roles import CLI

_ENABLE = "ROS_SECURITY_ENABLE"


def security_variables(keystore: str, enclave: str) -> dict[str, str]:
    """Variables for a process in this enclave; none without a keystore."""
    if not keystore:
        return {}
    return {
        _ENABLE: "true",
        "ROS_SECURITY_STRATEGY": "Enforce",
        "ROS_SECURITY_KEYSTORE": str(Path(keystore).expanduser().resolve()),
        "ROS_SECURITY_ENCLAVE_OVERRIDE": f"/{enclave}",
    }


def enter_command_line(keystore: str) -> str:
    """Put this process into the enclave of the command line. Returns the argument."""
    os.environ.update(security_variables(keystore, CLI))
    return keystore


def is_enforced(environ: Mapping[str, str]) -> bool:
    """Whether rcl enforces enclaves."""
    return environ.get(_ENABLE) == "true"
