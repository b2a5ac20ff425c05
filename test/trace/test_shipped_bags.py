"""The runs that ship with the tests go as they went: failure, recovery, stop, ask and rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.execute.recovery_policies import SkillRecovery
from roboinstruct_ros.trace.regression import REPLAYS, Outcome, replay_all
from roboinstruct_ros.trace.replay import replay_calls
from roboinstruct_ros.trace.run_trace import bags_under, read_trace

BAGS = bags_under(Path(__file__).parents[1] / "bags")


@pytest.mark.parametrize("bag", BAGS, ids=lambda bag: bag.name)
def test_a_shipped_run_goes_as_expected(bag: Path) -> None:
    results = list(replay_all([bag], REPLAYS, jobs=1))
    assert [(one.outcome, one.told) for one in results] == [(Outcome.SAME, "")] * 2


def test_what_ships_is_small_and_of_every_kind() -> None:
    traces = {bag.name: read_trace(bag) for bag in BAGS}
    assert sum(path.stat().st_size for bag in BAGS for path in bag.iterdir()) < 300_000
    assert {trace.outcome for trace in traces.values()} == {"succeeded", "failed", "cancelled"}
    assert any(call.tries for trace in traces.values() for call in trace.calls)
    assert any(call.call.skill == "ask" for call in traces["asked"].calls)
    words = [traces[name].words for name in ("round_1", "round_2")]
    assert [bool(one and one.found) for one in words] == [False, True]


def test_a_recovery_that_is_broken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = read_trace(next(bag for bag in BAGS if bag.name == "blocked_way"))
    monkeypatch.setattr(SkillRecovery, "tries", lambda recovery, code: ())
    assert str(replay_calls(trace)) == "call 1 was go_to('study') and is the end"
