"""`roboinstruct trace list`: prints one line per recorded run that fits."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from roboinstruct_ros.commands.arguments import Json, takes
from roboinstruct_ros.commands.listing import console, table
from roboinstruct_ros.domain.configuration import ConfigError, nearest_name
from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.trace.bag import DEFAULT_FOLDER, BagError
from roboinstruct_ros.trace.run_trace import RECORDED, bags_under
from roboinstruct_ros.trace.summary import Summary, summary

CUT_OFF = "cut_off"
"""Outcome shown for a run whose bag has no end."""

_OUTCOMES = ("succeeded", "failed", "cancelled", CUT_OFF)
_ERRORS = tuple(
    dict.fromkeys(code.name.lower() for code in (*TaskErrorCode, *SkillErrorCode) if code)
)
_AGO = re.compile(r"(\d{1,6})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
COLOURS = {"succeeded": "green", "failed": "red", "cancelled": "yellow", CUT_OFF: "yellow"}
_MOST_NAMES = 40
_ONE_LINE = 10_000  # columns where no terminal is: a line per run, for grep


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Criteria for runs; empty ones match all."""

    outcome: str = option(
        "", "only runs with this outcome: succeeded, failed, cancelled or cut_off"
    )
    error: str = option("", "only runs that ended with this error, or had a skill that did")
    room: str = option("", "only runs that were in this room")
    person: str = option("", "only runs whose calls name this person")
    words: str = option("", "only runs whose instruction contains these words")
    since: str = option(
        "", "only runs that began after this time: 2026-11-22, 2026-11-22T18:30 (UTC), or 90m, "
        "12h, 7d ago",
    )  # fmt: skip
    until: str = option("", "only runs that began before this time")

    def fits(self) -> Callable[[Summary], bool]:
        """The predicate for these criteria.

        Raises:
            ConfigError: no such outcome or error, or not a time.
        """
        outcome = _known("--outcome", self.outcome, _OUTCOMES)
        error = _known("--error", self.error, _ERRORS)
        since, until = _time("--since", self.since), _time("--until", self.until)
        return lambda run: (
            outcome in ("", run.outcome or CUT_OFF)
            and (not error or error in (run.error_code, *run.errors))
            and (not self.room or folded(self.room) in map(folded, run.rooms))
            and (not self.person or folded(self.person) in map(folded, run.named))
            and self.words.casefold() in run.instruction.casefold()
            and run.begun >= since
            and not (until and run.begun >= until)
        )


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
        shown.print(f"[yellow]left out:[/] {escape(fault)}", soft_wrap=True)


def _asked_names(run: Summary, wanted: Wanted) -> Sequence[str]:
    """The names of a run among which a query by name looks."""
    return run.rooms if wanted.room else run.named if wanted.person else ()


def _table(found: Sequence[tuple[Path, Summary]], short: dict[str, str]) -> Table:
    rows = table("bag", "end", ">calls", ">s", "words")
    for bag, run in found:
        outcome = run.outcome or CUT_OFF
        error = run.errors[-1] if run.error_code == "skill_failed" else run.error_code
        end = escape(f"{outcome} {error.upper()}".rstrip())
        took = f"{run.ended - run.begun:.0f}" if run.ended else ""
        words = escape(" ".join(run.instruction.split()))
        shown = f"[{COLOURS.get(outcome, 'default')}]{end}"
        rows.add_row(escape(short[bag.name]), shown, str(run.calls), took, words)
    return rows


def _short(bags: Sequence[Path]) -> dict[str, str]:
    """A short name for each bag: the time in the recorder's names."""
    times = {bag.name: bag.name.partition("_")[0] for bag in bags if RECORDED.match(bag.name)}
    same = Counter(times.values())
    return {bag.name: times[bag.name] if same[times.get(bag.name, "")] == 1 else bag.name
            for bag in bags}  # fmt: skip


def _known(option: str, given: str, known: Sequence[str]) -> str:
    text = given.strip().lower().replace(" ", "_").replace("-", "_")
    if text and text not in known:
        near = nearest_name(text, known)
        told = f"there is no '{given}'" + ("" if near else f"; there are {', '.join(known)}")
        raise ConfigError(option, 0, "", told, near)
    return text


def _time(option: str, given: str) -> float:
    """Parse a time to s since the epoch; 0 for none. A day stands for its beginning."""
    if not given:
        return 0.0
    ago = _AGO.fullmatch(given.strip())
    try:
        if ago:
            when = datetime.now(timezone.utc) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        else:
            when = datetime.fromisoformat(given.strip())
    except (ValueError, OverflowError):
        told = f"'{given}' is no time; right are 2026-11-22, 2026-11-22T18:30 (UTC) and 12h (ago)"
        raise ConfigError(option, 0, "", told) from None
    return (when if when.tzinfo else when.replace(tzinfo=timezone.utc)).timestamp()
