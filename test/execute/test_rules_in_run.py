"""The map and the policies change while a program runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stage import BLOCKED, DOMAIN, LIMIT, FakeSkills, Stage, order
from test_pause_and_turns import in_background
from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.files.rule_files import RuleFiles
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.hazard import OnHazard
from roboinstruct_ros.execute.journal import read_journal
from roboinstruct_ros.execute.recovery_policies import RecoveryPolicies, SkillRecovery, Try
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskRun
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.verify.service.current_rules import CurrentRules

NO_ATTIC = "policies:\n  - name: not the attic\n    never: go_to('attic')\n"
QUIET = "policies:\n  - name: quiet\n    never: say(...)\n"
NOTHING = "policies: []\n"
TASK = 'say("one")\ngo_to("attic")\nsay("two")'


class Skills(FakeSkills):
    """Something happens as a skill is called for the first time."""

    def __init__(self, skill: str, happens: Callable[[], object]) -> None:
        super().__init__()
        self._skill, self._happens = skill, happens

    def call(
        self, skill: str, arguments: Mapping[str, Any], cancel: threading.Event
    ) -> SkillOutcome:
        outcome = super().call(skill, arguments, cancel)
        if skill == self._skill and [name for name, _ in self.calls].count(skill) == 1:
            self._happens()
        return outcome

    @property
    def made(self) -> list[str]:
        return [skill for skill, _ in self.calls]


class Ruled:
    """A stage under rules that stand in a file."""

    def __init__(self, folder: Path) -> None:
        self.file, self._folder = folder / "policies.yaml", folder
        self.file.write_text(NOTHING)
        self.rules = CurrentRules(RuleFiles(DOMAIN, "", str(self.file)), wait=lambda s: None)

    def stage(
        self, skills: FakeSkills, on_hazard: OnHazard = OnHazard.PAUSE, **options: Any
    ) -> Stage:
        return Stage(
            skills,
            verify_from=self.rules.verify_from,
            rules=self.rules,
            verify_rest=self.rules.verify_rest,
            on_hazard=on_hazard,
            journals=self._folder,
            **options,
        )

    def changing(self, text: str, on_hazard: OnHazard, skill: str = "say") -> Stage:
        """A stage whose rules become `text` during the first call of `skill`."""
        return self.stage(Skills(skill, lambda: self.file.write_text(text)), on_hazard)


@pytest.fixture
def ruled(tmp_path: Path) -> Iterator[Ruled]:
    ruled = Ruled(tmp_path)
    yield ruled
    ruled.rules.close()


def hazards(stage: Stage) -> list[str]:
    return [told["code"] for told in stage.told(EventKind.HAZARD_SEEN)]


def test_the_next_task_is_judged_by_the_new_rules(ruled: Ruled) -> None:
    stage = ruled.stage(FakeSkills())
    assert stage.run('say("one")').outcome is TaskState.SUCCEEDED
    ruled.file.write_text(QUIET)
    refused = stage.run('say("two")')
    assert refused.error_code is TaskErrorCode.NOT_VERIFIED and "quiet" in refused.message
    assert len(stage.skills.calls) == 1


def test_nothing_starts_under_rules_that_cannot_be_read(ruled: Ruled) -> None:
    stage = ruled.stage(FakeSkills())
    ruled.file.write_text("policies:\n  - nam")
    refused = stage.run('say("one")')
    assert refused.error_code is TaskErrorCode.NOT_VERIFIED and refused.verdict is None
    assert f"{ruled.file}:2" in refused.message and "\n" not in refused.message
    assert not stage.skills.calls
    preempting = stage.runner.run(replace(order('say("two")'), preempt=True))
    assert preempting.error_code is TaskErrorCode.NOT_VERIFIED
    ruled.file.write_text(NOTHING)
    assert stage.run('say("one")').outcome is TaskState.SUCCEEDED


def test_a_rest_that_the_new_rules_accept_goes_on(ruled: Ruled) -> None:
    stage = ruled.changing(NO_ATTIC, OnHazard.PAUSE)
    run = stage.run('say("one")\ngo_to("hall")')
    assert run.outcome is TaskState.SUCCEEDED
    assert hazards(stage) == []
    assert "changed" in stage.told(EventKind.WARNING)[0]["message"]
    recorded = read_journal(next(ruled.file.parent.glob("*.journal")))
    assert run.verdict is not None
    assert recorded.rules_sha256 == ruled.rules.last.sha256 != run.verdict.rules_sha256


def test_a_rest_that_they_reject_ends_the_task_where_that_is_asked(ruled: Ruled) -> None:
    stage = ruled.changing(NO_ATTIC, OnHazard.STOP)
    run = stage.run('say("one")\nsay("two")\ngo_to("attic")')
    assert (run.outcome, run.error_code) == (TaskState.FAILED, TaskErrorCode.HAZARD_AHEAD)
    assert [call.arguments for call in run.calls] == [("one",)], "not one call more"
    assert "not the attic" in run.message and run.message.startswith("line 4")


def test_one_that_goes_on_all_the_same_makes_no_call_that_breaks_them(ruled: Ruled) -> None:
    stage = ruled.changing(NO_ATTIC, OnHazard.WARN)
    run = stage.run('say("one")\nsay("two")\ngo_to("attic")')
    assert hazards(stage) == ["policy_broken"]
    assert run.error_code is TaskErrorCode.POLICY_BROKEN
    assert [call.arguments for call in run.calls] == [("one",), ("two",)]


def test_a_person_decides_about_a_paused_one(ruled: Ruled) -> None:
    stage = ruled.changing(NO_ATTIC, OnHazard.PAUSE)
    runs = in_background(stage, 'say("one")\nsay("two")\ngo_to("attic")')
    until(lambda: stage.runner.state is TaskState.PAUSED)
    assert hazards(stage) == ["policy_broken"]
    ruled.file.write_text(NOTHING)  # the operator thinks better of it
    stage.runner.pause(False)
    assert ended(runs).outcome is TaskState.SUCCEEDED


def test_rules_that_change_during_a_pause_hold_the_run_again(ruled: Ruled) -> None:
    skills = FakeSkills(holds="go_to")
    stage = ruled.stage(skills)
    runs = in_background(stage, 'go_to("attic")\nsay("two")')
    assert skills.entered.wait(LIMIT)
    stage.runner.pause(True)
    until(lambda: stage.runner.state is TaskState.PAUSED)
    ruled.file.write_text(QUIET)
    skills.holds = ""
    stage.runner.pause(False)
    until(lambda: hazards(stage) == ["policy_broken"])
    until(stage.runner._pause.is_set)
    assert [name for name, _ in skills.calls] == ["go_to"], "the drive is not made again"
    stage.runner.pause(False)
    assert ended(runs).error_code is TaskErrorCode.POLICY_BROKEN


def test_a_drive_that_was_paused_is_not_made_again_against_new_rules(ruled: Ruled) -> None:
    skills = FakeSkills(holds="go_to")
    stage = ruled.stage(skills, OnHazard.WARN)
    runs = in_background(stage, 'go_to("attic")\nsay("two")')
    assert skills.entered.wait(LIMIT)
    stage.runner.pause(True)
    until(lambda: stage.runner.state is TaskState.PAUSED)
    ruled.file.write_text(NO_ATTIC)
    skills.holds = ""
    stage.runner.pause(False)
    assert ended(runs).error_code is TaskErrorCode.POLICY_BROKEN
    assert len(skills.calls) == 1


def test_a_call_that_new_rules_forbid_is_not_tried_again(ruled: Ruled) -> None:
    skills = Skills("go_to", lambda: stage.runner.pause(True))
    skills.outcomes["go_to"] = BLOCKED
    spoken = SkillRecovery(after={"navigation_blocked": (Try(say="Please make way."),)})
    stage = ruled.stage(skills, recovery=RecoveryPolicies(skills={"go_to": spoken}))
    runs = in_background(stage, 'go_to("attic")')
    until(lambda: stage.runner.state is TaskState.PAUSED)
    ruled.file.write_text(NO_ATTIC)
    stage.runner.pause(False)
    assert ended(runs).error_code is TaskErrorCode.POLICY_BROKEN
    assert skills.made == ["go_to"]


@pytest.mark.parametrize("on_hazard", list(OnHazard))
def test_a_run_is_told_that_the_rules_cannot_be_read(ruled: Ruled, on_hazard: OnHazard) -> None:
    stage = ruled.changing("policies:\n  - nam", on_hazard)
    runs = in_background(stage, TASK)
    if on_hazard is OnHazard.PAUSE:
        until(lambda: stage.runner.state is TaskState.PAUSED)
        stage.runner.pause(False)
    run = ended(runs)
    assert hazards(stage) == ["rules_unreadable"], "told once"
    assert f"{ruled.file}:2" in stage.told(EventKind.HAZARD_SEEN)[0]["message"]
    if on_hazard is OnHazard.STOP:
        assert (run.error_code, len(run.calls)) == (TaskErrorCode.HAZARD_AHEAD, 1)
    else:
        assert run.outcome is TaskState.SUCCEEDED


def test_a_bad_date_ends_no_run_and_a_mended_file_is_taken(ruled: Ruled) -> None:
    stage = ruled.changing("policies: []\nextra: 2024-13-45\n", OnHazard.WARN)
    assert stage.run('say("one")\nsay("two")').outcome is TaskState.SUCCEEDED
    assert hazards(stage) == ["rules_unreadable"]
    refused = stage.run('say("three")')
    assert refused.error_code is TaskErrorCode.NOT_VERIFIED
    assert f"{ruled.file}:2: '2024-13-45' is no timestamp" in refused.message
    ruled.file.write_text(NOTHING)
    assert stage.run('say("three")').outcome is TaskState.SUCCEEDED


def test_a_policy_of_the_past_counts_the_calls_that_were_made_before_it(ruled: Ruled) -> None:
    once = "policies:\n  - name: once\n    at_most: 1\n    of: say(...)\n"
    stage = ruled.changing(once, OnHazard.WARN, skill="go_to")
    run = stage.run('say("one")\ngo_to("hall")\nsay("two")')
    assert run.error_code is TaskErrorCode.POLICY_BROKEN and len(run.calls) == 2


def test_an_interrupted_run_is_judged_again_by_the_rules_of_now(ruled: Ruled) -> None:
    stage = ruled.stage(FakeSkills())
    assert stage.run(TASK).outcome is TaskState.SUCCEEDED
    (path,) = ruled.file.parent.glob("*.journal")
    until_said = path.read_bytes().splitlines(keepends=True)[:3]
    path.write_bytes(b"".join(until_said))
    resumed = replace(order(TASK), resume=True)
    ruled.file.write_text(NO_ATTIC)
    refused = stage.runner.run(resumed)
    assert refused.error_code is TaskErrorCode.NOT_VERIFIED and "attic" in refused.message
    ruled.file.write_text("policies:\n  - nam")
    assert stage.runner.run(resumed).error_code is TaskErrorCode.NOT_VERIFIED
    ruled.file.write_text(NO_ATTIC.replace("attic", "cellar"))
    before = len(stage.events)
    assert stage.runner.run(resumed).outcome is TaskState.SUCCEEDED
    told = [data["message"] for kind, data in stage.events[before:] if kind is EventKind.WARNING]
    assert len(told) == 1 and "changed" in told[0]


def ended(runs: list[TaskRun]) -> TaskRun:
    until(lambda: runs)
    return runs[0]
