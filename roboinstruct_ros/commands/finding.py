"""The findings of `roboinstruct doctor`, and their table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.commands.listing import console, table


@dataclass(frozen=True)
class Finding:
    """One row: what was examined, what was found, how to fix it (empty if good)."""

    what: str
    found: str
    mend: str = ""
    good: bool = True


Examination = Callable[[], Finding]


def examined(examinations: Iterable[Examination]) -> list[Finding]:
    """Run each examination; a failing one is a finding too."""
    with Console().status("looking around ..."):
        return [_safely(one) for one in examinations]


def show(findings: Iterable[Finding]) -> None:
    rows = table("", "what", "found", "mend")
    for one in findings:
        mark = "[green]ok[/]" if one.good else "[bold red]!![/]"
        rows.add_row(mark, one.what, escape(one.found), escape(one.mend))
    console().print(rows)


def _safely(examination: Examination) -> Finding:
    try:
        return examination()
    except Exception as error:  # a failing check must not end the others
        of = getattr(examination, "func", examination)  # with arguments, it is a partial
        name = getattr(of, "__name__", "?").strip("_")
        return Finding(name, f"{type(error).__name__}: {error}", "see above", good=False)
