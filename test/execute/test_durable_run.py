"""A run that was interrupted is gone on with: nothing is done twice without being told so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from stage import DOMAIN, FakeSkills, Stage, order

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.policies import Policies, Policy
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute import journal as journal_module
from roboinstruct_ros.execute.journal_folder import interrupted_runs
from roboinstruct_ros.execute.recovery_policies import load_recovery
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskRun
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.verify.service.current_rules import Rules
from roboinstruct_ros.verify.verifier import verify

RECORD = re.compile(rb"[0-9a-f]{8} \{")
RECOVERY = load_recovery(DOMAIN)
TASK = "\n".join(
    [
        'go_to("kitchen")',
        "roll = random.randint(1, 1000000)",
        "begun = time.time()",
        'if is_in_room("apple"):',
        '    pick("apple")',
        '    go_to("study")',
        '    place("apple")',
        'say(str(roll) + " " + str(begun))',
    ]
)


class PowerLoss(BaseException):
    """The machine is off: nothing behind this line happens."""


class FragileSkills(FakeSkills):
    """The power goes in the middle of the call of this number, or as it has ended."""

    def __init__(self, dies_at: int, **outcomes: SkillOutcome) -> None:
        super().__init__({"is_in_room": SkillOutcome(True), **outcomes})
        self.dies_at = dies_at

    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Event) -> SkillOutcome:
        if len(self.calls) == self.dies_at:
            self.calls.append((skill, dict(arguments)))
            raise PowerLoss
        return super().call(skill, arguments, cancel)


def interrupt(folder: Path, dies_at: int) -> FragileSkills:
    skills = FragileSkills(dies_at)
    with pytest.raises(PowerLoss):
        Stage(skills, recovery=RECOVERY, journals=folder).run(TASK)
    return skills


def resume(folder: Path, skills: FakeSkills, **changed: Any) -> tuple[TaskRun, Stage]:
    stage = Stage(skills, recovery=RECOVERY, journals=folder)
    return stage.runner.run(replace(order(TASK), resume=True, **changed)), stage


@pytest.mark.parametrize("dies_at", range(6))
def test_a_run_goes_on_where_the_power_went(tmp_path: Path, dies_at: int) -> None:
    before = interrupt(tmp_path, dies_at)
    skills = FragileSkills(99)
    run, stage = resume(tmp_path, skills)
    assert run.outcome is TaskState.SUCCEEDED, run.message
    # the interrupted call is looked into, those before it are not made again
    again = [] if before.calls[-1][0] == "say" else before.calls[-1:]
    assert skills.calls[:1] == again
    assert len(before.calls) - 1 + len(skills.calls) == 5 + len(again)
    assert [call.skill for call in run.calls] == [
        "go_to", "is_in_room", "pick", "go_to", "place", "say",
    ]  # fmt: skip
    (settled,) = stage.told(EventKind.CALL_SETTLED)
    assert settled["index"] == dies_at
    assert stage.told(EventKind.RUN_STARTED)[0]["resumed"] == dies_at
    assert interrupted_runs(tmp_path) == ([], [])


def test_chance_and_time_are_those_of_the_first_run(tmp_path: Path) -> None:
    first = interrupt(tmp_path, 4)
    assert first.calls[-1][0] == "place"
    (recorded,), _ = interrupted_runs(tmp_path)
    skills = FragileSkills(99)
    run, _ = resume(tmp_path, skills)
    said = run.calls[-1].arguments[0]
    assert said.endswith(f" {recorded.clock[0]}")
    Stage(FragileSkills(99), journals=tmp_path / "other").run(TASK)
    roll = said.split()[0]
    again = FragileSkills(99)
    interrupt(tmp_path, 5)
    (recorded,), _ = interrupted_runs(tmp_path)
    assert resume(tmp_path, again)[0].outcome is TaskState.SUCCEEDED
    assert roll.isdigit()


@pytest.mark.parametrize("dies_at", range(4))
def test_what_chance_and_time_led_to_can_be_gone_on_with(tmp_path: Path, dies_at: int) -> None:
    body = (
        'go_to("hall")\nsay(str(random.randint(1, 1000)) + " " + str(time.time()))\n'
        'while not is_in_room("Jack"):\n    time.sleep(0)\nsay(str(time.time()))'
    )
    judge = partial(Stage, verify_from=lambda calls, source, _: verify(source, DOMAIN, calls=calls))
    with pytest.raises(PowerLoss):
        judge(FragileSkills(dies_at), journals=tmp_path).run(body)
    stage = judge(FragileSkills(99), journals=tmp_path)
    run = stage.runner.run(replace(order(body), resume=True))
    assert run.outcome is TaskState.SUCCEEDED, run.message


def test_a_hand_that_is_full_already_means_that_the_pick_was_done(tmp_path: Path) -> None:
    interrupt(tmp_path, 2)
    full = SkillOutcome(error_code=SkillErrorCode.HAND_FULL, message="it holds the apple")
    skills = FragileSkills(99, pick=full)
    run, _ = resume(tmp_path, skills)
    assert run.outcome is TaskState.SUCCEEDED
    assert [call.error_code for call in run.calls] == [0] * 6


def test_words_that_were_being_said_are_not_said_twice(tmp_path: Path) -> None:
    interrupt(tmp_path, 5)
    skills = FragileSkills(99)
    run, _ = resume(tmp_path, skills)
    assert run.outcome is TaskState.SUCCEEDED and skills.calls == []


def test_only_the_same_program_of_the_same_task_is_resumed(tmp_path: Path) -> None:
    interrupt(tmp_path, 2)
    skills = FragileSkills(99)
    for changed in (
        {"task_id": "another"},
        {"source": order('say("x")').source, "program_sha256": order('say("x")').program_sha256},
    ):
        run, _ = resume(tmp_path, skills, **changed)
        assert run.error_code is TaskErrorCode.NOT_RESUMABLE
    assert skills.calls == []


def test_it_is_resumed_by_nobody_who_has_not_approved(tmp_path: Path) -> None:
    interrupt(tmp_path, 2)
    skills = FragileSkills(99)
    run, _ = resume(tmp_path, skills, approved_by=" ")
    assert run.error_code is TaskErrorCode.NOT_APPROVED and skills.calls == []


def test_the_rules_that_hold_now_decide_about_the_rest(tmp_path: Path) -> None:
    interrupt(tmp_path, 2)
    skills = FragileSkills(99)
    asked = []

    def reject(calls: Any, source: str, remains: Any) -> Any:
        asked.append(calls)
        return Stage().verdict_of('pick("a")\npick("b")', sha256_of(source))

    stage = Stage(skills, recovery=RECOVERY, journals=tmp_path, verify_from=reject)
    run = stage.runner.run(replace(order(TASK), resume=True))
    assert run.error_code is TaskErrorCode.NOT_VERIFIED and skills.calls == []
    assert [call.skill for call in asked[0]] == ["random.seed", "go_to", "time.time", "is_in_room"]


def test_a_run_that_came_to_its_end_is_not_offered(tmp_path: Path) -> None:
    stage = Stage(FragileSkills(99), journals=tmp_path)
    assert stage.run(TASK).outcome is TaskState.SUCCEEDED
    assert stage.run('pick("apple")').outcome is TaskState.SUCCEEDED
    assert stage.runner.journals.interrupted() == ([], [])


def test_a_forgotten_run_is_not_offered_again(tmp_path: Path) -> None:
    interrupt(tmp_path, 2)
    stage = Stage(journals=tmp_path)
    stage.runner.offer(stage.runner.journals.interrupted()[0][-1])
    assert stage.runner.journals.forget("t1") and not stage.runner.journals.forget("t1")
    assert stage.runner.journals.interrupted() == ([], [])
    stage.runner.offer(None)
    assert stage.states == [TaskState.AWAITING_APPROVAL, TaskState.IDLE]
    assert stage.run('say("x")').outcome is TaskState.SUCCEEDED
    stage.runner.offer(None)
    assert stage.states[-1] is TaskState.SUCCEEDED


@pytest.mark.parametrize("record", range(6))
def test_nothing_is_done_that_cannot_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: int
) -> None:
    skills = FragileSkills(99)
    left = [record]
    write = journal_module.os.write

    def full(descriptor: int, data: bytes) -> int:
        if not RECORD.match(bytes(data[:10])):
            return write(descriptor, data)
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        return write(descriptor, data)

    monkeypatch.setattr(journal_module.os, "write", full)
    run = Stage(skills, journals=tmp_path).run(TASK)
    assert run.error_code is TaskErrorCode.JOURNAL_FAILED
    assert "No space left" in run.message
    # records: begin, call, answer, clock, call, answer
    assert len(skills.calls) == {0: 0, 1: 0, 2: 1, 3: 1, 4: 1, 5: 2}[record]
    monkeypatch.setattr(journal_module.os, "write", write)
    assert Stage(FragileSkills(99), journals=tmp_path).run(TASK).outcome is TaskState.SUCCEEDED


def test_what_the_hand_held_at_the_beginning_is_that_of_the_resumed_run(tmp_path: Path) -> None:
    fragile, held = FragileSkills(1), ((("holding", "cup"), True),)
    stage = Stage(fragile, recovery=RECOVERY, journals=tmp_path, remains=lambda: held)
    with pytest.raises(PowerLoss):
        stage.run(TASK)
    asked = []

    def accept(calls: Any, source: str, remains: Any) -> Any:
        asked.append(remains)
        return stage.verdict_of("pass", sha256_of(source))

    stage = Stage(FragileSkills(99), recovery=RECOVERY, journals=tmp_path, verify_from=accept)
    stage.runner.run(replace(order(TASK), resume=True))
    assert asked == [held] and stage.runner._policies.begun_with == held


class AtHome(FragileSkills):
    """It also knows where the robot is."""

    def __init__(self, dies_at: int, room: str) -> None:
        super().__init__(dies_at)
        self.room = room

    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Event) -> SkillOutcome:
        if skill == "get_current_location":
            return SkillOutcome(self.room)
        return super().call(skill, arguments, cancel)


@pytest.mark.parametrize("last", ["study", "kitchen"])
def test_a_resumed_run_began_where_the_first_did(tmp_path: Path, last: str) -> None:
    rule = Policies(policies=(Policy(name="home", at_end="robot_at(start)"),))
    rules = SimpleNamespace(last=Rules(None, rule, ""))
    rules.look = lambda: rules.last
    body = f'go_to("kitchen")\nsay("a")\ngo_to("{last}")'
    with pytest.raises(PowerLoss):
        Stage(AtHome(1, "study"), journals=tmp_path, rules=rules).run(body)
    stage = Stage(AtHome(99, "kitchen"), journals=tmp_path, rules=rules)
    run = stage.runner.run(replace(order(body), resume=True))
    expected = TaskErrorCode.NONE if last == "study" else TaskErrorCode.POLICY_BROKEN
    assert run.error_code is expected, run.message
    assert stage.told(EventKind.START_FOUND) == [{"room": "study"}]


def test_words_that_a_pause_held_back_are_said_after_a_crash(tmp_path: Path) -> None:
    stage = Stage(journals=tmp_path, recovery=RECOVERY)

    def power_goes(kind: EventKind, data: dict[str, Any], task: str) -> None:
        if kind is EventKind.SKILL_FINISHED:
            stage.runner.pause(True)
        if kind is EventKind.RUN_PAUSED:
            raise PowerLoss

    stage.runner._hooks = replace(stage.runner._hooks, event=power_goes)
    body = 'say("one")\nsay("two")'
    with pytest.raises(PowerLoss):
        stage.run(body)
    stage = Stage(journals=tmp_path, recovery=RECOVERY)
    run = stage.runner.run(replace(order(body), resume=True))
    assert run.outcome is TaskState.SUCCEEDED, run.message
    assert stage.skills.calls == [("say", {"message": "two"})]
