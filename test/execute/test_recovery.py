"""A failed skill is tried again as the policies say; the program hears of the rest."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from stage import BLOCKED, DOMAIN, LIMIT, FakeSkills, Stage
from waiting import until

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.recovery_policies import (
    RecoveryPolicies,
    SkillRecovery,
    Try,
    load_recovery,
)
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_state import TaskState

SILENT = SkillOutcome(error_code=SkillErrorCode.NO_ANSWER, message="nobody answered")


class Stubborn(FakeSkills):
    """A skill fails so often before it works."""

    def __init__(self, skill: str, failure: SkillOutcome, times: int) -> None:
        super().__init__()
        self.skill, self.failure, self.times = skill, failure, times

    def call(
        self, skill: str, arguments: Mapping[str, Any], cancel: threading.Event
    ) -> SkillOutcome:
        done = super().call(skill, arguments, cancel)
        if skill == self.skill and self.times > 0:
            self.times -= 1
            return self.failure
        return done


def policies(skill: str, error: str, *tries: Try, **more: Any) -> RecoveryPolicies:
    return RecoveryPolicies(skills={skill: SkillRecovery(after={error: tries}, **more)})


TWICE = policies(
    "go_to", "navigation_blocked", Try(), Try(say="Please clear the way to the {location}.")
)


def test_the_second_try_works_and_the_program_hears_nothing_of_it() -> None:
    skills = Stubborn("go_to", BLOCKED, 2)
    stage = Stage(skills, recovery=TWICE)
    run = stage.run('go_to("kitchen")')
    assert run.outcome is TaskState.SUCCEEDED and len(run.calls) == 1
    assert [name for name, _ in skills.calls] == ["go_to", "go_to", "say", "go_to"]
    assert skills.calls[2][1] == {"message": "Please clear the way to the kitchen."}
    tries = stage.told(EventKind.RECOVERY_TRIED)
    assert [one["try"] for one in tries] == [1, 2]
    assert stage.states[2:4] == [TaskState.RECOVERING, TaskState.RUNNING]


def test_when_the_tries_are_spent_the_program_may_catch_it() -> None:
    skills = Stubborn("go_to", BLOCKED, 99)
    stage = Stage(skills, recovery=TWICE)
    run = stage.run('try:\n    go_to("kitchen")\nexcept SkillError as error:\n    say(error.code)')
    assert run.outcome is TaskState.SUCCEEDED
    assert skills.calls[-1] == ("say", {"message": "navigation_blocked"})
    assert sum(name == "go_to" for name, _ in skills.calls) == 3


def test_an_error_without_a_policy_is_told_at_once() -> None:
    other = SkillOutcome(error_code=SkillErrorCode.TIMEOUT, message="it took too long")
    skills = Stubborn("go_to", other, 1)
    run = Stage(skills, recovery=TWICE).run('go_to("kitchen")')
    assert run.error_code is TaskErrorCode.SKILL_FAILED and len(skills.calls) == 1


def test_a_stop_ends_the_waiting_at_once() -> None:
    skills = Stubborn("go_to", BLOCKED, 99)
    patient = policies("go_to", "navigation_blocked", Try(wait=600))
    stage = Stage(skills, recovery=patient)
    thread, runs = stage.start('go_to("kitchen")')
    until(lambda: TaskState.RECOVERING in stage.states)
    stage.runner.stop("test", "enough")
    thread.join(LIMIT)
    assert runs[0].outcome is TaskState.CANCELLED
    assert len(skills.calls) == 1


def test_a_stop_that_what_is_said_tells_of_first_ends_the_run() -> None:
    stopped = SkillOutcome(error_code=SkillErrorCode.STOPPED, message="stopped by kiosk")
    skills = FakeSkills({"go_to": BLOCKED, "say": stopped})
    stage = Stage(skills, recovery=policies("go_to", "navigation_blocked", Try(say="Make way.")))
    run = stage.run('go_to("kitchen")')
    assert run.error_code is TaskErrorCode.STOPPED
    assert [name for name, _ in skills.calls] == ["go_to", "say"]
    assert stage.told(EventKind.STOP_REQUESTED)[0]["reason"] == "stopped by kiosk"


def test_time_bounds_the_tries() -> None:
    bounded = policies("go_to", "navigation_blocked", *[Try(wait=0.2)] * 10, time_limit=0.3)
    skills = Stubborn("go_to", BLOCKED, 99)
    Stage(skills, recovery=bounded).run('go_to("kitchen")')
    assert 2 <= len(skills.calls) <= 3


def test_time_in_which_a_pause_holds_the_run_does_not_count() -> None:
    """The first try says something, and is held before it; the limit is long over afterwards."""
    bounded = policies(
        "go_to", "navigation_blocked", Try(say="Please clear the way."), Try(), time_limit=0.4
    )
    skills = Stubborn("go_to", BLOCKED, 2)
    stage = Stage(skills, recovery=bounded)
    first = skills.call

    def call(skill: str, arguments: Mapping[str, Any], cancel: threading.Event) -> SkillOutcome:
        if len(skills.calls) == 1:
            assert stage.runner.pause(True)
        return first(skill, arguments, cancel)

    skills.call = call  # type: ignore[method-assign]
    thread, runs = stage.start('go_to("kitchen")')
    until(lambda: TaskState.PAUSED in stage.states)
    threading.Event().wait(0.5)
    assert stage.runner.pause(False)
    thread.join(LIMIT)
    assert runs[0].outcome is TaskState.SUCCEEDED
    assert [name for name, _ in skills.calls] == ["go_to", "say", "go_to", "go_to"]


def test_an_answer_stands_for_one_that_never_came_only_if_the_policy_says_so() -> None:
    ask = 'if ask("Bob", "Tea?", ["yes", "no"]) == "no":\n    say("no tea")'
    silent = Stubborn("ask", SILENT, 99)
    assert Stage(silent, recovery=policies("ask", "no_answer", Try())).run(ask).outcome is (
        TaskState.FAILED
    )
    assumed = Stubborn("ask", SILENT, 99)
    no = policies("ask", "no_answer", Try(say="You can answer: {options}."), otherwise="no")
    assert Stage(assumed, recovery=no).run(ask).outcome is TaskState.SUCCEEDED
    said = [arguments["message"] for name, arguments in assumed.calls if name == "say"]
    assert said == ["You can answer: yes, no.", "no tea"]
    drink = 'ask("", "What?", ["tea", "milk"])'
    assert Stage(Stubborn("ask", SILENT, 99), recovery=no).run(drink).calls[0].error_code == 302


def test_the_shipped_policies_are_read() -> None:
    shipped = load_recovery(DOMAIN)
    assert len(shipped.of("go_to").tries(SkillErrorCode.NAVIGATION_BLOCKED)) == 2
    assert shipped.of("get_all_rooms").tries(SkillErrorCode.UNKNOWN) == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("skills:\n  goto: {}\n", ":2: skills.goto: no skill 'goto'; there are"),
        (
            "skills:\n  go_to:\n    after:\n      blocked: []\n",
            ":4: skills.go_to.after.blocked: no error",
        ),
        ("skills:\n  go_to:\n    time_limit: 0\n", ":3: skills.go_to.time_limit: "),
        (
            'skills:\n  pick:\n    after:\n      grasp_failed: [{say: "No {obj} {place}"}]\n',
            ":4: skills.pick.after.grasp_failed[0].say: nothing fills {place}; known are obj",
        ),
        ("skills:\n  pick: {after_restart: perhaps}\n", ":2: skills.pick.after_restart: "),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "recovery.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        load_recovery(DOMAIN, path)
    assert fault in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{after_restart: ask}", ":2: skills.pick.after_restart: this robot has no skill 'ask'"),
        (
            "{after: {grasp_failed: [{say: Help}]}}",
            ":2: skills.pick.after.grasp_failed[0].say: this robot has no skill 'say'",
        ),
    ],
)
def test_a_robot_that_cannot_speak_neither_asks_nor_says_anything(
    tmp_path: Path, text: str, fault: str
) -> None:
    path = tmp_path / "recovery.yaml"
    path.write_text(f"skills:\n  pick: {text}\n")
    with pytest.raises(ConfigError, match=re.escape(fault)):
        load_recovery(domain_named("arm"), path)
