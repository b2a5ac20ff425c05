"""A node is restarted as long as it does not die again and again."""

from __future__ import annotations

import time

import pytest

from roboinstruct_ros.bringup.deaths import MOST_QUICK, QUICK, Deaths


@pytest.mark.parametrize(
    ("lives", "ends"),
    [
        ([0.1] * MOST_QUICK, False),
        ([0.1] * (MOST_QUICK + 1), True),
        ([0.1] * MOST_QUICK + [QUICK + 1, 0.1], False),
        ([QUICK + 1] * 100, False),  # one a week, for two years
    ],
)
def test_only_quick_deaths_in_a_row_end_it(
    lives: list[float], ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    deaths = Deaths()
    for life in lives:
        deaths.born()
        now += life
        too_many = deaths.died()
    assert too_many is ends
