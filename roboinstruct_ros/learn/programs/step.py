"""The programs step: writes accepted programs for every task, within a limit of resamplings.

Source: ROBO-INSTRUCT, 2.1 (rejection sampling) and 3.1 (at most three resamplings).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from pydantic import Field

from roboinstruct_ros.domain.configuration import Strict
from roboinstruct_ros.generate.writing_options import WritingOptions
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import DROPPED, StepWork
from roboinstruct_ros.learn.programs.figures import thrown_away
from roboinstruct_ros.learn.programs.writing import NO_PROGRAM, ProgramsSetup, WrittenFor, write_for
from roboinstruct_ros.learn.records import Dropped, Sample, Task, Why
from roboinstruct_ros.learn.setting import setting_of
from roboinstruct_ros.learn.shares import each
from roboinstruct_ros.learn.writer import WriterOptions, checked


class ProgramsOptions(Strict):
    """The number of programs per task, and the attempts for each."""

    samples: int = Field(default=1, ge=1, le=100, description="programs wanted for each task")
    resamplings: int = Field(
        default=3, ge=0, le=100, description="after the first, for each wanted one"
    )
    repair: bool = Field(
        default=False,
        description="a model that can read is shown what was rejected; else it draws anew",
    )
    grammar: bool = Field(default=True, description="a GGUF can write task programs only")
    writer: WriterOptions = WriterOptions()
    temperature: float = Field(default=1.0, ge=0, le=1, description="of every draw")
    max_tokens: int = Field(default=512, ge=16, le=8192, description="tokens of a program")


class ProgramsStep:
    """Writes the programs."""

    name = Step.PROGRAMS
    version = 1

    def check(self, config: Any, run: Path) -> None:
        """Raises WriterError: there is no model to write."""
        checked(config.options(Step.PROGRAMS).writer, config.writer)

    def run(self, work: StepWork) -> None:
        """Raises LearnError and ConfigError if it cannot be done; finished records are kept."""
        options: ProgramsOptions = work.options
        tasks = work.read(Step.TASKS, Task)
        work.progress.total(len(tasks))
        made = _Made(work)
        left = [task for task in tasks if task.id not in made.done]
        work.progress.advance(len(tasks) - len(left))
        if left:
            setup = _setup(work, options)
            written = each(work, write_for, setup, left, setup.writer.side_by_side)
            with closing(written):
                for task, found in written:
                    made.take(task, found)
        work.progress.note(made.summary(options.resamplings))


def _setup(work: StepWork, options: ProgramsOptions) -> ProgramsSetup:
    setting = setting_of(work.config)
    writing = WritingOptions(
        temperature=options.temperature,
        max_tokens=options.max_tokens,
        grammar=options.grammar,
        repair=options.repair,
    )
    return ProgramsSetup(
        setting,
        checked(options.writer, work.config.writer),
        work.config.seed,
        options.samples,
        options.resamplings,
        writing,
    )


class _Made:
    """The existing samples.

    Attributes:
        done: ids of tasks with all samples; the last task may be incomplete.
    """

    def __init__(self, work: StepWork) -> None:
        self._work = work
        self._records = work.records(Sample)
        self._dropped = work.records(Dropped, DROPPED)
        tasks = list(dict.fromkeys(one.task for one in self._records))
        self.done = frozenset(tasks[:-1])
        self._last = tasks[-1] if tasks else ""
        self._numbers = {one.number for one in self._records if one.task == self._last}

    def take(self, task: Task, found: WrittenFor) -> None:
        """Store what was written for a task."""
        known = self._numbers if task.id == self._last else set()
        self._records.add(*(one for one in found.samples if one.number not in known))
        if not any(one.accepted for one in found.samples):
            self._dropped.add(_dropped(task, found.samples))
        self._work.costs.tokens_read += found.read
        self._work.costs.tokens_written += found.written
        self._work.progress.advance()

    def summary(self, resamplings: int) -> str:
        """One line."""
        lost = thrown_away(self._records, resamplings)
        if not lost:
            return "no programs"
        shares = f"{lost[0].percent()} thrown away without resampling, {lost[-1].percent()} with"
        return f"{len(self._records)} programs, {shares}"


def _dropped(task: Task, samples: Sequence[Sample]) -> Dropped:
    last = samples[-1]
    why = Why.UNREADABLE if all(one.codes == (NO_PROGRAM,) for one in samples) else Why.REJECTED
    return Dropped(task.id, Step.PROGRAMS.value, why, f"{task.text}\n{last.program}{last.reason}")
