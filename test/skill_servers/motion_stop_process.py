"""The node `motion_stop` in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

COMMAND = [sys.executable, "-m", "roboinstruct_ros.skill_servers.motion_stop"]


@contextmanager
def motion_stop(*parameters: str) -> Iterator[subprocess.Popen[str]]:
    """It must end well, unless the test has ended it."""
    given = [word for one in parameters for word in ("-p", one)]
    process = subprocess.Popen([*COMMAND, "--ros-args", *given], stderr=subprocess.PIPE, text=True)
    try:
        yield process
        if process.poll() is None:
            process.terminate()
        said = process.communicate(timeout=10)[1]
        assert process.returncode in (0, -9), said
        assert "Traceback" not in said, said
    except BaseException:
        process.kill()
        print(process.communicate()[1])
        raise
