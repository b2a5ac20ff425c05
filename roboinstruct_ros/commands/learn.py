"""`roboinstruct learn ...`."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from roboinstruct_ros.commands.arguments import Json, Only, SpreadOptions, takes
from roboinstruct_ros.commands.ending import FAULTS, ExitCode, save
from roboinstruct_ros.commands.progress import Told, told
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.option import check, names_in, option
from roboinstruct_ros.evaluate.runs.run import spread_over
from roboinstruct_ros.learn.ablations.run import ABLATIONS, run_setting
from roboinstruct_ros.learn.ablations.settings import settings
from roboinstruct_ros.learn.ablations.table import ablation_rows, ablation_table
from roboinstruct_ros.learn.pipeline.config import LearnConfig, config_model, read_config
from roboinstruct_ros.learn.pipeline.manifest import read_manifest
from roboinstruct_ros.learn.pipeline.plan import plan
from roboinstruct_ros.learn.pipeline.run import Workers, run_steps
from roboinstruct_ros.learn.pipeline.step import TOLD, Step
from roboinstruct_ros.learn.report.page import run_page


@dataclass(frozen=True)
class How(SpreadOptions):
    to: str = option("", "folder of the run; empty: learned/NAME")
    redo: bool = option(
        False, "move aside results made with other settings, and make them again", flag="--redo"
    )
    accept_licence: tuple[str, ...] = option(
        (), "confirm that you may train this model; repeatable"
    )

    def workers(self) -> Workers:
        """Who does the work of a run. Raises SpreadError."""
        return Workers(
            spread_over(self.jobs, self.ray),
            told_step,
            lambda name: name in self.accept_licence or _is_accepted(name),
        )


class _OrFile(TyperGroup):
    """Runs a path given in place of a command: a text with a dot or a slash, or a file."""

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        first = args[0] if args else "--help"
        is_path = set("./") & set(first) or (first not in self.commands and Path(first).exists())
        if first != "--help" and (first.startswith("-") or is_path):
            args = ["run", *args]
        return super().parse_args(context, args)


learn_app = typer.Typer(cls=_OrFile, no_args_is_help=True)

What = Annotated[
    Path, typer.Argument(metavar="CONFIG|DIR", help="A YAML file, or the folder of a run.")
]


@learn_app.command("run")
@takes("how", How())
def run(
    what: What,
    how: How,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only print which steps would run and which are reused."),
    ] = False,
) -> None:
    """Do all steps that are not done yet; the word `run` may be omitted."""
    if not dry_run:
        _do(what, how)
        return
    config, folder = opened(what, how)
    print(folder)
    for one in plan(config, folder):
        took = f" ({one.seconds:.0f} s so far)" if one.seconds else ""
        print(f"  {one.step.value:<11} {one.told}{took}")


@learn_app.command("ablate")
@takes("how", How())
def ablate(what: What, how: How, only: Only = "", as_json: Json = False) -> ExitCode:
    """Compare a run with the same run without verifier, alignment or resampling, in one table.

    A setting that fails is reported and skipped; the exit code is then 1.
    """
    config, folder = opened(what, how)
    changed = settings(config, names_in(only))
    failed = False
    with going_on(folder, "learn ablate"):
        run_steps(config, folder, how.workers(), config.steps, how.redo)
        for name, one in changed.items():
            print(f"{name}:", file=sys.stderr)
            try:
                run_setting(name, one, folder, how.workers(), how.redo)
            except FAULTS as error:
                print(error, file=sys.stderr)
                failed = True
    found = ablation_rows(folder)
    text = json.dumps([asdict(one) for one in found], indent=2)
    save(folder / ABLATIONS / "ablations.json", f"{text}\n")
    print(text if as_json else ablation_table(found).markdown())
    return ExitCode.FAILED if failed else ExitCode.SUCCESS


@learn_app.command("show")
def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run.")],
    html: Annotated[
        Path | None, typer.Option(help="File to write; default: learned.html in the folder.")
    ] = None,
) -> None:
    """Write a page on what a run made, kept and discarded."""
    page = html or folder / "learned.html"
    save(page, run_page(folder))
    print(page)


def _do(what: Path, how: How, only: Step | None = None) -> None:
    """Complete a run, or one step of it. Raises InputError."""
    config, folder = opened(what, how)
    with going_on(folder):
        run_steps(config, folder, how.workers(), (only,) if only else config.steps, how.redo)
    print(f"{folder}: {only.value if only else 'all'} done")


def _command(step: Step) -> Callable[..., None]:
    @takes("how", How())
    def command(what: What, how: How) -> None:
        _do(what, how, step)

    return command


def opened(config_or_run: Path, how: How) -> tuple[LearnConfig, Path]:
    """Config and folder of a run, from a config file or the folder of an earlier run.

    Raises:
        InputError: an option or the config cannot be used.
    """
    check(how)
    if not config_or_run.is_dir():
        config = read_config(config_or_run)
        return config, Path(how.to).expanduser() if how.to else Path("learned") / config.name
    if how.to:
        raise InputError("--to makes a new run of a file; a folder goes on where it is")
    begun = read_manifest(config_or_run).config
    try:
        return config_model().model_validate(begun), config_or_run
    except ValidationError as error:
        fault = " ".join(str(error).split())[:200]
        raise InputError(f"{config_or_run}: was begun by another version: {fault}") from None


@contextmanager
def going_on(folder: Path, command: str = "learn") -> Iterator[None]:
    """On Ctrl-C, print how to resume."""
    try:
        yield
    except (KeyboardInterrupt, typer.Abort):
        again = shlex.quote(str(folder))
        print(f"stopped; go on with: roboinstruct {command} {again}", file=sys.stderr)
        raise


@contextmanager
def told_step(step: Step) -> Iterator[Told]:
    """Report a step on standard error for the duration of the block."""
    with told(step.value) as shown:
        shown.note("begins")
        yield shown
        shown.note("done")


def _is_accepted(name: str) -> bool:
    if not sys.stdin.isatty():
        return False
    return typer.confirm(
        f"{name}: no licence is known for it here. Have you read its terms, and may you train it?",
        err=True,
    )


for _step in Step:
    learn_app.command(_step.value, help=f"Only this step: {TOLD[_step]}.")(_command(_step))
