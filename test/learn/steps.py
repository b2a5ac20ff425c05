"""Runs steps of a pipeline in a folder, as `run_steps` does, by whoever a test names."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from roboinstruct_ros.learn.alignment.step import AlignmentOptions
from roboinstruct_ros.learn.cleaning.step import CleaningOptions
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.learn.pipeline.step import Step, step_of
from roboinstruct_ros.learn.pipeline.work import StepWork
from roboinstruct_ros.learn.programs.step import ProgramsOptions
from roboinstruct_ros.learn.tasks.step import TasksOptions
from roboinstruct_ros.spread.processes import in_processes
from roboinstruct_ros.spread.work import Done

SMALL = "roboinstruct-small"


class Config(LearnConfig):
    """Of the steps that make data."""

    tasks: TasksOptions = TasksOptions()
    programs: ProgramsOptions = ProgramsOptions()
    alignment: AlignmentOptions = AlignmentOptions()
    cleaning: CleaningOptions = CleaningOptions()


@dataclass
class Told:
    """What a step has told."""

    done: int = 0
    of: int = 0
    notes: list[str] = field(default_factory=list)

    def total(self, count: int) -> None:
        self.of = count

    def advance(self, count: int = 1) -> None:
        self.done += count

    def note(self, text: str) -> None:
        self.notes.append(text)


@dataclass
class Took:
    """Tokens, and what else was counted."""

    tokens_read: int = 0
    tokens_written: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def here(do: Any, work: Any) -> Any:
    """One piece after the other, in this process."""
    return (Done(index, do(given)) for index, given in enumerate(work))


def processes(jobs: int) -> Any:
    """So many."""
    return partial(in_processes, jobs=jobs)


class Killed(Exception):
    """Stands for the end of the process."""


def killed_after(pieces: int) -> Any:
    """The process that gives work ends when so many pieces are done."""

    def spread(do: Any, work: Any) -> Any:
        yield from here(do, work[:pieces])
        if len(work) > pieces:
            raise Killed

    return spread


def config_of(**sections: Any) -> Config:
    """A configuration with these sections; the small model writes."""
    return Config.model_validate({"name": "tried", "writer": SMALL, "seed": 3, **sections})


def run_step(run: Path, step: Step, config: Config, spread: Any = here) -> Told:
    """Do one step of the run in a folder."""
    folder = run / step.value
    folder.mkdir(parents=True, exist_ok=True)
    told = Told()
    step_of(step).run(StepWork(folder, config.options(step), config, told, spread, Took()))
    return told


def files_of(run: Path, step: Step) -> dict[str, bytes]:
    """What a step has made."""
    return {one.name: one.read_bytes() for one in sorted((run / step.value).iterdir())}
