"""`make bench`: verifier, execution and generation in figures, as ratios and plots of one run."""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Sequence

import plotext
from evaluation import print_evaluation
from execution_tables import print_execution
from generation import FirstToken, Writing, prefix_cache, write_all
from idle import print_idle
from kiosk import print_kiosk
from recording import print_recording
from rich.console import Console
from rich.table import Table
from stop_path import print_stop_path
from verification import (
    LOOPS,
    Cost,
    Growth,
    growth_with_branches,
    growth_with_rooms,
    lines_per_second,
    percentile,
    table_costs,
)

from roboinstruct_ros.generate.writing_options import WritingOptions

_GOALS = {"median": 3.0, "p99": 50.0, "lines": 20.0}
"""ms, ms, s"""

_PARTS = {
    "execution": print_execution,
    "evaluation": print_evaluation,
    "idle": print_idle,
    "kiosk": print_kiosk,
    "recording": print_recording,
    "stop_path": print_stop_path,
}

_SEVEN_B = 57.0
"""token/s of a 7B model on a 3080 Ti. Source: ROBO-INSTRUCT."""


def main(part: str = "") -> None:
    """All of it, or one of `_PARTS` alone."""
    console = Console()
    if part:
        _PARTS[part](console)
        return
    with console.status("verifying the table of programs"):
        costs = table_costs()
    with console.status("verifying 2,000 programs on all cores"):
        seconds, answered = lines_per_second()
    console.print(_table(costs, seconds, answered))
    with console.status("growing programs"):
        branches = growth_with_branches()
        rooms = {loop: growth_with_rooms(loop) for loop in LOOPS}
    _plot("ms over the number of questions that are kept (o: all worlds, x: sampled)", branches)
    for loop, growth in rooms.items():
        _plot(f"ms over the number of rooms {loop} (o: all worlds, x: sampled)", growth)
    console.print(_worlds_table(rooms))
    for measure in _PARTS.values():
        measure(console)
    with console.status("writing programs"):
        bound, free = write_all(WritingOptions()), write_all(WritingOptions(grammar=False))
        batches = {
            count: write_all(WritingOptions(candidates=count, votes=count, ask_below=1.0))
            for count in (1, 4, 8)
        }
        first = prefix_cache()
    console.print(_writing_table(bound, free, first))
    console.print(_batch_table(batches))


def _writing_table(bound: Writing, free: Writing, first: FirstToken) -> Table:
    tasks = len(bound.seconds)
    table = Table(title=f"generation: {tasks} instructions, the shipped model, on the CPU")
    for column in ("what", "measured", "goal"):
        table.add_column(column)
    token = statistics.median(bound.first_token) * 1e3
    rows = [
        ("words to a program, median", f"{statistics.median(bound.seconds):.2f} s", "1.5 s"),
        ("the slowest", f"{max(bound.seconds):.2f} s", ""),
        ("first token, median", f"{token:.0f} ms", "150 ms"),
        ("accepted, with : without grammar", f"{bound.accepted} : {free.accepted}", ""),
        ("token/s with grammar : without",
         f"{bound.tokens_per_second:.0f} : {free.tokens_per_second:.0f} "
         f"= {bound.tokens_per_second / free.tokens_per_second:.2f}", ""),
        ("verification and grammar, share of the time",
         f"{_share(bound, free, free.tokens_per_second):.0%}", "10 %"),
        (f"the same work beside a model of {_SEVEN_B:g} token/s",
         f"{_share(bound, free, _SEVEN_B):.1%}", "10 %"),
        ("first token of a long prompt, its beginning in memory : read",
         f"{first.memory * 1e3:.0f} ms : {first.read * 1e3:.0f} ms "
         f"= 1 : {first.read / first.memory:.1f}", ""),
        ("the same, its beginning from disk : read",
         f"{first.disk * 1e3:.0f} ms : {first.read * 1e3:.0f} ms "
         f"= 1 : {first.read / first.disk:.1f}", ""),
    ]  # fmt: skip
    for row in rows:
        table.add_row(*row)
    return table


def _share(bound: Writing, free: Writing, speed: float) -> float:
    """What verification and grammar take of the whole, beside a model of `speed` token/s."""
    grammar = bound.tokens * (1 / bound.tokens_per_second - 1 / free.tokens_per_second)
    extra = bound.verification + max(grammar, 0.0)
    return extra / (extra + bound.tokens / speed)


def _batch_table(batches: dict[int, Writing]) -> Table:
    table = Table(title="candidates drawn side by side, all of them written out")
    for column in ("candidates", "token/s", "ratio", "a task, median", "accepted"):
        table.add_column(column)
    alone = batches[1]
    for count, one in batches.items():
        table.add_row(
            str(count),
            f"{one.tokens_per_second:.0f}",
            f"{one.tokens_per_second / alone.tokens_per_second:.2f}",
            f"{statistics.median(one.seconds) * 1e3:.0f} ms",
            f"{one.accepted} of {len(one.seconds)}",
        )
    return table


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


def _worlds_table(rooms: dict[str, Growth]) -> Table:
    table = Table(title="worlds, until none is left; in brackets where samples decide")
    sizes = next(iter(rooms.values())).sizes
    for column in ("rooms", *map(str, sizes)):
        table.add_column(column)
    for loop, growth in rooms.items():
        worlds = zip(growth.paths, growth.exhaustive, strict=True)
        table.add_row(loop, *(str(n) if all_ else f"({n})" for n, all_ in worlds))
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
    main(*sys.argv[1:2])
