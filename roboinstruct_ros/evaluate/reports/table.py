"""The figures as a terminal shows them."""

from __future__ import annotations

from collections.abc import Sequence

from roboinstruct_ros.evaluate.figures.figures import Figures, figures_of
from roboinstruct_ros.evaluate.reports.tables import tables
from roboinstruct_ros.evaluate.runs.record import Record


def table(records: Sequence[Record]) -> str:
    """Markdown: every table, one below the other."""
    return told(figures_of(records))


def told(figures: Figures) -> str:
    """The same of figures that are there already."""
    return "\n\n".join(one.markdown() for one in tables(figures))
