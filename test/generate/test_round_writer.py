"""One round from words to a program and what is left, with a model that says what it is told."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest
from builders import GOOD, OnlyGood
from scripted_backend import ScriptedBackend

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.generation import Generation, GenerationEvent
from roboinstruct_ros.generate.generator import Generator
from roboinstruct_ros.generate.rounds.rounds import Progressive
from roboinstruct_ros.generate.writing_options import WritingOptions

STEPS = "In two steps: go to the kitchen; say where I am"
NEEDS = "Ask Bob in the study what he needs and bring it to him."
LEFT = "When it is known what Bob needs: bring it to Bob in the study"
CUES = WritingOptions(progressive=Progressive.CUES)
MODEL = WritingOptions(progressive=Progressive.MODEL)


def write(
    backend: ScriptedBackend,
    text: str,
    options: WritingOptions = CUES,
    found: Sequence[str] = (),
) -> Generation:
    generator = Generator(lambda: backend, OnlyGood)
    generator.load()
    events: list[GenerationEvent] = []
    generation = generator.write(text, options, events.append, threading.Event(), found=found)
    assert events[-1] == generation, "whoever listens hears what is returned"
    assert sum(isinstance(event, Generation) for event in events) == 1
    return generation


def test_the_program_is_for_what_can_be_done_now() -> None:
    backend = ScriptedBackend([GOOD])
    generation = write(backend, STEPS)
    assert "# Instruction: Go to the kitchen\n" in backend.requests[0].prompt
    assert generation.accepted
    assert (generation.now, generation.deferred) == ("Go to the kitchen", "Say where I am")


def test_whole_words_have_no_parts() -> None:
    generation = write(ScriptedBackend([GOOD]), "Go to the kitchen and say where I am")
    assert (generation.now, generation.deferred) == ("", "")


def test_a_model_that_reads_has_the_question_put_to_bob() -> None:
    backend = ScriptedBackend([GOOD], "completion")
    generation = write(backend, NEEDS)
    assert generation.now == "Tell Bob in the study to say what he needs"
    assert generation.deferred == LEFT


def test_for_a_model_that_does_not_read_the_person_says_it() -> None:
    backend = ScriptedBackend([GOOD])
    generation = write(backend, NEEDS)
    assert backend.requests == []
    assert generation.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM
    assert generation.answer and generation.answer.words.startswith("Please say what Bob needs.")
    assert (generation.source, generation.deferred) == ("", LEFT)


def test_a_model_that_offers_answers_of_its_own_is_asked_at_once() -> None:
    backend = ScriptedBackend([GOOD], "robot_task")
    generation = write(backend, NEEDS)
    assert f"# Instruction: {NEEDS}\n" in backend.requests[0].prompt
    assert generation.accepted
    assert (generation.now, generation.deferred) == ("", "")


def test_what_was_found_is_told_to_a_model_that_reads() -> None:
    backend = ScriptedBackend([GOOD], "completion")
    found = ['Bob answered "tea" to "What do you need?"', "the robot is in the study"]
    generation = write(backend, LEFT, found=found)
    assert backend.requests[0].prompt.endswith(
        '# Found: Bob answered "tea" to "What do you need?"\n'
        "# Found: the robot is in the study\n"
        "# Instruction: bring the tea to Bob in the study\ndef task_program():\n"
    )
    assert (generation.now, generation.deferred) == ("bring the tea to Bob in the study", "")


def test_a_model_that_does_not_read_gets_the_words_alone() -> None:
    backend = ScriptedBackend([GOOD])
    write(backend, LEFT, found=['Bob answered "tea" to "What do you need?"'])
    assert backend.requests[0].prompt == (
        "# Instruction: bring the tea to Bob in the study\ndef task_program():\n"
    )


def test_an_answer_that_is_no_instruction_is_refused_as_any_other() -> None:
    left = "When it is known what to do next: do it"
    generation = write(
        ScriptedBackend([GOOD]), left, found=['the person answered "??" to "what to do next"']
    )
    assert generation.error_code is TaskErrorCode.INSTRUCTION_EMPTY


SAID = " Ask Bob what kind of book he misses.\nLater: when it is known what book: fetch it\n\n"
VAGUE = "Fetch the kind of book that Bob misses, and ask him."


def test_the_model_may_split_what_no_cue_does() -> None:
    backend = ScriptedBackend([SAID, GOOD], "completion")
    generation = write(backend, VAGUE, MODEL)
    assert backend.requests[0].prompt.endswith(f"Request: {VAGUE}\nNow:")
    assert generation.now == "Ask Bob what kind of book he misses."
    assert generation.deferred == "When it is known what book: fetch it"
    assert generation.accepted


@pytest.mark.parametrize(
    "said",
    [
        "",
        "I cannot split this request, sorry.",
        "```\ndef task_program():\n    pass\n```",
        BackendError(TaskErrorCode.MODEL_FAILED, "the model fell over"),
    ],
)
def test_a_model_that_gives_no_split_writes_one_program(said: str | BackendError) -> None:
    generation = write(ScriptedBackend([said, GOOD], "completion"), VAGUE, MODEL)
    assert generation.accepted
    assert (generation.now, generation.deferred) == ("", "")


def test_a_model_that_does_not_read_is_not_asked_to_split() -> None:
    backend = ScriptedBackend([GOOD])
    assert write(backend, VAGUE, MODEL).accepted
    assert len(backend.requests) == 1


@pytest.mark.parametrize(
    "said",
    [
        f"Sure! Here it is:\n```python\ndef task_program():\n{GOOD}```\nIt says where it is.",
        f"{GOOD}\n\ndef task_program():\n    pick('apple')\n",
        f"def task_program():\n{GOOD}def another():\n    pass\n",
    ],
)
def test_prose_fences_and_two_programs_give_the_first_program(said: str) -> None:
    generation = write(ScriptedBackend([said], "completion"), STEPS)
    assert generation.accepted, generation
    assert generation.source == f"def task_program():\n{GOOD}"
    assert generation.deferred


@pytest.mark.parametrize("said", ["", "I will not do that.", "```python\n```"])
def test_a_model_that_writes_no_program_is_a_typed_end(said: str) -> None:
    generation = write(ScriptedBackend([said], "completion"), STEPS)
    assert generation.error_code is TaskErrorCode.MODEL_FAILED
    assert generation.source == ""
