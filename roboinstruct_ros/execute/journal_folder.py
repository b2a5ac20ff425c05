"""The journal folder: the journal of the current run and those of interrupted runs."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from roboinstruct_ros.domain.files.file_names import file_name
from roboinstruct_ros.domain.robot_name import ONLY_ROBOT, RobotName
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.approval import Refused
from roboinstruct_ros.execute.journal import (
    SUFFIX,
    JournalError,
    RecordedRun,
    RunJournal,
    has_ended,
    is_written,
    read_journal,
    writing,
)
from roboinstruct_ros.execute.task_run import TaskOrder, TaskRun
from roboinstruct_ros.execute.task_state import TaskState

MOST_JOURNALS = 500
"""Journals of ended runs to keep; the oldest are deleted first."""


class JournalFolder:
    """Gives one run at a time its journal; any thread may list the robot's interrupted runs.

    Args:
        folder: None keeps no journals, and nothing can be resumed.
        robot: whose runs they are; others may keep theirs in the same folder.
    """

    def __init__(self, folder: Path | None, robot: RobotName = ONLY_ROBOT) -> None:
        self._folder, self._robot = folder, robot
        # who lists journals locks each for a moment, in which none can be opened for writing
        self._guard = threading.RLock()
        self._told: set[str] = set()

    def interrupted(self) -> tuple[list[RecordedRun], list[str]]:
        """Interrupted runs, and one line for each unreadable journal, which is given once."""
        runs, faults = self._interrupted()
        with self._guard:
            new = [fault for fault in faults if fault not in self._told]
            self._told.update(new)
        return runs, new

    def _interrupted(self) -> tuple[list[RecordedRun], list[str]]:
        if self._folder is None:
            return [], []
        with self._guard:
            return interrupted_runs(self._folder, self._robot)

    def resumable(self, order: TaskOrder) -> RecordedRun | None:
        """The interrupted run that the order resumes. Raises Refused: NOT_RESUMABLE."""
        if not order.resume:
            return None
        recorded = self._latest(order.task_id)
        if recorded is None:
            message = f"there is no interrupted run of the task '{order.task_id}'"
            raise Refused(TaskErrorCode.NOT_RESUMABLE, message)
        if recorded.order.program_sha256 != order.program_sha256:
            message = "the interrupted run was of another program; nothing is resumed"
            raise Refused(TaskErrorCode.NOT_RESUMABLE, message)
        return recorded

    def forget(self, task_id: str) -> bool:
        """Mark the interrupted run that `resumable` gives as ended. Raises JournalError.

        Returns:
            Whether there was one.
        """
        with self._guard:
            recorded = self._latest(task_id)
            if recorded is not None:
                RunJournal.go_on(recorded, recorded.order, time.time()).end("forgotten")
            return recorded is not None

    def _latest(self, task_id: str) -> RecordedRun | None:
        runs = reversed(self._interrupted()[0])
        return next((run for run in runs if run.order.task_id == task_id), None)

    @contextmanager
    def opened(
        self, order: TaskOrder, recorded: RecordedRun, rules_sha256: str
    ) -> Iterator[RunJournal | None]:
        """Open the journal of a run for the duration of the block; None if none are kept.

        Args:
            recorded: from `resumable` if the order resumes it, or a new run.

        Raises:
            JournalError: it cannot be written.
        """
        if self._folder is None:
            yield None
            return
        now, seed, remains = time.time(), recorded.seed, recorded.remains
        with self._guard:
            if order.resume:
                journal = RunJournal.go_on(recorded, order, now, rules_sha256)
            else:
                forget_old(self._folder, MOST_JOURNALS)
                path = new_journal_path(self._folder, order.task_id)
                journal = RunJournal.begin(
                    path, order, seed, now, rules_sha256, remains, self._robot
                )
        with closing(journal):
            yield journal


def recorded_end(journal: RunJournal | None, run: TaskRun) -> TaskRun:
    """Record the end of a run. A run whose end cannot be recorded has not succeeded."""
    if journal is None:
        return run
    try:
        journal.end(run.outcome.value)
    except JournalError as error:
        if run.outcome is TaskState.CANCELLED:
            return replace(run, message=f"{run.message}; {error}")
        code = TaskErrorCode.JOURNAL_FAILED
        return replace(run, outcome=TaskState.FAILED, error_code=code, message=str(error))
    return run


def interrupted_runs(
    folder: Path, robot: RobotName = ONLY_ROBOT
) -> tuple[list[RecordedRun], list[str]]:
    """Interrupted runs of a robot, latest last, and one line for each unreadable journal."""
    runs, faults = [], []
    for path in sorted(folder.glob(f"*{SUFFIX}")) if os.path.isdir(folder) else ():
        if has_ended(path):
            continue
        try:
            if not robot.owns(read_journal(path).robot) or is_written(path):
                continue
            run = read_journal(path)  # again: it may have been written until a moment ago
        except JournalError as error:
            faults.append(str(error))
            continue
        if not run.ended:
            runs.append(run)
    return sorted(runs, key=lambda run: run.begun), faults


def forget_old(folder: Path, most: int) -> None:
    """Delete the journals of ended runs until at most `most` files are left. One that cannot be
    deleted stays."""
    with suppress(OSError):  # another robot's executor may delete here, too
        paths = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime)
        for path in filter(has_ended, paths[: max(0, len(paths) - most)]):
            with suppress(OSError):
                path.unlink()


def new_journal_path(folder: Path, task_id: str) -> Path:
    """Path for a new run's journal; unique while another run of that name is interrupted.

    Raises:
        JournalError: the folder cannot be read.
    """
    path = folder / f"{file_name(task_id)}{SUFFIX}"
    numbered = (path.with_name(f"{path.stem}-{number}{SUFFIX}") for number in itertools.count(2))
    taken = itertools.chain([path], numbered)
    with writing(path):
        return next(one for one in taken if not one.exists() or has_ended(one))
