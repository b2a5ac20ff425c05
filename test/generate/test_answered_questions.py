"""A question that was answered is not asked again for the same task."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from scripted_backend import ScriptedBackend
from test_doubt import BAD, KITCHEN, STUDY, TEXT, WeighedBackend, judge

from roboinstruct_ros.domain.answer import Answer, AnswerKind, with_choice
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.generation import Generation
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.site import UNKNOWN_SITE, Site, site_for
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import verify

DOMAIN, HOME = load_domain(), load_semantic_map(find_world("home"))
LABS = Answer(AnswerKind.QUESTION, "Which lab do you mean?", ("lab 1", "Lab 2"))
ASKS = f"    {LABS.line}\n"
UNKNOWN = '    go_to("bedroom")\n'


def write(
    backend: ScriptedBackend,
    text: str,
    judged: Callable[[str], Verdict] = judge,
    site: Site = UNKNOWN_SITE,
    **options: object,
) -> Generation:
    writing = WritingOptions(**{"check_prefixes": False, **options})  # type: ignore[arg-type]
    return write_program(
        Instruction.checked(text), WritingJob(backend, judged, writing, lambda _: None,
        threading.Event(), site,
    ))  # fmt: skip


@pytest.mark.parametrize("backend", [ScriptedBackend, WeighedBackend])
def test_a_model_that_asks_again_is_heard_on(backend: Callable[..., ScriptedBackend]) -> None:
    texts = (ASKS, KITCHEN, KITCHEN, KITCHEN)
    weighed = backend is WeighedBackend
    made = backend(*texts) if weighed else backend(texts, "robot_task")
    generation = write(made, with_choice("Clean up the lab", "lab 2"))
    assert generation.accepted and generation.source == HEAD + KITCHEN


def test_a_model_that_only_asks_again_is_told_in_one_line() -> None:
    generation = write(ScriptedBackend([ASKS], "robot_task"), "Clean up the lab (lab 2)")
    assert generation.answer is None and generation.error_code is TaskErrorCode.MODEL_FAILED
    assert generation.error_msg.startswith("the model asks again what was answered; say the task")


@pytest.mark.parametrize("text", ["Clean up the lab", "Clean up the lab (the big one)"])
def test_what_was_not_answered_is_asked(text: str) -> None:
    assert write(ScriptedBackend([ASKS], "robot_task"), text).answer == LABS


def in_a_home(text: str, *bodies: str) -> Generation:
    return write(
        ScriptedBackend(bodies, "instruction_comment"),
        text,
        lambda source: verify(source, DOMAIN, HOME),
        site_for(DOMAIN, HOME),
        votes=1,
    )


def test_a_room_that_was_chosen_is_not_asked_for_again() -> None:
    question = in_a_home("Go to the bedroom", UNKNOWN).answer
    assert question is not None and question.choices
    chosen = question.choices[-1]
    again = with_choice("Go to the bedroom", chosen)
    right = f'    go_to("{chosen}")\n'
    assert in_a_home(again, UNKNOWN, right).source == HEAD + right
    refused = in_a_home(again, UNKNOWN)
    assert refused.answer is None and refused.error_code is TaskErrorCode.NO_ACCEPTED_PROGRAM
    assert "\n" not in refused.error_msg and "bedroom" in refused.error_msg


def test_of_two_plans_the_one_that_was_chosen_is_taken_also_when_it_was_forgotten() -> None:
    texts = (STUDY, KITCHEN, BAD, BAD, KITCHEN)
    question = write(WeighedBackend(*texts), TEXT).answer
    assert question is not None and question.choices[1] == "Go to the study"
    generation = write(WeighedBackend(*texts), with_choice(TEXT, question.choices[1]))
    assert generation.accepted and generation.source == HEAD + STUDY
