"""The gate and the life of one task, with skills that a test plays."""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from given_time import GivenTime
from stage import BLOCKED, DOMAIN, LIMIT, FakeSkills, Stage, order
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskOrder
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify


def test_a_program_runs_to_its_end() -> None:
    stage = Stage(FakeSkills({"is_in_room": SkillOutcome(True)}))
    run = stage.run('go_to("kitchen")\nif is_in_room("apple"):\n    pick("apple")')
    assert (run.outcome, run.error_code) == (TaskState.SUCCEEDED, TaskErrorCode.NONE), run.message
    assert stage.skills.calls == [
        ("go_to", {"location": "kitchen"}),
        ("is_in_room", {"object": "apple"}),
        ("pick", {"obj": "apple"}),
    ]
    assert stage.states == [TaskState.VERIFYING, TaskState.RUNNING, TaskState.SUCCEEDED]
    assert [(c.index, c.line) for c in run.calls] == [(0, 2), (1, 3), (2, 4)]
    kinds = [kind for kind, _ in stage.events]
    assert kinds[:3] == [
        EventKind.PROGRAM_VERIFIED,
        EventKind.PROGRAM_APPROVED,
        EventKind.RUN_STARTED,
    ]
    assert kinds[3:] == [*[EventKind.SKILL_STARTED, EventKind.SKILL_FINISHED] * 3, kinds[-1]]
    assert kinds[-1] is EventKind.RUN_FINISHED
    assert stage.left == [(3, True)], "what it left is told before another task may begin"


GOOD = order('go_to("kitchen")')


@pytest.mark.parametrize(
    ("refused", "code"),
    [
        (replace(GOOD, source=GOOD.source + " "), TaskErrorCode.HASH_MISMATCH),
        (replace(GOOD, program_sha256=""), TaskErrorCode.HASH_MISMATCH),
        (replace(GOOD, approved_by=""), TaskErrorCode.NOT_APPROVED),
        (replace(GOOD, approved_by="  "), TaskErrorCode.NOT_APPROVED),
        (order('go_to("kitchen")\nplace("apple")'), TaskErrorCode.NOT_VERIFIED),
        (order("import os"), TaskErrorCode.NOT_VERIFIED),
    ],
)
def test_the_gate_refuses_before_any_skill_is_called(
    refused: TaskOrder, code: TaskErrorCode
) -> None:
    stage = Stage()
    run = stage.runner.run(refused)
    assert (run.outcome, run.error_code) == (TaskState.FAILED, code)
    assert run.message
    assert stage.skills.calls == []
    assert stage.states == [TaskState.VERIFYING, TaskState.FAILED]
    assert stage.told(EventKind.RUN_STARTED) == []
    assert stage.runner.run(GOOD).outcome is TaskState.SUCCEEDED


def test_a_verdict_on_another_text_opens_nothing() -> None:
    stage = Stage(verifier=lambda source: verify("def task_program():\n    pass\n", DOMAIN))
    assert stage.runner.run(GOOD).error_code is TaskErrorCode.NOT_VERIFIED
    assert stage.skills.calls == []


def test_nothing_runs_that_the_verifier_had_no_time_for_and_the_words_say_so() -> None:
    stage = Stage(verifier=lambda source: verify(source, DOMAIN, budget=Budget(seconds=0.0)))
    run = stage.run('if is_in_room("apple"):\n    say("an apple")')
    assert run.error_code is TaskErrorCode.NOT_VERIFIED
    assert "rejected" not in run.message
    assert "ran out of time: 1 world had been tried" in run.message
    assert stage.skills.calls == []


def test_a_skill_failure_may_be_caught() -> None:
    stage = Stage(FakeSkills({"go_to": BLOCKED}))
    run = stage.run('try:\n    go_to("a")\nexcept SkillError as e:\n    say(e.code)')
    assert run.outcome is TaskState.SUCCEEDED
    assert stage.skills.calls[-1] == ("say", {"message": "navigation_blocked"})


def test_a_skill_failure_that_is_not_caught_fails_the_task() -> None:
    run = Stage(FakeSkills({"go_to": BLOCKED})).run('say("x")\ngo_to("a")')
    assert (run.outcome, run.error_code) == (TaskState.FAILED, TaskErrorCode.SKILL_FAILED)
    assert "a door is shut" in run.message
    assert "line 3" in run.message
    assert run.calls[-1].error_code == SkillErrorCode.NAVIGATION_BLOCKED


def test_a_lost_skill_server_is_named() -> None:
    lost = SkillOutcome(error_code=SkillErrorCode.UNKNOWN, message="gone", lost_node="sim_robot")
    stage = Stage(FakeSkills({"go_to": lost}))
    assert stage.run('go_to("a")').error_code is TaskErrorCode.SKILL_SERVER_LOST
    assert stage.told(EventKind.NODE_LOST)[0]["node"] == "sim_robot"
    stage.skills.outcomes.clear()
    assert stage.run('go_to("a")').outcome is TaskState.SUCCEEDED


def test_a_program_past_its_limits_fails() -> None:
    run = Stage(limits=Limits(output_bytes=10)).run('print("more than ten characters")')
    assert (run.outcome, run.error_code) == (TaskState.FAILED, TaskErrorCode.PROGRAM_LIMIT)


def test_a_program_lives_in_the_time_of_its_simulator() -> None:
    looks = itertools.count(10.0, 100.0).__next__
    stage = Stage(clocks=Clocks(looks, looks, looks))
    run = stage.run(
        "begun = time.time()\ntime.sleep(3600)\n"
        'say("late" if time.time() > begun + 3600 else "early")'
    )
    assert stage.skills.calls == [("say", {"message": "late"})]
    assert 3600.0 < run.calls[0].start < run.calls[0].end < 10_000.0


@pytest.mark.parametrize("body", ['go_to("a")\nsay("no")', 'say("b")\ntime.sleep(3600)\nsay("no")'])
def test_a_stop_ends_the_task_at_once(body: str) -> None:
    stage = Stage(FakeSkills(holds="go_to"))
    thread, runs = stage.start(body)
    until(lambda: len(stage.skills.calls) == 1)
    given = GivenTime()
    assert stage.runner.stop("test", "enough")
    thread.join(LIMIT)
    assert given.until(time.time()) < 0.5
    (run,) = runs
    assert (run.outcome, run.error_code) == (TaskState.CANCELLED, TaskErrorCode.STOPPED)
    assert stage.states[-2:] == [TaskState.STOPPING, TaskState.CANCELLED]
    assert ("say", {"message": "no"}) not in stage.skills.calls
    assert stage.told(EventKind.STOP_REQUESTED) == [{"source": "test", "reason": "enough"}]


def test_a_stop_without_a_task_is_no_fault() -> None:
    assert not Stage().runner.stop("test", "")


def test_a_stop_during_verification_starts_nothing() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(source: str) -> Verdict:
        begun.set()
        assert go_on.wait(LIMIT)
        return verify(source, DOMAIN)

    stage = Stage(verifier=slow)
    thread, runs = stage.start('go_to("a")')
    assert begun.wait(LIMIT)
    stage.runner.stop("test", "")
    go_on.set()
    thread.join(LIMIT)
    assert runs[0].outcome is TaskState.CANCELLED
    assert stage.skills.calls == []


def test_a_stop_that_a_server_heard_first_is_a_stop() -> None:
    stopped = SkillOutcome(error_code=SkillErrorCode.STOPPED, message="stop")
    run = Stage(FakeSkills({"go_to": stopped})).run('go_to("a")')
    assert (run.outcome, run.error_code) == (TaskState.CANCELLED, TaskErrorCode.STOPPED)


def test_a_stop_that_a_skill_server_heard_first_has_ended_the_task() -> None:
    stopped = SkillOutcome(error_code=SkillErrorCode.STOPPED, message="stopped by kiosk")
    stage = Stage(FakeSkills({"go_to": stopped}))
    stage.stops.hear(before := stage.stops.current + 1)
    pressed = time.time_ns()
    assert stage.run('go_to("kitchen")').error_code is TaskErrorCode.STOPPED
    stage.stops.hear(pressed)
    assert stage.runner.stopped("kiosk", "pressed", pressed), "the request comes after its effect"
    assert not stage.runner.stopped("kiosk", "", before)
    assert not stage.runner.stopped("kiosk", "", stage.stops.advance())


def test_a_python_error_at_run_time_is_typed() -> None:
    stage = Stage(FakeSkills({"get_all_rooms": SkillOutcome(["hall"] * 77)}))
    run = stage.run("rooms = get_all_rooms()\nsay(str(1 // (len(rooms) - 77)))")
    assert run.error_code is TaskErrorCode.PROGRAM_FAILED
    assert run.message == "ZeroDivisionError: integer division or modulo by zero (line 3)"


def test_one_task_at_a_time() -> None:
    stage = Stage(FakeSkills(holds="go_to"))
    thread, runs = stage.start('go_to("a")')
    assert stage.skills.entered.wait(LIMIT)
    second = stage.run('say("me too")')
    assert (second.outcome, second.error_code) == (TaskState.FAILED, TaskErrorCode.BUSY)
    stage.runner.stop("test", "")
    thread.join(LIMIT)
    assert runs[0].outcome is TaskState.CANCELLED
    assert stage.run('say("now")').outcome is TaskState.SUCCEEDED


def test_a_fault_of_the_executor_itself_ends_the_run_and_not_the_next(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Faulty(FakeSkills):
        def call(self, *_: Any) -> SkillOutcome:
            raise KeyError("say")

    stage = Stage(Faulty())
    run = stage.run('go_to("kitchen")')
    assert (run.outcome, run.error_code) == (TaskState.FAILED, TaskErrorCode.UNKNOWN)
    assert run.message == "a fault in the executor, whose log has more: KeyError('say')"
    assert "Traceback" in capsys.readouterr().err
    assert stage.states[-1] is TaskState.FAILED
    assert stage.run('say("hi")').error_code is TaskErrorCode.UNKNOWN, "it is tried, too"
