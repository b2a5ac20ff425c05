"""`roboinstruct trace list`: prints one line per recorded run."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from roboinstruct_ros.commands.arguments import Json, takes
from roboinstruct_ros.commands.traces.wanted import CUT_OFF, Wanted
from roboinstruct_ros.trace.bag import DEFAULT_FOLDER, BagError
from roboinstruct_ros.trace.run_trace import RECORDED, bags_under
from roboinstruct_ros.trace.summary import Summary, summary

COLOURS = {"succeeded": "green", "failed": "red", "cancelled": "yellow", CUT_OFF: "yellow"}
_END, _CALLS, _SECONDS = 28, 5, 6  # column widths in characters
_NARROWEST = 30
_MOST_NAMES = 40


@takes("wanted", Wanted())
def list_traces(
    wanted: Wanted,
    folder: Annotated[str, typer.Argument(help="Folder of bags; empty: the recorder's.")] = "",
    as_json: Json = False,
) -> None:
    """List the recorded runs, oldest first."""
    place = Path(folder or DEFAULT_FOLDER).expanduser()
    bags = bags_under(place)
    faults: list[str] = []
    met: set[str] = set()
    found = _found(bags, wanted, wanted.fits(), faults, met)
    if as_json:
        told = [{"bag": str(bag), **run.model_dump(mode="json")} for bag, run in found]
        print(json.dumps({"traces": told, "unreadable": faults}))
        return
    console = Console(highlight=False)
    counts = _print(console, found, _short(bags))
    if not counts:
        there = f" There are: {', '.join(sorted(met)[:_MOST_NAMES])}." if met else ""
        console.print(f"No such run is recorded in {place}.{there}", soft_wrap=True)
    else:
        ends = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        console.print(f"{counts.total()} run{'s' * (counts.total() > 1)}: {ends}")
    for fault in faults:
        console.print(Text.assemble(("left out:", "yellow"), " ", fault), soft_wrap=True)


def _found(
    bags: Sequence[Path],
    wanted: Wanted,
    fits: Callable[[Summary], bool],
    faults: list[str],
    met: set[str],
) -> Iterator[tuple[Path, Summary]]:
    """The runs that match. Collects faults of unreadable bags, and all names met in a query by
    name."""
    for bag in bags:
        try:
            run = summary(bag)
        except BagError as error:
            faults.append(str(error))
            continue
        met.update(run.rooms if wanted.room else run.named if wanted.person else ())
        if fits(run):
            yield bag, run


def _print(
    console: Console, found: Iterator[tuple[Path, Summary]], short: dict[str, str]
) -> Counter[str]:
    """Print one line per run. Returns the number of runs by outcome."""
    counts: Counter[str] = Counter()
    width = max(map(len, short.values()), default=0)
    before = width + _END + _CALLS + _SECONDS + 6
    room = max(_NARROWEST, console.width - before) if console.is_terminal else 0
    for bag, run in found:
        if not counts:
            head = f"{'bag':{width}}  {'end':{_END}}{'calls':>{_CALLS}}{'s':>{_SECONDS}}  words"
            console.print(Text(head, "bold"), soft_wrap=True)
        outcome = run.outcome or CUT_OFF
        counts[outcome] += 1
        error = run.errors[-1] if run.error_code == "skill_failed" else run.error_code
        end = f"{outcome} {error.upper()}".rstrip()
        took = f"{run.ended - run.begun:.0f}" if run.ended else ""
        line = Text(f"{short[bag.name]:{width}}  ")
        line.append(f"{end:{_END}}", COLOURS.get(outcome, ""))
        line.append(f"{run.calls:>{_CALLS}}{took:>{_SECONDS}}  ")
        words = " ".join(run.instruction.split())
        line.append(f"\n{'':{before}}".join(textwrap.wrap(words, room)) if room else words)
        console.print(line, soft_wrap=True)
    return counts


def _short(bags: Sequence[Path]) -> dict[str, str]:
    """A short name for each bag: the time in the recorder's names."""
    times = {bag.name: bag.name.partition("_")[0] for bag in bags if RECORDED.match(bag.name)}
    same = Counter(times.values())
    return {bag.name: times[bag.name] if same[times.get(bag.name, "")] == 1 else bag.name
            for bag in bags}  # fmt: skip
