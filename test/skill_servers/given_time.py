"""Time as it passes for processes: without what the machine kept them waiting for a core."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it needs ROS, and not all who measure time do
    from skill_client import SkillClient

LIMIT = 60.0  # s after which a process that does not end is a fault on any machine
_LOOK = 0.01  # s between two looks at a process that ends


class GivenTime:
    """Begins now; a promise in ms is one about programs, and not about who else runs.

    Linux counts for each thread how long it was ready to run and had no core
    (`/proc/PID/task/TID/schedstat`, second number, ns). Of each process the thread that waited
    longest is taken off. On an idle machine that is next to nothing, so that the bound is the
    promise itself; a sleep, a poll or a lock that is late is never taken off. Where the kernel does
    not count it, nothing is.
    """

    def __init__(self, *pids: int) -> None:
        """Looks at these processes beside the test's own."""
        self._pids = (os.getpid(), *pids)
        self._before = self._waited()
        self._last: dict[tuple[int, str], int] = {}
        self.began = time.time()

    def until(self, moment: float) -> float:
        """Gives the s from the beginning to a moment (s since the epoch) that is just over."""
        return moment - self.began - self.withheld()

    def withheld(self) -> float:
        """The s since the beginning that the machine kept them waiting for a core.

        Of threads that have ended, as much as was there to be seen at the last look.
        """
        self._last |= self._waited()
        longest = dict.fromkeys(self._pids, 0)
        for key, now in self._last.items():
            longest[key[0]] = max(longest[key[0]], now - self._before.get(key, 0))
        return sum(longest.values()) * 1e-9

    def _waited(self) -> dict[tuple[int, str], int]:
        found = {}
        for pid in self._pids:
            for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                try:
                    found[pid, path.parent.name] = int(path.read_text().split()[1])
                except (OSError, IndexError, ValueError):  # the thread has ended
                    continue
        return found


def still(robot: SkillClient, given: GivenTime) -> float:
    """When the robot stood, s from the beginning of the given time."""
    return given.until(given.began + robot.still_after(given.began))


def time_to_end(process: subprocess.Popen[bytes] | subprocess.Popen[str], number: int) -> float:
    """Gives the s that a process takes to end after a signal, without what it waited for a core."""
    given = GivenTime(process.pid)
    process.send_signal(number)
    while process.poll() is None:
        given.withheld()
        assert time.time() < given.began + LIMIT, "it does not end"
        time.sleep(_LOOK)
    return given.until(time.time())
