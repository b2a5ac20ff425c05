"""Calls that no trial may make are not made in a run, whatever led the program there."""

from __future__ import annotations

from pathlib import Path

import pytest
from stage import DOMAIN, FakeSkills, Stage, order

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.policy_guard import PolicyGuard
from roboinstruct_ros.execute.runner_options import RunnerOptions
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskRun
from roboinstruct_ros.execute.task_runner import TaskRunner
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.verify.world.remains import Remains

HOME = load_semantic_map(find_world("home"))
FAILED = SkillOutcome(error_code=SkillErrorCode.GRASP_FAILED, message="it slipped")


def run_of(
    body: str, skills: FakeSkills, guard: PolicyGuard | None = None, remains: Remains = ()
) -> TaskRun:
    """A run under a verdict on another program, which says nothing of this one."""
    asked = order(body)
    stage = Stage(skills, lambda source: stage.verdict_of("pass", asked.program_sha256))
    judge, hooks = stage.runner._verify, stage.runner._hooks
    runner = TaskRunner(DOMAIN, judge, skills, hooks, RunnerOptions(remains=lambda: remains))
    runner._policies = guard or PolicyGuard(DOMAIN, semantic_map=HOME)
    return runner.run(asked)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ('go_to("atlantis")', "no room 'atlantis'"),
        ("go_to(*[7])", "must be a text"),
        ("go_to(*[])", "go_to(location)"),
        ('go_to(*["kitchen", "study"])', "go_to(location)"),
        ('go_to(**{"location": "kitchen", "speed": 9})', "go_to(location)"),
        ('go_to("kit" + chr(0))', "no room"),
        ('ask("", "Well?", list())', "at least one option"),
        ('ask("", "Well?", [str(n) for n in range(500)])', "at most 100"),
        ('say("x" * 10**6)', "longer than"),
        ('say("%c" % 0xD800)', "half a character"),
        ('pick("cup")\npick("plate")', "already holds the cup"),
        ('place("cup")', "hand is empty"),
        ('pick("cup")\nplace("plate")', "the robot holds the cup"),
        ('pick("kitchen")', "needs an object"),
    ],
)
def test_a_call_that_the_verifier_would_have_rejected_is_not_made(call: str, told: str) -> None:
    skills = FakeSkills()
    run = run_of(f'say("before")\n{call}\nsay("after")', skills)
    assert (run.outcome, run.error_code) == (TaskState.FAILED, TaskErrorCode.CALL_REFUSED)
    line = 2 + len(call.splitlines())
    assert run.message.startswith(f"line {line}: ") and told in run.message
    assert "\n" not in run.message
    made = 1 + len(call.splitlines()) - 1
    assert len(skills.calls) == len(run.calls) == made, "and nothing after it"


def test_what_the_verifier_lets_pass_is_made() -> None:
    skills = FakeSkills({"is_in_room": SkillOutcome(True), "ask": SkillOutcome("no")})
    body = (
        'go_to("guest  ROOM")\npick("cup")\nplace("cup")\npick("cup")\ngo_to(location="study")\n'
        'place("cup")\nask("", "Well?", ("yes", "no"))'
    )
    run = run_of(body, skills)
    assert run.outcome is TaskState.SUCCEEDED, run.message
    assert len(skills.calls) == 7


def test_after_a_failure_nobody_knows_what_the_hand_holds() -> None:
    body = 'try:\n    pick("cup")\nexcept SkillError:\n    place("cup")'
    run = run_of(body, FakeSkills({"pick": FAILED}))
    assert run.outcome is TaskState.SUCCEEDED, run.message


def test_what_earlier_runs_have_left_counts() -> None:
    held = ((("holding", "cup"), True),)
    placed = run_of('place("cup")', FakeSkills(), remains=held)
    assert placed.outcome is TaskState.SUCCEEDED
    picked = run_of('pick("plate")', FakeSkills(), remains=held)
    assert picked.error_code is TaskErrorCode.CALL_REFUSED


def test_without_a_map_any_name_is_a_room(tmp_path: Path) -> None:
    run = run_of('go_to("atlantis")', FakeSkills(), PolicyGuard(DOMAIN))
    assert run.outcome is TaskState.SUCCEEDED, run.message
