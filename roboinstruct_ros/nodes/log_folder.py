"""Lets ROS start where its log files cannot be written, such as without a home folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp

LOG_FOLDER = "ROS_LOG_DIR"


def with_log_folder(arguments: list[str] | None) -> list[str]:
    """Arguments for `rclpy.init`, which fails when it cannot make its folder of log files.

    A stop must not depend on that: if need be the files go to a temporary folder, after one line on
    stderr, and without one there are none.

    Args:
        arguments: None for those of the process.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    home = Path(os.environ.get("ROS_HOME") or "~/.ros")
    try:
        folder = Path(os.environ.get(LOG_FOLDER) or home / "log").expanduser()
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except (OSError, RuntimeError) as error:  # RuntimeError: the user has no home folder
        try:
            folder = Path(mkdtemp(prefix="roboinstruct-log-"))
        except OSError:
            # only here: the end of a forked node would crash
            return [*arguments, "--ros-args", "--disable-external-lib-logs"]
        print(f"log files of ROS go to {folder}: {error}", file=sys.stderr)
    os.environ[LOG_FOLDER] = str(folder)  # rcl knows a home folder from HOME only
    return arguments
