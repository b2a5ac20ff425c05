"""`roboinstruct trace show`, `diff`, `keep`, `repair`, `promote` and `export`: recorded runs."""

from __future__ import annotations

import csv
import io
import json
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from roboinstruct_ros.commands.arguments import Bag, Json
from roboinstruct_ros.commands.ending import ExitCode, save
from roboinstruct_ros.commands.listing import console, program_listing, table, verdict_line
from roboinstruct_ros.commands.traces.listing import COLOURS, CUT_OFF
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.trace.compared import answer, told_call
from roboinstruct_ros.trace.document import document_of, told
from roboinstruct_ros.trace.promoted import promote
from roboinstruct_ros.trace.repair import repair
from roboinstruct_ros.trace.retention import mark
from roboinstruct_ros.trace.run_trace import (
    RunTrace,
    TracedCall,
    bag_named,
    bags_under,
    duration,
    read_trace,
)

_COLUMNS = "index line began ended skill arguments result error error_msg tries paused".split()


def show_trace(bag: Bag, as_json: Json = False) -> None:
    """Show one run: the words, the program, and every call with its answer and time."""
    trace = read_trace(bag_named(bag))
    if as_json:
        calls = [{**vars(traced.call), "paused": traced.paused} for traced in trace.calls]
        print(json.dumps({**told(trace), "program": trace.source, "calls": calls}))
        return
    shown = console()
    shown.print(f"[bold]{escape(trace.instruction) or 'a program'}[/]", soft_wrap=True)
    ran = f", by version {trace.setting.version}" if trace.setting else ""
    shown.print(f"{trace.when} UTC, approved by {escape(trace.approved_by)}{ran}")
    if trace.source:
        shown.print(program_listing(trace.source, ()), soft_wrap=True)
    if trace.verdict:
        shown.print(verdict_line(trace.verdict.model_dump(mode="json")), soft_wrap=True)
    rows = table(">line", ">at s", ">took s", "call", "answer")
    for traced in trace.calls:
        rows.add_row(*_row(trace, traced))
        for pause in traced.pauses:
            held = f"paused {pause.end - pause.start:.1f} s" if pause.end else "paused"
            rows.add_row("", f"{pause.start - trace.begun:.1f}", "", held, "")
    shown.print(rows)
    message = f": {escape(trace.message)}" if trace.message else ""
    colour = COLOURS.get(trace.outcome or CUT_OFF, "default")
    shown.print(f"[{colour}]{_end_of(trace)}[/]{message}", soft_wrap=True)


def diff_traces(
    first: Bag, second: Annotated[str, typer.Argument(help="The bag to compare it with.")]
) -> ExitCode:
    """Show two runs side by side, the first difference marked. Exit 1 if they differ."""
    runs = [read_trace(bag_named(place)) for place in (first, second)]
    steps = list(zip_longest(*map(_steps, runs), fillvalue="(nothing)"))
    steps.append(tuple(map(_end_of, runs)))
    unlike = [number for number, (one, other) in enumerate(steps) if one != other]
    shown = console()
    for what in _other_facts(*runs):
        shown.print(f"[yellow]not the same:[/] {escape(what)}", soft_wrap=True)
    heads = (escape(f"{run.name}, {run.when} UTC") for run in runs)
    rows = table("", "", *heads)
    for number, texts in enumerate(steps):
        where = "end" if number + 1 == len(steps) else str(number + 1)
        sign = "[red]>[/]" if unlike[:1] == [number] else ""
        style = "red" if number in unlike else ""
        rows.add_row(where, sign, *map(escape, texts), style=style)
    shown.print(rows)
    if not unlike:
        shown.print("the same calls, answers and end")
        return ExitCode.SUCCESS
    at = unlike[0] + 1
    shown.print(f"first difference: {f'call {at}' if at < len(steps) else 'the end'}")
    return ExitCode.FAILED


def keep_bag(
    bag: Bag, no: Annotated[bool, typer.Option("--no", help="Remove the mark again.")] = False
) -> None:
    """Never delete a run, whatever the recorder's limits are."""
    folder = bag_named(bag)
    read_trace(folder)
    mark(folder, not no)
    print(f"{folder}: {'goes when its time comes' if no else 'is kept'}")


def repair_bag(
    bag: Annotated[str, typer.Argument(help="Folder of a bag that was not completed.")],
    to: Annotated[str, typer.Option(help="Folder to create; empty: BAG_repaired.")] = "",
) -> None:
    """Save the contents of a bag cut off by a power loss; the bag itself is not changed."""
    torn = bag_named(bag)
    target = Path(to).expanduser() if to else torn.with_name(f"{torn.name}_repaired")
    repaired = repair(torn, target)
    lost = f", {repaired.left_out} left out that cannot be read" if repaired.left_out else ""
    print(f"{repaired.folder}: {repaired.messages} messages{lost}")


def promote_bag(
    bag: Bag,
    name: Annotated[str, typer.Argument(help="Name of the case.")],
    to: Annotated[str, typer.Option(help="Folder of the cases.")] = "bags",
    rename: Annotated[
        list[str] | None, typer.Option(help="NAME=OTHER: replace a name everywhere; repeatable.")
    ] = None,
) -> None:
    """Make a regression case of a run: what a replay needs, and its expected result."""
    pairs = [one.partition("=") for one in rename or ()]
    for old, _, new in pairs:
        if not old.strip() or not new.strip():
            raise InputError(f"--rename {old}: expected NAME=OTHER, such as Alice=Ada")
    if not name or Path(name).name != name:
        raise InputError(f"'{name}' is not the name of a folder")
    try:
        (recorded,) = bags_under(bag_named(bag))
    except ValueError:
        raise InputError(f"{bag}: not one bag, but a folder of bags or none") from None
    case = Path(to).expanduser() / name
    if case.exists():
        raise InputError(f"{case}: exists already; choose another name, or remove it")
    results = promote(recorded, case, {old.strip(): new.strip() for old, _, new in pairs})
    print(f"{case}: {sum(path.stat().st_size for path in case.iterdir()) / 1000:.0f} KB")
    for one in results:
        print(f"expected, {one.depth.value}: {one.now or 'goes as recorded'}")


def export_trace(
    bag: Bag,
    html: Annotated[str, typer.Option(help="Write one HTML page that opens in any browser.")] = "",
    spreadsheet: Annotated[
        str, typer.Option("--csv", help="Write a CSV file with a line for each call.")
    ] = "",
    document: Annotated[
        str, typer.Option("--json", help="Write everything as one JSON object.")
    ] = "",
) -> None:
    """Write a run to a file: map, drive, program, plan, and every call with its time."""
    if not (html or spreadsheet or document):
        raise InputError("name a file: --html FILE, --csv FILE or --json FILE")
    from roboinstruct_ros.web.kept.run_page import run_page

    run = document_of(bag_named(bag))
    for name, text in ((html, run_page), (spreadsheet, _spreadsheet), (document, json.dumps)):
        if name:
            path = Path(name).expanduser()
            save(path, text(run))
            print(f"{path}: {path.stat().st_size / 1000:.0f} KB")


def _row(trace: RunTrace, traced: TracedCall) -> tuple[str, ...]:
    call = traced.call
    came = "" if call.result is None else repr(call.result)
    if call.error_code:
        came = f"{SkillErrorCode(call.error_code).name}: {call.error_msg}"
    if traced.tries:
        came += f" ({_tries(traced)})"
    took = f"{duration([traced]):.1f}" if call.end else "cut off"
    at = f"{call.start - trace.begun:.1f}"
    return str(call.line), at, took, escape(told_call(call)), escape(came)


def _steps(run: RunTrace) -> list[str]:
    lines = []
    for traced in run.calls:
        came = answer(traced.call) if traced.call.end else "cut off"
        again = f", {_tries(traced)}" if traced.tries else ""
        lines.append(f"{told_call(traced.call)}: {came}{again}")
    return lines


def _tries(traced: TracedCall) -> str:
    tries = len(traced.tries)
    return f"after {tries} more tr{'y' if tries == 1 else 'ies'}"


def _end_of(run: RunTrace) -> str:
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


def _spreadsheet(run: dict[str, Any]) -> str:
    """One line per call; lists are JSON."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for call in run["calls"]:
        values = (call[column] for column in _COLUMNS)
        writer.writerow([json.dumps(one) if isinstance(one, list) else one for one in values])
    return out.getvalue()
