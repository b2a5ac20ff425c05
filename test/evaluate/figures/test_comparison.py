"""Two evaluations are compared item by item."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import passed, record
from made_up import records as made_up

from roboinstruct_ros.evaluate.figures.comparison import compared
from roboinstruct_ros.evaluate.runs.record import Key, Record


def items(right: int, of: int = 300) -> list[Record]:
    """One a task, the first of them right."""
    return [passed(f"task {number:03}", 0, number < right) for number in range(of)]


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (240, 252, "B is better by 4.0 points (2.0 to 6.7)."),
        (252, 240, "B is worse by 4.0 points (2.0 to 6.7)."),
        (240, 240, "A and B have the same of 300 items right."),
    ],
)
def test_the_verdict_says_which_and_by_how_much(first: int, second: int, verdict: str) -> None:
    assert compared(items(first), items(second)).verdict == verdict


def test_a_difference_that_may_be_luck_is_none() -> None:
    swapped = [passed(f"task {number:03}", 0, number >= 58) for number in range(300)]
    found = compared(items(240), swapped)
    assert found.verdict.startswith("Neither is shown to be better; B less A, in points: +0.7 (")


def test_what_changed_sides_is_told_with_both_records() -> None:
    a = [passed("kept", 0, True), passed("lost", 0, True), passed("won", 0, False)]
    b = [passed("kept", 0, True), passed("lost", 0, False), passed("won", 0, True)]
    found = compared(a, b)
    assert found.lost == ((a[1], b[1]),) and found.won == ((a[2], b[2]),)
    assert found.by_task == {"lost": (1, 0, 1), "won": (0, 1, 1)}
    assert (found.difference.value, found.mcnemar.exact) == (0.0, 1.0)
    assert (found.pass_a.value, found.pass_b.value) == pytest.approx((2 / 3, 2 / 3))


def test_items_are_paired_by_task_phrasing_and_sample_and_the_rest_is_told() -> None:
    a = [record("x", 0, 0), record("x", 0, 1), record("x", 1, 0), record("old")]
    b = [record("x", 0, 1), record("x", 0, 0), record("x", 1, 0, text="Something else.")]
    found = compared(a, [*b, record("new")])
    assert [pair[0].key for pair in found.pairs] == [
        Key(task="x", phrasing=0, sample=0),
        Key(task="x", phrasing=0, sample=1),
    ]
    assert found.asked_otherwise == (Key(task="x", phrasing=1),)
    assert (found.only_a, found.only_b) == ((Key(task="old"),), (Key(task="new"),))


def test_two_that_share_nothing_are_not_compared() -> None:
    found = compared([record("a")], [record("b")])
    assert found.verdict == "Nothing can be compared: no item is in both."


def test_the_bound_is_held_against_what_was_counted() -> None:
    fallen = compared(items(255), items(240))  # by 5 points
    assert fallen.worse_by_more_than(0.04) and fallen.worse_by_more_than(0.0)
    assert not fallen.worse_by_more_than(0.05)
    assert not compared(items(240), items(255)).worse_by_more_than(0.0)


def test_kinds_are_told_apart() -> None:
    a = [record("x", kind="driving"), record("y", kind="fetching")]
    b = [record("x", kind="driving"), passed("y", 0, False)]
    found = compared(a, b)
    assert {kind: one.value for kind, one in found.by_kind.items()} == {
        "driving": 0.0,
        "fetching": -1.0,
    }


@settings(max_examples=10)
@given(st.randoms())
def test_the_order_of_records_makes_no_difference(chance: random.Random) -> None:
    a, b = made_up(1, tasks=25, phrasings=2), made_up(2, tasks=25, phrasings=2)
    shuffled = (chance.sample(records, len(records)) for records in (a, b))
    one, other = compared(a, b), compared(*shuffled)
    assert one == other and one.difference == other.difference


def test_phrasings_of_a_task_are_not_taken_for_tasks() -> None:
    def several(right: int) -> list[Record]:
        return [passed(f"task {n}", p, n < right) for n in range(30) for p in range(10)]

    apart = compared(items(240), items(270)).difference
    together = compared(several(24), several(27)).difference
    assert apart.value == together.value == pytest.approx(0.1)
    assert together.low < 0.04 < 0.06 < apart.low
