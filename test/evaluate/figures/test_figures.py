"""The figures of an evaluation are what its records come to."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import record
from made_up import records as made_up

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.figures.figures import Figures, Spread, figures_of, spread
from roboinstruct_ros.evaluate.suite.judge import Outcome

REFUSAL = {"wanted": (AnswerKind.CANNOT,), "attempts": 0}
IN_WORDS = {"answer": AnswerKind.CANNOT, "program": ""}

RECORDS = [
    record("a", parts=1),
    record("b", parts=3, notes=("Look twice.",), attempts=2),
    record("c", kind="driving", outcome=Outcome.WRONG),
    record("d", kind="driving", outcome=Outcome.NOTED),
    record("e", outcome=Outcome.ANSWERED, **IN_WORDS),
    record("f", kind="flying", **REFUSAL, **IN_WORDS),
    record("g", kind="flying", **REFUSAL, outcome=Outcome.WRONG),
]


def rows(figures: Figures) -> dict[str, tuple[int, float | None]]:
    return {row.name: (row.items, row.outcomes[Outcome.RIGHT].value) for row in figures.rows}


def test_kinds_tasks_and_parts_have_a_row_each() -> None:
    figures = figures_of(RECORDS)
    assert list(rows(figures).items()) == [
        ("driving", (2, 0.0)),
        ("fetching", (3, pytest.approx(2 / 3))),
        ("flying", (2, 0.5)),
        ("no tasks", (2, 0.5)),
        ("one part", (1, 1.0)),
        ("three parts or more", (1, 1.0)),
        ("tasks", (5, pytest.approx(2 / 5))),
        ("all", (7, pytest.approx(3 / 7))),
    ]
    assert [row.name for row in figures.rows if not row.sums] == ["driving", "fetching", "flying"]
    for row in figures.rows:
        assert sum(one.value or 0 for one in row.outcomes.values()) == pytest.approx(1)


def test_what_is_wrong_refused_and_noted_is_told_of_what_it_is_a_share_of() -> None:
    figures = figures_of(RECORDS)
    assert figures.pass_at[1].value == pytest.approx(3 / 7)
    assert figures.wrong_unnoted.value == pytest.approx(2 / 7)
    assert figures.wrong_noted.value == pytest.approx(1 / 7)
    assert figures.wrong_of_accepted.value == pytest.approx(3 / 5)
    assert (figures.refused_right.value, figures.refused_right.count) == (0.5, 2)
    assert (figures.refused_wrong.value, figures.refused_wrong.count) == (pytest.approx(0.2), 5)
    assert (figures.right_but_noted.value, figures.right_but_noted.count) == (0.5, 2)


def test_each_attempt_adds_what_it_brings() -> None:
    figures = figures_of(RECORDS)
    assert {k: one.value for k, one in figures.by_attempt.items()} == {1: 0.2, 2: 0.4}


def test_median_and_p95_are_numbers_that_were_there() -> None:
    assert spread([5, 1, 2, 4]) == Spread(3.0, 2, 5)
    assert spread(range(1, 101)) == Spread(50.5, 50, 95)
    assert spread([]) == Spread(0.0, 0.0, 0.0)


def test_of_nothing_nothing_is_told() -> None:
    figures = figures_of([])
    assert (figures.items, figures.pass_at, figures.rows) == (0, {}, ())
    assert figures.calibration is None and figures.success_rate.value is None


@settings(max_examples=10)
@given(st.randoms())
def test_the_order_of_records_makes_no_difference(chance: random.Random) -> None:
    records = made_up(1, tasks=25, phrasings=2)
    assert figures_of(chance.sample(records, len(records))) == figures_of(records)
