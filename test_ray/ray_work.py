"""Work that the processes of a cluster can import."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def die_once(given: tuple[str, int]) -> int:
    """The number; the process dies over number 3 the first time."""
    died, number = Path(given[0]), given[1]
    if number == 3 and not died.exists():
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number
