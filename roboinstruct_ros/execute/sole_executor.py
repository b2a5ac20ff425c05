"""Allows one executor per robot on this machine: two would both carry out each request.

The claim is a kernel lock, which is released however the process ends.
"""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from pathlib import Path
from typing import IO

from roboinstruct_ros.domain.configuration import ConfigError


def claim_robot(namespace: str = "") -> IO[str]:
    """Claim the robot of this ROS domain and namespace while the returned file is open.

    Raises:
        ConfigError: another process on this machine has claimed it.
    """
    domain = os.environ.get("ROS_DOMAIN_ID") or "0"
    name = "-".join(re.findall(r"\w+", f"{domain} {namespace}"))
    file = _opened(Path(tempfile.gettempdir()) / f"roboinstruct-executor-{name}.lock")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        within = f" and namespace '{namespace}'" if namespace.strip("/") else ""
        message = (
            f"one runs in ROS domain {domain}{within} already; give it the task with"
            " `roboinstruct run`, end it, or set another ROS_DOMAIN_ID"
        )
        raise ConfigError("executor", 0, "", message) from None
    return file


def check_robot_free(namespace: str = "") -> None:
    """Check that no process has claimed the robot. Raises ConfigError as `claim_robot` does."""
    claim_robot(namespace).close()


def _opened(path: Path) -> IO[str]:
    try:  # the file may belong to another user: do not open it for creation
        return path.open()
    except FileNotFoundError:
        path.touch(0o644)
        return path.open()
