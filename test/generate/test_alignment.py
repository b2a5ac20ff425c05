"""Names tell whether a program does what was asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.generate.words.alignment import alignment_notes

HOME = load_semantic_map(shared_file("config/worlds/home.yaml"))
LAB = load_semantic_map(shared_file("config/worlds/lab.yaml"))


def notes(instruction: str, *lines: str) -> tuple[str, ...]:
    source = "def task_program():\n" + "".join(f"    {line}\n" for line in lines)
    return alignment_notes(instruction, source, HOME)


def carried(origin: str, goal: str) -> list[str]:
    return [f'go_to("{origin}")', 'pick("cup")', f'go_to("{goal}")', 'place("cup")']


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
        ("Bring me the cup from the kitchen to the lounge", carried("kitchen", "living room")),
        ("Bring me the cup from the kitchen. I'm in the hall", carried("kitchen", "hallway")),
        ("I am in the study, get me the cup in the kitchen", carried("kitchen", "study")),
        ("Come to the study and bring me the cup from the kitchen", carried("kitchen", "study")),
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
        ("Get me the cup from the kitchen. The study is shut", carried("kitchen", "study"), "back"),
        ("Ann will come to the study. Get me the cup there", carried("kitchen", "study"), "back"),
        ("Get me the cup, then go to the study", carried("kitchen", "study"), "back"),
        ("Get me the cup, I'm not in the study", carried("kitchen", "study"), "back"),
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


def visiting(*rooms: str) -> str:
    return f"def task_program():\n    for room in {list(rooms)}:\n        go_to(room)\n"


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ("the chemistry, biology and electronics labs", "electronics lab"),
        ("the chemistry and biology labs", ""),
        ("the chemistry and the biology lab, the electronics labs' keys aside", "electronics lab"),
        ("the labs for chemistry and biology, but not electronics", ""),
        ("chemistry lab, biology lab, then order some electronics", ""),
    ],
)
def test_a_room_that_is_listed_by_its_own_word_is_not_forgotten(words: str, missing: str) -> None:
    told = alignment_notes(f"Visit {words}", visiting("chemistry lab", "biology lab"), LAB)
    assert [note for note in told if "never uses" in note] == [
        f"The instruction names '{missing}', which the program never uses."
    ] * bool(missing)


def test_the_number_of_a_room_that_is_left_out_is_no_repetition() -> None:
    office = load_semantic_map(shared_file("config/worlds/office.yaml"))
    source = visiting("classroom 4", "classroom 5")
    assert alignment_notes("Visit classroom 4 and 5, not classroom 6", source, office) == ()


def test_a_room_that_is_listed_by_its_number_is_not_forgotten() -> None:
    source = visiting("classroom 1", "classroom 5")
    office = load_semantic_map(shared_file("config/worlds/office.yaml"))
    listed = alignment_notes("Visit classrooms 1, 3 and 5", source, office)
    assert listed == ("The instruction names 'classroom 3', which the program never uses.",)
    assert alignment_notes("Visit classrooms 1 and 5, at 3", source, office) == ()
    assert alignment_notes("Visit classrooms 1 and 5", visiting("classroom 5"), office)


def test_listed_rooms_that_a_loop_chooses_are_not_forgotten() -> None:
    source = (
        "def task_program():\n"
        "    for room in get_all_rooms():\n"
        '        if room in ["chemistry lab", "biology lab"]:\n'
        "            go_to(room)\n"
    )
    assert alignment_notes("Visit the labs for chemistry and biology", source, LAB) == ()
