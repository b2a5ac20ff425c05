"""A comparison of two evaluations as tables and as values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from roboinstruct_ros.evaluate.figures.comparison import Comparison, Pair
from roboinstruct_ros.evaluate.reports.tables import OUTCOMES, Table
from roboinstruct_ros.evaluate.runs.record import Key, Record


def sides(comparison: Comparison) -> Table:
    """What A and B have right, and whether the difference is significant."""
    one, other = comparison.pass_a, comparison.pass_b
    only_a, only_b = len(comparison.lost), len(comparison.won)
    both = sum(a.right and b.right for a, b in comparison.pairs)
    rows = (
        ("pass@1 of A", one.percent(1)),
        ("pass@1 of B", other.percent(1)),
        ("B less A, points", comparison.difference.points()),
        ("right in both", str(both)),
        ("right in A alone", str(only_a)),
        ("right in B alone", str(only_b)),
        ("right in neither", str(len(comparison.pairs) - both - only_a - only_b)),
        ("McNemar, exact p", _p(comparison.mcnemar.exact)),
        ("McNemar, mid-p", _p(comparison.mcnemar.mid)),
    )
    return Table("A and B", ("items in both", str(len(comparison.pairs))), rows)


def by_kind(comparison: Comparison) -> Table:
    """The difference for each kind of item."""
    rows = tuple((kind, str(one.count), one.points()) for kind, one in comparison.by_kind.items())
    return Table("By kind", ("kind", "items", "B less A, points"), rows)


def by_task(comparison: Comparison) -> Table:
    """The tasks whose results changed, the worst first."""
    rows = tuple((task, *map(str, counts)) for task, counts in comparison.by_task.items())
    return Table("Tasks that changed", ("task", "right in A", "right in B", "of"), rows)


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


OTHER_SUITE = "the suites of A and B differ: a program may be right by one, wrong by the other"


def unpaired(comparison: Comparison) -> list[str]:
    """A line for each reason why items are not compared, with the first such items."""
    reasons = {
        "only in A": comparison.only_a,
        "only in B": comparison.only_b,
        "asked otherwise in B than in A": comparison.asked_otherwise,
    }
    return [f"{len(keys)} items {why}: {_first(keys)}" for why, keys in reasons.items() if keys]


def as_values(names: tuple[str, str], comparison: Comparison) -> dict[str, Any]:
    """All values, for JSON.

    Args:
        names: of A and B.
    """
    return {
        "a": names[0],
        "b": names[1],
        "verdict": comparison.verdict,
        "pass_a": asdict(comparison.pass_a),
        "pass_b": asdict(comparison.pass_b),
        "difference": asdict(comparison.difference),
        "by_kind": {kind: asdict(one) for kind, one in comparison.by_kind.items()},
        "by_task": {task: list(counts) for task, counts in comparison.by_task.items()},
        "mcnemar": asdict(comparison.mcnemar),
        "lost": list(_changed(comparison.lost)),
        "won": list(_changed(comparison.won)),
        "only_a": [key.model_dump() for key in comparison.only_a],
        "only_b": [key.model_dump() for key in comparison.only_b],
        "other_suite": comparison.other_suite,
        "asked_otherwise": [key.model_dump() for key in comparison.asked_otherwise],
    }


def side(record: Record) -> tuple[str, str]:
    """The outcome of an item, and what was written or said."""
    why = f": {record.why}" if record.why else ""
    return f"{OUTCOMES[record.outcome]}{why}", record.program or record.said


def _changed(pairs: Sequence[Pair]) -> Iterator[dict[str, Any]]:
    for a, b in pairs:
        yield {
            "key": a.key.model_dump(),
            "text": a.text,
            "a": dict(zip(("outcome", "program"), side(a), strict=True)),
            "b": dict(zip(("outcome", "program"), side(b), strict=True)),
        }


def _first(keys: Sequence[Key], most: int = 5) -> str:
    shown = ", ".join(f"{key.task} {key.phrasing}.{key.sample}" for key in keys[:most])
    return f"{shown}, ..." if len(keys) > most else shown
