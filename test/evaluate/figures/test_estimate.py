"""Means are told with the interval that they may be off by, and tasks are what is drawn."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.evaluate.figures.estimate import Estimate, difference, share
from roboinstruct_ros.evaluate.figures.groups import Groups
from roboinstruct_ros.evaluate.figures.interval import wilson

Values = list[tuple[str, float]]

RIGHT = (5, 4, 5, 3, 0, 5, 5, 4, 2, 5, 5, 1, 5, 4, 5, 5, 3, 5, 4, 5, 5, 0, 4, 5, 5, 2, 5, 4, 5, 3)
OF = (5, 4, 5, 6, 5, 5, 7, 4, 5, 5, 5, 3, 5, 4, 5, 5, 3, 5, 4, 5, 5, 2, 5, 5, 5, 2, 5, 4, 5, 3)
SKEWED = (*[50] * 24, 49, 48, 47, 45, 44, 40, 37, 31, 22, 3)


def values_of(right: tuple[int, ...], of: tuple[int, ...]) -> Values:
    """Of each task so many items that are right, of so many."""
    return [
        (f"task {task}", float(item < right[task]))
        for task in range(len(right))
        for item in range(of[task])
    ]


def test_items_of_different_tasks_have_wilsons_interval() -> None:
    one = share((f"task {task}", task < 60) for task in range(80))
    assert (one.value, (one.low, one.high), one.count) == (0.75, wilson(60, 80), 80)


@pytest.mark.parametrize(
    ("right", "of", "value", "low", "high"),
    # by scipy 1.17.1: stats.bootstrap((right, of), sum / sum, paired=True, n_resamples=200000,
    # method="BCa")
    [
        (RIGHT, (5,) * 30, 0.78667, 0.65333, 0.87333),
        (RIGHT, OF, 0.86765, 0.73846, 0.94245),
        (SKEWED, (50,) * 34, 0.92118, 0.81941, 0.96706),
    ],
)
def test_items_of_many_tasks_have_the_interval_of_tasks_drawn_again(
    right: tuple[int, ...], of: tuple[int, ...], value: float, low: float, high: float
) -> None:
    one = share(values_of(right, of))
    assert one.value == pytest.approx(value, abs=1e-5)
    assert (one.low, one.high) == pytest.approx((low, high), abs=0.008)


def test_more_phrasings_of_the_same_tasks_do_not_tell_as_much_as_more_tasks() -> None:
    phrasings = share((f"task {task}", task < 20) for task in range(25) for _ in range(5))
    tasks = share((f"task {task}", task < 100) for task in range(125))
    assert phrasings.value == tasks.value
    assert phrasings.high - phrasings.low > 1.8 * (tasks.high - tasks.low)


def test_where_all_is_right_or_all_wrong_the_interval_is_not_empty() -> None:
    for value in (0.0, 1.0):
        one = share((f"task {task}", value) for task in range(30) for _ in range(5))
        assert (one.low, one.high) == wilson(30 * value, 30)


def test_a_few_tasks_are_worth_more_than_one_item_each_where_they_are_alike() -> None:
    alike = share((f"task {task}", item < 4) for task in range(8) for item in range(4 + task % 2))
    apart = share((f"task {task}", task < 7) for task in range(8) for _ in range(5))
    assert alike.high - alike.low < 0.3 < 0.4 < apart.high - apart.low


def test_of_very_many_tasks_the_interval_is_as_near_without_drawing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shares = [(f"task {task}", float(task % 10 < 7)) for task in range(450) for _ in range(3)]
    deltas = [(task, value - (number % 5 == 0)) for number, (task, value) in enumerate(shares)]
    drawn = share(shares), difference(deltas)
    monkeypatch.setattr("roboinstruct_ros.evaluate.figures.estimate.MANY", 400)
    for one, other in zip(drawn, (share(shares), difference(deltas)), strict=True):
        assert one != other
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.005)


def test_nothing_and_one_task_tell_nothing() -> None:
    assert share([]) == Estimate(None, 0.0, 1.0, 0)
    assert difference([]) == Estimate(None, -1.0, 1.0, 0)
    one = share([("a", 1.0), ("a", 0.0), ("a", 1.0)])
    assert one.low < 0.1 and one.high > 0.9


def test_no_difference_is_as_sure_as_there_are_tasks() -> None:
    few = difference((f"task {task}", 0.0) for task in range(10) for _ in range(5))
    many = difference((f"task {task}", 0.0) for task in range(200))
    assert few.value == many.value == 0.0
    assert few.low < -0.2 and many.low == pytest.approx(-wilson(0, 200)[1])


def test_percent_and_points_are_for_people() -> None:
    assert share((str(task), task < 5) for task in range(10)).percent() == "50 % (24 to 76)"
    assert Estimate(0.04, 0.012, 0.068, 300).points() == "+4.0 (+1.2 to +6.8)"
    assert share([]).percent() == difference([]).points() == "-"


Task = st.sampled_from([f"task {number}" for number in range(30)])


@given(st.lists(st.tuples(Task, st.sampled_from([0.0, 0.3, 1.0])), min_size=1), st.randoms())
def test_the_order_of_items_makes_no_difference(values: Values, chance: random.Random) -> None:
    shuffled = chance.sample(values, len(values))
    for mean in (share, difference):
        one, other = mean(values), mean(shuffled)
        assert one == other
        assert (
            one.value is not None and one.low <= one.value + 1e-9 and one.value <= one.high + 1e-9
        )


@given(st.lists(st.tuples(Task, st.sampled_from([-1.0, 0.0, 1.0])), min_size=1))
def test_which_of_two_is_first_turns_the_difference_around(values: Values) -> None:
    one, other = difference(values), difference((task, -value) for task, value in values)
    assert one.value is not None and other.value is not None
    assert other.value == -one.value
    # quantiles of the draws are as near as the draws are
    assert (-other.high, -other.low) == pytest.approx((one.low, one.high), abs=0.02)


def drawn_share(tasks: int, chance: random.Random) -> bool:
    """Whether the interval holds the truth, 0.8, of tasks that are easy and hard."""
    easy = [chance.betavariate(4, 1) for _ in range(tasks)]
    one = share(
        (str(task), chance.random() < how) for task, how in enumerate(easy) for _ in "12345"
    )
    return one.low <= 0.8 <= one.high


def drawn_difference(tasks: int, chance: random.Random) -> bool:
    """Whether the interval holds the truth, 0.1, of a second one that is better at each task."""
    easy = [0.9 * chance.betavariate(3, 2) for _ in range(tasks)]
    one = difference(
        (str(task), (chance.random() < how + 0.1) - (chance.random() < how))
        for task, how in enumerate(easy)
        for _ in "12345"
    )
    return one.low <= 0.1 <= one.high


@pytest.mark.parametrize("drawn", [drawn_share, drawn_difference])
@pytest.mark.parametrize("tasks", [4, 10, 25])
def test_95_of_100_intervals_hold_the_truth(
    drawn: Callable[[int, random.Random], bool], tasks: int
) -> None:
    chance = random.Random(1)
    held = sum(drawn(tasks, chance) for _ in range(400)) / 400
    assert 0.92 <= held <= 1.0


def test_an_interval_that_took_items_for_independent_would_not() -> None:
    chance = random.Random(1)
    held = 0
    for _ in range(400):
        easy = [chance.betavariate(4, 1) for _ in range(60)]
        hits = sum(chance.random() < how for how in easy for _ in "12345")
        low, high = wilson(hits, 300)
        held += low <= 0.8 <= high
    assert held / 400 < 0.88


def test_groups_know_how_far_their_mean_may_be_off() -> None:
    # by hand: residuals 0.5, -0.5 of two groups of 2, times sqrt(2) over 4
    groups = Groups.of([("a", 1.0), ("a", 1.0), ("b", 0.0), ("b", 1.0)])
    assert groups.standard_error == pytest.approx((0.5 * 2) ** 0.5 / 4)
    assert Groups.of([("a", 1.0)]).standard_error == 0.0
