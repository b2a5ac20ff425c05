"""A way says what calls are right, no more and no less."""

from __future__ import annotations

import pytest

from roboinstruct_ros.learn.test_sets.ways import follows

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


def test_what_stands_in_brackets_may_be_left_out() -> None:
    way = ["go_to a", "(say ~hello)", "says ~one two"]
    assert follows(["go_to a", "say one", "say two"], way)
    assert follows(["go_to a", "say hello", "say two and one"], way)
    assert not follows(["go_to a", "say hello"], way)


def test_words_may_be_one_of_several_or_have_to_be_missing() -> None:
    assert follows(["say It isn't there"], ["say ~NOT"])
    assert not follows(["say It is there"], ["say ~NOT"])
    assert follows(["say It is there"], ["say ~there|here !NOT"])
    assert not follows(["say not here"], ["say ~there|here !NOT"])
    assert follows(["pick mug"], ["pick cup|mug"])
