"""Ends a generation without a program, from any depth of the calls."""

from __future__ import annotations

from math import ceil

from roboinstruct_ros.domain.answer import Answer
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.generate.backends.time_limit import TimeLimit


class Halted(TaskError):
    """Writing ends; `answer` is the answer in words, if there is one."""

    def __init__(self, code: TaskErrorCode, message: str, answer: Answer | None = None) -> None:
        super().__init__(code, message)
        self.answer = answer


class Clock(TimeLimit):
    """The time of one generation."""

    def check(self) -> None:
        """Raises Halted if the time is over or the generation was cancelled."""
        if self.cancel.is_set():
            raise Halted(TaskErrorCode.CANCELED, "writing the program was cancelled")
        if not self.left:
            raise Halted(
                TaskErrorCode.TIMEOUT,
                str(phrase("told.late", n=ceil(self.limit))),
            )
