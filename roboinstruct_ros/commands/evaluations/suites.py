"""`roboinstruct eval check` and `families`: whether a suite can be trusted, and its variations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.commands.arguments import like
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.listing import plain_console, table
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.evaluate.families.family_file import drawing, families_of, write
from roboinstruct_ros.evaluate.families.grow import OPERATORS, Families
from roboinstruct_ros.evaluate.reports.tables import Table
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.suite.checking import (
    Caught,
    Share,
    notes,
    reference_faults,
    shares,
    try_mutants,
)
from roboinstruct_ros.evaluate.suite.open_suite import open_suite, shipped_suites
from roboinstruct_ros.evaluate.worlds.trials import Trials

LEAST_CAUGHT = 0.9
"""Fraction of the mutants that a suite must distinguish from its references."""


def check(
    suite: Annotated[str, typer.Argument(help="Suite, as in eval --suite.")],
    mutants: Annotated[
        int, typer.Option(help="Number of mutants of the reference programs.", min=0)
    ] = 500,
    seed: Annotated[int, typer.Option(help="Seed of the mutants.")] = 1,
) -> ExitCode:
    """Check that a suite's references are right in all its worlds and its mutants are caught."""
    console = plain_console()
    opened = open_suite(suite)
    _print_lines(console, "To be looked at", list(notes(opened)))
    with closing(Trials()) as trials:
        faults = list(reference_faults(opened, trials))
        _print_lines(console, "Wrong references", faults)
        tried = list(try_mutants(opened, mutants, seed, trials))
    _print_mutants(console, tried)
    caught = sum(bool(one.why) for one in tried)
    enough = caught >= LEAST_CAUGHT * len(tried)
    return ExitCode.FAILED if faults or not enough else ExitCode.SUCCESS


def _print_lines(console: Console, heading: str, lines: Sequence[str]) -> None:
    if lines:
        console.print(f"[bold]{heading}[/]")
        for line in lines:
            console.print(f"  {escape(line)}", soft_wrap=True)


def _print_mutants(console: Console, tried: Sequence[Caught]) -> None:
    if not tried:
        console.print("no program to change: the suite has no references")
        return
    survivors = [one.mutant for one in tried if not one.why]
    lines = [f"{one.task}: {one.kind.value}, {one.change}" for one in survivors]
    _print_lines(console, "Mutants that are not caught", lines)
    rows = table("mutants", ">caught")
    for kind, share in shares(tried).items():
        if share.of:
            rows.add_row(kind.value, str(share))
    rows.add_row("all", str(Share(len(tried) - len(survivors), len(tried))))
    console.print(rows)


def families(
    suite: Annotated[str, typer.Argument(help="A name such as service, or a YAML file.")],
    to: Annotated[Path, typer.Option(help="YAML file to write; a drawing goes beside it.")],
    each: Annotated[int, typer.Option(help="Variations per task and kind.", min=1)] = 2,
    depth: Annotated[
        int, typer.Option(help="Maximum number of changes from a task of the suite.", min=1, max=4)
    ] = 1,
    seed: Annotated[int, typer.Option(help="Seed; the same seed makes the same families.")] = 1,
    tasks: Annotated[str, like(Asked(), "tasks")] = "",
) -> None:
    """Make a suite of variations: other words, other worlds, more or fewer stages."""
    path = shipped_suites().get(suite, Path(suite).expanduser())
    if to.resolve() == path.resolve():
        raise InputError(f"--to {to}: is the suite itself; name another file")
    grown = families_of(path, each, depth, seed, tasks)
    if not grown.tasks:
        raise InputError(f"--tasks {tasks}: fits no task of {suite} that a program answers")
    try:
        write(grown, path, to)
    except OSError as error:
        raise InputError(f"{to}: cannot be written: {error.strerror}") from None
    print(f"{_admitted(grown).markdown()}\n\n{to}\n{drawing(to)}")


def _admitted(grown: Families) -> Table:
    """One row per operator: how many variations were admitted, and why others were not."""
    admitted = Counter(step.operator for step in grown.lineage.steps)
    rows = []
    for change, operators in OPERATORS.items():
        for operator in operators:
            why = {why: n for (of, why), n in grown.refused.items() if of == operator}
            refused = "; ".join(f"{count} {reason}" for reason, count in why.items())
            rows.append((operator, change.value, str(admitted[operator]), refused or "-"))
    roots = len(grown.tasks) - len(grown.lineage.steps)
    below = f"{len(grown.tasks)} tasks: {roots} roots, {len(grown.lineage.steps)} made of them."
    return Table("Families", ("operator", "changes", "admitted", "refused"), tuple(rows), 0, below)
