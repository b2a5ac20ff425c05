"""The alignment step: selects programs of every task, and instructions that describe what they do.

Source: ROBO-INSTRUCT, 2.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from pydantic import Field

from roboinstruct_ros.domain.configuration import Strict
from roboinstruct_ros.learn.alignment.aligning import AlignedPair, AlignmentSetup, align
from roboinstruct_ros.learn.alignment.judging import kind_of
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import DROPPED, StepWork
from roboinstruct_ros.learn.programs.candidates import Candidates, candidates
from roboinstruct_ros.learn.programs.figures import chosen
from roboinstruct_ros.learn.records import Aligned, Dropped, Pair, Sample, Task
from roboinstruct_ros.learn.setting import setting_of
from roboinstruct_ros.learn.shares import each
from roboinstruct_ros.learn.writer import WriterOptions, checked

AGREEMENT = "agreement"


class AlignmentOptions(Strict):
    """Who judges, and what is kept."""

    candidates: Candidates = Field(
        default=Candidates.ACCEPTED,
        description="which programs of a task: those accepted; the first as it came; the same, "
        "where any is accepted",
    )
    resamplings: int | None = Field(
        default=None, ge=0, description="later programs are not looked at; all are if none"
    )
    programs: int = Field(default=1, ge=1, le=100, description="of a task, that behave otherwise")
    least_agreement: float = Field(
        default=0.0, ge=0, le=1, description="share of a task's candidates that behave alike"
    )
    judge: bool = Field(
        default=True, description="a model judges and rewrites; else all is kept as it is"
    )
    writer: WriterOptions = WriterOptions()
    votes: int = Field(default=1, ge=1, le=99, description="judgements of each instruction")
    temperature: float = Field(default=0.3, ge=0, le=2, description="of judgements")
    score: bool = Field(
        default=True, description="the scorer's log p(instruction | program) is kept"
    )
    scorer: WriterOptions = WriterOptions()
    least_back: float | None = Field(
        default=None, le=0, description="mean log p of a token below which a pair is dropped"
    )


class AlignmentStep:
    """Aligns the pairs."""

    name = Step.ALIGNMENT
    version = 1

    def check(self, config: Any, run: Path) -> None:
        """Raises WriterError: there is no model to judge."""
        _readers(config)

    def run(self, work: StepWork) -> None:
        """Raises LearnError and ConfigError if it cannot be done; finished records are kept."""
        options: AlignmentOptions = work.options
        pairs = list(_pairs(work, options))
        records, dropped = work.records(Pair), work.records(Dropped, DROPPED)
        done = records.done_ids | dropped.done_ids
        left = [pair for pair in pairs if pair.id not in done]
        work.progress.total(len(pairs))
        work.progress.advance(len(pairs) - len(left))
        if left:
            setup = _setup(work, options)
            sides = setup.writer.side_by_side if setup.writer else 1
            aligned = each(work, align, setup, left, sides)
            with closing(aligned):
                for _, one in aligned:
                    work.costs.tokens_read += one.read
                    work.costs.tokens_written += one.written
                    if one.why is None:
                        records.add(one.pair)
                    else:
                        dropped.add(_dropped(one))
                    work.progress.advance()
        rewritten = sum(one.aligned is Aligned.REWRITTEN for one in records)
        work.progress.note(f"{len(records)} pairs, {rewritten} rewritten, {len(dropped)} dropped")


def _setup(work: StepWork, options: AlignmentOptions) -> AlignmentSetup:
    writer, scorer = _readers(work.config)
    return AlignmentSetup(
        kind_of(setting_of(work.config).domain),
        writer,
        scorer,
        work.config.seed,
        options.votes,
        options.temperature,
        options.least_back,
    )


def _readers(config: Any) -> tuple[WriterOptions | None, WriterOptions | None]:
    """The judging and the scoring model; None for none. Raises WriterError."""
    options: AlignmentOptions = config.options(Step.ALIGNMENT)
    return (
        checked(options.writer, config.writer, reads=True) if options.judge else None,
        checked(options.scorer, "") if options.score else None,
    )


def _pairs(work: StepWork, options: AlignmentOptions) -> Iterator[Pair]:
    """The pairs that are not yet aligned, in the order of the tasks."""
    samples: dict[str, list[Sample]] = {}
    for sample in work.read(Step.PROGRAMS, Sample):
        samples.setdefault(sample.task, []).append(sample)
    programs = work.config.options(Step.PROGRAMS)
    origin = programs.writer.model or work.config.writer
    which, limit = options.candidates, options.resamplings
    for task in work.read(Step.TASKS, Task):
        some = candidates(samples.get(task.id, []), programs.resamplings, which, limit)
        for sample, agreed in chosen(some, options.programs):
            if agreed >= options.least_agreement:
                yield Pair(
                    f"{task.id}/{sample.number}",
                    task.text,
                    sample.program,
                    task.text,
                    Aligned.KEPT,
                    {AGREEMENT: round(agreed, 4)},
                    origin,
                )


def _dropped(one: AlignedPair) -> Dropped:
    assert one.why is not None
    pair = one.pair
    asked = f"{pair.task}\n" if pair.task != pair.instruction else ""
    text = f"{asked}{pair.instruction}\n{pair.program}"
    return Dropped(pair.id, Step.ALIGNMENT.value, one.why, text)
