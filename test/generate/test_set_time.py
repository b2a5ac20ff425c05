"""An order for another time has a note where the program obeys at once."""

from __future__ import annotations

import threading

import pytest
from asked_rows import ASKED, FIFTH, FOURTH, LATER, THIRD, reference
from builders import verdict_on
from drawn_pairs import drawn_programs
from scripted_backend import WeighedBackend

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.phrase import phrase, recognised
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.site import site_for
from roboinstruct_ros.generate.words.set_time import time_notes
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions

HEAD = "def task_program():\n"
GO = '    go_to("study")\n'


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Go to the study tomorrow", "tomorrow"),
        ("Go to the lobby tomorrow morning.", "tomorrow morning"),
        ("Go to the kitchen at 5 pm", "at 5 pm"),
        ("Tomorrow at 5:30, bring Bob the cup", "tomorrow at 5:30"),
        ("Can you go to the lab on Monday, please?", "on monday"),
        ("Go to the kitchen at five, then come back", "at five"),
        ("Please check the lab every morning", "every morning"),
        ("Bring Ann's mug to the kitchen tonight", "tonight"),
        ("Put the cup on the bed tonight", "tonight"),
        ("Go to the kitchen in ten minutes", "in ten minutes"),
    ],
)
def test_a_time_that_the_program_does_not_wait_for_is_noted(text: str, time: str) -> None:
    note = phrase("note.not_later", words=time)
    assert time_notes(text, HEAD + GO) == (str(note),)
    assert recognised(str(note), "note.") == note


@pytest.mark.parametrize(
    "text",
    [
        "Tomorrow is a holiday, tell everyone",
        "Tell Bob that lunch is at noon",
        "Bring the chairs for tomorrow",
        "Remind Ann that she leaves at 5 pm",
        "Get the book that I need tonight",
        "Go to office 5",
        "Fetch the newspaper delivered this morning and bring it to the kitchen",
        "Find the report due on Friday, then bring it to the study",
        "Find the phone lost this morning, and bring it to the kitchen",
        "Go to the study now",
        "candidate in two minutes and no chair, get one",
        "",
    ],
)
def test_a_time_of_something_else_is_none(text: str) -> None:
    assert time_notes(text, HEAD + GO) == ()


@pytest.mark.parametrize(
    "line", ["time.sleep(600)", 'while not is_in_room("Bob"): time.sleep(1)', 'say("At noon.")']
)
def test_a_program_that_waits_or_speaks_of_the_time_has_no_note(line: str) -> None:
    assert time_notes("Go to the study at noon", f"{HEAD}    {line}\n{GO}") == ()


def test_the_note_stands_on_the_plan_and_no_other_program_is_looked_for() -> None:
    backend = WeighedBackend(GO, likely=0.9)
    domain = load_domain(shared_file("config/skills.yaml"))
    job = WritingJob(
        backend,
        lambda source: verdict_on(source, True),
        WritingOptions(check_prefixes=False),
        lambda _: None,
        threading.Event(),
        site_for(domain, None),
    )
    generation = write_program(Instruction("Go to the study tomorrow"), job)
    assert generation.notes == (str(phrase("note.not_later", words="tomorrow")),)
    assert len(backend.requests) == 1
    calendar = load_domain(shared_file("config/domains/calendar.yaml"))
    assert site_for(calendar, None).time_notes("Go to the study tomorrow", HEAD + GO) == ()


@pytest.mark.computes
def test_right_programs_are_not_noted() -> None:
    asked = [(row["text"], reference(row)) for row in ASKED + LATER + THIRD + FOURTH + FIFTH]
    drawn = [
        (pair.instruction, pair.program)
        for source in ("composed", "written")
        for pair in drawn_programs(400, source)
    ]
    assert not [text for text, source in [*asked, *drawn] if time_notes(text, source)]
