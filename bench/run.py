"""`make bench`: figures of the verifier, as ratios and plots of one run."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence

import plotext
from rich.console import Console
from rich.table import Table
from verification import (
    Cost,
    Growth,
    growth_with_branches,
    growth_with_rooms,
    lines_per_second,
    percentile,
    table_costs,
)

_GOALS = {"median": 3.0, "p99": 50.0, "lines": 20.0}
"""ms, ms, s"""


def main() -> None:
    console = Console()
    with console.status("verifying the table of programs"):
        costs = table_costs()
    with console.status("verifying 2,000 programs on all cores"):
        seconds, answered = lines_per_second()
    console.print(_table(costs, seconds, answered))
    with console.status("growing programs"):
        branches, rooms = growth_with_branches(), growth_with_rooms()
    _plot("ms over the number of independent questions (o: all worlds, x: sampled)", branches)
    _plot("ms over the number of rooms searched (o: all worlds, x: sampled)", rooms)


def _table(costs: Sequence[Cost], seconds: float, answered: int) -> Table:
    verdicts = [cost.verdict for cost in costs]
    ratios = [cost.verdict / cost.plain for cost in costs if cost.plain]
    slowest = max(costs, key=lambda cost: cost.verdict)
    table = Table(title=f"verifier: {len(costs)} programs, warm worker, nothing cached")
    for column in ("what", "measured", "goal"):
        table.add_column(column)
    rows = [
        ("median verdict", f"{statistics.median(verdicts):.2f} ms", f"{_GOALS['median']:g} ms"),
        ("99th percentile", f"{percentile(verdicts, 0.99):.1f} ms", f"{_GOALS['p99']:g} ms"),
        ("slowest", f"{slowest.verdict:.1f} ms ({slowest.name}, {slowest.paths} worlds)", ""),
        ("verdict : one plain run, median", f"{statistics.median(ratios):.0f} : 1", ""),
        (
            f"verify --jsonl, {answered} programs, {len(os.sched_getaffinity(0))} cores",
            f"{seconds:.1f} s",
            f"{_GOALS['lines']:g} s",
        ),
    ]
    for row in rows:
        table.add_row(*row)
    return table


def _plot(title: str, growth: Growth) -> None:
    plotext.clear_figure()
    plotext.plot_size(90, 18)
    plotext.theme("clear")
    plotext.title(title)
    for exhaustive, marker in ((True, "o"), (False, "x")):
        points = [
            (size, taken)
            for size, taken, whole in zip(
                growth.sizes, growth.times, growth.exhaustive, strict=True
            )
            if whole == exhaustive
        ]
        if points:
            plotext.scatter(*zip(*points, strict=True), marker=marker)
    plotext.show()


if __name__ == "__main__":
    main()
