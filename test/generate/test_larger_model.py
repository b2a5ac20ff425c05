"""A larger model writes where the smaller one is not sure, and only there."""

from __future__ import annotations

import threading

import pytest
from builders import GOOD, LIMIT, OnlyGood, verdict_on
from scripted_backend import ScriptedBackend, WeighedBackend

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.generation import DraftStarted, Generation, GenerationEvent
from roboinstruct_ros.generate.generator import Generator
from roboinstruct_ros.generate.larger_model import write_with_either
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.verdict import Verdict

KITCHEN = '    go_to("kitchen")\n'
STUDY = '    go_to("study")\n'
BAD = '    pick("bad")\n'
CANNOT = f"    {Answer(AnswerKind.CANNOT, 'I cannot open windows.').line}\n"
REPLY = f"    {Answer(AnswerKind.REPLY, 'Hello!').line}\n"
TASK = Instruction("Go to the kitchen")


class Away(ScriptedBackend):
    """A server that nobody reaches."""

    def load(self) -> None:
        raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, "http://lab:8000: no answer")


def judge(source: str) -> Verdict:
    return verdict_on(source, "bad" not in source)


def write(
    smaller: ScriptedBackend, larger: ScriptedBackend, **options: object
) -> tuple[Generation, list[GenerationEvent]]:
    """What comes of it, with all that was told."""
    events: list[GenerationEvent] = []
    writing = WritingOptions(**{"check_prefixes": False, "votes": 1, **options})  # type: ignore[arg-type]
    job = WritingJob(smaller, judge, writing, events.append, threading.Event(), larger=larger)
    return write_with_either(TASK, job), events


@pytest.mark.parametrize(
    ("text", "likely"), [(KITCHEN, 0.9), (CANNOT, 0.9), (REPLY, 0.9), (REPLY, 0.1)]
)
def test_a_model_that_is_sure_writes_alone(text: str, likely: float) -> None:
    larger = ScriptedBackend([STUDY])
    generation, _ = write(WeighedBackend(text, likely=likely), larger)
    assert larger.requests == [] and generation.stats.fallbacks == ()


@pytest.mark.parametrize(
    ("text", "likely"), [(KITCHEN, 0.6), (CANNOT, 0.6), (BAD, 0.9), ("nothing", 0.9)]
)
def test_where_it_is_not_sure_the_larger_one_writes(text: str, likely: float) -> None:
    generation, events = write(WeighedBackend(text, likely=likely), ScriptedBackend([STUDY]))
    assert generation.accepted and generation.source == HEAD + STUDY
    assert generation.stats.fallbacks == ("scripted wrote, as scripted was not sure",)
    assert [one for one in events if isinstance(one, Generation)] == [generation]


def test_what_both_wrote_is_counted_together() -> None:
    smaller, larger = WeighedBackend(BAD, likely=0.9), ScriptedBackend([STUDY])
    generation, events = write(smaller, larger, max_attempts=1)
    assert generation.attempts == 2
    assert generation.generated_tokens > len(STUDY.split())
    assert [one.draft for one in events if isinstance(one, DraftStarted)] == [1, 2]


def test_a_question_between_two_programs_goes_to_the_larger_one_first() -> None:
    smaller = WeighedBackend(STUDY, KITCHEN, BAD, CANNOT, KITCHEN)
    generation, _ = write(smaller, ScriptedBackend([KITCHEN]), votes=5)
    assert generation.accepted and generation.source == HEAD + KITCHEN and not generation.offers


def test_from_which_confidence_it_writes_alone_can_be_chosen() -> None:
    larger = ScriptedBackend([STUDY])
    generation, _ = write(WeighedBackend(KITCHEN, likely=0.6), larger, larger_below=0.5)
    assert generation.source == HEAD + KITCHEN and larger.requests == []


@pytest.mark.parametrize(
    ("larger", "why"),
    [
        (Away([STUDY]), "the larger model is missing: http://lab:8000: no answer"),
        (ScriptedBackend(["nothing"]), "but scripted failed: "),
        (
            ScriptedBackend([BackendError(TaskErrorCode.MODEL_FAILED, "the server has gone")]),
            "but scripted failed: the server has gone",
        ),
    ],
)
def test_where_the_larger_one_fails_the_smaller_one_is_heard(
    larger: ScriptedBackend, why: str
) -> None:
    generation, _ = write(WeighedBackend(KITCHEN, likely=0.6), larger)
    assert generation.accepted and generation.source == HEAD + KITCHEN
    assert why in generation.stats.fallbacks[-1]


def test_a_server_that_does_not_answer_is_left_when_the_task_is_cancelled() -> None:
    cancel, over, given_up = threading.Event(), threading.Event(), threading.Event()

    class Mute(ScriptedBackend):
        def load(self) -> None:
            cancel.set()
            over.wait(LIMIT)
            given_up.set()

    larger = Mute([STUDY])
    job = WritingJob(
        WeighedBackend(KITCHEN, likely=0.6), judge, WritingOptions(check_prefixes=False, votes=1),
        lambda _: None, cancel, larger=larger,
    )  # fmt: skip
    generation = write_with_either(TASK, job)
    assert generation.error_code is TaskErrorCode.CANCELED and not given_up.is_set()
    over.set()


def test_a_cancelled_task_goes_to_nobody() -> None:
    larger, cancel = ScriptedBackend([STUDY]), threading.Event()
    cancel.set()
    job = WritingJob(
        WeighedBackend(KITCHEN), judge, WritingOptions(), lambda _: None, cancel, larger=larger
    )
    assert write_with_either(TASK, job).error_code is TaskErrorCode.CANCELED
    assert larger.requests == []


def test_a_generator_holds_both_and_frees_both() -> None:
    freed: list[str] = []

    class Freed(ScriptedBackend):
        def unload(self) -> None:
            freed.append("larger")

    generator = Generator(
        lambda: ScriptedBackend(["nothing"]), OnlyGood, open_larger=lambda: Freed([GOOD])
    )
    generator.load()
    generation = generator.write(
        TASK.text, WritingOptions(check_prefixes=False), lambda _: None, threading.Event()
    )
    assert generation.accepted and generation.stats.fallbacks
    generator.unload()
    assert freed == ["larger"]
