"""`roboinstruct eval ...`: a model on a suite of tasks, and what each part of writing gives."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import Json, Only, takes
from roboinstruct_ros.commands.ending import FAULTS, ExitCode
from roboinstruct_ros.commands.evaluations.compare import compare_runs
from roboinstruct_ros.commands.evaluations.running import Where, evaluate_into
from roboinstruct_ros.commands.evaluations.suites import check, families
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.option import check as check_options
from roboinstruct_ros.domain.option import names_in
from roboinstruct_ros.evaluate.figures.estimate import share
from roboinstruct_ros.evaluate.figures.figures import figures_of
from roboinstruct_ros.evaluate.readers.roboeval.agreement import compared
from roboinstruct_ros.evaluate.reports.tables import INTERVALS, Table, markdown
from roboinstruct_ros.evaluate.reports.write import HTML, JSON, write_reports
from roboinstruct_ros.evaluate.runs.ablations import SETTINGS, ablations
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.folder import MANIFEST, Folder, FolderError, read_records
from roboinstruct_ros.evaluate.runs.prepared import Prepared, prepare, resumed
from roboinstruct_ros.evaluate.runs.record import Record

eval_app = typer.Typer()


@eval_app.callback(invoke_without_command=True)
@takes("asked", Asked())
@takes("where", Where())
def evaluate(context: typer.Context, asked: Asked, where: Where) -> None:
    """Evaluate a model on a suite of tasks; each figure has an interval."""
    if context.invoked_subcommand:
        return
    _check_begins_or_goes_on(asked, where)
    if asked.programs and asked.model:
        raise InputError("give either --model or --programs, not both")
    if asked.programs and "samples" in _given(context):
        raise InputError("-n: --programs has as many samples as it holds; leave -n out")
    asked = asked.settled()
    path = where.path(asked)
    if where.resume:
        prepared, folder = resumed(path, asked, _given(context)), Folder(path)
    else:
        prepared = prepare(asked)
        folder = Folder.make(path, prepared.manifest)
    try:
        again = f"eval --resume {shlex.quote(str(path))}"
        evaluate_into(folder, prepared, str(path), where, again, kept=bool(where.resume))
    except FAULTS:
        if not (where.resume or folder.done):
            folder.discard()
        raise
    report(path)


@eval_app.command("ablate")
@takes("asked", Asked(), without=("programs",))
@takes("where", Where())
def ablate(context: typer.Context, asked: Asked, where: Where, only: Only = "") -> None:
    """The same evaluation, with one part of program generation disabled at a time, in one table."""
    _check_begins_or_goes_on(asked, where)
    chosen = names_in(only)
    if unknown := [name for name in chosen if name not in SETTINGS]:
        raise InputError(f"{unknown[0]}: no setting; there are {', '.join(SETTINGS)}")
    asked = asked.settled()
    path = where.path(asked, "ablations")
    if where.resume:
        begun = _begun(path, asked, _given(context))
    else:
        begun = {name: prepare(one) for name, one in ablations(asked, chosen).items()}
        for name, prepared in begun.items():
            Folder.make(path / name, prepared.manifest).close()
    again = f"eval ablate --resume {shlex.quote(str(path))}"
    for name, prepared in begun.items():
        evaluate_into(Folder(path / name), prepared, name, where, again)
    head = ("setting", "items", "pass@1", "invalid at first", "invalid in the end",
            "wrong, no note", "attempts", "s")  # fmt: skip
    rows = tuple(_row(name, list(read_records(path / name))) for name in begun)
    table = Table("Parts left out", head, rows, below=INTERVALS)
    print(f"{table.markdown()}\n\n{path}")


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of an evaluation.")],
    as_json: Json = False,
) -> None:
    """Print the tables of an evaluation again and rewrite its reports."""
    figures = write_reports(folder)
    if as_json:
        print((folder / JSON).read_text(encoding="utf-8"), end="")
    else:
        print(f"{markdown(figures)}\n\n{folder / HTML}")


def rescore(
    checkout: Annotated[Path, typer.Argument(help="Checkout of the benchmark RoboEval.")],
    stored: Annotated[Path, typer.Argument(help="Its stored evaluations: a file or a folder.")],
) -> ExitCode:
    """Whether our runs and RoboEval's checks give its stored programs the same results."""
    try:
        every = []
        for one in compared(checkout.expanduser(), stored.expanduser()):
            every.append(one)
            if not one.agrees:
                print(one)
    except (OSError, ValueError) as error:
        raise InputError(" ".join(str(error).split())) from None
    if not every:
        raise InputError(f"{stored}: no program in it says is_sat, by which it could be compared")
    then = share((one.stored.task, bool(one.stored.is_sat)) for one in every)
    now = share((one.stored.task, not one.why) for one in every)
    alike = sum(one.agrees for one in every)
    print(f"passed then {then.percent(1)}, now {now.percent(1)}; {alike} of {len(every)} alike")
    return ExitCode.SUCCESS if alike == len(every) else ExitCode.FAILED


eval_app.command("compare")(compare_runs)
eval_app.command("report")(report)
eval_app.command("check")(check)
eval_app.command("families")(families)
eval_app.command("rescore")(rescore)


def _check_begins_or_goes_on(asked: Asked, where: Where) -> None:
    """Raises ConfigError or InputError."""
    check_options(asked)
    check_options(where)
    if not (asked.suite or where.resume):
        raise InputError("give --suite SUITE to begin, or --resume DIR to go on")
    if where.to and where.resume:
        raise InputError("give either --to DIR to begin or --resume DIR to go on, not both")


def _given(context: typer.Context) -> frozenset[str]:
    """Names of the parameters given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(n for n, source in sources.items() if source and source.name == "COMMANDLINE")


def _begun(path: Path, asked: Asked, given: frozenset[str]) -> dict[str, Prepared]:
    """The interrupted ablations of a folder, by setting."""
    names = [name for name in SETTINGS if (path / name / MANIFEST).exists()]
    if not names:
        raise FolderError(f"{path}: holds no ablations; begin them with --suite")
    varied = {what for change in SETTINGS.values() for what in change}
    return {name: resumed(path / name, asked, given - varied) for name in names}


def _row(name: str, records: Sequence[Record]) -> tuple[str, ...]:
    told = figures_of(records)
    shares = (told.pass_at[1], told.invalid.first, told.invalid.last, told.wrong_unnoted)
    means = (f"{told.attempts.mean:.1f}", f"{told.seconds.mean:.2f}")
    return (name, str(told.items), *(one.percent() for one in shares), *means)
