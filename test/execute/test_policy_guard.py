"""Policies while a program runs: the call that would break one is not made."""

from __future__ import annotations

from typing import Any

import pytest
from test_task_runner import DOMAIN, FakeSkills, Stage

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import Policies, Policy, load_policies
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.policy_guard import PolicyGuard
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_state import TaskState

SHIPPED = load_policies(DOMAIN)
HOME = load_semantic_map(find_world("home"))


def stage(policy: str, skills: FakeSkills | None = None, **options: Any) -> Stage:
    """A stage whose verifier knows no policies, so that the guard alone stands in the way."""
    stage = Stage(skills, **options)
    stage.runner._policies = PolicyGuard(DOMAIN, SHIPPED.switched_on((policy,)))
    return stage


def made(stage: Stage) -> list[str]:
    return [skill for skill, _ in stage.skills.calls]


def test_a_call_that_breaks_a_policy_is_not_made() -> None:
    ours = stage("ask before a bedroom")
    run = ours.run('go_to("hall")\ngo_to("main bedroom")\nsay("here I am")')
    assert (run.outcome, run.error_code) == (TaskState.FAILED, TaskErrorCode.POLICY_BROKEN)
    assert "ask before a bedroom" in run.message
    assert made(ours) == ["go_to"]
    assert ours.told(EventKind.RUN_FINISHED)[0]["error_code"] == int(TaskErrorCode.POLICY_BROKEN)


def test_an_alias_of_the_map_is_the_room_that_it_names() -> None:
    guard = PolicyGuard(DOMAIN, SHIPPED.switched_on(("ask before a bedroom",)), HOME)
    assert guard.would_break("go_to", {"location": "kids room"}) is not None
    assert guard.would_break("go_to", {"location": "kitchen"}) is None


@pytest.mark.parametrize(
    ("rule", "room"),
    [
        ('go_to("*bedroom*")', " KIDS  room"),
        ('go_to("*bedroom*")', "guest room"),
        ('go_to("*office*")', "study"),
        ('robot_at("*office*")', "library"),
        ('go_to("kids room")', "kids bedroom"),
    ],
)
def test_a_room_is_judged_under_any_name_as_in_the_verdict(rule: str, room: str) -> None:
    policies = Policies(policies=(Policy(name="a rule", never=rule),))
    guard = PolicyGuard(DOMAIN, policies, HOME)
    assert guard.would_break("go_to", {"location": room}) is not None
    assert guard.would_break("go_to", {"location": "kitchen"}) is None


def test_somebody_who_was_seen_counts_as_a_person() -> None:
    rule = 'holding("*knife*") and in_room("person", here)'
    guard = PolicyGuard(DOMAIN, Policies(policies=(Policy(name="a rule", never=rule),)), HOME)
    guard.set_start("kitchen")
    guard.note(SkillCall(0, "is_in_room", ("person",), 1, result=False))
    assert guard.would_break("pick", {"obj": "bread knife"}) is None
    guard.note(SkillCall(1, "is_in_room", ("person",), 2, result=True))
    assert guard.would_break("pick", {"obj": "bread knife"}) is not None


def test_a_thing_is_one_whatever_a_call_names_it() -> None:
    rule = Policy(name="a rule", at_end='not holding("*")')
    guard = PolicyGuard(DOMAIN, Policies(policies=(rule,)), HOME)
    for held in ((), ((("holding", "apples"), True),)):
        guard.begin(held)
        if not held:
            guard.note(SkillCall(0, "pick", ("the Apple",), 1))
        assert guard.end() is not None
        guard.note(SkillCall(1, "place", ("apple",), 2))
        assert guard.end() is None


def test_a_handler_of_the_program_does_not_get_around_it() -> None:
    ours = stage("ask before a bedroom")
    body = 'try:\n    go_to("main bedroom")\nexcept SkillError:\n    say("never mind")'
    assert ours.run(body).error_code is TaskErrorCode.POLICY_BROKEN
    assert made(ours) == []


def test_a_call_after_what_the_policy_wants_is_made() -> None:
    ours = stage("ask before a bedroom", FakeSkills({"ask": SkillOutcome("Yes")}))
    run = ours.run('ask("", "May I?", ["Yes", "No"])\ngo_to("main bedroom")')
    assert run.outcome is TaskState.SUCCEEDED


def test_a_question_that_failed_was_not_asked_in_the_next_run() -> None:
    ours = stage("ask before a bedroom", FakeSkills({"ask": SkillOutcome("Yes")}))
    assert ours.run('ask("", "May I?", ["Yes"])').outcome is TaskState.SUCCEEDED
    assert ours.run('go_to("main bedroom")').error_code is TaskErrorCode.POLICY_BROKEN


def test_a_question_that_nobody_answered_was_not_asked() -> None:
    silent = SkillOutcome(error_code=SkillErrorCode.NO_ANSWER)
    ours = stage("ask before a bedroom", FakeSkills({"ask": silent}))
    ask = 'try:\n    ask("", "May I?", ["Yes", "No"])\nexcept SkillError:\n    pass\n'
    run = ours.run(f'{ask}go_to("main bedroom")')
    assert run.error_code is TaskErrorCode.POLICY_BROKEN
    assert made(ours) == ["ask"]


def test_what_a_call_would_change_counts_too() -> None:
    ours = stage("no knife near a child", FakeSkills({"is_in_room": SkillOutcome(True)}))
    run = ours.run('go_to("kitchen")\nis_in_room("child")\npick("knife")')
    assert run.error_code is TaskErrorCode.POLICY_BROKEN
    assert made(ours) == ["go_to", "is_in_room"]


def test_the_end_counts() -> None:
    at_hall = {"get_current_location": SkillOutcome("hall")}
    away = stage("home at the end", FakeSkills(at_hall))
    assert away.run('go_to("kitchen")').error_code is TaskErrorCode.POLICY_BROKEN
    back = stage("home at the end", FakeSkills(at_hall))
    assert back.run('go_to("kitchen")\ngo_to("hall")').outcome is TaskState.SUCCEEDED


def test_after_a_drive_that_failed_the_robot_is_not_known_to_be_home() -> None:
    blocked = SkillOutcome(error_code=SkillErrorCode.NAVIGATION_BLOCKED, message="shut")
    skills = FakeSkills({"get_current_location": SkillOutcome("hall"), "go_to": blocked})
    ours = stage("home at the end", skills)
    run = ours.run('try:\n    go_to("kitchen")\nexcept SkillError:\n    say("stuck")')
    assert run.error_code is TaskErrorCode.POLICY_BROKEN


def test_what_an_earlier_run_left_in_the_hand_counts_too() -> None:
    held = ((("holding", "knife"), True),)
    skills = FakeSkills({"is_in_room": SkillOutcome(True)})
    ours = stage("no knife near a child", skills, remains=lambda: held)
    run = ours.run('go_to("kitchen")\nis_in_room("child")\nsay("hello")')
    assert run.error_code is TaskErrorCode.POLICY_BROKEN
    assert made(ours) == ["go_to", "is_in_room"]
