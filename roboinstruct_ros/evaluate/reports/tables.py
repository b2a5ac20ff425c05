"""The figures as tables, Markdown for a terminal and HTML for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from roboinstruct_ros.evaluate.families.generalization import Group
from roboinstruct_ros.evaluate.figures.calibration import Calibration
from roboinstruct_ros.evaluate.figures.estimate import FEW, MANY, Estimate
from roboinstruct_ros.evaluate.figures.figures import Figures
from roboinstruct_ros.evaluate.figures.programs import Invalid
from roboinstruct_ros.evaluate.suite.outcome import Outcome

OUTCOMES = {
    Outcome.RIGHT: "right",
    Outcome.WRONG: "wrong, no note",
    Outcome.NOTED: "wrong, with a note",
    Outcome.NOTHING: "no program",
    Outcome.ANSWERED: "answered instead",
    Outcome.OFFERED: "asked, right among the two",
}

INTERVALS = (
    "Intervals are of 95 %: Wilson's where every task has one item, else those of a bootstrap that "
    f"draws tasks; with fewer than {FEW} tasks (by Student's t), with more than {MANY}, and where "
    "all are alike, Wilson's for the effective number of items."
)


@dataclass(frozen=True)
class Table:
    """Cells as text.

    Attributes:
        sums: how many of the last rows are sums of those above.
        below: a line of text.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sums: int = 0
    below: str = ""

    def markdown(self) -> str:
        """As Markdown; `|` in a cell is escaped."""
        first_sum = len(self.rows) - self.sums
        shown = [
            (f"**{row[0]}**", *row[1:]) if number >= first_sum else row
            for number, row in enumerate(self.rows)
        ]
        lines = [
            f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
            for row in (self.head, ("---",) * len(self.head), *shown)
        ]
        return "\n".join([*lines, *(["", self.below] if self.below else [])])


def markdown(figures: Figures) -> str:
    """All tables as Markdown, for a terminal."""
    return "\n\n".join(one.markdown() for one in tables(figures))


def tables(figures: Figures) -> Iterator[Table]:
    """The tables for which there is data."""
    yield _shares(figures)
    yield _by_kind(figures)
    if figures.generalization:
        yield _generalization(figures.generalization)
    if figures.invalid.causes:
        yield _causes(figures.invalid)
    if figures.calibration is not None:
        yield _calibration(figures.calibration)
    yield _spreads(figures)


def _shares(figures: Figures) -> Table:
    rows = tuple((name, one.percent(1), str(one.count)) for name, one in _named(figures))
    rows = tuple(row for row in rows if row[-1] != "0")
    return Table("Figures", ("figure", "share", "of"), rows, below=INTERVALS)


def _named(figures: Figures) -> list[tuple[str, Estimate]]:
    return [
        *((f"pass@{k}", value) for k, value in figures.pass_at.items()),
        *((f"pass^{k}", value) for k, value in figures.pass_all.items() if k > 1),
        ("wrong and accepted, without a note", figures.wrong_unnoted),
        ("wrong and accepted, with a note", figures.wrong_noted),
        ("wrong, of accepted programs", figures.wrong_of_accepted),
        ("run to their end in all worlds, of programs (executability)", figures.executability),
        ("goals that hold at the end (goal-condition recall)", figures.goal_recall),
        ("runs that reach all goals (success rate)", figures.success_rate),
        ("invalid first drafts", figures.invalid.first),
        ("invalid after all repair", figures.invalid.last),
        ("refused rightly, of no tasks", figures.refused_right),
        ("refused wrongly, of tasks", figures.refused_wrong),
        ("noted all the same, of right programs", figures.right_but_noted),
    ]


def _by_kind(figures: Figures) -> Table:
    rows = tuple(
        (row.name, str(row.items), *(row.outcomes[outcome].percent() for outcome in OUTCOMES))
        for row in figures.rows
    )
    sums = sum(row.sums for row in figures.rows)
    return Table("By kind", ("kind", "items", *OUTCOMES.values()), rows, sums)


def _generalization(groups: Sequence[Group]) -> Table:
    rows = tuple(
        (one.name, str(one.tasks), one.right.percent(), one.against_root.points()) for one in groups
    )
    head = ("change of the task", "tasks", "right", "against its root")
    below = "Intervals draw whole families: a root with all that was made of it."
    return Table("Generalization by kind of change", head, rows, below=below)


def _causes(invalid: Invalid) -> Table:
    rows = tuple((code, str(first), str(last)) for code, (first, last) in invalid.causes.items())
    return Table("Invalid programs", ("cause", "first draft", "after repair"), rows)


def _calibration(calibration: Calibration) -> Table:
    rows = tuple(
        (f"{one.low:.1f} to {one.high:.1f}", str(one.right.count),
         f"{100 * one.confidence:.0f} %", one.right.percent())
        for one in calibration.ranges
    )  # fmt: skip
    brier = calibration.brier
    below = (
        f"Expected calibration error: {100 * calibration.error:.1f} %. Brier score: "
        f"{brier.value:.3f} ({brier.low:.3f} to {brier.high:.3f}). {brier.count} items."
    )
    return Table("Confidence", ("confidence", "items", "mean", "right"), rows, below=below)


def _spreads(figures: Figures) -> Table:
    spreads = (figures.attempts, figures.tokens, figures.seconds)
    rows = tuple(
        (name, _short(one.mean), _short(one.median), _short(one.p95))
        for name, one in zip(("attempts", "tokens", "seconds"), spreads, strict=True)
    )
    below = f"Processes that died over an item: {figures.lost}." if figures.lost else ""
    return Table("Of each item", ("", "mean", "median", "p95"), rows, below=below)


def _short(number: float) -> str:
    return f"{number:.0f}" if number >= 100 or number == int(number) else f"{number:.2f}"
