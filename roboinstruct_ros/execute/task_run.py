"""A request to the executor and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.verify.verdict import Verdict


@dataclass(frozen=True)
class TaskOrder:
    """A program to run.

    Attributes:
        program_sha256: hash of the approved text.
        approved_by: who approved it; without a name nothing runs.
        queue: it may wait until the running task ends.
        preempt: it ends the running task.
        resume: it resumes the interrupted run of its task.
        stop_number: the last stop known when it was approved; 0 for the one known on arrival.
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


NO_ORDER = TaskOrder("", "", "", "", "")


@dataclass(frozen=True)
class TaskRun:
    """A run that has ended.

    Attributes:
        verdict: the executor's own; None if the order was refused before verification.
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
    """A skill call as a program requests it.

    Attributes:
        call: with its arguments in the order of the skill's parameters.
        arguments: all arguments, by name.
    """

    call: SkillCall
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    arguments: Mapping[str, Any]


def failed(order: TaskOrder, fault: TaskError, verdict: Verdict | None = None) -> TaskRun:
    """The result of an order that has failed or was refused."""
    return TaskRun(order, TaskState.FAILED, verdict, error_code=fault.code, message=fault.message)
