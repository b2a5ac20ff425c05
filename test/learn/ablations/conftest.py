"""A run whose tasks and programs are known, and whose training and evaluation take no time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from made_up import folder_of, passed
from model_server import ModelServer
from scripted_server import says

from roboinstruct_ros.learn.evaluation.step import EvaluationOptions
from roboinstruct_ros.learn.export.step import ExportOptions
from roboinstruct_ros.learn.pipeline.config import LearnConfig, config_model
from roboinstruct_ros.learn.pipeline.step import ROOMS, Step
from roboinstruct_ros.learn.pipeline.work import LearnError, StepWork
from roboinstruct_ros.learn.programs.step import ProgramsOptions
from roboinstruct_ros.learn.records import Pair, Sample, Source, Task
from roboinstruct_ros.learn.tasks.step import TasksOptions
from roboinstruct_ros.learn.training.options import TrainingOptions

DONE: list[str] = []
"""Of every scripted step that was done, `RUN/STEP`."""

ACCEPTED_AT = (0, 0, 1, 2, None, None)
"""Of each task, the resampling at which the verifier accepts a program; the last task's first
program is no Python."""

ITEMS = 24


class _Scripted:
    version = 1

    def check(self, config: LearnConfig, run: Path) -> None: ...

    def run(self, work: StepWork) -> None:
        DONE.append(f"{work.run.name}/{work.folder.name}")
        self.make(work)

    def make(self, work: StepWork) -> None: ...


class TasksStep(_Scripted):
    def make(self, work: StepWork) -> None:
        for number in range(len(ACCEPTED_AT)):
            work.records(Task).add(Task(f"t{number}", f"Sing in den {number}.", Source.SEED))


class ProgramsStep(_Scripted):
    def make(self, work: StepWork) -> None:
        for number, accepted in enumerate(ACCEPTED_AT):
            last = work.options.resamplings if accepted is None else accepted
            for attempt in range(last + 1):
                program = f'def task_program():\n    say("{number}")\n    say("{attempt}")\n'
                text = "def task_program(:\n" if number == len(ACCEPTED_AT) - 1 else program
                sample = Sample(f"t{number}", attempt, text, attempt == accepted)
                work.records(Sample).add(sample)


class TrainingStep(_Scripted):
    def make(self, work: StepWork) -> None:
        if (work.run / "broken").exists():
            raise LearnError("the memory is full")


class ExportStep(_Scripted):
    pass


class EvaluationStep(_Scripted):
    """The more pairs, the more is right."""

    def make(self, work: StepWork) -> None:
        pairs = len(work.read(Step.CLEANING, Pair))
        sides = {"after": 4 * pairs, **({"before": 1} if work.options.before else {})}
        for side, right in sides.items():
            items = [passed(f"item {number:02}", 0, number < right) for number in range(ITEMS)]
            folder_of(work.folder / side, items)


SCRIPTED = {
    Step.TASKS: (TasksStep, TasksOptions),
    Step.PROGRAMS: (ProgramsStep, ProgramsOptions),
    Step.TRAINING: (TrainingStep, TrainingOptions),
    Step.EXPORT: (ExportStep, ExportOptions),
    Step.EVALUATION: (EvaluationStep, EvaluationOptions),
}


@pytest.fixture(autouse=True)
def done(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    for step, (does, options) in SCRIPTED.items():
        room = ModuleType(f"scripted_{step.value}")
        name = step.value.capitalize()
        vars(room).update({f"{name}Step": does, f"{name}Options": options})
        monkeypatch.setitem(sys.modules, room.__name__, room)
        monkeypatch.setitem(ROOMS, step, room.__name__)
    config_model.cache_clear()
    DONE.clear()
    yield DONE
    config_model.cache_clear()


@pytest.fixture
def config(tmp_path: Path, server: ModelServer) -> Path:
    """Its judge finds that no program sings in den 1."""
    says(server, lambda asked: _judges(str(asked["prompt"]).rpartition("The request:")[2]))
    path = tmp_path / "mine.yaml"
    path.write_text(
        f"name: mine\nwriter: {server.address}\nbase: roboinstruct-small\n"
        "alignment: {writer: {at_once: 1, tries: 1}, score: false}\n"
        "cleaning: {most_similar: 1.0, held_out: 0}\n"
    )
    return path


def _judges(question: str) -> str:
    fits = "no" if "den 1." in question else "yes"
    return f" It talks.\nFits: {fits}\nRequest: As it was in den 1.\n\n"
