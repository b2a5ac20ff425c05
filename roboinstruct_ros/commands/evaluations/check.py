"""`roboinstruct eval check`: whether a suite can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.listing import table
from roboinstruct_ros.evaluate.suite.checking import (
    Caught,
    Share,
    notes,
    reference_faults,
    shares,
    try_mutants,
)
from roboinstruct_ros.evaluate.suite.open_suite import open_suite
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
    console = Console(highlight=False)
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
