"""A program is judged from what the runs before it have left."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.world.remains import RobotPast

DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))
BRING = 'def task_program():\n    go_to("study")\n    place("apple")\n'
TAKE_MORE = 'def task_program():\n    go_to("study")\n    pick("book")\n'


def past(*made: tuple[Any, ...]) -> RobotPast:
    past = RobotPast(DOMAIN)
    calls = [
        SkillCall(n, skill, args, 1, None, *code) for n, (skill, args, *code) in enumerate(made)
    ]
    past.note(calls)
    return past


@pytest.fixture(scope="module")
def verifier() -> Iterator[VerifierWorker]:
    verifier = VerifierWorker(DOMAIN, HOME)
    yield verifier
    verifier.close()


TOOK = (("go_to", ("kitchen",)), ("pick", ("apple",)))


def test_what_is_in_the_hand_may_be_put_down(verifier: VerifierWorker) -> None:
    assert not verifier.verify(BRING).accepted
    assert verifier.verify(BRING, remains=past(*TOOK).remains).accepted
    assert not verifier.verify(BRING).accepted, "another past is another question"


def test_a_full_hand_takes_nothing_more_and_the_story_says_why(verifier: VerifierWorker) -> None:
    (violation,) = verifier.verify(TAKE_MORE, remains=past(*TOOK).remains).violations
    assert (violation.code.value, violation.line) == ("hand_full", 3)
    assert violation.message.startswith("As earlier tasks have left it: the book cannot be picked")
    assert violation.counterexample is not None
    assert violation.counterexample.steps[0] == "From earlier, the robot holds the apple."


def test_what_the_program_itself_has_changed_is_not_from_earlier(verifier: VerifierWorker) -> None:
    again = 'def task_program():\n    go_to("study")\n    place("apple")\n    pick("apple")\n'
    remains = past(*TOOK).remains
    (violation,) = verifier.verify(again + '    pick("book")\n', remains=remains).violations
    assert violation.message.startswith("The book cannot be picked up: the robot already holds")


def test_a_robot_says_what_it_holds_until_a_call_is_heard_of(verifier: VerifierWorker) -> None:
    fresh = past()
    fresh.begins_with("apple")
    assert verifier.verify(BRING, remains=fresh.remains).accepted
    fresh.begins_with("")
    assert fresh.remains == ()
    fresh.begins_with("mug")
    fresh.note([SkillCall(0, "place", ("mug",), 1, None)])
    fresh.begins_with("mug")
    assert fresh.remains == (), "the call was heard of later than the topic"
    fresh.begins_with("", between_runs=False)
    fresh.note([SkillCall(1, "pick", ("a mug",), 1, None)])
    assert fresh.held == "a mug"
    looked = past(("go_to", ("kitchen",)))
    looked.begins_with("apple")
    assert looked.remains, "a drive says nothing of the hand"


def test_where_things_are_is_not_taken_for_granted(verifier: VerifierWorker) -> None:
    assert past(("go_to", ("kitchen",)), ("is_in_room", ("apple",))).remains == ()


@pytest.mark.parametrize(
    "end",
    [
        [("place", ("apple",))],
        [("place", ("the Apples",))],
        [("place", ("apple",), int(SkillErrorCode.HAND_EMPTY), "the hand is empty")],
    ],
)
def test_an_empty_hand_is_as_always(end: list[tuple[Any, ...]]) -> None:
    assert past(*TOOK, *end).remains == ()


def test_a_call_that_failed_changes_nothing() -> None:
    slipped = ("pick", ("apple",), int(SkillErrorCode.GRASP_FAILED), "it slipped")
    dropped = ("place", ("apple",), int(SkillErrorCode.PLACE_FAILED), "no room")
    assert past(slipped).remains == ()
    assert past(*TOOK, dropped).remains == ((("holding", "apple"), True),)


STOPPED = (int(SkillErrorCode.STOPPED), "somebody pressed Stop")


def test_after_a_call_that_was_cut_off_the_robot_itself_is_believed() -> None:
    let_go = past(*TOOK)
    let_go.begins_with("", between_runs=False)
    let_go.note([SkillCall(2, "place", ("apple",), 1, None, *STOPPED)])
    assert let_go.remains == (), "it was out of the hand as the stop came"
    took = past(("go_to", ("kitchen",)))
    took.begins_with("")
    took.note([SkillCall(1, "pick", ("apple",), 1, None, *STOPPED)])
    took.begins_with("apple")
    assert took.remains == ((("holding", "apple"), True),), "it is told a little later"
    took.note([SkillCall(2, "place", ("apple",), 1, None)])
    took.begins_with("apple")
    assert took.remains == (), "a call that came to its end is known again"


def test_a_call_that_was_cut_off_changes_nothing_where_the_robot_does_not_say() -> None:
    assert past(*TOOK, ("place", ("apple",), *STOPPED)).remains == past(*TOOK).remains
    drive = past(*TOOK)
    drive.begins_with("mug", between_runs=False)
    drive.note([SkillCall(2, "go_to", ("study",), 1, None, *STOPPED)])
    assert drive.remains == past(*TOOK).remains, "a drive says nothing of the hand"


def test_what_a_run_has_left_is_waited_for_until_its_last_call_is_known() -> None:
    robot = RobotPast(DOMAIN)
    assert robot.wait_until(left=False, limit=0.0)
    assert not robot.wait_until(left=True, limit=0.0)
    told: list[bool] = []
    waiting = threading.Thread(target=lambda: told.append(robot.wait_until(left=True, limit=30)))
    waiting.start()
    robot.note([SkillCall(0, "pick", ("apple",), 1, None)])
    waiting.join(5)
    assert told == [True]
