"""Shares are told with the interval that they may be off by."""

from __future__ import annotations

import pytest

from roboinstruct_ros.evaluate.figures.interval import percent, wilson


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    # by the formula of E. B. Wilson, 1927, worked out by hand
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (180, 200, 0.8506, 0.9343),
    ],
)
def test_the_interval_is_wilsons(hits: int, total: int, low: float, high: float) -> None:
    assert wilson(hits, total) == pytest.approx((low, high), abs=1e-4)


def test_more_cases_tell_more_and_none_tell_nothing() -> None:
    few, many = wilson(8, 10), wilson(800, 1000)
    assert few[0] < many[0] < 0.8 < many[1] < few[1]
    assert wilson(0, 0) == (0.0, 1.0)
    assert percent(0, 0) == "-"
    assert percent(5, 10) == "50 % (24 to 76)"
