"""What the whole stack takes from its start on while nobody asks anything of it, by process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

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
READY_GOAL = 1.5  # s

_SETTLED = 5.0  # s after the start, until DDS has found everybody and Python has read its modules
_NODE = "roboinstruct_"  # how the title of a node's process begins


@dataclass(frozen=True)
class Idle:
    """Attributes:
    ready: s from the start of `roboinstruct up` until all nodes are up.
    shares: of each process, kiosk and recorder too, in per cent of one core.
    memory: of each process, in MB; what several processes share counts by their number.
    """

    ready: float
    shares: Mapping[str, float]
    memory: Mapping[str, float]


def idle(seconds: float = SECONDS) -> Idle:
    """Start the stack, leave it alone for so long, and end it."""
    with own_graph() as processes, whole_stack(processes) as stack:
        time.sleep(_SETTLED)
        before, begun = node_times(stack.supervisor), time.monotonic()
        time.sleep(seconds)
        passed, after = time.monotonic() - begun, node_times(stack.supervisor)
        shares = {name: (after[name] - before.get(name, 0.0)) / passed * 100 for name in after}
        memory = {
            name: sum(one.memory_full_info().pss for one in some) / 1e6
            for name, some in _processes(stack.supervisor).items()
        }
        return Idle(stack.ready, shares, memory)


def print_idle(console: Console) -> None:
    """Measure and print; half a minute."""
    with console.status("leaving the stack alone"):
        found = idle()
    console.print(f"from the command until all nodes are up: {found.ready:.1f} s ({READY_GOAL:g})")
    table = Table(title="an idle stack")
    for column in ("process", "per cent of one core", "goal", "memory, MB"):
        table.add_column(column)
    for name, share in sorted(found.shares.items(), key=lambda one: -one[1]):
        table.add_row(name, f"{share:.1f}", GOALS.get(name, ""), f"{found.memory[name]:.0f}")
    used, memory = sum(found.shares.values()), sum(found.memory.values())
    table.add_row("in all", f"{used:.1f}", f"{GOAL:g}", f"{memory:.0f}")
    console.print(table)


def node_times(supervisor: int) -> Mapping[str, float]:
    """Processor time of every process until now, with that of the processes it has, s."""
    times = {}
    for name, processes in _processes(supervisor).items():
        spent = [process.cpu_times() for process in processes]
        times[name] = float(sum(one.user + one.system for one in spent))
    return times


def _processes(supervisor: int) -> Mapping[str, list[psutil.Process]]:
    """Each node's processes, and those that start the nodes."""
    top = psutil.Process(supervisor)
    found = {"supervisor": [top, *top.children()]}
    for process in top.children(recursive=True):
        title = process.cmdline()[0]
        if title.startswith(_NODE):
            own = [process, *process.children(recursive=True)]
            found[title.removeprefix(_NODE)] = own
    return found


if __name__ == "__main__":
    print_idle(Console())
