"""`roboinstruct trace diff`: compares two recorded runs."""

from __future__ import annotations

from itertools import zip_longest
from typing import Annotated, Any

import typer
from rich.markup import escape

from roboinstruct_ros.commands.arguments import Bag
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.listing import console, table
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.trace.compared import answer, told_call
from roboinstruct_ros.trace.run_trace import RunTrace, bag_named, read_trace

_NOTHING = "(nothing)"


def diff_traces(
    first: Bag, second: Annotated[str, typer.Argument(help="The bag to compare it with.")]
) -> ExitCode:
    """Show two runs side by side, the first difference marked. Exit 1 if they differ."""
    runs = [read_trace(bag_named(place)) for place in (first, second)]
    steps = list(zip_longest(*map(_steps, runs), fillvalue=_NOTHING))
    steps.append(tuple(map(end_of, runs)))
    unlike = [number for number, (one, other) in enumerate(steps) if one != other]
    shown = console()
    for what in _other_facts(*runs):
        shown.print(f"[yellow]not the same:[/] {escape(what)}", soft_wrap=True)
    heads = (escape(f"{run.name}, {run.when} UTC") for run in runs)
    rows = table("", "", *heads)
    for number, texts in enumerate(steps):
        where = "end" if number + 1 == len(steps) else str(number + 1)
        mark = "[red]>[/]" if unlike[:1] == [number] else ""
        style = "red" if number in unlike else ""
        rows.add_row(where, mark, *map(escape, texts), style=style)
    shown.print(rows)
    if not unlike:
        shown.print("the same calls, answers and end")
        return ExitCode.SUCCESS
    at = unlike[0] + 1
    shown.print(f"first difference: {f'call {at}' if at < len(steps) else 'the end'}")
    return ExitCode.FAILED


def _steps(run: RunTrace) -> list[str]:
    lines = []
    for traced in run.calls:
        came = answer(traced.call) if traced.call.end else "cut off"
        tries = len(traced.tries)
        again = f", after {tries} more tr{'y' if tries == 1 else 'ies'}" if tries else ""
        lines.append(f"{told_call(traced.call)}: {came}{again}")
    return lines


def end_of(run: RunTrace) -> str:
    """Outcome and error of a run."""
    code = f" {TaskErrorCode(run.error_code).name}" if run.error_code else ""
    return f"{run.outcome or 'cut off'}{code}"


def _other_facts(one: RunTrace, other: RunTrace) -> list[str]:
    """Other differences that may be the cause."""
    facts: dict[str, list[Any]] = {
        "the words": [run.instruction for run in (one, other)],
        "the program": [run.source for run in (one, other)],
        "the random seed": [run.seed for run in (one, other)],
    }
    for name, field in (
        ("the software's version", "version"), ("the skills", "domain"),
        ("the map", "semantic_map"), ("the policies", "policies"), ("the recovery", "recovery"),
        ("what earlier runs had left", "remains"),
    ):  # fmt: skip
        facts[name] = [run.setting and getattr(run.setting, field) for run in (one, other)]
    return [name for name, (was, is_) in facts.items() if was != is_]
