"""Slips of the keyboard are corrected before a program is written; nothing else is."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from builders import verdict_on
from hypothesis import given
from hypothesis import strategies as st
from scripted_backend import ScriptedBackend

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.instruction import Instruction, Reference
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.site import site_for
from roboinstruct_ros.generate.words.spelling import corrected, without_slips
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions

OFFICE = ("break room", "supply room", "classroom 2", "Priya", "microscope")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("plase bring me a towl from the bathrom", "please bring me a towel from the bathroom"),
        ("Chek teh garrage.", "Check the garage."),
        ("take a makrer from the suply room", "take a marker from the supply room"),
        ("put the lader away", "put the ladder away"),
        ("bring me the USB-c cabel", "bring me the USB-c cable"),
        ("theyre in the kichen", "they're in the kitchen"),
        ("the microscpoe, plaese", "the microscope, please"),
        ("bring me a pen form the lab", "bring me a pen from the lab"),
        ("Get the tape form supply room int he hall", "Get the tape from supply room in the hall"),
        ("take it too Priya", "take it to Priya"),
        ("Tot he kitchen", "To the kitchen"),
    ],
)
def test_a_slip_is_corrected(text: str, right: str) -> None:
    assert corrected(text, OFFICE)[0] == right


@pytest.mark.parametrize(
    "text",
    [
        "say 'helo wrold' to Bob",
        'write "teh end"',
        "ask priya whether Viktor and Thaiklu are in the lab",
        "bring zxqw to the klurb",
        "Do me a favour: my favourite programme is on in the centre",
        "pls tell bjorn ok, thx",
        "go to classroom 2b at 10:30",
        "Bring mir die Banane aus der Küche",
        "teh asdf qwer zxcv",
        "call Mr Kichen",
        "",
    ],
)
def test_what_is_no_slip_stays(text: str) -> None:
    assert corrected(text, OFFICE) == (text, {})


def test_a_word_that_could_be_two_stays() -> None:
    """A "chai" may be a chair or a chain."""
    assert corrected("get the chai") == ("get the chai", {})


def test_words_of_the_place_are_right_and_come_first() -> None:
    assert corrected("bring the lader")[0] == "bring the ladder"
    assert corrected("bring the lader", ["lader"])[0] == "bring the lader"
    assert corrected("bring the lader", ["leader board"])[0] == "bring the leader"


def test_a_short_name_with_another_letter_is_somebody_else() -> None:
    assert corrected("tell kaya hi", ["Kara"])[0] == "tell kaya hi"
    assert corrected("tell pria hi", ["Priya"])[0] == "tell priya hi"


@given(st.text(max_size=60))
def test_any_text_is_read_and_only_words_change(text: str) -> None:
    right, slips = corrected(text)
    if not slips:
        assert right == text
    assert corrected(right)[0] == right
    assert all(word.isascii() and word.islower() and len(word) > 2 for word in slips)


def test_other_languages_are_left_alone() -> None:
    german = Instruction.checked("teh Kaffee", language="de")
    assert without_slips(german, ()) == (german, {})


def test_a_change_is_corrected_with_the_words_that_it_is_combined_with() -> None:
    old = Reference("go to teh lab", "", "", merged="go to teh lab and say hi", wanted="teh hi")
    told, _ = without_slips(Instruction("and say hi to teh boss", reference=old), ())
    assert told.text == "and say hi to the boss"
    assert told.reference is not None
    assert (told.reference.merged, told.reference.wanted) == ("go to the lab and say hi", "the hi")


def written(text: str, program: str, *people: str) -> tuple[Generation, str]:
    """What a model that writes `program` makes of the text at home, where there are these people,
    and the prompt that it read."""
    home = replace(load_semantic_map(find_world("home")), people=people or None)
    site = site_for(load_domain(), home)
    backend = ScriptedBackend([program], "robot_task")
    job = WritingJob(
        backend,
        lambda source: verdict_on(source, True),
        WritingOptions(check_prefixes=False),
        lambda event: None,
        threading.Event(),
        site,
    )
    generation = write_program(Instruction.checked(text), job)
    return generation, str(backend.requests[0].prompt)


def test_the_model_reads_the_corrected_words_and_the_person_is_told_of_the_name() -> None:
    body = '    go_to("kitchen")\n    pick("towel")\n'
    generation, prompt = written("Plase get teh towl from the kichen", body)
    assert "# Instruction: Please get the towel from the kitchen\n" in prompt
    assert generation.accepted
    assert generation.notes == ("I read \u201ctowl\u201d as \u201ctowel\u201d.",)


def test_words_of_the_map_are_known() -> None:
    _, prompt = written("Go to the studi", '    go_to("study")\n')
    assert "# Instruction: Go to the study\n" in prompt


def test_a_person_of_the_map_is_told() -> None:
    generation, _ = written("say hi to pria", '    ask("Priya", "hi", ["hi"])\n', "Priya")
    assert "I read \u201cpria\u201d as \u201cpriya\u201d." in generation.notes


def test_nothing_is_told_of_rooms_of_the_map_and_what_the_program_does_not_name() -> None:
    generation, _ = written("Plase go to teh studdy", '    go_to("study")\n')
    assert generation.accepted and generation.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "take the form the boss has signed to Priya",
        'say "form the line" in the hall',
        "Form the line in the hall",
        "the pen too. The box stays",
        "take the cup too, the red one",
    ],
)
def test_a_preposition_is_corrected_only_where_none_else_is_meant(text: str) -> None:
    assert corrected(text, OFFICE)[0] == text
