"""What is asked of the executor, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.verify.verdict import Verdict


@dataclass(frozen=True)
class TaskOrder:
    """A program to run.

    Attributes:
        program_sha256: hash of the text that was approved.
        approved_by: who approved it; nothing runs without.
        queue: it may wait for the end of the running task.
        preempt: the running task is ended for it.
        resume: it goes on with the interrupted run of its task.
        stop_number: of the last stop that was known as it was approved; 0 is the one known as it
            comes.
    """

    task_id: str
    instruction: str
    source: str
    program_sha256: str
    approved_by: str
    queue: bool = False
    preempt: bool = False
    resume: bool = False
    stop_number: int = 0


@dataclass(frozen=True)
class TaskRun:
    """A run that has ended.

    Attributes:
        verdict: the executor's own; None when it was refused before.
        duration: s.
        message: plain English; empty on success.
    """

    order: TaskOrder
    outcome: TaskState
    verdict: Verdict | None = None
    calls: tuple[SkillCall, ...] = ()
    duration: float = 0.0
    error_code: TaskErrorCode = TaskErrorCode.NONE
    message: str = ""


@dataclass(frozen=True)
class AskedCall:
    """A skill call as a program asks for it.

    Attributes:
        call: with its arguments in the order of the skill's parameters.
        args: those given by position.
        kwargs: those given by name.
        arguments: all that were given, by name.
    """

    call: SkillCall
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    arguments: Mapping[str, Any]


class RunFault(Exception):
    """Why a run fails; `str()` is one line."""

    def __init__(self, code: TaskErrorCode, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def refused(
    order: TaskOrder, code: TaskErrorCode, message: str, verdict: Verdict | None = None
) -> TaskRun:
    """The end of an order that was not begun."""
    return TaskRun(order, TaskState.FAILED, verdict, error_code=code, message=message)
