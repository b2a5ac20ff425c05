"""Verification that goes on from calls that were really made."""

from __future__ import annotations

from typing import Any

import pytest

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import load_policies
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import LONGEST_ERROR, SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Status
from roboinstruct_ros.verify.verifier import verify

DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))
FETCH = """\
def task_program():
    start = get_current_location()
    go_to("kitchen")
    if is_in_room("apple"):
        pick("apple")
        pick("cup")
    go_to(start)
    say("done")
"""
HERE = ("get_current_location", (), "study")
GO = ("go_to", ("kitchen",), None)


def calls(*made: tuple[Any, ...]) -> list[SkillCall]:
    return [
        SkillCall(index, skill, arguments, 0, result, *failure)
        for index, (skill, arguments, result, *failure) in enumerate(made)
    ]


def test_with_no_calls_it_is_the_whole_verification() -> None:
    whole, from_start = verify(FETCH, DOMAIN, HOME), verify(FETCH, DOMAIN, HOME, calls=[])
    assert whole.model_dump(exclude={"duration"}) == from_start.model_dump(exclude={"duration"})


def test_a_real_answer_leaves_only_its_branch() -> None:
    seen = calls(HERE, GO, ("is_in_room", ("apple",), False))
    verdict = verify(FETCH, DOMAIN, HOME, calls=seen)
    assert (verdict.status, verdict.paths, verdict.exhaustive) == (Status.ACCEPTED, 1, True)
    seen = calls(HERE, GO, ("is_in_room", ("apple",), True))
    (violation,) = verify(FETCH, DOMAIN, HOME, calls=seen).violations
    assert (violation.code.value, violation.line) == ("hand_full", 6)
    assert violation.counterexample is not None
    assert "Line 2: get_current_location() answered 'study'." in violation.counterexample.steps


def test_a_hazard_is_seen_before_it_is_reached() -> None:
    verdict = verify(FETCH, DOMAIN, HOME, calls=calls(HERE, GO))
    assert [violation.line for violation in verdict.violations] == [6]
    assert verdict.paths == 2


def test_another_programs_calls_give_no_verdict() -> None:
    verdict = verify(FETCH, DOMAIN, HOME, calls=calls(("say", ("hello",), None)))
    assert verdict.status is Status.UNDECIDED
    assert [warning.code.value for warning in verdict.warnings] == ["not_verified"]


def test_more_calls_than_the_program_makes_give_no_verdict() -> None:
    source = 'def task_program():\n    say("a")\n'
    twice = calls(("say", ("a",), None), ("say", ("a",), None))
    assert verify(source, DOMAIN, HOME, calls=twice).status is Status.UNDECIDED


def test_a_real_failure_reaches_the_program() -> None:
    source = (
        'def task_program():\n    try:\n        go_to("kitchen")\n    except SkillError as error:\n'
        '        if error.code == "navigation_blocked":\n'
        '            pick("a")\n            pick("b")\n'
    )
    assert not verify(source, DOMAIN, HOME).accepted  # the handler is tried
    blocked = calls(
        ("go_to", ("kitchen",), None, int(SkillErrorCode.NAVIGATION_BLOCKED), "a door is shut")
    )
    assert [v.line for v in verify(source, DOMAIN, HOME, calls=blocked).violations] == [7]


def test_the_words_of_a_real_failure_are_cut_as_in_the_run() -> None:
    source = (
        'def task_program():\n    try:\n        go_to("kitchen")\n    except SkillError as error:\n'
        '        say(error.message)\n        place("a")\n'
    )
    words = "x" * LONGEST_ERROR
    failed = ("go_to", ("kitchen",), None, int(SkillErrorCode.NAVIGATION_BLOCKED), words)
    said = ("say", (f"go_to failed: {words}"[:LONGEST_ERROR],), None)
    verdict = verify(source, DOMAIN, HOME, calls=calls(failed, said))
    assert [violation.line for violation in verdict.violations] == [6]


@pytest.mark.parametrize(
    "past", ['finally:\n        say("a")', "except SkillError:\n        raise"]
)
def test_a_program_that_ends_by_a_real_failure_is_not_at_fault(past: str) -> None:
    source = f'def task_program():\n    try:\n        go_to("kitchen")\n    {past}\n'
    blocked = calls(
        ("go_to", ("kitchen",), None, int(SkillErrorCode.NAVIGATION_BLOCKED), "a door is shut")
    )
    assert verify(source, DOMAIN, HOME, calls=blocked).accepted


@pytest.mark.parametrize(("found", "accepted"), [(True, True), (False, False)])
def test_what_was_really_seen_is_believed(found: bool, accepted: bool) -> None:
    source = 'def task_program():\n    is_in_room("cup")\n    pick("cup")\n    place("cup")\n'
    seen = calls(("is_in_room", ("cup",), found))
    assert verify(source, DOMAIN, HOME, calls=seen).accepted == accepted


def test_what_was_carried_is_still_held() -> None:
    source = 'def task_program():\n    pick("cup")\n    go_to("study")\n    pick("pen")\n'
    verdict = verify(source, DOMAIN, HOME, calls=calls(("pick", ("cup",), None)))
    assert [violation.code.value for violation in verdict.violations] == ["hand_full"]


def test_really_found_rooms_are_all_rooms() -> None:
    source = (
        'def task_program():\n    for room in get_all_rooms():\n        if "lab" in room:\n'
        '            pick("a")\n            pick("b")\n'
    )
    assert not verify(source, DOMAIN).accepted
    seen = calls(("get_all_rooms", (), ["hall", "den"]))
    assert verify(source, DOMAIN, calls=seen).accepted


def test_policies_remember_what_was_done() -> None:
    policies = load_policies(DOMAIN).switched_on(("ask before a bedroom",))
    source = (
        'def task_program():\n    if is_in_room("Emma"):\n'
        '        ask("Emma", "May I?", ["Yes", "No"])\n    go_to("main bedroom")\n'
    )
    here = ("is_in_room", ("Emma",), True)
    asked = ("ask", ("Emma", "May I?", ["Yes", "No"]), "Yes")
    assert verify(source, DOMAIN, HOME, policies, calls=calls(here, asked)).accepted
    absent = calls(("is_in_room", ("Emma",), False))
    assert not verify(source, DOMAIN, HOME, policies, calls=absent).accepted


def test_the_worker_goes_on_too() -> None:
    worker = VerifierWorker(DOMAIN, HOME)
    try:
        seen = calls(HERE, GO, ("is_in_room", ("apple",), False))
        assert worker.verify_from(seen, FETCH).accepted
        assert not worker.verify(FETCH).accepted
        assert worker.verify_from(seen, FETCH).accepted
    finally:
        worker.close()
