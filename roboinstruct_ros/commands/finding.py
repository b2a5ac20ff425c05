"""The findings of `roboinstruct doctor`, and their table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Finding:
    """One row: what was examined, what was found, how to fix it (empty if good)."""

    what: str
    found: str
    mend: str = ""
    good: bool = True


Examination = Callable[[], Finding]


class Findings:
    """Builds the table row by row."""

    def __init__(self) -> None:
        self.all_good = True
        self._console = Console(highlight=False)
        self._table = Table("", "what", "found", "mend")

    def examine(self, examinations: Iterable[Examination]) -> None:
        """Run each examination; a failing one becomes a row too."""
        with self._console.status("looking around ..."):
            for examination in examinations:
                finding = _safely(examination)
                self.all_good &= finding.good
                mark = "[green]ok[/]" if finding.good else "[bold red]!![/]"
                self._table.add_row(mark, finding.what, finding.found, finding.mend)

    def show(self) -> None:
        self._console.print(self._table)


def _safely(examination: Examination) -> Finding:
    try:
        return examination()
    except Exception as error:  # a failing check must not end the others
        name = getattr(examination, "__name__", "?").strip("_")
        return Finding(name, f"{type(error).__name__}: {error}", "see above", good=False)
