"""Writes the programs of one task: sampled by a model, judged by the verifier, resampled."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.choice import Choice
from roboinstruct_ros.generate.generation import (
    DraftStarted,
    DraftVerified,
    Generation,
    GenerationEvent,
    TokensWritten,
)
from roboinstruct_ros.generate.program_text import extract_program
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.prompts.prompt import prompt_format
from roboinstruct_ros.generate.site import no_notes
from roboinstruct_ros.generate.writing_job import WritingJob
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.learn.records import Sample, Task
from roboinstruct_ros.learn.setting import Setting, told_to, verifier_of
from roboinstruct_ros.learn.writer import Faithful, WriterOptions, seed_of, writer_of
from roboinstruct_ros.verify.verdict import Verdict

NO_PROGRAM, ANSWER, UNDECIDED = "no_program", "answer", "undecided"
"""Codes of samples in which the verifier found no violation."""


@dataclass(frozen=True)
class ProgramsSetup:
    """How the programs of every task are written.

    Attributes:
        samples: number of programs per task, each with so many resamplings.
    """

    setting: Setting
    writer: WriterOptions
    seed: int
    samples: int
    resamplings: int
    options: WritingOptions


@dataclass(frozen=True)
class WrittenFor:
    """What was written for a task.

    Attributes:
        read, written: tokens.
    """

    samples: tuple[Sample, ...]
    read: int
    written: int


def write_for(setup: ProgramsSetup, task: Task) -> WrittenFor:
    """The samples of a task. Raises WriterError."""
    found: list[Sample] = []
    read = written = 0
    for wanted in range(setup.samples):
        generation, events = _one(setup, task, wanted)
        first = wanted * (setup.resamplings + 1)
        found += _samples(task.id, first, generation, events)
        read += generation.prompt_tokens
        written += generation.generated_tokens
    return WrittenFor(tuple(found), read, written)


def _one(
    setup: ProgramsSetup, task: Task, wanted: int
) -> tuple[Generation, Sequence[GenerationEvent]]:
    """Write until a program is accepted, or the resamplings are spent."""
    # any accepted program will do; alignment checks later whether it fits the words
    site = replace(setup.setting.site, notes_on=no_notes)
    options = replace(
        setup.options,
        max_attempts=setup.resamplings + 1,
        seed=seed_of(setup.seed, task.id, wanted),
        choice=Choice.FIRST,
        sampled=True,
        draws=1,
        check_prefixes=False,
        time_limit=setup.writer.longest,
    )

    def write(backend: Faithful) -> tuple[Generation, Sequence[GenerationEvent]]:
        events: list[GenerationEvent] = []
        name = backend.describe().prompt_format
        backend.begin(prompt_format(name, told_to(name, site)).beginning)
        verify = verifier_of(setup.setting).verify
        job = WritingJob(backend, verify, options, events.append, threading.Event(), site)
        return write_program(Instruction(task.text), job), events

    return writer_of(setup.writer).patiently(write)


@dataclass
class _Drawn:
    """A text, and the verifier's result on the program in it.

    Attributes:
        verified: None for a text that is not a program, or was judged before.
    """

    text: str = ""
    verified: DraftVerified | None = None


def _samples(
    task: str, first: int, generation: Generation, events: Sequence[GenerationEvent]
) -> list[Sample]:
    """A sample for each text that was drawn."""
    found: list[Sample] = []
    for number, drawn in enumerate(_drawn(events), start=first):
        if drawn.verified is not None:
            found.append(_sample(task, number, drawn.verified.source, drawn.verified.verdict))
            continue
        program = extract_program(drawn.text)
        same = next((one for one in found if program and one.program == program), None)
        no_program = Sample(task, number, "", False, (NO_PROGRAM,), "The model wrote no program.")
        found.append(replace(same, number=number) if same else no_program)
    if generation.answer or not found:
        code = ANSWER if generation.answer else generation.error_code.name.lower()
        found[-1:] = [Sample(task, first + max(len(found) - 1, 0), "", False, (code,),
                             generation.error_msg)]  # fmt: skip
    return found


def _drawn(events: Sequence[GenerationEvent]) -> list[_Drawn]:
    drawn: list[_Drawn] = []
    for event in events:
        if isinstance(event, DraftStarted):
            drawn.append(_Drawn())
        elif isinstance(event, TokensWritten):
            drawn[-1].text += event.text
        elif isinstance(event, DraftVerified):
            drawn[-1].verified = event
    return drawn


def _sample(task: str, number: int, program: str, verdict: Verdict) -> Sample:
    if verdict.accepted:
        return Sample(task, number, program, True, behaviour=verdict.behaviour)
    codes = tuple(dict.fromkeys(one.code.value for one in verdict.violations)) or (UNDECIDED,)
    return Sample(task, number, program, False, codes, verdict.why_not)
