"""Names tell whether a program does what was asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.generate.words.alignment import alignment_notes

HOME = load_semantic_map(shared_file("config/worlds/home.yaml"))


def notes(instruction: str, *lines: str) -> tuple[str, ...]:
    source = "def task_program():\n" + "".join(f"    {line}\n" for line in lines)
    return alignment_notes(instruction, source, HOME)


@pytest.mark.parametrize(
    ("instruction", "lines"),
    [
        (
            "Bring the apples from the kitchen",
            ['go_to("kitchen")', 'pick("apple")', 'place("apple")'],
        ),
        ("Go to the master bedroom", ['go_to("main bedroom")']),
        ("Go to the main bedroom", ['go_to("master bedroom")']),
        ("Ask Bob in the study", ['go_to("study")', 'ask("Bob", "Tea?", ["Yes"])']),
        (
            "Wait for someone in the garage",
            ['go_to("garage")', 'while not is_in_room("person"):', "    time.sleep(1)"],
        ),
        (
            "Say in every bedroom: hi",
            ["for r in get_all_rooms():", '    if "bedroom" in r:', '        say("hi")'],
        ),
        ("Say that the kitchen is closed", ['say("The kitchen is closed")']),
        ("Visit the kitchen and study", ['for r in ["kitchen", "study"]:', "    go_to(r)"]),
        ("Take Bob\u2019s book", ['pick("Bob\'s book")']),
        ("Don't go to the garage, go to the study", ['go_to("study")']),
        ("Forget the garage, go to the study", ['go_to("study")']),
        ("Go to the garage, no, sorry, the study", ['go_to("study")']),
        ("Go to the garage. Hang on, the study", ['go_to("study")']),
        (
            "Take the book, no sorry, I mean the red pen, to the study",
            ['pick("red pen")', 'go_to("study")', 'place("red pen")'],
        ),
        ("Just come to the study, I mean it", ['go_to("study")']),
    ],
)
def test_a_program_that_names_what_was_said_gets_no_note(
    instruction: str, lines: list[str]
) -> None:
    assert notes(instruction, *lines) == ()


@pytest.mark.parametrize(
    ("instruction", "lines", "word"),
    [
        ("Go to the kitchen", ['go_to("kitchen")', 'pick("hammer")'], "'hammer'"),
        ("Go to the kitchen", ['go_to("kitchen")', 'go_to("nurse wing")'], "'nurse wing'"),
        ("Go to the attic", ['go_to("living room")'], "'living room'"),
        ("Mail from the study to the garage", ['go_to("study")'], "'garage'"),
        ("If it isn't in the study look in the laundry room", ['go_to("study")'], "'laundry room'"),
        ("It should stand here, not there. Go to the study", ['go_to("garage")'], "'study'"),
        ("Get the book, no sorry, I mean the pen", ['pick("book")'], "'pen'"),
        ("Visit the guest bedroom", ['go_to("kids bedroom")'], "'guest bedroom'"),
        ("Visit the study twice", ['go_to("study")', 'go_to("study")'], "twice in a row"),
        ("Ask him in the study", ['go_to("study")', 'ask("him", "Tea?", ["Yes"])'], "'him'"),
        ("Ask everyone", ['for name in ["John", "Jane"]:', "    is_in_room(name)"], "'John'"),
        ("Ask Ann in the study", ['go_to("study")', 'ask("Eve", "Tea?", ["Yes"])'], "'Eve'"),
    ],
)
def test_an_invented_or_forgotten_name_is_noted(
    instruction: str, lines: list[str], word: str
) -> None:
    assert any(word in note for note in notes(instruction, *lines))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text[15:45])
def test_the_examples_do_what_they_say(example: str) -> None:
    comment, source = example.split("\n", 1)
    assert alignment_notes(comment.removeprefix("# Instruction: "), source) == ()


@pytest.mark.parametrize(("lines", "forgotten"), [(['pick("milk")'], False), ([], True)])
def test_a_known_thing_that_the_program_leaves_out_is_noted(
    lines: list[str], forgotten: bool
) -> None:
    source = "def task_program():\n" + "".join(
        f"    {line}\n" for line in ['go_to("kitchen")', 'pick("tea")', *lines]
    )
    known = replace(HOME, objects=("milk", "tea", "cup"))
    told = alignment_notes("Take the tea and the milk from the kitchen", source, known)
    assert any("'milk'" in note for note in told) is forgotten


def test_everybody_may_be_spelt_out_by_the_people_of_the_map() -> None:
    source = 'def task_program():\n    for name in ["Ann", "Eve"]:\n        is_in_room(name)\n'
    assert alignment_notes("Look for everybody", source, replace(HOME, people=("Ann", "Eve"))) == ()
