"""What `roboinstruct doctor` finds, and its table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Finding:
    """One row: what was looked at, what was found, how to mend it (empty when it is good)."""

    what: str
    found: str
    mend: str = ""
    good: bool = True


Examination = Callable[[], Finding]


class Findings:
    """Makes the table, row by row."""

    def __init__(self) -> None:
        self.all_good = True
        self._console = Console(highlight=False)
        self._table = Table("", "what", "found", "mend")

    def examine(self, examinations: Iterable[Examination]) -> None:
        """Run each examination; one that fails is a row too."""
        with self._console.status("looking around ..."):
            for examination in examinations:
                self._add(_safely(examination))

    def show(self) -> None:
        """Print the table."""
        self._console.print(self._table)

    def _add(self, finding: Finding) -> None:
        self.all_good &= finding.good
        mark = "[green]ok[/]" if finding.good else "[bold red]!![/]"
        self._table.add_row(mark, finding.what, finding.found, finding.mend)


def _safely(examination: Examination) -> Finding:
    try:
        return examination()
    except Exception as error:  # a doctor does not fall ill
        name = getattr(examination, "__name__", "?").strip("_")
        return Finding(name, f"{type(error).__name__}: {error}", "see above", good=False)
