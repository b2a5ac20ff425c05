"""The executor's states and the one table of its transitions."""

from __future__ import annotations

from enum import Enum


class TaskState(str, Enum):
    """What the executor is doing; published latched."""

    IDLE = "idle"
    VERIFYING = "verifying"
    RUNNING = "running"
    STOPPING = "stopping"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """Whether a task has ended; the next one may begin."""
        return self in (TaskState.SUCCEEDED, TaskState.FAILED, TaskState.CANCELLED)


_ENDED = frozenset({TaskState.VERIFYING})
TRANSITIONS: dict[TaskState, frozenset[TaskState]] = {
    TaskState.IDLE: frozenset({TaskState.VERIFYING}),
    TaskState.VERIFYING: frozenset({TaskState.RUNNING, TaskState.STOPPING, TaskState.FAILED}),
    TaskState.RUNNING: frozenset({TaskState.STOPPING, TaskState.SUCCEEDED, TaskState.FAILED}),
    TaskState.STOPPING: frozenset({TaskState.CANCELLED}),
    TaskState.SUCCEEDED: _ENDED,
    TaskState.FAILED: _ENDED,
    TaskState.CANCELLED: _ENDED,
}
"""From each state, the states that may follow."""


class IllegalTransition(Exception):
    """A fault of ours: a state followed that the table does not allow."""


class TaskStateMachine:
    """Holds the state; `enter` is the only way to change it."""

    def __init__(self) -> None:
        self.state = TaskState.IDLE

    def enter(self, state: TaskState) -> None:
        """Go to a state.

        Raises:
            IllegalTransition: the table does not have it.
        """
        if state not in TRANSITIONS[self.state]:
            raise IllegalTransition(f"{self.state.value} -> {state.value}")
        self.state = state
