"""Follow-ups: the pairs that teach a model to change a program and leave the rest alone."""

from __future__ import annotations

import random
import re

import pytest

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.families.changes import Change, make_change
from roboinstruct_ros.learn.families.edits import EDITS
from roboinstruct_ros.learn.families.families import HEAD, drawn_pair
from roboinstruct_ros.verify.verifier import verify

pytestmark = pytest.mark.computes

FETCH = ['go_to("kitchen")', 'pick("apple")', 'go_to("study")', 'place("apple")']


@pytest.fixture(scope="module")
def changes() -> list[Change]:
    return [change for index in range(700) if (change := make_change(5, index)) is not None]


def lines_of(program: str) -> list[str]:
    return program.splitlines()[1:]


def test_the_same_number_gives_the_same_change() -> None:
    assert [make_change(3, i) for i in range(40)] == [make_change(3, i) for i in range(40)]
    assert make_change(3, 1) != make_change(4, 1)


def test_most_numbers_give_a_change_and_every_kind_occurs(changes: list[Change]) -> None:
    assert len(changes) > 600
    kinds = {change.kind for change in changes}
    assert kinds >= {"room", "thing", "person", "message", "question", *EDITS} - {"wait_first"}


def test_the_verifier_accepts_what_was_there_and_what_comes_out(changes: list[Change]) -> None:
    domain = load_domain()
    for change in changes[:200]:
        assert verify(change.program, domain).accepted, change
        assert verify(change.changed, domain).accepted, change


def test_every_change_changes_something(changes: list[Change]) -> None:
    assert not [change for change in changes if change.program == change.changed]


def test_a_tweak_leaves_all_but_words_as_it_was(changes: list[Change]) -> None:
    tweaks = [change for change in changes if change.kind not in EDITS]
    assert len(tweaks) > 200
    for change in tweaks:
        before, after = lines_of(change.program), lines_of(change.changed)
        assert len(before) == len(after)
        bare = [re.sub(r'"(?:[^"\\]|\\.)*"', "", line) for line in before]
        assert bare == [re.sub(r'"(?:[^"\\]|\\.)*"', "", line) for line in after]


def test_what_the_new_program_says_can_be_read_in_the_prompt(changes: list[Change]) -> None:
    """A name that the model cannot copy it cannot write."""
    for change in changes:
        if change.kind == "kind":  # "the labs, not the halls": what is named after one changes too
            continue
        for room in re.findall(r'go_to\("([^"]+)"\)', change.changed):
            owner = room.split("'s ")[0]
            assert owner.lower() in change.prompt.lower(), change


def test_an_edit_at_the_end_keeps_every_line_before_it(changes: list[Change]) -> None:
    for change in changes:
        if change.kind == "and_then":
            assert change.changed.startswith(change.program), change


def test_the_prompt_is_the_contract_of_the_task_dialogue_format() -> None:
    change = Change(
        "room",
        "Go to the kitchen.",
        'def task_program():\n    go_to("kitchen")\n',
        "No, the pantry.",
        'def task_program():\n    go_to("pantry")\n',
    )
    assert change.prompt == (
        "# Instruction: Go to the kitchen.\n"
        "def task_program():\n"
        '    go_to("kitchen")\n'
        "# Change: No, the pantry.\n"
        "def task_program():\n"
    )
    assert change.completion == '    go_to("pantry")\n'


def test_a_slot_drawn_anew_leaves_every_other_slot() -> None:
    for index in range(200):
        draw = Draw(random.Random(index))
        drawn_pair("fetch", draw)
        again = Draw(random.Random(index), anew=(0, 1))
        drawn_pair("fetch", again)
        if [slot.kind for slot in draw.slots] == [slot.kind for slot in again.slots]:
            assert draw.slots[1:] == again.slots[1:]


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (
            "only_if_there",
            'go_to("kitchen")\nif is_in_room("apple"):\n'
            '    pick("apple")\n    go_to("study")\n    place("apple")',
        ),
        ("and_back", "\n".join(FETCH) + "\ngo_to(start_loc)"),
    ],
)
def test_what_an_edit_makes_of_a_fetch(kind: str, wanted: str) -> None:
    edited = EDITS[kind](Draw(random.Random(1)), FETCH)
    assert edited is not None
    assert wanted in "\n".join(edited[1])


@pytest.mark.parametrize("kind", ["one_more", "one_less", "stay_there", "wait_first", "report_to"])
def test_an_edit_that_does_not_fit_is_none(kind: str) -> None:
    assert EDITS[kind](Draw(random.Random(1)), FETCH) is None


def test_unseen_names_come_into_follow_ups_too() -> None:
    made = [make_change(9, index, Split.UNSEEN_NAMES) for index in range(300)]
    assert any(change and "greenhouse" in change.changed for change in made)
    assert all(change is None or change.program.startswith(HEAD) for change in made)
