"""How often a process is woken; one that sleeps costs nothing."""

from __future__ import annotations

import re
import threading
from pathlib import Path

_COUNTED = re.compile(r"^voluntary_ctxt_switches:\s+(\d+)", re.MULTILINE)


def wakes_in(seconds: float, pid: int) -> int:
    """How often the threads of a process are woken within that time, those of DDS aside."""
    before = _wakes(pid)
    threading.Event().wait(seconds)
    return _wakes(pid) - before


def _wakes(pid: int) -> int:
    count = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        counted = _COUNTED.search((thread / "status").read_text())
        if counted and not (thread / "comm").read_text().startswith("dds"):
            count += int(counted[1])
    return count
