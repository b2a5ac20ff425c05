"""Does the remaining steps of a run, one after the other."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roboinstruct_ros.evaluate.runs.prepared import versions
from roboinstruct_ros.learn.pipeline.asked import Facts, asked_of, differences, made_by
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.learn.pipeline.folder import RunFolder
from roboinstruct_ros.learn.pipeline.licence import Accepts, check_licence
from roboinstruct_ros.learn.pipeline.manifest import State, StepEntry
from roboinstruct_ros.learn.pipeline.step import Step, step_of
from roboinstruct_ros.learn.pipeline.work import (
    DROPPED,
    RECORDS,
    LearnError,
    Progress,
    StepWork,
)
from roboinstruct_ros.spread.work import Spread

_SAVE_EVERY = 10.0
"""s between two writes of a step's costs to disk."""

Tell = Callable[[Step], AbstractContextManager[Progress]]


@dataclass(frozen=True)
class Workers:
    """Who does the work, and who is informed.

    Attributes:
        tell: returns the progress display of a step, a context manager.
        accepts: asks a person about a model whose licence is unknown.
    """

    spread: Spread[Any, Any]
    tell: Tell
    accepts: Accepts


def run_steps(
    config: LearnConfig, path: Path, workers: Workers, steps: tuple[Step, ...], redo: bool = False
) -> None:
    """Do these steps, except those already done.

    Args:
        path: of the run's folder.
        redo: put aside results made with other inputs and repeat the step, instead of raising an
            error.

    Raises:
        InputError, BackendError, SpreadError: a step cannot be done; finished records are kept.
    """
    with RunFolder(path) as run:
        for step in steps if not redo else ():
            _check_same(run, step, asked_of(step, config, path))
        for step in steps:
            _check_given(run, config, step, steps)
        run.take(config)
        if Step.TRAINING in steps:
            check_licence(run, config.base, workers.accepts)
        for step in steps:
            if not _is_done(run, step):
                step_of(step).check(config, path)
        for step in steps:
            _run_step(run, config, workers, step, redo)


def _run_step(
    run: RunFolder, config: LearnConfig, workers: Workers, step: Step, redo: bool
) -> None:
    asked = asked_of(step, config, run.path)
    entry = _entry(run, step, asked, redo)
    if entry.state is State.DONE:
        return
    folder = run.begin(step, entry)
    with workers.tell(step) as told, _counted(run, entry, folder) as costs:
        progress = _Noted(told, run, lambda: costs(False))
        work = StepWork(folder, config.options(step), config, progress, workers.spread, entry)
        try:
            step_of(step).run(work)
        except OSError as error:
            where = error.filename or folder
            raise LearnError(
                f"{where}: {error.strerror}; mend it, then give the same command again"
            ) from None
    entry.made, entry.state = made_by(folder), State.DONE
    run.save()


def _entry(run: RunFolder, step: Step, asked: Facts, redo: bool) -> StepEntry:
    entry = run.manifest.steps.get(step)
    if entry and entry.asked != asked:
        if not redo:
            _check_same(run, step, asked)
        changed = "; ".join(differences(entry.asked, asked))
        run.log(f"{step.value}: {changed}; what there was is now {run.put_aside(step)}")
        entry = None
    return entry or StepEntry(asked=asked, versions=versions())


def _is_done(run: RunFolder, step: Step) -> bool:
    entry = run.manifest.steps.get(step)
    return entry is not None and entry.state is State.DONE


def _check_given(run: RunFolder, config: LearnConfig, step: Step, steps: tuple[Step, ...]) -> None:
    """Raises LearnError if an earlier step was interrupted, and is not among those to do."""
    for before in config.steps[: config.steps.index(step)] if step in config.steps else ():
        begun = before in run.manifest.steps and not _is_done(run, before)
        if begun and before not in steps:
            raise LearnError(
                f"{run.path}: {step.value} needs {before.value}, which is not finished; "
                f"'roboinstruct learn {before.value} {run.path}' goes on with it"
            )


def _check_same(run: RunFolder, step: Step, asked: Facts) -> None:
    """Raises LearnError if the existing results were made with other inputs."""
    entry = run.manifest.steps.get(step)
    if entry and entry.asked != asked:
        changed = "; ".join(differences(entry.asked, asked))
        raise LearnError(
            f"{run.path}: {step.value} was made otherwise: {changed}; --redo puts it aside and "
            "makes it anew, --to DIR makes another run"
        )


@contextmanager
def _counted(run: RunFolder, entry: StepEntry, folder: Path) -> Iterator[Callable[[bool], None]]:
    """Adds time and record counts to the entry, and saves it periodically."""
    wall, processor = entry.wall_seconds, entry.processor_seconds
    begun, used = time.monotonic(), _processor_seconds()
    saved = begun

    def count(now: bool) -> None:
        nonlocal saved
        entry.wall_seconds = round(wall + time.monotonic() - begun, 1)
        entry.processor_seconds = round(processor + _processor_seconds() - used, 1)
        if now or time.monotonic() - saved > _SAVE_EVERY:
            entry.kept, entry.dropped = _lines(folder / RECORDS), _lines(folder / DROPPED)
            run.save()
            saved = time.monotonic()

    try:
        yield count
    finally:
        count(True)


class _Noted:
    """Progress whose notes also go to the log."""

    def __init__(self, told: Progress, run: RunFolder, count: Callable[[], None]) -> None:
        self._told, self._run, self._count = told, run, count

    def total(self, count: int) -> None:
        self._told.total(count)

    def advance(self, count: int = 1) -> None:
        self._told.advance(count)
        self._count()

    def note(self, text: str) -> None:
        self._run.log(text)
        self._told.note(text)


def _processor_seconds() -> float:
    spent = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in spent)


def _lines(path: Path) -> int:
    if not path.exists():
        return 0
    with path.open("rb") as lines:
        return sum(1 for _ in lines)
