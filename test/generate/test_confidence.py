"""How sure one may be, in words for a person, and what the drafts on the way are called."""

from __future__ import annotations

import threading

import pytest
from test_doubt import BAD, KITCHEN, STUDY, TEXT, WeighedBackend, judge

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.confidence import confidence_text
from roboinstruct_ros.generate.generation import DraftStarted, GenerationEvent
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions


def started(backend: WeighedBackend, **options: object) -> tuple[str, list[DraftStarted]]:
    """How sure one may be in the end, and every text that was begun."""
    events: list[GenerationEvent] = []
    writing = WritingOptions(**{"check_prefixes": False, **options})  # type: ignore[arg-type]
    generation = write_program(
        Instruction(TEXT), WritingJob(backend, judge, writing, events.append, threading.Event())
    )
    told = confidence_text(generation.confidence, generation.agreed)
    return told, [event for event in events if isinstance(event, DraftStarted)]


def test_votes_are_drafts_and_none_of_them_is_an_attempt_more() -> None:
    told, begun = started(WeighedBackend(STUDY, KITCHEN, BAD, KITCHEN, KITCHEN))
    assert told == "3 of 5 drafts agree"
    assert {event.attempt for event in begun} == {1}
    assert max(event.draft for event in begun) == 4, "one text came twice more"


def test_what_follows_a_rejected_program_is_an_attempt() -> None:
    _, begun = started(WeighedBackend(BAD, '    pick("bad again")\n', KITCHEN), votes=1)
    assert [(event.draft, event.attempt) for event in begun] == [(1, 1), (2, 2), (3, 3)]


def test_a_sure_model_is_told_by_its_probability() -> None:
    assert started(WeighedBackend(KITCHEN, likely=0.83))[0] == "confidence 83 %"


@pytest.mark.parametrize("confidence", [None, float("nan"), 7.0])
def test_what_tells_nothing_is_not_shown(confidence: float | None) -> None:
    assert confidence_text(confidence, None) == ""


@pytest.mark.parametrize("agreed", [[1], ["many", "more"], 5, [[1], [2]]])
def test_counts_of_another_shape_are_refused(agreed: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        confidence_text(0.5, agreed)  # type: ignore[arg-type]
