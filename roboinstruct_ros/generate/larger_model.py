"""Combines two models: a larger one writes if the smaller one is not sure.

The smaller model always writes first. The larger one gets the task if no program was accepted, if
an accepted program may not be what was meant, or if the smaller model answers in words without
being sure. The larger model's result then counts, unless it fails.
"""

from __future__ import annotations

from dataclasses import replace

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import Backend, BackendError
from roboinstruct_ros.generate.backends.time_limit import TimeLimit
from roboinstruct_ros.generate.generation import (
    DraftStarted,
    DraftVerified,
    Generation,
    GenerationEvent,
    OnEvent,
    TokensWritten,
    all_but_the_end,
)
from roboinstruct_ros.generate.program_writer import write_program
from roboinstruct_ros.generate.unless import result_unless
from roboinstruct_ros.generate.writing_job import WritingJob

_UNANSWERED = (TaskErrorCode.NO_ACCEPTED_PROGRAM, TaskErrorCode.MODEL_FAILED)


def write_with_either(instruction: Instruction, job: WritingJob) -> Generation:
    """The program for `instruction` by `job.backend`, or by `job.larger` if needed.

    Args:
        instruction: A checked instruction.

    Raises:
        Nothing that a model or an instruction can cause; see `Generation.error_code`.
    """
    quiet = replace(job, on_event=all_but_the_end(job.on_event))
    generation = write_program(instruction, quiet)
    if job.larger is not None and _is_unsure(generation, job.options.larger_below):
        generation = _by_the_larger(instruction, quiet, job.larger, generation)
    job.on_event(generation)
    return generation


def _is_unsure(generation: Generation, below: float) -> bool:
    """Whether the larger model should write; `below` is a confidence from 0 to 1."""
    if generation.notes:
        return True
    sure = generation.confidence
    if generation.accepted:
        return sure is not None and sure < below
    if generation.answer is None:
        return generation.error_code in _UNANSWERED
    return generation.answer.kind is not AnswerKind.REPLY and (sure is None or sure < below)


def _by_the_larger(
    instruction: Instruction, job: WritingJob, larger: Backend, first: Generation
) -> Generation:
    """The larger model's result with the cost of both; `first` if the larger model fails."""
    smaller = job.backend.describe().name

    def name_of_larger() -> str:
        larger.load()  # a server may have been down before
        return larger.describe().name

    until = TimeLimit(job.cancel, job.options.time_limit, job.begun)
    try:
        name = result_unless(until, name_of_larger)
    except BackendError as error:
        return _noted(first, f"{smaller} was not sure, and the larger model is missing: {error}")
    if job.cancel.is_set():
        code, told = TaskErrorCode.CANCELED, "writing the program was cancelled"
        return replace(first, plan=(), notes=(), answer=None, error_code=code, error_msg=told)
    if name is None or not until.left:
        return _noted(first, f"{smaller} was not sure, and no time was left for the larger model")
    on_event = _after(first.attempts, job.on_event)
    second = write_program(instruction, replace(job, backend=larger, on_event=on_event))
    taken = second
    why = f"{name} wrote, as {smaller} was not sure"
    if not (second.accepted or second.answer or second.error_code is TaskErrorCode.CANCELED):
        taken, why = first, f"{smaller} was not sure, but {name} failed: {second.error_msg}"
    both = replace(
        taken,
        attempts=first.attempts + second.attempts,
        prompt_tokens=first.prompt_tokens + second.prompt_tokens,
        generated_tokens=first.generated_tokens + second.generated_tokens,
        duration=second.duration,
    )
    return _noted(both, why)


def _noted(generation: Generation, what: str) -> Generation:
    stats = generation.stats
    return replace(generation, stats=replace(stats, fallbacks=(*stats.fallbacks, what)))


def _after(drafts: int, on_event: OnEvent) -> OnEvent:
    """Forward events with `drafts` added to their draft numbers."""

    def tell(event: GenerationEvent) -> None:
        if isinstance(event, (DraftStarted, TokensWritten, DraftVerified)):
            event = replace(event, draft=event.draft + drafts)
        on_event(event)

    return tell
