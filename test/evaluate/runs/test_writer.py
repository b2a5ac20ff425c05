"""A case is put to a model as the robot would put it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from scripted_backend import ScriptedBackend

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.runs.writer import Writer
from roboinstruct_ros.evaluate.suite.case import Case, Place
from roboinstruct_ros.evaluate.suite.judge import Written

SHED = Place.of_names(["hall", "shed"], "hall", people=["Zoe"], things=["saw"])
OPEN = Place(Place.of_names(["hall"], "hall").rooms, "hall", ("Zoe",), ("saw",))


@pytest.fixture
def backend() -> ScriptedBackend:
    return ScriptedBackend(['    go_to("shed")\n'], "robot_task")


@pytest.fixture
def writer(backend: ScriptedBackend) -> Iterator[Writer]:
    with closing(Writer(backend)) as writer:
        yield writer


def prompt_of(backend: ScriptedBackend) -> list[str]:
    return str(backend.requests[-1].prompt).splitlines()


def test_the_model_is_told_the_map_and_where_the_robot_is(
    writer: Writer, backend: ScriptedBackend
) -> None:
    written = writer(Case("Go to the shed.", "go", SHED))
    assert prompt_of(backend) == [
        "# Rooms: hall, shed",
        "# People: Zoe",
        "# Things: saw",
        "# Here: hall",
        "# Instruction: Go to the shed.",
        "def task_program():",
    ]
    assert written.kind is AnswerKind.PROGRAM
    assert written.text == 'def task_program():\n    go_to("shed")\n'


def test_people_and_things_that_a_map_leaves_open_are_told_where_that_is_wanted(
    backend: ScriptedBackend,
) -> None:
    for tell_all in (False, True):
        with closing(Writer(backend, tell_all=tell_all)) as writer:
            writer(Case("Go to the hall.", "go", OPEN))
        assert ("# People: Zoe" in prompt_of(backend)) is tell_all


def test_a_program_that_the_verifier_rejects_is_nothing(writer: Writer) -> None:
    written = writer(Case("Go to the shed.", "go", OPEN))
    assert written.kind is not AnswerKind.PROGRAM
    assert "shed" in written.text


def test_words_come_with_their_choices() -> None:
    said = ScriptedBackend(["    # Question: Which one? | hall | shed\n"], "robot_task")
    with closing(Writer(said)) as writer:
        written = writer(Case("Go there.", "go", SHED))
    asked = Written(AnswerKind.QUESTION, "Which one?", choices=("hall", "shed"))
    assert replace(written, seconds=0.0) == asked


def test_what_is_no_instruction_is_nothing(writer: Writer, backend: ScriptedBackend) -> None:
    assert writer(Case("go " * 5000, "go", SHED)).kind is None
    assert not backend.requests
