"""What a skill server answers is bounded before it is recorded or given to a program."""

from __future__ import annotations

import pytest
from stage import FakeSkills, Stage

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.skill_port import SkillOutcome

LONG = "x" * 10**6


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("get_current_location()", LONG),
        ("get_all_rooms()", ["kitchen", LONG]),
        ('ask("", "Tea?", ["yes"])', LONG),
    ],
)
def test_an_answer_without_bounds_is_none(call: str, answer: object) -> None:
    skill = call.partition("(")[0]
    run = Stage(FakeSkills({skill: SkillOutcome(answer)})).run(call)
    assert run.error_code is TaskErrorCode.SKILL_FAILED
    assert run.calls[0].result is None and len(run.calls[0].error_msg) < 300


def test_the_words_of_a_failure_are_cut() -> None:
    failed = SkillOutcome(error_code=SkillErrorCode.NAVIGATION_BLOCKED, message=LONG)
    run = Stage(FakeSkills({"go_to": failed})).run('go_to("kitchen")')
    assert run.error_code is TaskErrorCode.SKILL_FAILED
    assert len(run.calls[0].error_msg) == 1000
