"""The runs that ship with the tests go as they went: failure, recovery, stop, ask and rounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import Policies, Policy
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.execute.recovery_policies import SkillRecovery
from roboinstruct_ros.trace.judged_again import replay_verdict
from roboinstruct_ros.trace.regression import REPLAYS, Outcome, replay_all
from roboinstruct_ros.trace.replay import replay_calls
from roboinstruct_ros.trace.run_trace import bags_under, read_trace
from roboinstruct_ros.trace.written_again import replay_program

BAGS = bags_under(Path(__file__).parents[1] / "bags")


@pytest.mark.parametrize("bag", BAGS, ids=lambda bag: bag.name)
def test_a_shipped_run_goes_as_expected(bag: Path) -> None:
    results = list(replay_all([bag], REPLAYS, jobs=1))
    assert [(one.outcome, one.told) for one in results] == [(Outcome.SAME, "")] * 2


WRITTEN = [bag for bag in BAGS if read_trace(bag).words]
UNSURE = (
    "the model writes no program now: I am not sure what you mean. Which of these should I do? "
    "If neither, tell me one thing at a time."
)
BY_ANOTHER = {
    "blocked_way": "call 1 was go_to('study') and is get_current_location()",
    **dict.fromkeys(("coffee", "round_1"), UNSURE),
}
"""Programs of other models, in whose place the small one does something else."""


@pytest.mark.parametrize("bag", WRITTEN, ids=lambda bag: bag.name)
def test_a_shipped_program_is_written_again_and_another_model_is_told(bag: Path) -> None:
    found = replay_program(read_trace(bag), "roboinstruct-small")
    assert str(found or "") == BY_ANOTHER.get(bag.name, "")


def test_each_change_is_told_by_the_depth_that_looks_for_it() -> None:
    trace = read_trace(next(bag for bag in BAGS if bag.name == "coffee"))
    elsewhere = replace(trace, source=trace.source.replace("living room", "kitchen"))
    assert "is go_to('kitchen')" in str(replay_calls(elsewhere))
    quiet = Policies(policies=(Policy(name="no questions", never="ask(...)"),))
    told = str(replay_verdict(trace, {"policies": quiet}))
    assert told.startswith("by the policies: was accepted") and "no questions" in told
    office = load_semantic_map(find_world("office"))
    told = str(replay_verdict(trace, {"semantic_map": office}))
    assert told.startswith("by the map: was accepted") and "living room" in told


def test_what_ships_is_small_and_of_every_kind() -> None:
    traces = {bag.name: read_trace(bag) for bag in BAGS}
    assert sum(path.stat().st_size for bag in BAGS for path in bag.iterdir()) < 300_000
    assert {trace.outcome for trace in traces.values()} == {"succeeded", "failed", "cancelled"}
    assert any(call.tries for trace in traces.values() for call in trace.calls)
    assert any(call.call.skill == "ask" for call in traces["asked"].calls)
    assert len(WRITTEN) == 6
    words = [traces[name].words for name in ("round_1", "round_2")]
    assert [bool(one and one.found) for one in words] == [False, True]


def test_a_recovery_that_is_broken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = read_trace(next(bag for bag in BAGS if bag.name == "blocked_way"))
    monkeypatch.setattr(SkillRecovery, "tries", lambda recovery, code: ())
    assert str(replay_calls(trace)) == "call 1 was go_to('study') and is the end"
