"""A run is held and goes on; one task after the other; after a stop nothing starts by itself."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from stage import BLOCKED, DOMAIN, LIMIT, FakeSkills, Stage, order
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.hazard import OnHazard
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskRun
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.execute.turns import GivenUp, Turns
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify


def in_background(
    stage: Stage, body: str, admission: Admission | None = None, **changes: bool | str
) -> list[TaskRun]:
    runs: list[TaskRun] = []
    one = replace(order(body), **changes)  # type: ignore[arg-type]
    threading.Thread(
        target=lambda: runs.append(stage.runner.run(one, admission)), daemon=True
    ).start()
    return runs


def test_a_pause_ends_the_drive_and_repeats_it_afterwards() -> None:
    skills = FakeSkills(holds="go_to")
    stage = Stage(skills)
    runs = in_background(stage, 'go_to("kitchen")\nsay("here")')
    assert skills.entered.wait(LIMIT)
    assert stage.runner.pause(True)
    until(lambda: stage.runner.state is TaskState.PAUSED)
    skills.holds = ""
    assert stage.runner.pause(False)
    until(lambda: runs)
    assert runs[0].outcome is TaskState.SUCCEEDED
    assert [name for name, _ in skills.calls] == ["go_to", "go_to", "say"]
    assert len(runs[0].calls) == 2, "the program made two calls"
    assert [event["paused"] for event in stage.told(EventKind.RUN_PAUSED)] == [True, False]


def test_a_drive_is_repeated_although_the_pause_is_over_before_it_has_ended() -> None:
    class Braking(FakeSkills):
        def call(
            self, skill: str, arguments: Mapping[str, Any], cancel: threading.Event
        ) -> SkillOutcome:
            done = super().call(skill, arguments, cancel)
            if done.error_code is SkillErrorCode.CANCELED:
                self.holds = ""
                stage.runner.pause(False)
            return done

    skills = Braking(holds="go_to")
    stage = Stage(skills)
    thread, runs = stage.start('go_to("kitchen")')
    assert skills.entered.wait(LIMIT)
    stage.runner.pause(True)
    thread.join(LIMIT)
    assert runs[0].outcome is TaskState.SUCCEEDED
    assert [name for name, _ in skills.calls] == ["go_to", "go_to"]


def test_a_paused_run_can_be_stopped() -> None:
    skills = FakeSkills(holds="go_to")
    stage = Stage(skills)
    runs = in_background(stage, 'go_to("kitchen")')
    assert skills.entered.wait(LIMIT)
    stage.runner.pause(True)
    until(lambda: stage.runner.state is TaskState.PAUSED)
    stage.runner.stop("test", "stop")
    until(lambda: runs)
    assert runs[0].outcome is TaskState.CANCELLED and len(skills.calls) == 1
    assert [event["paused"] for event in stage.told(EventKind.RUN_PAUSED)] == [True]


def test_there_is_nothing_to_pause_without_a_task() -> None:
    assert not Stage().runner.pause(True)


def test_a_queued_task_runs_after_the_first_and_another_is_refused() -> None:
    skills = FakeSkills(holds="go_to")
    stage = Stage(skills, most_waiting=1)
    admission = stage.stops.admit()
    first = in_background(stage, 'go_to("kitchen")', admission)
    assert skills.entered.wait(LIMIT)
    second = in_background(stage, 'say("second")', queue=True, task_id="t2")
    until(lambda: stage.runner._turns.waiting == 1)
    assert stage.run('say("x")').error_code is TaskErrorCode.BUSY
    full = stage.runner.run(replace(order('say("y")'), queue=True))
    assert full.error_code is TaskErrorCode.BUSY and "wait already" in full.message
    skills.holds = ""
    stage.runner.cancel(admission, "client", "its own end")
    until(lambda: second)
    assert first[0].outcome is TaskState.CANCELLED and second[0].outcome is TaskState.SUCCEEDED
    assert skills.calls[-1] == ("say", {"message": "second"})


def test_after_a_stop_no_task_that_waited_begins() -> None:
    skills = FakeSkills(holds="go_to")
    stage = Stage(skills)
    in_background(stage, 'go_to("kitchen")')
    assert skills.entered.wait(LIMIT)
    second = in_background(stage, 'say("second")', queue=True)
    until(lambda: stage.runner._turns.waiting == 1)
    stage.runner.stop("test", "stop")
    until(lambda: second)
    assert second[0].error_code is TaskErrorCode.STOPPED and "stopped" in second[0].message
    assert len(skills.calls) == 1


def test_who_was_given_up_does_not_begin_although_the_robot_is_free() -> None:
    turns, ends, given_up = Turns(), list[str](), threading.Event()

    def wait_for_turn() -> None:
        with turns.place(queue=True, first=False) as take:
            try:
                take(given_up)
                ends.append("began")
            except GivenUp:
                ends.append("given up")

    with ExitStack() as first:
        first.enter_context(turns.place(queue=False, first=False))(threading.Event())
        waiter = threading.Thread(target=wait_for_turn)
        waiter.start()
        until(lambda: turns.waiting == 1)
        with turns._condition:  # whoever waits sees both at once
            given_up.set()
            first.close()
    waiter.join(LIMIT)
    assert ends == ["given up"] and not turns.taken


def test_a_task_that_waited_while_it_was_verified_does_not_begin_after_a_stop() -> None:
    skills, verifying, go_on = FakeSkills(holds="go_to"), threading.Event(), threading.Event()

    def slow(source: str) -> Verdict:
        if "urgent" in source:
            verifying.set()
            assert go_on.wait(LIMIT)
        return verify(source, DOMAIN)

    stage = Stage(skills, slow)
    first = in_background(stage, 'go_to("kitchen")')
    assert skills.entered.wait(LIMIT)
    urgent = in_background(stage, 'say("urgent")', preempt=True)
    assert verifying.wait(LIMIT)
    stage.runner.stop("test", "stop")
    until(lambda: first)
    go_on.set()
    until(lambda: urgent)
    assert urgent[0].error_code is TaskErrorCode.STOPPED
    assert [name for name, _ in skills.calls] == ["go_to"]


def test_a_task_that_was_approved_before_the_stop_does_not_begin() -> None:
    stage = Stage()
    stage.stops.learn(7)
    assert (
        stage.runner.run(replace(order('say("x")'), stop_number=7)).error_code is TaskErrorCode.NONE
    )
    late = stage.runner.run(replace(order('say("y")'), stop_number=6))
    assert (late.outcome, late.error_code) == (TaskState.CANCELLED, TaskErrorCode.STOPPED)
    assert stage.skills.calls == [("say", {"message": "x"})]


def test_a_pause_does_not_end_by_what_was_asked_before_a_stop() -> None:
    skills = FakeSkills(holds="go_to")
    stage = Stage(skills)
    before = stage.stops.advance()
    stage.runner.stop("test", "stop")
    runs = in_background(stage, 'go_to("kitchen")')
    assert skills.entered.wait(LIMIT)
    assert stage.runner.pause(True)
    assert not stage.runner.pause(False, stop_number=before) and not runs
    assert stage.runner.pause(False, stop_number=stage.stops.current)
    stage.runner.stop("test", "end")
    until(lambda: runs)


def test_an_urgent_task_ends_the_running_one() -> None:
    skills = FakeSkills(holds="go_to")
    stage = Stage(skills)
    first = in_background(stage, 'go_to("kitchen")')
    assert skills.entered.wait(LIMIT)
    run = stage.runner.run(replace(order('say("urgent")'), preempt=True))
    assert run.outcome is TaskState.SUCCEEDED
    assert first[0].outcome is TaskState.CANCELLED


@pytest.mark.parametrize(
    ("body", "changes", "code"),
    [
        ('say("x")', {"approved_by": ""}, TaskErrorCode.NOT_APPROVED),
        ('pick("a")\npick("b")', {}, TaskErrorCode.NOT_VERIFIED),
    ],
)
def test_what_may_not_run_ends_no_other_task(
    body: str, changes: dict[str, str], code: TaskErrorCode
) -> None:
    skills = FakeSkills(holds="go_to")
    stage = Stage(skills)
    first = in_background(stage, 'go_to("kitchen")')
    assert skills.entered.wait(LIMIT)
    run = stage.runner.run(replace(order(body), preempt=True, **changes))
    assert run.error_code is code and not first
    stage.runner.stop("test", "end")


# What really happens is followed, and the rest of the program verified from there.

FOUR_TIMES = """pick("cup")
for number in range(4):
    try:
        go_to("kitchen")
        break
    except SkillError:
        pass
else:
    pick("plate")
say("end")"""
"""Fails only where a skill fails more often than in any trial."""


def watched(on_hazard: OnHazard) -> tuple[Stage, FakeSkills]:
    skills = FakeSkills({"go_to": BLOCKED})
    stage = Stage(
        skills,
        on_hazard=on_hazard,
        verify_rest=lambda calls, source, remains: verify(source, DOMAIN, calls=calls),
    )
    return stage, skills


def test_a_hazard_that_only_a_failure_leads_to_is_seen_before_it_is_reached() -> None:
    stage, skills = watched(OnHazard.STOP)
    run = stage.run(FOUR_TIMES)
    assert run.error_code is TaskErrorCode.HAZARD_AHEAD and "line 10" in run.message
    assert [name for name, _ in skills.calls] == ["pick", "go_to"]
    (seen,) = stage.told(EventKind.HAZARD_SEEN)
    assert seen["code"] == "hand_full" and seen["reaction"] == "stop"


def test_a_person_may_let_it_go_on() -> None:
    stage, skills = watched(OnHazard.PAUSE)
    runs = in_background(stage, FOUR_TIMES)
    until(lambda: stage.runner.state is TaskState.PAUSED)
    assert [name for name, _ in skills.calls] == ["pick", "go_to"]
    stage.runner.pause(False)
    until(lambda: runs)
    assert [name for name, _ in skills.calls] == ["pick", *4 * ["go_to"], "pick", "say"]


def test_a_warning_holds_nothing_up() -> None:
    stage, skills = watched(OnHazard.WARN)
    assert stage.run(FOUR_TIMES).outcome is TaskState.SUCCEEDED
    assert len(stage.told(EventKind.HAZARD_SEEN)) == 1 and len(skills.calls) == 7


def test_a_run_without_surprises_is_not_verified_again() -> None:
    asked: list[int] = []
    stage = Stage(
        FakeSkills({"is_in_room": SkillOutcome(True)}),
        verify_rest=lambda *_: asked.append(1),  # type: ignore[arg-type,return-value]
    )
    assert (
        stage.run('go_to("a")\nif is_in_room("b"):\n    pick("b")').outcome is TaskState.SUCCEEDED
    )
    assert asked == []
