"""What a skill server answers is bounded before it is recorded or given to a program."""

from __future__ import annotations

import pytest
from stage import DOMAIN, FakeSkills, Stage

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.policies import NO_POLICIES
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_answer import answer_fault
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import Parameter, Skill
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.verify.service.current_rules import Rules
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify

LONG = "x" * 10**6
HOME = load_semantic_map(shared_file("config/worlds/home.yaml"))


def verdict_at_home(source: str) -> Verdict:
    return verify(source, DOMAIN, HOME)


class RulesOfHome:
    """Its map, for good."""

    def __init__(self) -> None:
        sha256 = verdict_at_home("def task_program():\n    pass").rules_sha256
        self.last = Rules(HOME, NO_POLICIES, sha256)

    def look(self) -> Rules:
        return self.last


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


def test_the_options_of_another_robot_may_have_another_name() -> None:
    parameters = (Parameter(name="choices", type="options"),)
    choose = Skill(name="choose", parameters=parameters, returns="one_of_options")
    assert answer_fault(choose, {"choices": ["tea", "milk"]}, "tea") == ""
    assert "none of the options" in answer_fault(choose, {"choices": ["tea", "milk"]}, "rum")


def test_the_words_of_a_failure_are_cut() -> None:
    failed = SkillOutcome(error_code=SkillErrorCode.NAVIGATION_BLOCKED, message=LONG)
    run = Stage(FakeSkills({"go_to": failed})).run('go_to("kitchen")')
    assert run.error_code is TaskErrorCode.SKILL_FAILED
    assert len(run.calls[0].error_msg) == 1000


@pytest.mark.parametrize(
    ("call", "answer", "told"),
    [
        ("get_current_location()", "kitchn", "on the map; did you mean 'kitchen'?"),
        ("get_all_rooms()", [*HOME.room_names, "basement"], "there is no room 'basement'"),
        ('go_to("kitchen")', False, "answered False, and the skill has no answer"),
        ('pick("apple")', "it is stuck", "answered 'it is stuck', and the skill has no answer"),
    ],
)
def test_an_answer_that_no_verified_world_gives_is_a_failure(
    call: str, answer: object, told: str
) -> None:
    skill = call.partition("(")[0]
    run = Stage(
        FakeSkills({skill: SkillOutcome(answer)}), verdict_at_home, rules=RulesOfHome()
    ).run(call)
    assert run.error_code is TaskErrorCode.SKILL_FAILED and told in run.calls[0].error_msg


@pytest.mark.parametrize(
    ("rooms", "asked"), [(HOME.room_names, 0), (HOME.room_names[::-1], 1), (("kitchen",), 1)]
)
def test_after_rooms_in_another_order_the_rest_is_verified_again(
    rooms: tuple[str, ...], asked: int
) -> None:
    again: list[str] = []

    def verify_rest(calls: object, source: str, remains: object) -> Verdict:
        again.append(source)
        return verdict_at_home(source)

    skills = FakeSkills({"get_all_rooms": SkillOutcome(list(rooms))})
    run = Stage(skills, verdict_at_home, rules=RulesOfHome(), verify_rest=verify_rest).run(
        "rooms = get_all_rooms()\nsay(rooms[0])"
    )
    assert run.error_code is TaskErrorCode.NONE and len(again) == asked


@pytest.mark.parametrize(
    ("message", "told"), [("", "navigation_blocked"), ("a\n\x1b[31mdoor", "a [31mdoor")]
)
def test_the_words_of_a_failure_are_one_line_and_never_empty(message: str, told: str) -> None:
    failed = SkillOutcome(error_code=SkillErrorCode.NAVIGATION_BLOCKED, message=message)
    run = Stage(FakeSkills({"go_to": failed})).run('go_to("kitchen")')
    assert run.calls[0].error_msg == told


@pytest.mark.parametrize(("words", "most"), [(LONG, 1000), ("", 40)])
def test_a_program_can_say_what_a_failure_is_called(words: str, most: int) -> None:
    failed = SkillOutcome(error_code=SkillErrorCode.NAVIGATION_BLOCKED, message=words)
    said = "try:\n    go_to('kitchen')\nexcept SkillError as error:\n    say(error.message)"
    run = Stage(FakeSkills({"go_to": failed})).run(said)
    assert run.error_code is TaskErrorCode.NONE, run.message
    assert 0 < len(run.calls[1].arguments[0].strip()) <= most
