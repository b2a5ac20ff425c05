"""What `make bench` prints of execution: calls, the monitor, stops, going on after a kill."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from calls import CallCosts, Calls, call_costs
from execution import MonitorCosts, monitor_costs
from resuming import Resumed, resume_times
from rich.console import Console
from rich.table import Table
from stops import BUSY, stop_latencies
from verification import percentile

Row = tuple[str, str, str, str]


def print_execution(console: Console) -> None:
    """Measure and print; some minutes."""
    with console.status("calling skills"):
        calls = call_costs()
    with console.status("looking again at running programs"):
        monitor = monitor_costs()
    with console.status("stopping the robot"):
        stops = stop_latencies()
    with console.status("killing the executor"):
        resumed = resume_times()
    table = Table(title="execution")
    for column in ("what", "median", "p99", "goal"):
        table.add_column(column)
    for row in (*_calls(calls), *_monitor(monitor), *_stops(stops), *_resumed(resumed)):
        table.add_row(*row)
    console.print(table)


def _calls(costs: CallCosts) -> list[Row]:
    return [
        *_beside_bare("records on the disk", costs.on_disk),
        *_beside_bare("records in memory", costs.in_memory),
        _row("the two records of a call on that disk", costs.records),
    ]


def _beside_bare(where: str, calls: Calls) -> list[Row]:
    middle, late = (
        f"{of(calls.program) / of(calls.bare):.2f} : 1"
        for of in (statistics.median, lambda times: percentile(times, 0.99))
    )
    count = len(calls.program)
    return [
        _row(f"a program's skill call to its server and back, {where} ({count})", calls.program),
        _row(f"a goal of a bare rclpy client, in turn with those ({count})", calls.bare),
        ("the one over the other", middle, late, "1.5 : 1, p99 2 : 1"),
    ]


def _monitor(costs: MonitorCosts) -> list[Row]:
    what = f"after a failed skill: the rest verified again before a call ({len(costs.seconds)})"
    return [
        _row(what, costs.seconds, "p99 5 ms"),
        _row("of it, computing", costs.processor),
    ]


def _stops(latencies: Sequence[float]) -> list[Row]:
    what = f"stop of a drive beside {BUSY} processes that compute ({len(latencies)})"
    return [_row(what, latencies, "p99 100 ms")]


def _resumed(times: Sequence[Resumed]) -> list[Row]:
    count = len(times)
    return [
        _slowest(f"SIGKILL: from the new start to the next call ({count}; p99: slowest)",
                 [one.called for one in times], "2 s"),
        _slowest("of it, until the run is offered", [one.offered for one in times]),
        _slowest("of it, computing", [one.computed for one in times]),
    ]  # fmt: skip


def _slowest(what: str, seconds: Sequence[float], goal: str = "") -> Row:
    return what, f"{statistics.median(seconds):.2f} s", f"{max(seconds):.2f} s", goal


def _row(what: str, seconds: Sequence[float], goal: str = "") -> Row:
    half, most = statistics.median(seconds) * 1e3, percentile(seconds, 0.99) * 1e3
    return what, f"{half:.2f} ms", f"{most:.1f} ms", goal
