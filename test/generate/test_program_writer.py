"""The loop: which prompts it makes, what it does not try twice, and how it ends."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from builders import GOOD, verdict_on
from scripted_backend import ScriptedBackend

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import (
    BackendError,
    Request,
    StopSignal,
    Token,
)
from roboinstruct_ros.generate.backends.grammar import Grammars
from roboinstruct_ros.generate.backends.llama_cpp_backend import LlamaCppBackend
from roboinstruct_ros.generate.backends.llama_opening import LlamaCppSettings
from roboinstruct_ros.generate.backends.time_limit import TimeLimit
from roboinstruct_ros.generate.generation import (
    DraftStarted,
    DraftVerified,
    Generation,
    GenerationEvent,
    TokensWritten,
)
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.site import Site, site_for
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify

BAD = ['    pick("a")\n    pick("b")\n', '    pick("c")\n    pick("d")\n', '    go_to("moon")\n']
GO = '    go_to("kitchen")\n'
FETCH = Instruction.checked("Go to the kitchen and say that you are there")


class Writer:
    """Runs the loop over scripted answers with a verifier that accepts only `GOOD`."""

    def __init__(self, *answers: str | BackendError, prompts: str = "instruction_comment") -> None:
        self.backend = ScriptedBackend(answers, prompts)
        self.events: list[GenerationEvent] = []
        self.verified: list[str] = []
        self.cancel = threading.Event()

    def verify(self, source: str) -> Verdict:
        self.verified.append(source)
        return verdict_on(source, source.endswith(GOOD))

    def write(self, **options: float) -> Generation:
        return write_program(
            FETCH,
            WritingJob(
                self.backend,
                self.verify,
                WritingOptions(**{"check_prefixes": False, **options}),  # type: ignore[arg-type]
                self.events.append,
                self.cancel,
            ),
        )


def test_an_accepted_first_program_is_greedy_and_comes_with_its_plan() -> None:
    writer = Writer(GOOD)
    generation = writer.write()
    assert generation.accepted and generation.error_msg == ""
    assert generation.source == "def task_program():\n" + GOOD
    assert generation.sha256 == hashlib.sha256(generation.source.encode()).hexdigest()
    assert len(generation.plan) == 2
    assert [request.temperature for request in writer.backend.requests] == [0.0]
    assert generation.attempts == 1 and generation.generated_tokens > 0
    assert generation.prompt_tokens > 0


class BusyBackend(ScriptedBackend):
    """In use until its text is closed, as a llama.cpp context is."""

    in_use = 0

    def stream(self, request: Request, cancel: StopSignal) -> Iterator[Token]:
        self.in_use += 1
        try:
            yield from super().stream(request, cancel)
        finally:
            self.in_use -= 1


def test_a_frame_that_somebody_keeps_does_not_keep_the_model_in_use() -> None:
    """As the traceback of an error does, which leads through every caller."""
    backend, kept = BusyBackend([f"{BAD[0]}end of it\n", f"{GOOD}end of it\n"]), []
    generation = write_program(
        FETCH,
        WritingJob(
            backend,
            lambda source: verdict_on(source, GOOD in source),
            WritingOptions(check_prefixes=False),
            lambda _: kept.append(sys._getframe()),
            threading.Event(),
        ),
    )
    assert generation.accepted and len(backend.requests) == 2
    assert kept and backend.in_use == 0


def test_events_tell_the_whole_story_in_order() -> None:
    writer = Writer(BAD[0], GOOD)
    generation = writer.write()
    kinds = [type(event) for event in writer.events if not isinstance(event, TokensWritten)]
    assert kinds == [DraftStarted, DraftVerified, DraftStarted, DraftVerified, Generation]
    assert writer.events[-1] is generation
    text = "".join(e.text for e in writer.events if isinstance(e, TokensWritten) and e.draft == 1)
    assert text == BAD[0]


def test_a_model_that_reads_no_feedback_is_sampled_again_with_other_seeds() -> None:
    writer = Writer(*BAD, GOOD)
    assert writer.write().accepted
    requests = writer.backend.requests
    assert len({request.prompt for request in requests}) == 1
    assert len({request.seed for request in requests}) == 4
    temperatures = [request.temperature for request in requests]
    assert temperatures == pytest.approx([0.0, 0.4, 0.5, 0.6])


def test_a_model_that_reads_feedback_gets_its_last_program_and_all_violations() -> None:
    writer = Writer(BAD[0], BAD[1], GOOD, prompts="completion")
    assert writer.write().accepted
    first, second, third = (request.prompt for request in writer.backend.requests)
    assert "not correct" not in first
    assert BAD[0] in second and "line 3: the hand is full" in second
    assert BAD[1] in third and BAD[0] not in third


def test_a_repair_that_repeats_the_program_falls_back_to_sampling() -> None:
    writer = Writer(BAD[0], BAD[0], GOOD, prompts="completion")
    assert writer.write().accepted
    requests = writer.backend.requests
    assert requests[1].temperature == 0.0 and requests[2].temperature > 0.0
    assert requests[2].prompt == requests[0].prompt


def test_the_same_program_is_never_verified_twice() -> None:
    writer = Writer(BAD[0], BAD[0], BAD[0], GOOD)
    generation = writer.write(max_attempts=2)
    assert generation.accepted and generation.attempts == 2
    assert len(writer.verified) == len(set(writer.verified)) == 2


def test_a_model_that_only_repeats_itself_ends() -> None:
    writer = Writer(BAD[0])
    generation = writer.write(max_attempts=3)
    assert generation.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM
    assert generation.attempts == 1 and len(writer.backend.requests) == 9


def test_rejected_attempts_end_with_the_first_violation_in_words() -> None:
    generation = Writer(*BAD).write(max_attempts=3)
    assert generation.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM
    assert generation.error_msg == (
        "none of 3 programs was accepted; the last: line 3: the hand is full"
    )
    assert generation.source.endswith(BAD[2]) and generation.verdict is not None
    assert generation.plan == ()


@pytest.mark.parametrize("answer", ["", "Sorry, I am only a language model.", "\n\n\n"])
def test_a_model_that_writes_no_program_is_a_typed_failure(answer: str) -> None:
    writer = Writer(answer)
    generation = writer.write(max_attempts=2)
    assert generation.error_code is TaskErrorCode.MODEL_FAILED
    assert "wrote no program" in generation.error_msg
    assert writer.verified == [] and generation.sha256 == "" and generation.verdict is None


@pytest.mark.parametrize("check_prefixes", [False, True])
def test_half_a_character_from_the_model_is_a_question_mark(check_prefixes: bool) -> None:
    writer = Writer('    say("a \ud800b")\n')
    generation = writer.write(max_attempts=2, check_prefixes=check_prefixes)
    assert generation.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM
    assert 'say("a ?b")' in generation.source
    texts = [*writer.verified, generation.source, generation.error_msg, *map(str, writer.events)]
    assert "?b" in "".join(texts).encode().decode()


def test_a_program_that_was_cut_off_is_never_verified() -> None:
    writer = Writer(GOOD)
    generation = writer.write(max_tokens=6)
    assert generation.error_code is TaskErrorCode.MODEL_FAILED
    assert "not complete after 6 tokens" in generation.error_msg and writer.verified == []


def test_tokens_without_text_count_against_the_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server may send several tokens as one text; a character may take several tokens."""
    writer = Writer(GOOD)
    tokens = [Token(GO), *[Token("")] * 4, Token('    say("I am here")\n')]
    monkeypatch.setattr(writer.backend, "stream", lambda request, cancel: iter(tokens))
    generation = writer.write(max_tokens=6)
    assert generation.error_code is TaskErrorCode.MODEL_FAILED and writer.verified == []
    assert writer.write(max_tokens=7).accepted


def test_what_comes_after_the_program_is_not_waited_for() -> None:
    writer = Writer(GOOD + "\n# Instruction: " + "more " * 1000)
    generation = writer.write(max_tokens=2000)
    assert generation.accepted and generation.generated_tokens < 30


def test_cancel_ends_the_work_at_the_next_token() -> None:
    writer = Writer(GOOD)
    writer.cancel.set()
    generation = writer.write()
    assert generation.error_code is TaskErrorCode.CANCELED and writer.verified == []


def test_the_time_limit_is_for_everything() -> None:
    writer = Writer(*BAD)
    slow_verify = writer.verify
    writer.verify = lambda source: (time.sleep(0.03), slow_verify(source))[1]  # type: ignore[method-assign,func-returns-value]
    generation = writer.write(time_limit=0.01)
    assert generation.error_code is TaskErrorCode.TIMEOUT
    assert generation.error_msg == "no accepted program within the time limit of 1 s"


def test_a_program_that_is_accepted_when_the_time_is_over_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer = Writer(GOOD)
    left = property(lambda _: 0.0 if writer.verified else 60.0)
    monkeypatch.setattr(TimeLimit, "left", left)
    assert writer.write().accepted


def test_a_program_that_is_accepted_after_a_cancel_does_not_count() -> None:
    writer = Writer(GOOD)
    verify = writer.verify
    writer.verify = lambda source: (writer.cancel.set(), verify(source))[1]  # type: ignore[method-assign,func-returns-value]
    assert writer.write().error_code is TaskErrorCode.CANCELED


def test_a_failing_model_is_a_typed_end() -> None:
    generation = Writer(BackendError(TaskErrorCode.MODEL_FAILED, "no memory left")).write()
    assert generation.error_code is TaskErrorCode.MODEL_FAILED
    assert generation.error_msg == "no memory left"


def notes_on(instruction: str, source: str, context: str) -> tuple[str, ...]:
    """One note for each `!` in the program."""
    return ("not asked for",) * source.count("!")


def better(*programs: str, **options: float) -> Generation:
    return noted(Writer(*(program + GOOD for program in programs)), **options)


def noted(writer: Writer, **options: float) -> Generation:
    return write_program(
        FETCH,
        WritingJob(
            writer.backend,
            writer.verify,
            WritingOptions(**options),  # type: ignore[arg-type]
            writer.events.append,
            writer.cancel,
            Site(notes_on),
        ),
    )


def test_an_accepted_program_with_notes_is_beaten_by_one_without() -> None:
    generation = better('    say("!!")\n', '    say("!")\n', '    say("")\n')
    assert generation.accepted and generation.attempts == 3 and generation.notes == ()
    assert 'say("")' in generation.source


def test_the_program_with_fewest_notes_wins_when_the_attempts_are_spent() -> None:
    generation = better('    say("!!")\n', '    say("!")\n', '    say("!!!")\n', max_attempts=3)
    assert generation.accepted and generation.notes == ("not asked for",)
    assert 'say("!")' in generation.source
    assert generation.verdict is not None
    assert generation.verdict.program_sha256 == generation.sha256


@pytest.mark.parametrize(("prompts", "told"), [("completion", True), ("robot_task", False)])
def test_a_model_that_can_read_is_told_what_does_not_fit(prompts: str, told: bool) -> None:
    writer = Writer('    say("!")\n' + GOOD, GOOD, prompts=prompts)
    generation = noted(writer)
    assert generation.accepted and generation.notes == () and generation.attempts == 2
    first, second = (str(request.prompt) for request in writer.backend.requests)
    assert "not asked for" not in first
    assert ("- not asked for" in second) == ('say("!")' in second) == told


def test_notes_that_stay_do_not_keep_a_model_mending_for_ever() -> None:
    writer = Writer('    say("!")\n' + GOOD, prompts="completion")
    generation = noted(writer)
    assert generation.accepted and generation.notes == ("not asked for",)
    assert len(writer.backend.requests) <= WritingOptions.max_attempts * WritingOptions.draws


def in_a_home(
    *answers: str, text: str, prompts: str = "instruction_comment", **options: object
) -> tuple[Generation, ScriptedBackend]:
    """Writes with the real verifier on the map of the shipped home."""
    backend = ScriptedBackend(answers, prompts)
    domain, rooms = load_domain(), load_semantic_map(find_world("home"))
    generation = write_program(
        Instruction.checked(text),
        WritingJob(
            backend,
            lambda source: verify(source, domain, rooms),
            WritingOptions(**options),  # type: ignore[arg-type]
            lambda _: None,
            threading.Event(),
            replace(site_for(domain, rooms), grammars=Grammars("any room", "known rooms")),
        ),
    )
    return generation, backend


def test_rooms_are_held_to_the_map_once_a_wrong_one_was_named() -> None:
    answers = ('    go_to("kitchn")\n', GO)
    generation, backend = in_a_home(*answers, text="Go to the kitchen")
    assert generation.accepted and generation.answer is None
    assert [request.grammar for request in backend.requests] == ["any room", "known rooms"]


def test_a_model_may_be_left_to_write_anything() -> None:
    _, backend = in_a_home(GO, text="Go to the kitchen", grammar=False)
    assert [request.grammar for request in backend.requests] == [""]


@pytest.mark.parametrize("later", ['    go_to("kitchen")\n', '    go_to("living hall")\n'])
def test_a_room_that_is_not_there_is_asked_about_and_not_guessed(later: str) -> None:
    first = '    go_to("living hall")\n'
    generation, _ = in_a_home(first, later, text="Go to the living hall")
    assert not generation.accepted
    assert generation.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM
    assert generation.answer is not None and generation.answer.kind is AnswerKind.QUESTION
    question = generation.answer.words
    assert question == generation.error_msg
    assert "no room 'living hall'" in question and "did you mean" in question
    assert generation.answer.choices and all(
        f"'{choice}'" in question for choice in generation.answer.choices
    )
    # what is shown is the program that it is about, not the guess
    assert "living hall" in generation.source and generation.verdict is not None
    assert not generation.verdict.accepted


def test_a_room_that_is_like_no_room_of_the_map_is_refused() -> None:
    generation, _ = in_a_home('    go_to("wine press")\n', GO, text="Go to the wine press")
    words = "There is no room 'wine press' on the map."
    assert generation.answer == Answer(AnswerKind.CANNOT, words)


def test_a_refusal_for_want_of_a_room_offers_the_nearest() -> None:
    refusal = "    # Cannot: There is no guest bathroom on my map. I know the hallway.\n"
    words = "Go to the guest bathroom"
    generation, _ = in_a_home(refusal, text=words, prompts="robot_task")
    assert generation.answer is not None and generation.answer.kind is AnswerKind.CANNOT
    assert generation.answer.words == (
        "There is no room 'guest bathroom' on the map; did you mean 'guest bedroom' or 'bathroom'?"
    )


def test_of_a_kind_of_room_it_is_asked_which_one_is_meant() -> None:
    generation, _ = in_a_home('    go_to("bedroom")\n', GO, text="Go to the bedroom")
    bedrooms = ("main bedroom", "guest bedroom", "kids bedroom")
    question = Answer(AnswerKind.QUESTION, "Which bedroom do you mean?", bedrooms)
    assert generation.answer == question


def test_a_room_that_nobody_but_the_model_named_is_not_asked_about() -> None:
    first = '    go_to("Grandma\'s room")\n'
    generation, _ = in_a_home(first, GO, text="Find out whether Grandma wants tea in the kitchen")
    assert generation.accepted and generation.answer is None


@pytest.mark.parametrize("told", [True, False])
def test_a_model_is_told_the_rooms_when_it_is_to_be(told: bool) -> None:
    words = "Go to the kitchen"
    _, backend = in_a_home(GO, text=words, prompts="completion", map_in_prompt=told)
    (request,) = backend.requests
    assert ("# rooms = ['hallway', 'garage'," in request.prompt) == told
    assert request.prompt.endswith(f"# Instruction: {words}\ndef task_program():\n")


def test_what_it_took_is_told() -> None:
    generation, _ = in_a_home('    pick("a")\n    pick("b")\n', GO, text="Go to the kitchen")
    stats = generation.stats
    assert [(r.draft, r.code, r.line) for r in stats.rejected] == [(1, "hand_full", 3)]
    assert stats.drawn == 2 and stats.first_token is not None
    assert 0 < stats.verification < generation.duration
    assert stats.first_token < generation.duration and stats.writing < generation.duration


def test_repair_can_be_switched_off() -> None:
    writer = Writer(BAD[0], GOOD, prompts="completion")
    assert writer.write(repair=False).accepted
    assert len({request.prompt for request in writer.backend.requests}) == 1


def test_noise_from_a_real_model_ends_in_a_typed_code(tiny_gguf: Path) -> None:
    backend = LlamaCppBackend(LlamaCppSettings(tiny_gguf))
    backend.load()
    domain = load_domain()
    for seed in range(3):
        generation = write_program(
            FETCH,
            WritingJob(
                backend,
                lambda source: verify(source, domain),
                WritingOptions(max_attempts=2, max_tokens=200, temperature=1.0, seed=seed),
                lambda _: None,
                threading.Event(),
            ),
        )
        assert generation.error_code in (
            TaskErrorCode.MODEL_FAILED,
            TaskErrorCode.NO_ACCEPTED_PROGRAM,
        )
        assert "\n" not in generation.error_msg
    backend.unload()
