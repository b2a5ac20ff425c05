"""A program put into words again, and what these have not in common with the instruction."""

from __future__ import annotations

import threading

import pytest
from builders import GOOD, OnlyGood
from model_server import ModelServer, Reply, models, words
from scripted_backend import ScriptedBackend
from served_backend import backend_of

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.back_translation import NOTHING_SAID, differences, read_sentence
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.backends.conversation import Conversation
from roboinstruct_ros.generate.generation import Generation, GenerationEvent
from roboinstruct_ros.generate.generator import Generator
from roboinstruct_ros.generate.rounds.rounds import Progressive
from roboinstruct_ros.generate.writing_options import WritingOptions

WORDS = "Go to the kitchen and say that you are there."
READ_BACK = WritingOptions(back_translate=True)


def write(backend: ScriptedBackend, options: WritingOptions = READ_BACK) -> Generation:
    generator = Generator(lambda: backend, OnlyGood)
    generator.load()
    events: list[GenerationEvent] = []
    generation = generator.write(WORDS, options, events.append, threading.Event())
    assert events[-1] == generation
    return generation


def test_the_model_sees_the_program_and_not_the_instruction() -> None:
    backend = ScriptedBackend([GOOD, "Go to the kitchen and say hello there."], "completion")
    assert write(backend).notes == ()
    prompt = backend.requests[1].prompt
    assert isinstance(prompt, str)
    assert prompt.endswith(f"def task_program():\n{GOOD.rstrip()}\nRequest:")
    assert WORDS not in prompt


def test_a_model_that_chats_is_asked_in_a_turn() -> None:
    backend = ScriptedBackend([GOOD, "Request: Go to the kitchen and say hello."], "chat")
    assert write(backend).notes == ()
    assert isinstance(backend.requests[1].prompt, Conversation)
    assert WORDS not in backend.requests[1].prompt.text


def test_what_differs_is_a_note_and_no_refusal() -> None:
    said = "If nobody is in the kitchen, go there and say hello."
    generation = write(ScriptedBackend([GOOD, said], "completion"))
    assert generation.accepted
    assert any("'if'" in note and said in note for note in generation.notes)


def test_half_a_character_in_the_sentence_is_a_question_mark() -> None:
    said = "If nobody\ud800 is in the kitchen, go there and say hello."
    notes = write(ScriptedBackend([GOOD, said], "completion")).notes
    assert any("nobody? is" in note for note in notes) and "".join(notes).encode()


@pytest.mark.parametrize(
    "said",
    [
        "",
        "```python\ndef task_program():\n    pass\n```",
        "def task_program():\n    go_to('kitchen')",
        "word " * 200,
        BackendError(TaskErrorCode.MODEL_FAILED, "the model fell over"),
    ],
)
def test_a_model_that_says_no_sentence_costs_nothing(said: str | BackendError) -> None:
    generation = write(ScriptedBackend([GOOD, said], "completion"))
    assert generation.accepted
    assert generation.notes == (NOTHING_SAID,)


def test_it_is_asked_only_when_wanted_and_only_a_model_that_reads() -> None:
    for backend, options in (
        (ScriptedBackend([GOOD], "completion"), WritingOptions()),
        (ScriptedBackend([GOOD]), READ_BACK),
    ):
        assert write(backend, options).notes == ()
        assert len(backend.requests) == 1


@pytest.mark.parametrize(
    ("instruction", "sentence"),
    [
        (
            "Go to the kitchen and if there is an apple, bring it to the living room",
            "Check the kitchen for an apple and carry it to the living room when it is there.",
        ),
        ("Check every classroom for a marker", "See in which classrooms there is a marker."),
        ("Bring three cups to Bob's office", "Take 3 cups to the office of Bob."),
        ("Wait in the lab until someone comes", "Stand in the lab until a person shows up."),
    ],
)
def test_other_words_for_the_same_are_alike(instruction: str, sentence: str) -> None:
    assert differences(instruction, sentence) == ()


@pytest.mark.parametrize(
    ("instruction", "sentence", "word"),
    [
        ("Say hi in every office", "Go to an office and say hi.", "'every'"),
        ("If Bob is in the lab, say hi", "Go to the lab and say hi to Bob.", "'if'"),
        ("Go to the lab and say hi to Bob", "If Bob is in the lab, say hi.", "'if'"),
        ("Take no lamp from the lab", "Take the lamp from the lab.", "'no'"),
        ("Bring three cups from the lab", "Bring two cups from the lab.", "says 3"),
        ("Bring only the red cup", "Bring the red cup.", "'only'"),
        ("Bring the cup from the lab", "Water the plants in the garden.", "something else"),
    ],
)
def test_what_changes_the_task_is_told(instruction: str, sentence: str, word: str) -> None:
    assert any(word in note for note in differences(instruction, sentence))


def test_the_sentence_is_taken_out_of_what_a_model_says() -> None:
    assert read_sentence('\n  "Go to the lab."\n\nIt is simple.') == "Go to the lab."
    assert read_sentence("**Request:** x") == ""


def test_over_http_the_program_is_read_back_and_the_words_are_split(server: ModelServer) -> None:
    """A server that answers each of the three questions by what stands last in it."""

    def answer(reply: Reply) -> None:
        prompt = reply.asked["prompt"]
        if prompt.endswith("Now:"):
            said = " Go to the kitchen.\nLater: when it is known what to do next: do it\n\nRequest"
        elif prompt.endswith("Request:"):
            said = " Go to every kitchen and say hello.\n\n"
        else:
            said = GOOD
        words([said])(reply)

    server.answers["GET /v1/models"] = models({"id": "tiny", "max_model_len": 4096})
    server.completes(answer)
    generator = Generator(lambda: backend_of(server), OnlyGood)
    generator.load()
    options = WritingOptions(progressive=Progressive.MODEL, back_translate=True)
    text = "Go to the kitchen and we will plan the rest of it."
    generation = generator.write(text, options, lambda _: None, threading.Event())
    generator.unload()
    assert generation.accepted, generation.error_msg
    assert generation.now == "Go to the kitchen."
    assert generation.deferred == "When it is known what to do next: do it"
    assert len(generation.notes) == 1
    assert "it says 'every'" in generation.notes[0]
