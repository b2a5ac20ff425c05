"""Steps that are done in no time, in the place of those that ask a model."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import Field

from roboinstruct_ros.domain.configuration import Strict
from roboinstruct_ros.learn.pipeline.config import config_model
from roboinstruct_ros.learn.pipeline.step import ROOMS, Step
from roboinstruct_ros.learn.pipeline.work import LearnError, StepWork
from roboinstruct_ros.learn.records import Source, Task

ASKED: list[str] = []
"""Of every record that was made, in a test, `STEP/NUMBER`."""


class CountOptions(Strict):
    """How many records, and at which one it fails until the run holds a file `mended`; at -1 before
    the first step begins."""

    count: int = Field(3, ge=0)
    fails_at: int | None = None


class CountStep:
    """Makes so many records."""

    name = Step.TASKS
    version = 1

    def check(self, config: Any, run: Path) -> None:
        if config.options(self.name).fails_at == -1:
            raise LearnError("there is no server")

    def run(self, work: StepWork) -> None:
        made = work.records(Task)
        options = work.options
        work.progress.total(options.count)
        work.progress.advance(len(made))
        for number in range(len(made), options.count):
            if number == options.fails_at and not (work.run / "mended").exists():
                raise LearnError("the server has gone; give the same command again")
            ASKED.append(f"{work.folder.name}/{number}")
            made.add(Task(str(number), f"{work.config.seed} task {number}", Source.WRITTEN))
            work.costs.tokens_written += 10
            work.progress.advance()
        made.close()


@pytest.fixture(autouse=True)
def counting_steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    for step in Step:
        room = ModuleType(f"counting_{step.value}")
        name = step.value.capitalize()
        does = type(f"{name}Step", (CountStep,), {"name": step})
        vars(room).update({does.__name__: does, f"{name}Options": CountOptions})
        monkeypatch.setitem(sys.modules, room.__name__, room)
        monkeypatch.setitem(ROOMS, step, room.__name__)
    config_model.cache_clear()
    ASKED.clear()
    yield ASKED
    config_model.cache_clear()
