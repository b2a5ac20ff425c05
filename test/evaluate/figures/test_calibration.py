"""How far confidence is off is told as it is."""

from __future__ import annotations

import pytest
from made_up import record

from roboinstruct_ros.evaluate.figures.calibration import calibration
from roboinstruct_ros.evaluate.suite.judge import Outcome


def test_the_errors_are_what_confidence_is_off_by() -> None:
    right = [record(name, confidence=0.95) for name in "abc"]
    wrong = [
        record("d", confidence=0.95, outcome=Outcome.WRONG, why="it waits"),
        record("e", confidence=0.1, outcome=Outcome.NOTHING, answer=None),
    ]
    found = calibration([*right, *wrong, record("f")])
    assert found is not None
    low, high = found.ranges
    assert (low.low, low.high, low.confidence, low.right.value) == (0.0, 0.2, 0.1, 0.0)
    assert (high.low, high.high, high.right.value, high.right.count) == (0.9, 1.0, 0.75, 4)
    assert found.error == pytest.approx((4 * 0.2 + 1 * 0.1) / 5)
    assert found.brier.value == pytest.approx((3 * 0.05**2 + 0.95**2 + 0.1**2) / 5)
    assert found.brier.count == 5


def test_of_two_programs_the_likelier_one_is_what_it_was_sure_of() -> None:
    for why, good in (("", 1.0), ("['go_to hall']", 0.0)):
        found = calibration([record(confidence=0.3, outcome=Outcome.OFFERED, why=why)])
        assert found is not None and found.ranges[0].right.value == good


def test_full_confidence_is_in_the_last_range_and_none_tells_nothing() -> None:
    found = calibration([record(confidence=1.0), record("b", confidence=0.9)])
    assert found is not None and [one.right.count for one in found.ranges] == [2]
    assert found.error == pytest.approx(0.05)
    assert calibration([record()]) is None
