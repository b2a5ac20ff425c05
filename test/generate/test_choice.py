"""Which of several accepted programs is taken, and how candidates go through the loop."""

from __future__ import annotations

import threading

import pytest
from builders import verdict_on
from scripted_backend import ScriptedBackend

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.choice import Ballot, Choice
from roboinstruct_ros.generate.generation import (
    DraftStarted,
    DraftVerified,
    Generation,
    GenerationEvent,
    TokensWritten,
)
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import Retry, WritingOptions
from roboinstruct_ros.verify.verdict import Caution, Verdict, WarningCode

KITCHEN = '    go_to("kitchen")\n'
STUDY = '    go_to("study")\n'
TWICE = '    go_to("kitchen")\n    go_to("kitchen")\n'
BAD = '    pick("bad")\n'
WORSE = '    pick("bad")\n    pick("worse")\n'
TASK = Instruction.checked("Go to the kitchen")


def judge(source: str) -> Verdict:
    return verdict_on(source, "bad" not in source)


def ballot(*sources: str, notes: dict[str, int] | None = None) -> Ballot:
    ballot = Ballot()
    for source in sources:
        text = HEAD + source
        ballot.add(text, judge(text), ("note",) * (notes or {}).get(source, 0))
    return ballot


def best(ballot: Ballot) -> str:
    assert ballot.best is not None
    return ballot.best.source.removeprefix(HEAD)


def test_fewest_notes_come_before_everything_else() -> None:
    one = ballot(KITCHEN, TWICE, notes={KITCHEN: 1})
    for _ in range(5):
        one.again(HEAD + KITCHEN)
    assert best(one) == TWICE


def test_a_warning_counts_against_a_program() -> None:
    one = Ballot()
    caution = Caution(code=WarningCode.ENDS_HOLDING, message="still holds the cup")
    warned = judge(HEAD + KITCHEN).model_copy(update={"warnings": (caution,)})
    one.add(HEAD + KITCHEN, warned, ())
    one.add(HEAD + TWICE, judge(HEAD + TWICE), ())
    assert best(one) == TWICE


def test_what_most_texts_have_in_common_wins_over_shortness() -> None:
    one = ballot(KITCHEN, TWICE)
    one.again(HEAD + TWICE)
    assert best(one) == TWICE


def test_the_shortest_of_equals_and_the_first_of_the_same_length() -> None:
    assert best(ballot(TWICE, KITCHEN)) == KITCHEN
    assert best(ballot(STUDY, '    go_to("attic")\n')) == STUDY


def test_a_rejected_text_that_comes_again_has_no_vote() -> None:
    one = ballot(KITCHEN)
    one.again(HEAD + BAD)
    assert best(one) == KITCHEN
    assert Ballot().best is None


def written(
    *answers: str, prompts: str = "instruction_comment", **options: object
) -> tuple[Generation, ScriptedBackend, list[GenerationEvent]]:
    backend = ScriptedBackend(answers, prompts)
    events: list[GenerationEvent] = []
    generation = write_program(
        TASK,
        WritingJob(
            backend,
            judge,
            WritingOptions(check_prefixes=False, **options),  # type: ignore[arg-type]
            events.append,
            threading.Event(),
        ),
    )
    return generation, backend, events


def test_the_first_accepted_candidate_ends_the_rest() -> None:
    generation, backend, _ = written(BAD, KITCHEN, STUDY, candidates=4, choice=Choice.FIRST)
    assert generation.source == HEAD + KITCHEN and generation.attempts == 2
    assert len(backend.requests) == 2


def test_only_the_very_first_text_is_the_likeliest() -> None:
    _, backend, _ = written(BAD, WORSE, BAD, KITCHEN, candidates=3)
    temperatures = [request.temperature for request in backend.requests]
    assert temperatures[0] == 0.0 and min(temperatures[1:]) > 0.0
    assert len({request.seed for request in backend.requests}) == len(backend.requests)


def test_the_best_of_a_batch_waits_for_all_of_it() -> None:
    generation, backend, _ = written(
        STUDY, KITCHEN, KITCHEN, candidates=3, choice=Choice.BEST, max_attempts=3
    )
    assert len(backend.requests) == 3
    assert generation.source == HEAD + KITCHEN, "two of three texts go to the kitchen"


def test_a_batch_never_verifies_more_programs_than_asked() -> None:
    generation, _, events = written(BAD, WORSE, KITCHEN, candidates=8, max_attempts=2)
    assert not generation.accepted and generation.attempts == 2
    assert sum(isinstance(event, DraftVerified) for event in events) == 2


def test_every_judged_text_was_shown_before_its_verdict() -> None:
    _, _, events = written(BAD, WORSE, KITCHEN, candidates=3)
    text, draft, judged = "", 0, 0
    for event in events:
        if isinstance(event, DraftStarted):
            text, draft = "", event.draft
        elif isinstance(event, TokensWritten):
            assert event.draft == draft
            text += event.text
        elif isinstance(event, DraftVerified):
            judged += 1
            assert event.draft == draft == judged
            assert event.source == HEAD + text
    assert judged == 3


@pytest.mark.parametrize("retry", list(Retry))
def test_repair_or_resampling_comes_first_as_asked(retry: Retry) -> None:
    _, backend, _ = written(BAD, WORSE, KITCHEN, prompts="completion", retry=retry)
    repairs = ["errors" in request.prompt for request in backend.requests]
    assert (
        repairs == {Retry.REPAIR: [False, True, True], Retry.RESAMPLE: [False, False, True]}[retry]
    )


def test_without_repair_nothing_is_shown_to_the_model() -> None:
    for retry in Retry:
        _, backend, _ = written(
            BAD, WORSE, BAD, KITCHEN, prompts="completion", retry=retry, repair=False
        )
        assert not any("errors" in request.prompt for request in backend.requests)
