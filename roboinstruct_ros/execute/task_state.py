"""The executor's states and their transition table."""

from __future__ import annotations

from enum import Enum


class TaskState(str, Enum):
    """What the executor is doing; published latched.

    AWAITING_APPROVAL: a run was interrupted by a crash or a power loss and can be resumed.
    WAITING: for a person's answer. RECOVERING: a failed skill is being retried.
    """

    IDLE = "idle"
    AWAITING_APPROVAL = "awaiting_approval"
    VERIFYING = "verifying"
    RUNNING = "running"
    PAUSED = "paused"
    WAITING = "waiting"
    RECOVERING = "recovering"
    STOPPING = "stopping"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """Whether the task has ended, so that the next may begin."""
        return self in (TaskState.SUCCEEDED, TaskState.FAILED, TaskState.CANCELLED)


IN_RUN = frozenset({TaskState.RUNNING, TaskState.PAUSED, TaskState.WAITING, TaskState.RECOVERING})
"""States of a running program; any of them may follow any other."""

_ENDED = frozenset({TaskState.VERIFYING})
_FROM_RUN = IN_RUN | {TaskState.STOPPING, TaskState.FAILED}
TRANSITIONS: dict[TaskState, frozenset[TaskState]] = {
    TaskState.IDLE: frozenset({TaskState.VERIFYING, TaskState.AWAITING_APPROVAL}),
    TaskState.AWAITING_APPROVAL: frozenset({TaskState.VERIFYING, TaskState.IDLE}),
    TaskState.VERIFYING: frozenset({TaskState.RUNNING, TaskState.STOPPING, TaskState.FAILED}),
    TaskState.RUNNING: _FROM_RUN | {TaskState.SUCCEEDED},
    TaskState.PAUSED: _FROM_RUN,
    TaskState.WAITING: _FROM_RUN,
    TaskState.RECOVERING: _FROM_RUN,
    TaskState.STOPPING: frozenset({TaskState.CANCELLED}),
    TaskState.SUCCEEDED: _ENDED,
    TaskState.FAILED: _ENDED,
    TaskState.CANCELLED: _ENDED,
}


class IllegalTransition(Exception):
    """A transition that the table does not allow; a bug in this package."""


class TaskStateMachine:
    """Holds the state; `enter` is the only way to change it."""

    def __init__(self) -> None:
        self.state = TaskState.IDLE

    def enter(self, state: TaskState) -> None:
        """Enter a state. Raises IllegalTransition: the table does not allow it."""
        if state not in TRANSITIONS[self.state]:
            raise IllegalTransition(f"{self.state.value} -> {state.value}")
        self.state = state
