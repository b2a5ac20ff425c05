"""How follow-ups are read: by cue words first, and safely where there are none."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_backend import ScriptedBackend
from versions import AND_KITCHEN, THREE, VERSIONS, version

from roboinstruct_ros.domain.instruction import MAX_CHARACTERS, Instruction, Reference
from roboinstruct_ros.domain.task_version import Steering
from roboinstruct_ros.generate.rounds.steering import FollowUp, instructed, read_follow_up
from roboinstruct_ros.generate.rounds.steering_question import settled


def read(text: str) -> FollowUp:
    return read_follow_up(text, VERSIONS)


def reference(text: str) -> Reference:
    found = instructed(Instruction(text), read(text)).reference
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "steering"),
    [
        ("also check the study", Steering.EXTEND),
        ("Could you also ask Bob whether he needs a box?", Steering.EXTEND),
        ("and then tell me what you found", Steering.EXTEND),
        ("check the bathroom as well", Steering.EXTEND),
        ("tell Alice too", Steering.EXTEND),
        ("go back to the kitchen", Steering.EXTEND),
        ("do the same in the bathroom", Steering.EXTEND),
        ("include the garage", Steering.EXTEND),
        ("when you're done, come back here", Steering.EXTEND),
        ("make it three boxes", Steering.TWEAK),
        ("the banana instead of the apple", Steering.TWEAK),
        ("Instead of the apple, look for a banana", Steering.TWEAK),
        ("not the apple but the banana", Steering.TWEAK),
        ("the banana, not the apple", Steering.TWEAK),
        ("change the study to the bedroom", Steering.TWEAK),
        ("please replace the apple with a pear", Steering.TWEAK),
        ("bring only one box", Steering.TWEAK),
        ("take the pear", Steering.TWEAK),
        ("only do this when Grandma is at home", Steering.MODIFY),
        ("do it in the reverse order", Steering.MODIFY),
        ("no, look for a pear instead", Steering.TWEAK),
        ("check the kitchen before the boxes", Steering.MODIFY),
        ("ask me before you pick up a box", Steering.MODIFY),
        ("only if nobody is in the study", Steering.MODIFY),
        ("do not ask", Steering.MODIFY),
        ("skip the kitchen", Steering.MODIFY),
        ("first ask Bob, then bring the boxes", Steering.MODIFY),
        ("If there is no apple, tell me", Steering.MODIFY),
        ("instead, count the boxes in the study", Steering.PIVOT),
        ("do something else with the boxes", Steering.PIVOT),
        ("forget that, go to the garage", Steering.FRESH),
        ("new task: wait for Bob in the hallway", Steering.FRESH),
        ("go back to version 1", Steering.RETURN),
        ("undo that", Steering.RETURN),
    ],
)
def test_cue_words_decide(text: str, steering: Steering) -> None:
    follow_up = read(text)
    assert follow_up.steering is steering and follow_up.sure and not follow_up.question


@pytest.mark.parametrize(
    ("text", "steering"),
    [
        ("Go to the garage and greet Bob", Steering.FRESH),
        ("Wait for Emma in the hallway and ask her about school", Steering.FRESH),
        ("Bring the boxes to the bedroom", Steering.PIVOT),
        ("the pear", Steering.TWEAK),
    ],
)
def test_without_a_cue_what_is_shared_decides_and_a_model_may_be_asked(
    text: str, steering: Steering
) -> None:
    follow_up = read(text)
    assert follow_up.steering is steering and not follow_up.sure


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("go back to the version with two boxes", 2),
        ("please go back to version two", 2),
        ("the first one", 1),
        ("go back to the original version", 1),
        ("the version without the kitchen where you bring a box", 1),
        ("undo", 2),
        ("return to version 1", 1),
        ("go back to the version with one box", 1),
        ("take that back", 2),
        ("can we go back to the very first version?", 1),
        ("I liked the second version better", 2),
        ("back to the version before the kitchen", 2),
        ("restore the original", 1),
        ("go back to how it was", 2),
        ("use the previous version", 2),
        ("go back to the version with the apple", 3),
    ],
)
def test_a_return_finds_its_version(text: str, number: int) -> None:
    follow_up = read(text)
    assert follow_up.is_bare_return and follow_up.version is not None
    assert follow_up.version.number == number


def test_a_return_may_come_with_a_change() -> None:
    follow_up = read("go back to the version with two boxes and also check the bathroom")
    assert follow_up.steering is Steering.EXTEND and follow_up.version is VERSIONS[1]
    assert follow_up.text == "check the bathroom"


def test_a_version_that_is_not_there_is_asked_about() -> None:
    question = read("go back to the version with the elephant").question
    assert "'the version with the elephant'" in question and "2: make it two boxes" in question
    assert "2: make it two boxes" in read("go back to version ²").question


def test_something_else_without_saying_what_is_asked_about() -> None:
    assert "say what the robot should do" in read("do something else").question


def test_what_is_replaced_leads_to_the_version_that_has_it() -> None:
    without = VERSIONS[1]
    follow_up = read_follow_up("the banana instead of the apple", VERSIONS, without)
    assert follow_up.version is THREE
    assert read_follow_up("a crate instead of a box", VERSIONS, without).version is without


@pytest.mark.parametrize(
    ("text", "merged"),
    [
        ("also check the study", f"{THREE.words}. Then check the study"),
        ("make it three boxes", THREE.words.replace("two boxes", "three boxes")),
        ("the banana instead of the apple", THREE.words.replace("an apple", "a banana")),
        ("change the study to the bedroom", THREE.words.replace("study", "bedroom")),
        ("instead, count the boxes in the study", "count the boxes in the study"),
        ("the pear", ""),
        ("also the study", ""),
        ("only if nobody is in the study", ""),
        ("the banana instead of the elephant", ""),
    ],
)
def test_old_and_new_words_become_one_instruction_only_where_that_is_no_guess(
    text: str, merged: str
) -> None:
    assert reference(text).merged == merged


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("also check the study", "check the study for an apple"),
        ("and the bathroom too", "check the bathroom for an apple"),
        ("do the same in the bathroom", "check the bathroom for an apple"),
        ("include the bathroom", "check the bathroom for an apple"),
        ("also check the oven", "check the oven"),
        ("also check the study for a pear", "check the study for a pear"),
        ("then go to the study", "go to the study"),
    ],
)
def test_another_room_alone_means_the_last_task_there(text: str, more: str) -> None:
    rooms = ("storage room", "kitchen", "study", "bathroom")
    change = instructed(Instruction("x"), read(text), rooms)
    assert change.text == more and change.steering is Steering.EXTEND


def test_another_room_is_not_guessed_where_there_is_nothing_to_look_for_or_two_rooms() -> None:
    rooms = ("kitchen", "storage room", "study")
    tell = version(1, "Say hello in the kitchen.", 'def task_program():\n    say("hello")\n')
    for before, text, more in (
        (tell, "also check the study", "check the study"),
        (tell, "also in the study", "say hello in the study."),
        (VERSIONS[0], "also in the study", "in the study"),
    ):
        change = instructed(Instruction("x"), read_follow_up(text, (before,)), rooms)
        assert change.text == more


def test_more_steps_never_fall_under_a_condition_of_before() -> None:
    if_there = version(1, "If there is an apple, bring it to me.", AND_KITCHEN)
    more = instructed(Instruction("x"), read_follow_up("also go to the study", (if_there,)))
    assert more.words == "If there is an apple, bring it to me. Then go to the study"


def test_what_a_follow_up_does_not_speak_of_is_kept() -> None:
    kept = reference("the banana instead of the apple")
    assert set(kept.names) == {"storage room", "box", "study", "kitchen"}
    assert kept.keep == (
        "Do this 2 times: Go to the storage room; Pick up the box; Go to the study; "
        "Put down the box.",
        "Go to the kitchen.",
    )
    assert kept.source == AND_KITCHEN and kept.sha256 == THREE.sha256
    assert set(reference("also check the bathroom").names) >= {"apple", "box"}
    assert reference("skip the kitchen").names == ()
    assert reference("instead, count the boxes in the study").keep == ()


def test_a_new_task_knows_nothing_of_the_old_one() -> None:
    instruction = instructed(Instruction("x"), read("forget that, go to the garage"))
    assert instruction.reference is None and instruction.words == "go to the garage"
    assert instruction.steering is Steering.FRESH


def test_words_that_grew_too_long_are_told_by_the_plan() -> None:
    long = VERSIONS[0].__class__(**{**vars(THREE), "words": "Go to the kitchen. " * 53})
    follow_up = read_follow_up("also go to the study", (long,))
    found = instructed(Instruction("also go to the study"), follow_up)
    assert found.reference is not None and found.reference.instruction == THREE.summary
    assert len(found.words) <= MAX_CHARACTERS


@given(st.text(max_size=80))
def test_any_words_are_read_as_something(text: str) -> None:
    try:
        instruction = Instruction.checked(text)
    except ValueError:
        return
    follow_up = read(instruction.text)
    if not follow_up.question and not follow_up.is_bare_return:
        assert instructed(instruction, follow_up).words


CUES = st.sampled_from(
    ["also {}", "{} instead of the apple", "only if {}", "{}", "undo", "skip {}"]
)


@given(CUES, st.sampled_from(["check the attic", "the pear", "bring three boxes to Bob", "say hi"]))
def test_the_same_words_are_read_the_same_way(cue: str, what: str) -> None:
    text = cue.format(what)
    assert read(text) == read(text)


def settle(text: str, answer: str, prompts: str = "completion") -> tuple[FollowUp, ScriptedBackend]:
    backend = ScriptedBackend([answer], prompts)
    return settled(read(text), backend, threading.Event()), backend


def test_a_model_is_asked_where_no_cue_decides() -> None:
    follow_up, backend = settle("the pear", " modify\n# Task")
    assert follow_up.steering is Steering.MODIFY and follow_up.version is THREE
    (request,) = backend.requests
    assert request.prompt.endswith(f"# Task: {THREE.words} Follow-up: the pear\n# Kind:")
    fresh, _ = settle("Go to the garage and greet Bob", " extend")
    assert fresh.steering is Steering.EXTEND and fresh.version is THREE
    assert settle("the pear", "fresh.")[0].version is None
    chat, backend = settle("the pear", "Kind: pivot.", "chat")
    assert chat.steering is Steering.PIVOT and "the pear" in backend.requests[0].prompt.text


@pytest.mark.parametrize(
    ("text", "answer", "prompts", "asked"),
    [
        ("also check the study", "fresh", "completion", 0),
        ("the pear", "a banana", "completion", 1),
        ("the pear", "", "completion", 1),
        ("the pear", "tweak or modify", "completion", 1),
        ("the pear", "fresh", "robot_task", 0),
    ],
)
def test_what_words_decide_or_a_model_cannot_tell_stays(
    text: str, answer: str, prompts: str, asked: int
) -> None:
    follow_up, backend = settle(text, answer, prompts)
    assert follow_up == read(text) and len(backend.requests) == asked
