"""A way says what calls are right, no more and no less."""

from __future__ import annotations

import pytest

from roboinstruct_ros.evaluate.suite.ways import follows

FETCH = ["go_to *", "pick cup", "say ~here cup"]


@pytest.mark.parametrize(
    ("calls", "right"),
    [
        (["go_to a", "go_to b", "pick cup", "say Here is the cup"], True),
        (["go_to a", "pick cup", "say Here it is"], False),
        (["go_to a", "pick cup", "say Here is the cup", "go_to b"], False),
        (["pick cup", "say Here is the cup"], False),
        (["go_to a", "pick cup"], False),
    ],
)
def test_a_call_too_many_or_other_words_are_not_right(calls: list[str], right: bool) -> None:
    assert follows(calls, FETCH) is right


def test_driving_to_where_the_robot_is_makes_no_difference() -> None:
    assert follows(["go_to hall", "go_to a", "go_to a"], ["go_to a"], "hall")
    assert not follows(["go_to hall", "go_to a"], ["go_to a"], "cellar")


def test_words_are_denied_forbidden_chosen_and_gathered() -> None:
    assert follows(["say There isn't any tea"], ["say ~tea|coffee NOT"])
    assert not follows(["say There is tea"], ["say ~tea NOT"])
    assert not follows(["say There is no tea"], ["say ~tea !NOT"])
    assert follows(["say Bob, note this"], ["say ~bob !NOT"])
    assert follows(["say There is none"], ["say ~NOT|luck"])
    assert follows(["say No, it is full"], ["say ~yes|NOT"])
    assert not follows(["say Dinner is ready"], ["say ~yes|NOT"])
    assert not follows(["say There is none"], ["say ~!luck|NOT"])
    assert not follows(["say Here are two knives"], ["say ~!kni(fe|ves)"])
    assert not follows(["say Mix 5x"], [r"say ~!\S+X"])
    assert not follows(["say 13 rooms"], ["say ~3|three"])
    assert follows(["say Alice", "say Bob"], ["says ~bob alice !eve"])
    assert not follows(["say Alice", "say Bob"], ["say ~bob alice"])
    assert follows(["pick mug"], ["pick cup|mug"])


def test_what_stands_in_brackets_may_be_left_out() -> None:
    way = ["go_to a", "pick cup", "(go_to hall)", "(says ~NOT)"]
    assert follows(["go_to a", "pick cup"], way)
    assert follows(["go_to hall", "go_to a", "go_to a", "pick cup", "go_to hall"], way, "hall")
    assert not follows(["go_to a", "pick cup", "go_to b"], way)
    assert not follows(["go_to a", "pick cup", "say I have it"], way)
