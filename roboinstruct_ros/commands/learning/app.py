"""`roboinstruct learn ...`: reads the arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from roboinstruct_ros.commands.arguments import Only, SpreadOptions, takes
from roboinstruct_ros.commands.ending import ExitCode, save
from roboinstruct_ros.domain.option import names_in, option
from roboinstruct_ros.learn.pipeline.step import TOLD, Step


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


@dataclass(frozen=True)
class How(SpreadOptions):
    """How to do a run."""

    to: str = option("", "folder of the run; empty: learned/NAME")
    redo: bool = option(
        False, "move aside results made with other settings, and make them again", flag="--redo"
    )
    accept_licence: tuple[str, ...] = option(
        (), "confirm that you may train this model; repeatable"
    )


@learn_app.command("run")
@takes("how", How())
def run(
    what: What,
    how: How,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only print which steps would run and which are reused."),
    ] = False,
) -> ExitCode:
    """Do all steps that are not done yet; the word `run` may be omitted."""
    from roboinstruct_ros.commands.learning.running import learn, tell_plan

    return tell_plan(what, how) if dry_run else learn(what, how)


@learn_app.command("ablate")
@takes("how", How())
def ablate(
    what: What,
    how: How,
    only: Only = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
) -> ExitCode:
    """Compare a run with the same run without verifier, alignment or resampling, in one table."""
    from roboinstruct_ros.commands.learning.ablating import ablate as ablate_run

    return ablate_run(what, names_in(only), how, as_json)


@learn_app.command("show")
def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run.")],
    html: Annotated[
        Path | None, typer.Option(help="File to write; default: learned.html in the folder.")
    ] = None,
) -> None:
    """Write a page on what a run made, kept and discarded."""
    from roboinstruct_ros.learn.report.page import run_page

    page = html or folder / "learned.html"
    save(page, run_page(folder))
    print(page)


def _command(step: Step) -> Callable[..., ExitCode]:
    @takes("how", How())
    def command(what: What, how: How) -> ExitCode:
        from roboinstruct_ros.commands.learning.running import learn

        return learn(what, how, step)

    return command


for _step in Step:
    learn_app.command(_step.value, help=f"Only this step: {TOLD[_step]}.")(_command(_step))
