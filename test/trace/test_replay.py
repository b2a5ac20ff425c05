"""A recorded run goes the same way again, and what makes it go another way is told."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from recorded_runs import HOME, TOPIC, bag_of, recorded
from stage import BLOCKED, DOMAIN, LIMIT, FakeSkills, Stage
from test_pause_and_turns import FOUR_TIMES
from test_recovery import TWICE, Stubborn

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.policies import Policies, Policy
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.hazard import OnHazard
from roboinstruct_ros.execute.recovery_policies import RecoveryPolicies, SkillRecovery, Try
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.trace.bag import EVENT_TYPE, BagError, BagWriter, read_events, serialized
from roboinstruct_ros.trace.judged_again import Cause, replay_verdict
from roboinstruct_ros.trace.replay import CannotReplay, replay_calls
from roboinstruct_ros.trace.run_trace import RunTrace, bag_named, bags_under, read_trace
from roboinstruct_ros.verify.service.current_rules import Rules
from roboinstruct_ros.verify.verifier import verify

SEES = FakeSkills({"is_in_room": SkillOutcome(True)})
LOST = SkillOutcome(error_code=SkillErrorCode.NOT_LOCALIZED, message="lost")
FETCH = 'go_to("kitchen")\nif is_in_room("apple"):\n    pick("apple")\n    go_to("study")'


def traced(folder: Path, body: str, *args: Any, **options: Any) -> RunTrace:
    path, _ = recorded(folder / "bag", body, *args, **options)
    return read_trace(path)


def test_the_bag_tells_what_ran_under_what_and_what_came_of_it(tmp_path: Path) -> None:
    trace = traced(tmp_path, FETCH, SEES)
    assert (trace.task_id, trace.instruction, trace.approved_by) == ("t1", "a task", "test")
    assert 'pick("apple")' in trace.source and trace.outcome == "succeeded"
    assert [one.call.skill for one in trace.calls] == ["go_to", "is_in_room", "pick", "go_to"]
    assert trace.calls[1].call.result is True
    assert trace.calls[0].call.end - trace.calls[0].call.start == pytest.approx(0.5)
    assert trace.setting is not None and trace.setting.semantic_map == HOME
    assert trace.verdict is not None and trace.verdict.accepted


HELD = ((("holding", "apple"), True),)
CLOCK = 'begin = time.time()\nwhile time.time() - begin < 0.05:\n    time.sleep(0.02)\nsay("over")'


@pytest.mark.parametrize(
    ("body", "skills", "options"),
    [
        (FETCH, SEES, {}),
        (FETCH, FakeSkills({"is_in_room": SkillOutcome(False)}), {}),
        ('say(random.choice(["one", "two", "three", "four", "five", "six"]))', None, {}),
        (CLOCK, None, {}),
        ("say(str(time.time()))", None, {}),
        ('go_to("study")\nplace("apple")', None, {"remains": HELD}),
        ("for _ in range(3):\n    time.sleep(0.01)\n    say(str(random.random()))", None, {}),
        ('go_to("kitchen")', Stubborn("go_to", BLOCKED, 2), {"recovery": TWICE}),
        ('go_to("kitchen")', Stubborn("go_to", BLOCKED, 9), {"recovery": TWICE}),
        (
            'try:\n    go_to("kitchen")\nexcept SkillError as error:\n    say(error.code)',
            FakeSkills({"go_to": BLOCKED}),
            {},
        ),
        ('say(ask("", "Tea?", ["yes", "no"]))', FakeSkills({"ask": SkillOutcome("no")}), {}),
        ('for _ in range(9):\n    say("again")', None, {"most_calls": 5}),
    ],
)  # fmt: skip
def test_a_run_goes_as_recorded(
    tmp_path: Path, body: str, skills: FakeSkills | None, options: dict[str, Any]
) -> None:
    assert replay_calls(traced(tmp_path, body, skills, **options)) is None


def test_a_run_that_a_hazard_ended_ends_there_again(tmp_path: Path) -> None:
    begins_with_full_hand = FOUR_TIMES.partition("\n")[2]
    trace = traced(
        tmp_path, begins_with_full_hand, FakeSkills({"go_to": BLOCKED}), remains=HELD,
        on_hazard=OnHazard.STOP, verify_rest=lambda calls, source, remains: verify(
            source, DOMAIN, HOME, calls=calls, remains=remains
        ),
    )  # fmt: skip
    assert trace.error_code == TaskErrorCode.HAZARD_AHEAD
    assert replay_calls(trace) is None


def test_a_run_that_went_on_after_a_hazard_goes_on_again(tmp_path: Path) -> None:
    trace = traced(
        tmp_path, FOUR_TIMES, FakeSkills({"go_to": BLOCKED}), on_hazard=OnHazard.WARN,
        verify_rest=lambda calls, source, _: verify(source, DOMAIN, HOME, calls=calls),
    )  # fmt: skip
    assert trace.outcome == "succeeded" and trace.hazards
    assert replay_calls(trace) is None


class Changing:
    """Rules that forbid a call from a look on, which comes before each call."""

    def __init__(self, look: int) -> None:
        self.last, self._left = Rules(HOME, Policies(), ""), look

    def look(self) -> Rules:
        self._left -= 1
        if self._left == 0:
            closed = Policy(name="closed", never='go_to("kitchen")')
            self.last = Rules(HOME, Policies(policies=(closed,)), "other")
        return self.last


@pytest.mark.parametrize(
    ("look", "reaction", "calls", "code"),
    [
        (2, OnHazard.WARN, 2, TaskErrorCode.POLICY_BROKEN),
        (2, OnHazard.STOP, 1, TaskErrorCode.HAZARD_AHEAD),
        (4, OnHazard.WARN, 4, 0),
    ],
)
def test_rules_that_changed_in_a_run_change_there_again(
    tmp_path: Path, look: int, reaction: OnHazard, calls: int, code: int
) -> None:
    rules = Changing(look)
    stage = Stage(
        None, lambda source: verify(source, DOMAIN, HOME), rules=rules, on_hazard=reaction,
        verify_rest=lambda calls, source, _: verify(
            source, DOMAIN, HOME, rules.last.policies, calls=calls
        ),
    )  # fmt: skip
    run = stage.run('say("one")\nsay("two")\ngo_to("kitchen")\nsay("three")')
    assert (run.error_code, len(run.calls)) == (code, calls)
    trace = read_trace(bag_of(tmp_path / "bag", stage.events))
    assert [at for at, _ in trace.later] == [look - 1]
    assert replay_calls(trace) is None and replay_verdict(trace) is None
    unchanged = replay_calls(replace(trace, later=()))
    assert unchanged is not None or not code


def stops(stage: Stage) -> None:
    assert stage.skills.entered.wait(LIMIT)
    stage.runner.stop("a test", "enough")


def test_a_run_that_was_stopped_is_stopped_at_the_same_call(tmp_path: Path) -> None:
    body = 'say("one")\ngo_to("kitchen")\nsay("never")'
    trace = traced(tmp_path, body, FakeSkills(holds="go_to"), during=stops)
    assert (trace.outcome, trace.error_code) == ("cancelled", TaskErrorCode.STOPPED)
    assert replay_calls(trace) is None
    later = traced(
        tmp_path / "later", body.replace("one", "two"), FakeSkills(holds="go_to"), during=stops
    )
    other = replay_calls(replace(trace, source=later.source))
    assert str(other) == "call 1 was say('one') and is say('two')"


def test_a_run_that_was_stopped_while_it_waited_is_stopped_there(tmp_path: Path) -> None:
    waits = threading.Event()

    def look() -> float:
        waits.set()
        return time.time()

    def stops_then(stage: Stage) -> None:
        assert waits.wait(LIMIT)
        stage.runner.stop("a test", "enough")

    body = 'say("one")\nbegin = time.time()\nwhile time.time() - begin < 60:\n    time.sleep(0.01)'
    trace = traced(tmp_path, body, during=stops_then, clocks=Clocks(read=look))
    assert trace.outcome == "cancelled" and len(trace.calls) == 1
    assert replay_calls(trace) is None


def test_a_replay_does_not_wait_while_the_program_sleeps(tmp_path: Path) -> None:
    leaps = Clocks(passing=count(0.0, 1e6).__next__)  # an hour that took no time
    trace = traced(tmp_path, 'say("one")\ntime.sleep(3600)\nsay("two")', clocks=leaps)
    assert replay_calls(trace) is None


def test_each_call_has_its_own_readings_of_the_clock(tmp_path: Path) -> None:
    body = 'time.time()\nsay("one")\nsay(str(time.time()))'
    trace = traced(tmp_path, body)
    without = trace.source.replace("    time.time()\n", "")
    assert without != trace.source
    assert replay_calls(replace(trace, source=without)) is None


def test_a_bag_that_ends_in_a_call_is_replayed_up_to_there(tmp_path: Path) -> None:
    trace = traced(tmp_path, FETCH, SEES)
    cut = replace(trace.calls[2], call=replace(trace.calls[2].call, end=0.0))
    assert (
        replay_calls(replace(trace, calls=(*trace.calls[:2], cut), outcome="", ended=0.0)) is None
    )


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('go_to("study")', 'go_to("hallway")', "call 4 was go_to('study') and is go_to('hallway')"),
        ('    go_to("study")', "    pass", "call 4 was go_to('study') and is the end"),
        ('go_to("study")', 'go_to("study"); say("x")', "call 5 was the end and is say('x')"),
        ('"apple"):', '"pear"):', "call 2 was is_in_room('apple') and is is_in_room('pear')"),
        ('go_to("study")', 'go_to("study"); print(1 / 0)',
         "the end was succeeded and is failed (PROGRAM_FAILED: ZeroDivisionError"),
    ],
)  # fmt: skip
def test_the_first_difference_is_told(tmp_path: Path, before: str, after: str, told: str) -> None:
    trace = traced(tmp_path, FETCH, SEES)
    assert before in trace.source
    difference = replay_calls(replace(trace, source=trace.source.replace(before, after)))
    assert str(difference).startswith(told)


def test_other_recovery_is_a_difference(tmp_path: Path) -> None:
    trace = traced(tmp_path, 'go_to("kitchen")', Stubborn("go_to", BLOCKED, 2), recovery=TWICE)
    assert trace.setting is not None
    without = trace.setting.model_copy(update={"recovery": type(TWICE)()})
    assert "call 1 was" in str(replay_calls(replace(trace, setting=without)))


def test_a_policy_that_asks_where_the_task_began_is_answered_as_it_was(tmp_path: Path) -> None:
    rule = Policy(name="home at the end", at_end="robot_at(start)")
    skills = FakeSkills({"get_current_location": SkillOutcome("hallway")})
    body = 'start = get_current_location()\ngo_to("study")\ngo_to(start)'
    trace = traced(tmp_path, body, skills, policies=Policies(policies=(rule,)))
    assert (trace.start, trace.outcome) == ("hallway", "succeeded")
    assert replay_calls(trace) is None
    elsewhere = replay_calls(replace(trace, start="kitchen"))
    assert elsewhere is not None and "POLICY_BROKEN" in elsewhere.now


def test_a_robot_that_could_not_say_where_it_began_is_as_lost_again(tmp_path: Path) -> None:
    rule = Policy(name="not where we began", never='robot_at(start) and say("hello")')
    lost = FakeSkills({"get_current_location": BLOCKED})
    trace = traced(tmp_path, 'go_to("study")', lost, policies=Policies(policies=(rule,)))
    assert (trace.start, trace.outcome) == ("", "succeeded")
    assert replay_calls(trace) is None


@pytest.mark.parametrize(("failures", "room"), [(1, "hallway"), (9, "")])
def test_a_robot_that_was_asked_twice_where_it_began_is_replayed(
    tmp_path: Path, failures: int, room: str
) -> None:
    rule = Policy(name="not where we began", never='robot_at(start) and say("hello")')
    skills = Stubborn("get_current_location", LOST, failures)
    skills.outcomes = {"get_current_location": SkillOutcome("hallway")}
    again: dict[str, tuple[Try, ...]] = {"not_localized": (Try(),), "unknown": (Try(),)}
    recovery = RecoveryPolicies(skills={"get_current_location": SkillRecovery(after=again)})
    trace = traced(
        tmp_path, 'go_to("study")', skills, policies=Policies(policies=(rule,)), recovery=recovery
    )
    assert (trace.start, trace.outcome) == (room, "succeeded")
    assert replay_calls(trace) is None


def test_a_verdict_that_holds_is_the_same_and_what_changed_it_is_named(tmp_path: Path) -> None:
    trace = traced(tmp_path, FETCH, SEES)
    assert replay_verdict(trace) is None
    quiet = Policies(policies=(Policy(name="no kitchen", never='go_to("kitchen")'),))
    changed = replay_verdict(trace, {"policies": quiet})
    assert changed is not None and changed.cause is Cause.POLICIES
    assert "no kitchen" in str(changed) and not changed.now.accepted
    rooms = tuple(room for room in HOME.rooms if room.name != "kitchen")
    changed = replay_verdict(trace, {"semantic_map": replace(HOME, rooms=rooms)})
    assert changed is not None and changed.cause is Cause.MAP
    other = trace.verdict.model_copy(update={"exhaustive": False}) if trace.verdict else None
    changed = replay_verdict(replace(trace, verdict=other))
    assert changed is not None and changed.cause is Cause.VERIFIER


def test_what_a_bag_lacks_is_one_line(tmp_path: Path) -> None:
    trace = traced(tmp_path, FETCH, SEES)
    with pytest.raises(CannotReplay, match="does not hold the program"):
        replay_calls(replace(trace, setting=None))
    with pytest.raises(CannotReplay, match="its first 2 calls are in the bag of that one"):
        replay_calls(replace(trace, resumed=2))
    with pytest.raises(CannotReplay, match="does not hold the verdict"):
        replay_verdict(replace(trace, verdict=None))
    empty = bag_of(tmp_path / "empty", [(EventKind.WARNING, {"message": "x"})])
    with pytest.raises(BagError, match="no run in it"):
        read_trace(empty)
    odd = bag_of(tmp_path / "odd", [(EventKind.RUN_STARTED, {"instruction": 3})])
    with pytest.raises(BagError, match="not a run as this version records it"):
        read_trace(odd)
    with pytest.raises(BagError, match="no such folder"):
        bags_under(tmp_path / "nowhere")
    assert bags_under(tmp_path) == [tmp_path / name for name in ("bag", "empty", "odd")]
    assert bags_under(empty) == [empty]


def test_a_bag_is_named_by_its_whole_name_its_beginning_or_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    recorder = tmp_path / ".ros/roboinstruct/runs"
    first, second, own = (recorder / f"20260301T02114{end}" for end in ("4Z_t", "4Z_t-2", "a"))
    for bag in (first, second, own):
        bag_of(bag, [])
    assert bag_named(first.name) == first
    assert bag_named("last") == second
    with pytest.raises(BagError, match="2 bags begin so"):
        bag_named("20260301T021144Z")
    monkeypatch.chdir(first)
    assert bag_named(".") == first and bag_named("..") == recorder


def test_a_clock_that_is_set_back_gives_no_negative_times(tmp_path: Path) -> None:
    bag, _ = recorded(tmp_path / "bag", FETCH, SEES)
    again = BagWriter(tmp_path / "again", {TOPIC: EVENT_TYPE})
    late = False
    for event in read_events(bag):
        late = late or event.kind == EventKind.SKILL_FINISHED
        stamp = event.stamp - 3600.0 * late
        again.write(TOPIC, round(stamp * 1e9), serialized(replace(event, stamp=stamp)))
    again.close()
    trace = read_trace(tmp_path / "again")
    took = [one.call.end - one.call.start for one in trace.calls]
    assert took == pytest.approx([0.0, 0.5, 0.5, 0.5])
    assert trace.ended - trace.begun == pytest.approx(4.0)


def test_a_stopped_server_and_a_lost_answer_are_kept_as_they_were(tmp_path: Path) -> None:
    gone = SkillOutcome(
        error_code=SkillErrorCode.SERVER_UNAVAILABLE, message="gone", lost_node="arm"
    )
    trace = traced(tmp_path, 'pick("apple")', FakeSkills({"pick": gone}))
    assert (trace.outcome, trace.error_code) == (
        TaskState.FAILED.value,
        TaskErrorCode.SKILL_SERVER_LOST,
    )
    assert replay_calls(trace) is None
