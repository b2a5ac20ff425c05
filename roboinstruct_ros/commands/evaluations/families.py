"""`roboinstruct eval families`: makes a suite of variations of a suite's tasks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import like
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.evaluate.families.family_file import drawing, families_of, write
from roboinstruct_ros.evaluate.families.grow import OPERATORS, Families
from roboinstruct_ros.evaluate.reports.tables import Table
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.suite.open_suite import shipped_suites


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
    print(f"{table(grown).markdown()}\n\n{to}\n{drawing(to)}")


def table(grown: Families) -> Table:
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
