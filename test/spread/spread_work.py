"""Work that other processes can import."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError


def double(number: int) -> int:
    return 2 * number


def fail(_: int) -> int:
    raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, "there is no model")


def die(folder: Path, times: int, number: int) -> int:
    """Die over number 3 the first few times."""
    deaths = len(list(folder.iterdir()))
    if number == 3 and deaths < times:
        (folder / str(deaths)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def whose(_: int) -> int:
    return os.getpid()


def die_always(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0
