"""A run ends, and says so, where what the program took for granted is not so."""

from __future__ import annotations

import pytest
from stage import BLOCKED, DOMAIN, FakeSkills, Stage

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskRun
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.verify.verifier import verify

HOME = load_semantic_map(find_world("home"))
ABSENT = SkillOutcome(error_code=SkillErrorCode.OBJECT_NOT_FOUND, message="no charger here")
NOBODY = SkillOutcome(error_code=SkillErrorCode.PERSON_NOT_FOUND, message="no Bob here")
NOWHERE = SkillOutcome(error_code=SkillErrorCode.UNKNOWN_LOCATION, message="no library here")
SLIPPED = SkillOutcome(error_code=SkillErrorCode.GRASP_FAILED, message="it slipped")


def run_of(body: str, skills: FakeSkills, closed: bool = True) -> TaskRun:
    semantic_map = HOME if closed else None
    return Stage(skills, lambda source: verify(source, DOMAIN, semantic_map)).run(body)


@pytest.mark.parametrize(
    ("body", "outcomes", "told"),
    [
        (
            'go_to("Study")\npick("charger")\nsay("got it")',
            {"pick": ABSENT},
            "a charger is in the study",
        ),
        (
            'go_to("study")\nask("Bob", "Well?", ["yes"])\nsay("he agrees")',
            {"ask": NOBODY},
            "Bob is in the study",
        ),
        (
            'go_to("study")\npick("charger") if False else pick("The chargers")\npass',
            {"pick": ABSENT},
            "a charger is in the study",
        ),
        (
            'say("hello")\nask("", "Well?", ["yes"])\nsay("thanks")',
            {"ask": NOBODY},
            "somebody is in the room where I start",
        ),
    ],
)
def test_the_task_ends_there_and_names_it_in_one_line(
    body: str, outcomes: dict[str, SkillOutcome], told: str
) -> None:
    skills = FakeSkills(outcomes)
    run = run_of(body, skills)
    assert (run.outcome, run.error_code) == (TaskState.FAILED, TaskErrorCode.ASSUMPTION_FAILED)
    assert run.message == f"I took it that {told}, and that is not so (line 3)"
    assert len(skills.calls) == 2


def test_of_two_rooms_the_one_is_named_that_the_robot_is_in() -> None:
    body = 'for room in ["kitchen", "study"]:\n    go_to(room)\n    ask("Bob", "Well?", ["yes"])'

    class OneBob(FakeSkills):
        def call(self, skill: str, arguments: object, cancel: object) -> SkillOutcome:
            outcome = super().call(skill, arguments, cancel)  # type: ignore[arg-type]
            in_study = ("go_to", {"location": "study"}) in self.calls
            return NOBODY if skill == "ask" and in_study else outcome

    run = run_of(body, OneBob({"ask": SkillOutcome("yes")}))
    assert run.message == "I took it that Bob is in the study, and that is not so (line 4)"


def test_without_a_map_a_room_may_turn_out_not_to_be_there() -> None:
    run = run_of('go_to("library")\nsay("here")', FakeSkills({"go_to": NOWHERE}), closed=False)
    assert run.error_code is TaskErrorCode.ASSUMPTION_FAILED
    assert "there is a room called library" in run.message


def test_nothing_moves_any_more_not_even_to_tidy_up() -> None:
    skills = FakeSkills({"pick": ABSENT})
    run = run_of(
        'go_to("study")\ntry:\n    pick("charger")\nfinally:\n    go_to("kitchen")', skills
    )
    assert run.error_code is TaskErrorCode.ASSUMPTION_FAILED
    assert [skill for skill, _ in skills.calls] == ["go_to", "pick"]


def test_what_a_handler_expects_reaches_it() -> None:
    skills = FakeSkills({"pick": ABSENT})
    body = 'go_to("study")\ntry:\n    pick("charger")\nexcept SkillError:\n    say("there is none")'
    assert run_of(body, skills).outcome is TaskState.SUCCEEDED
    assert skills.calls[-1][0] == "say"


def test_a_program_with_a_handler_elsewhere_ends_with_the_same_words() -> None:
    body = 'try:\n    say("hello")\nexcept SkillError:\n    pass\ngo_to("study")\npick("charger")'
    run = run_of(body, FakeSkills({"pick": ABSENT}))
    assert run.error_code is TaskErrorCode.ASSUMPTION_FAILED
    assert "a charger is in the study" in run.message


@pytest.mark.parametrize("outcome", [SLIPPED, BLOCKED])
def test_a_skill_that_fails_for_another_reason_is_a_failed_skill(outcome: SkillOutcome) -> None:
    run = run_of('go_to("study")\npick("charger")', FakeSkills({"pick": outcome}))
    assert run.error_code is TaskErrorCode.SKILL_FAILED


def test_what_the_program_had_looked_at_is_a_failed_skill() -> None:
    skills = FakeSkills({"is_in_room": SkillOutcome(True), "pick": ABSENT})
    run = run_of('go_to("study")\nif is_in_room("charger"):\n    pick("charger")', skills)
    assert run.error_code is TaskErrorCode.SKILL_FAILED


def test_what_is_taken_for_granted_elsewhere_is_no_reason_here() -> None:
    skills = FakeSkills({"is_in_room": SkillOutcome(True), "pick": ABSENT})
    body = (
        'go_to("kitchen")\nif is_in_room("charger"):\n    pick("charger")\n    return\n'
        'go_to("study")\npick("charger")'
    )
    assert run_of(body, skills).error_code is TaskErrorCode.SKILL_FAILED
