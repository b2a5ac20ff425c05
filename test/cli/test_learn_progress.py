"""Where there is no terminal, a line now and then tells how far a step is."""

from __future__ import annotations

import pytest

from roboinstruct_ros.commands import progress
from roboinstruct_ros.commands.learn import told_step
from roboinstruct_ros.learn.pipeline.step import Step


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def test_it_tells_how_long_it_will_take(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with told_step(Step.TASKS) as told:
        told.total(300)
        told.advance(100)  # of the time before, when it was killed
        for seconds in (10, 10, 570, 5):
            clock.now += seconds
            told.advance(50 if seconds > 10 else 5)
    assert capsys.readouterr().err.splitlines() == [
        "tasks: begins",
        "tasks: 105 of 300, about 6 min left",
        "tasks: 110 of 300, about 6 min left",
        "tasks: 160 of 300, about 23 min left",
        "tasks: done",
    ]
