"""Times of day and durations as people write them."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.value_types import duration, time_of_day, value_type_fault


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("9:30 am", 570), ("9:30am", 570), ("10 am", 600), ("12 am", 0), ("12:15 pm", 735),
        ("14:00", 840), ("noon", 720), ("midnight", 0), ("7 p.m.", 1140), ("14.30", 870),
        ("9", None), ("25:00", None), ("13 pm", None), ("9:75", None), ("soon", None), ("", None),
    ],
)  # fmt: skip
def test_time_of_day(text: str, minutes: float | None) -> None:
    assert time_of_day(text) == minutes


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("1 hr", 60), ("1 hour 30 minutes", 90), ("90 min", 90), ("1.5 h", 90), ("45m", 45),
        ("1 hour and 5 min", 65), ("30 s", 0.5), ("0 min", None), ("an hour", None), ("", None),
        ("1 hr late", None), ("99 hours", None),
        ("5 \u017f", None),
    ],
)  # fmt: skip
def test_duration(text: str, minutes: float | None) -> None:
    assert duration(text) == minutes


@pytest.mark.parametrize(
    "value",
    [True, float("nan"), float("inf"), 10**400, -(10**400), "1", None, [1]],
    ids=lambda value: repr(value)[:9],
)
def test_what_is_no_number(value: object) -> None:
    assert value_type_fault(value, "number").startswith("must be a number, not ")


def test_a_huge_number_makes_no_huge_message() -> None:
    assert value_type_fault(10**400, "text") == "must be a text, not a number"
