"""Scores a program as the RoboEval benchmark does: our run, its check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache

from roboinstruct_ros.evaluate.readers.roboeval.task_process import (
    TaskFault,
    TaskFile,
    TaskProcess,
    Test,
)
from roboinstruct_ros.evaluate.suite.outcome import WorldRecord
from roboinstruct_ros.evaluate.worlds.roboeval_runs import RoboEvalRuns
from roboinstruct_ros.evaluate.worlds.roboeval_world import End, TracedRun

_MOST_TOLD = 200
"""Calls of a run that are stored; a program that waits makes thousands."""


class Failure(str, Enum):
    """Why a program does not pass, by the benchmark's names; CHECK is an error in the check
    itself, for which the program is not to blame."""

    ROBOT = "RobotExecutionError"
    PYTHON = "PythonError"
    COMPLETION = "CompletionError"
    CHECK = "CheckError"


@dataclass(frozen=True)
class RoboEvalCheck:
    """The tests of a task, as plain values that can be sent to another process."""

    task: TaskFile
    tests: tuple[Test, ...]

    def runs_of(self, program: str) -> list[WorldRecord]:
        """The results of the program in each test; after an error, that result alone."""
        runs = []
        for number, test in enumerate(self.tests):
            run = _runs().run(program, test.state)
            if fault := _fault(test, run):
                return [_record(number, run, fault, fault)]
            runs.append(run)
        return [_record(number, run, why=self._why(number, run)) for number, run in enumerate(runs)]

    def _why(self, number: int, run: TracedRun) -> str:
        try:
            right = _process(self.task).holds(number, run.trace)
        except TaskFault as fault:
            return f"{Failure.CHECK.value}: {fault}"
        return "" if right else f"{Failure.COMPLETION.value}: check {number} does not hold"


def _record(number: int, run: TracedRun, fault: str = "", why: str = "") -> WorldRecord:
    return WorldRecord(world=f"test {number}", fault=fault, why=why, calls=_told(run))


def _fault(test: Test, run: TracedRun) -> str:
    if run.end is End.FINISHED or (run.end is End.TIME_OUT and test.timeout):
        return ""
    failure = Failure.ROBOT if run.end is End.ROBOT else Failure.PYTHON
    return f"{failure.value}: {run.error}"


def _told(run: TracedRun) -> tuple[str, ...]:
    lines = [" ".join(str(one) for one in call if one is not None) for call in run.trace]
    more = [f"and {len(lines) - _MOST_TOLD} more"] if len(lines) > _MOST_TOLD else []
    return (*lines[:_MOST_TOLD], *more)


@cache
def _runs() -> RoboEvalRuns:
    """One child for all programs of this process; it ends with the process."""
    return RoboEvalRuns()


_open: list[TaskProcess] = []


def _process(task: TaskFile) -> TaskProcess:
    """The process of the task used last; a new task replaces it."""
    if not _open or _open[0].task != task:
        while _open:
            _open.pop().close()
        _open.append(TaskProcess(task))
    return _open[0]
