"""The interval of a share of independent items."""

from __future__ import annotations

import pytest

from roboinstruct_ros.evaluate.figures.interval import wilson


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    # by scipy 1.17.1: stats.binomtest(hits, total).proportion_ci(method="wilson")
    [
        (0, 10, 0.0, 0.277533),
        (5, 10, 0.236593, 0.763407),
        (10, 10, 0.722467, 1.0),
        (7, 61, 0.056712, 0.218443),
        (180, 200, 0.850594, 0.934330),
    ],
)
def test_the_interval_is_wilsons(hits: int, total: int, low: float, high: float) -> None:
    assert wilson(hits, total) == pytest.approx((low, high), abs=1e-5)


def test_more_items_tell_more_and_none_tell_nothing() -> None:
    few, many = wilson(8, 10), wilson(800, 1000)
    assert few[0] < many[0] < 0.8 < many[1] < few[1]
    assert wilson(0, 0) == (0.0, 1.0)
