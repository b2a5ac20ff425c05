"""`roboinstruct trace list`: prints one line per recorded run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from roboinstruct_ros.commands.arguments import Json, takes
from roboinstruct_ros.commands.listing import console, table
from roboinstruct_ros.commands.traces.wanted import CUT_OFF, Wanted
from roboinstruct_ros.trace.bag import DEFAULT_FOLDER, BagError
from roboinstruct_ros.trace.run_trace import RECORDED, bags_under
from roboinstruct_ros.trace.summary import Summary, summary

COLOURS = {"succeeded": "green", "failed": "red", "cancelled": "yellow", CUT_OFF: "yellow"}
_MOST_NAMES = 40
_ONE_LINE = 10_000  # columns where no terminal is: a line per run, for grep


@takes("wanted", Wanted())
def list_traces(
    wanted: Wanted,
    folder: Annotated[str, typer.Argument(help="Folder of bags; empty: the recorder's.")] = "",
    as_json: Json = False,
) -> None:
    """List the recorded runs, oldest first."""
    place = Path(folder or DEFAULT_FOLDER).expanduser()
    bags, fits = bags_under(place), wanted.fits()
    runs: list[tuple[Path, Summary]] = []
    faults: list[str] = []
    for bag in bags:
        try:
            runs.append((bag, summary(bag)))
        except BagError as error:
            faults.append(str(error))
    found = [(bag, run) for bag, run in runs if fits(run)]
    if as_json:
        told = [{"bag": str(bag), **run.model_dump(mode="json")} for bag, run in found]
        print(json.dumps({"traces": told, "unreadable": faults}))
        return
    shown = console(_ONE_LINE)
    if found:
        shown.print(_table(found, _short(bags)))
        counts = Counter(run.outcome or CUT_OFF for _, run in found)
        ends = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        shown.print(f"{len(found)} run{'s' * (len(found) > 1)}: {ends}")
    else:
        met = {name for _, run in runs for name in _asked_names(run, wanted)}
        there = f" There are: {', '.join(sorted(met)[:_MOST_NAMES])}." if met else ""
        shown.print(f"No such run is recorded in {place}.{there}", markup=False, soft_wrap=True)
    for fault in faults:
        shown.print(Text.assemble(("left out:", "yellow"), " ", fault), soft_wrap=True)


def _asked_names(run: Summary, wanted: Wanted) -> Sequence[str]:
    """The names of a run among which a query by name looks."""
    return run.rooms if wanted.room else run.named if wanted.person else ()


def _table(found: Sequence[tuple[Path, Summary]], short: dict[str, str]) -> Table:
    rows = table("bag", "end", ">calls", ">s", "words")
    for bag, run in found:
        outcome = run.outcome or CUT_OFF
        error = run.errors[-1] if run.error_code == "skill_failed" else run.error_code
        end = Text(f"{outcome} {error.upper()}".rstrip(), COLOURS.get(outcome, ""))
        took = f"{run.ended - run.begun:.0f}" if run.ended else ""
        words = escape(" ".join(run.instruction.split()))
        rows.add_row(short[bag.name], end, str(run.calls), took, words)
    return rows


def _short(bags: Sequence[Path]) -> dict[str, str]:
    """A short name for each bag: the time in the recorder's names."""
    times = {bag.name: bag.name.partition("_")[0] for bag in bags if RECORDED.match(bag.name)}
    same = Counter(times.values())
    return {bag.name: times[bag.name] if same[times.get(bag.name, "")] == 1 else bag.name
            for bag in bags}  # fmt: skip
