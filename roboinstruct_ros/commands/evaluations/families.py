"""`roboinstruct eval families`: variations of a suite's tasks, as a suite."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from roboinstruct_ros.commands.ending import bad_input
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.evaluate.families.family_file import drawing, families_of, write
from roboinstruct_ros.evaluate.families.grow import OPERATORS, Families
from roboinstruct_ros.evaluate.reports.tables import Table
from roboinstruct_ros.evaluate.suite.open_suite import shipped_suites


def families(suite: str, to: Path, each: int, depth: int, seed: int, tasks: str) -> ExitCode:
    """Write the families of a suite, and tell what was admitted.

    Args:
        suite: a shipped one by name, or a YAML file.
        to: the file to write.
        each: variations of each kind of change, of each parent.
        depth: steps from the root to the last generation.
        tasks: only roots whose name or kind is of this pattern.
    """
    path = shipped_suites().get(suite, Path(suite).expanduser())
    if to.resolve() == path.resolve():
        return bad_input(f"--to {to}: is the suite itself; name another file")
    try:
        grown = families_of(path, each, depth, seed, tasks)
        if not grown.tasks:
            return bad_input(f"--tasks {tasks}: fits no task of {suite} that a program answers")
        write(grown, path, to)
    except ConfigError as error:
        return bad_input(str(error))
    except OSError as error:
        return bad_input(f"{to}: cannot be written: {error.strerror}")
    print(f"{table(grown).markdown()}\n\n{to}\n{drawing(to)}")
    return ExitCode.SUCCESS


def table(grown: Families) -> Table:
    """A row an operator: how many variations were admitted, and why others were not."""
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
