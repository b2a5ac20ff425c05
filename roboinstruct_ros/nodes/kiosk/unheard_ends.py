"""Ends of runs that the kiosk missed, from the executor's latched state.

DDS repeats neither an event nor a goal's result for a kiosk that was away, but the state.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.task_state import IN_RUN, TaskState
from roboinstruct_ros.names import RESULT_PATIENCE

_GOING = frozenset(state.value for state in (*IN_RUN, TaskState.VERIFYING, TaskState.STOPPING))
_CODES = {
    TaskState.SUCCEEDED.value: TaskErrorCode.NONE,
    TaskState.FAILED.value: TaskErrorCode.UNKNOWN,
    TaskState.CANCELLED.value: TaskErrorCode.STOPPED,
}


@dataclass(frozen=True)
class UnheardEnd:
    """The end of a run.

    Attributes:
        data: as of `run_finished`, as far as the state tells it.
        goal: the kiosk's own goal, whose result should have told it; None for another client's.
        due: when it is no longer waited for, s on the monotonic clock.
    """

    task_id: str
    data: dict[str, Any]
    goal: object
    due: float


class UnheardEnds:
    """Keeps each end for as long as its result may still come.

    Args:
        goal_of: the kiosk's own goal in flight of a task.
    """

    def __init__(self, goal_of: Callable[[str], object]) -> None:
        self._goal_of = goal_of
        self._running = ""
        self._ends: dict[str, UnheardEnd] = {}

    def note(self, state: str, task_id: str, message: str) -> None:
        """Note a state of the executor."""
        before, self._running = self._running, task_id if state in _GOING else ""
        if before not in ("", task_id):  # how it ended was told by an earlier state
            code = TaskErrorCode.PROGRAM_LOST
            self._keep(before, "failed", code, str(phrase("told.end_unheard")))
        if state in _CODES:
            if before == task_id or self._goal_of(task_id) is not None:
                self._keep(task_id, state, _CODES[state], message)
        else:
            self._ends.pop(task_id, None)

    def heard(self, task_id: str) -> None:
        """The end of the run was told after all."""
        self._ends.pop(task_id, None)
        if self._running == task_id:
            self._running = ""

    def due(self) -> list[UnheardEnd]:
        """Ends that nobody has told in time, each once."""
        now = time.monotonic()
        over = [end for end in self._ends.values() if end.due <= now]
        for end in over:
            del self._ends[end.task_id]
        return [end for end in over if self._goal_of(end.task_id) is end.goal]

    def _keep(self, task_id: str, outcome: str, code: TaskErrorCode, message: str) -> None:
        data = {"outcome": outcome, "error_code": int(code), "error_msg": message}
        due = time.monotonic() + RESULT_PATIENCE
        self._ends[task_id] = UnheardEnd(task_id, data, self._goal_of(task_id), due)
