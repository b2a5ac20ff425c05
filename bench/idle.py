"""What the stack computes while nobody asks anything of it, by process."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping

import psutil
from graph import own_graph
from rich.console import Console
from rich.table import Table
from whole_stack import whole_stack

SECONDS = 20.0
"""Measured at a time."""
GOAL = 15.0
"""Of one core, for all processes together, in per cent."""

GOALS = {"recorder": "1"}
"""Of single processes, in per cent."""

_SETTLED = 5.0  # s after the start, until DDS has found everybody and Python has read its modules
_NODE = "roboinstruct_"  # how the title of a node's process begins


def idle_shares(seconds: float = SECONDS) -> dict[str, float]:
    """Of each process of `roboinstruct up`, kiosk and recorder too, in per cent of one core."""
    with own_graph() as processes, whole_stack(processes) as stack:
        time.sleep(_SETTLED)
        before = node_times(stack.supervisor)
        begun = time.monotonic()
        time.sleep(seconds)
        passed = time.monotonic() - begun
        after = node_times(stack.supervisor)
        return {name: (after[name] - before.get(name, 0.0)) / passed * 100 for name in after}


def print_idle(console: Console) -> None:
    """Measure and print; half a minute."""
    with console.status("leaving the stack alone"):
        shares = idle_shares()
    table = Table(title="an idle stack, per cent of one core")
    for column in ("process", "measured", "goal"):
        table.add_column(column)
    for name, share in sorted(shares.items(), key=lambda one: -one[1]):
        table.add_row(name, f"{share:.1f}", GOALS.get(name, ""))
    table.add_row("in all", f"{sum(shares.values()):.1f}", f"{GOAL:g}")
    console.print(table)


def node_times(supervisor: int) -> Mapping[str, float]:
    """Processor time of every process until now, with that of the processes it has, s."""
    top = psutil.Process(supervisor)
    nodes = [one for one in top.children(recursive=True) if _title(one).startswith(_NODE)]
    times = {
        _title(node).removeprefix(_NODE): _time(node, *node.children(recursive=True))
        for node in nodes
    }
    return {"supervisor": _time(top, *top.children()), **times}


def _time(*processes: psutil.Process) -> float:
    times = [process.cpu_times() for process in processes]
    return float(sum(one.user + one.system for one in times))


def _title(process: psutil.Process) -> str:
    return str(process.cmdline()[0])


if __name__ == "__main__":
    shares = idle_shares(float(sys.argv[1]) if sys.argv[1:] else SECONDS)
    words = [f"{name} {share:.1f}" for name, share in shares.items()]
    print(", ".join(words), "in all", f"{sum(shares.values()):.1f} %")
