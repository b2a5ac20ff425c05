"""All figures of an evaluation, computed from its records alone; their order does not matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, fsum

from roboinstruct_ros.evaluate.families.generalization import Group, generalization
from roboinstruct_ros.evaluate.families.lineage import NO_LINEAGE, Lineage
from roboinstruct_ros.evaluate.figures.calibration import Calibration, calibration
from roboinstruct_ros.evaluate.figures.estimate import Estimate, share
from roboinstruct_ros.evaluate.figures.passing import passing
from roboinstruct_ros.evaluate.figures.programs import (
    Invalid,
    executability,
    goals_reached,
    invalid,
    wrong_of_accepted,
)
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.evaluate.suite.outcome import Outcome

PARTS = {1: "one part", 2: "two parts", 3: "three parts or more"}


@dataclass(frozen=True)
class Spread:
    """The mean, the median and the 95th percentile (nearest rank) of some numbers."""

    mean: float
    median: float
    p95: float


@dataclass(frozen=True)
class Row:
    """Items summarised in one row.

    Attributes:
        sums: whether the row covers several kinds; every item is in the row of its kind, and in
            such rows.
        outcomes: shares of the items, by outcome.
    """

    name: str
    sums: bool
    items: int
    outcomes: dict[Outcome, Estimate]


@dataclass(frozen=True)
class Figures:
    """The figures of one evaluation.

    Attributes:
        tasks: number of different tasks.
        samples: of each phrasing, at least.
        pass_at: pass@k by k: one of k samples is right.
        pass_all: pass^k by k: all of k samples are right.
        wrong_unnoted, wrong_noted: accepted programs that do something else, without and with a
            note to look twice, as shares of all items; `wrong_of_accepted` is both, as a share of
            accepted programs.
        refused_right: share of non-tasks with the expected kind of answer in words.
        refused_wrong: share of tasks with an answer in words.
        right_but_noted: share of right programs that nevertheless have a note.
        by_attempt: share of tasks that are right after at most so many attempts.
        lost: how often a process died over an item.
        generalization: of a suite of families, by kind of change; else empty.
    """

    items: int
    tasks: int
    samples: int
    pass_at: dict[int, Estimate]
    pass_all: dict[int, Estimate]
    executability: Estimate
    goal_recall: Estimate
    success_rate: Estimate
    wrong_unnoted: Estimate
    wrong_noted: Estimate
    wrong_of_accepted: Estimate
    refused_right: Estimate
    refused_wrong: Estimate
    right_but_noted: Estimate
    invalid: Invalid
    calibration: Calibration | None
    rows: tuple[Row, ...]
    by_attempt: dict[int, Estimate]
    attempts: Spread
    tokens: Spread
    seconds: Spread
    lost: int
    generalization: tuple[Group, ...] = ()


def figures_of(records: Sequence[Record], lineage: Lineage = NO_LINEAGE) -> Figures:
    """Compute every figure; shares have the intervals described in `estimate.py`.

    Args:
        lineage: of the suite's tasks.
    """
    asked = [one for one in records if one.is_task]
    others = [one for one in records if not one.is_task]
    pass_at, pass_all = passing(records)
    recall, success = goals_reached(records)
    return Figures(
        items=len(records),
        tasks=len({one.key.task for one in records}),
        samples=max(pass_at, default=0),
        pass_at=pass_at,
        pass_all=pass_all,
        executability=executability(records),
        goal_recall=recall,
        success_rate=success,
        wrong_unnoted=outcome_share(records, Outcome.WRONG),
        wrong_noted=outcome_share(records, Outcome.NOTED),
        wrong_of_accepted=wrong_of_accepted(records),
        refused_right=outcome_share(others, Outcome.RIGHT),
        refused_wrong=outcome_share(asked, Outcome.ANSWERED),
        right_but_noted=share(
            (one.key.task, bool(one.notes)) for one in records if one.right and one.program
        ),
        invalid=invalid(records),
        calibration=calibration(records),
        rows=_rows(records),
        by_attempt=_by_attempt(asked),
        attempts=spread([one.attempts for one in records]),
        tokens=spread([one.tokens for one in records]),
        seconds=spread([one.seconds for one in records]),
        lost=sum(one.lost for one in records),
        generalization=generalization(records, lineage) if lineage.steps else (),
    )


def outcome_share(records: Sequence[Record], outcome: Outcome) -> Estimate:
    """The share of the records with this outcome."""
    return share((one.key.task, one.outcome is outcome) for one in records)


def spread(numbers: Sequence[float]) -> Spread:
    """The spread of the numbers; all zero for none."""
    if not numbers:
        return Spread(0.0, 0.0, 0.0)
    ordered = sorted(numbers)
    median, p95 = (ordered[ceil(part * len(ordered)) - 1] for part in (0.5, 0.95))
    return Spread(fsum(ordered) / len(ordered), median, p95)


def _by_attempt(asked: Sequence[Record]) -> dict[int, Estimate]:
    most = max((one.attempts for one in asked if one.right), default=0)
    return {
        attempt: share((one.key.task, one.right and one.attempts <= attempt) for one in asked)
        for attempt in range(1, most + 1)
    }


def _rows(records: Sequence[Record]) -> tuple[Row, ...]:
    """A row per kind, by name; then sums: non-tasks, tasks, tasks by number of parts, all."""
    kinds: dict[str, list[Record]] = defaultdict(list)
    sums: dict[str, list[Record]] = {
        name: [] for name in ("no tasks", *PARTS.values(), "tasks", "all")
    }
    for record in records:
        kinds[record.kind].append(record)
        sums["tasks" if record.is_task else "no tasks"].append(record)
        sums["all"].append(record)
        if record.parts:
            sums[PARTS[record.parts]].append(record)
    ordered = [(name, False, kinds[name]) for name in sorted(kinds)]
    ordered += [(name, True, some) for name, some in sums.items() if some]
    return tuple(
        Row(name, both, len(some), {one: outcome_share(some, one) for one in Outcome})
        for name, both, some in ordered
    )
