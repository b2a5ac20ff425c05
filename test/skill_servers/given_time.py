"""Time as it passes for processes: without what the machine kept them waiting for a core."""

from __future__ import annotations

import os
import time
from pathlib import Path


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
        self.began = time.time()

    def until(self, moment: float) -> float:
        """Gives the s from the beginning to a moment (s since the epoch) that is just over."""
        longest = dict.fromkeys(self._pids, 0)
        for key, now in self._waited().items():
            longest[key[0]] = max(longest[key[0]], now - self._before.get(key, 0))
        return moment - self.began - sum(longest.values()) * 1e-9

    def _waited(self) -> dict[tuple[int, str], int]:
        found = {}
        for pid in self._pids:
            for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                try:
                    found[pid, path.parent.name] = int(path.read_text().split()[1])
                except (OSError, IndexError, ValueError):  # the thread has ended
                    continue
        return found
