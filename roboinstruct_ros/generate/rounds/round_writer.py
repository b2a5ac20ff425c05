"""Writes the program for one round of a task: splits, writes, compares."""

from __future__ import annotations

from dataclasses import replace

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.back_translation import back_translation_notes
from roboinstruct_ros.generate.backends.backend import Backend, StopSignal
from roboinstruct_ros.generate.backends.time_limit import TimeLimit
from roboinstruct_ros.generate.generation import Generation, OnEvent, all_but_the_end
from roboinstruct_ros.generate.larger_model import write_with_either
from roboinstruct_ros.generate.plain_answer import can_read, plain_answer
from roboinstruct_ros.generate.prompts.prompt import offers_answers
from roboinstruct_ros.generate.prompts.surroundings import Surroundings
from roboinstruct_ros.generate.rounds.rounds import Ask, Progressive, Round, plan_round
from roboinstruct_ros.generate.rounds.split_by_model import (
    BEGINS,
    MOST_TOKENS,
    read_split,
    split_prompt,
)
from roboinstruct_ros.generate.rounds.splitting import Split
from roboinstruct_ros.generate.writing_job import WritingJob


def write_round(instruction: Instruction, job: WritingJob) -> Generation:
    """The program for the part of `instruction` that can be done now, and the rest.

    Args:
        instruction: The words, or what an earlier round left of them; with the findings.

    Raises:
        InstructionError: A person's answer is not a valid instruction.
    """
    options = job.options
    until = TimeLimit(job.cancel, options.time_limit, job.begun)
    planned = _planned(instruction, job, until)
    if planned.question:
        return _asked(planned, until, job.on_event)
    words = Instruction.checked(planned.words).text
    asked = replace(instruction, text=words, found=planned.found)
    writing = replace(job, on_event=all_but_the_end(job.on_event))
    generation = write_with_either(asked, writing)
    now = words if words != instruction.text or planned.deferred else ""
    # after an answer in words, the whole instruction is asked again
    later = "" if generation.answer else planned.deferred
    offers = tuple(
        replace(offer, now=words, deferred=planned.deferred) for offer in generation.offers
    )
    ended = replace(generation, now=now, deferred=later, offers=offers)
    if options.back_translate and ended.accepted and _reads(job.backend):
        notes = back_translation_notes(asked.words, ended.source, job.backend, until)
        ended = replace(ended, notes=(*ended.notes, *notes), duration=until.elapsed)
    job.on_event(ended)
    return ended


def _planned(instruction: Instruction, job: WritingJob, until: StopSignal) -> Round:
    there = job.site.surroundings

    def ask(text: str, there: Surroundings) -> Split | None:
        said = plain_answer(job.backend, split_prompt(text), BEGINS, MOST_TOKENS, until)
        return read_split(text, said)

    reader: Ask | None = ask if _reads(job.backend) else None
    # a change refers to a complete program
    whole = instruction.reference is not None
    split = Progressive.OFF if whole else job.options.progressive
    offers = offers_answers(job.backend.describe().prompt_format)
    return plan_round(instruction.text, instruction.found, there, split, reader, offers)


def _reads(backend: Backend) -> bool:
    return can_read(backend.describe().prompt_format)


def _asked(planned: Round, until: TimeLimit, on_event: OnEvent) -> Generation:
    code = TaskErrorCode.CANCELED if until.cancel.is_set() else TaskErrorCode.NO_ACCEPTED_PROGRAM
    generation = Generation(
        "", "", None, (), 0, 0, 0, until.elapsed, code, planned.question,
        answer=Answer(AnswerKind.QUESTION, planned.question), deferred=planned.deferred,
    )  # fmt: skip
    on_event(generation)
    return generation
