"""The tasks of a session, and what the pages are told of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.task_version import Steering
from roboinstruct_ros.program.version_diff import changed_lines
from roboinstruct_ros.web.event_hub import EventHub
from roboinstruct_ros.web.shown import shown_text
from roboinstruct_ros.web.task_view import IN_RUN, Phase, TaskView, difference
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

MAX_TASKS = 100
"""Tasks that a session remembers; the oldest are forgotten first, but not the one at work."""
WHOLE_TASKS = 5
"""Tasks whose run is kept as pages show it; of older ones less is kept."""
TELL_PERIOD = 0.05
"""Time in which all changes of a task are one message, s: a program may make many calls in it."""


class TaskBoard:
    """Keeps the tasks and tells pages what has changed of each; lives on one event loop.

    Attributes:
        watch: called with each task as it was, None for a new one, and as it is now.
    """

    def __init__(self, hub: EventHub) -> None:
        self._hub = hub
        self._tasks: dict[str, TaskView] = {}
        self._known: dict[str, TaskView | None] = {}
        self._due: asyncio.TimerHandle | None = None
        self.watch: Callable[[TaskView | None, TaskView], None] = lambda before, now: None

    @property
    def all(self) -> list[TaskView]:
        """Oldest first."""
        return list(self._tasks.values())

    def find(self, task_id: str) -> TaskView | None:
        """The task of that id, if it is one of this session."""
        return self._tasks.get(task_id)

    def task(self, task_id: str) -> TaskView:
        """The task of that id.

        Raises:
            WebError: NOT_FOUND.
        """
        if task_id not in self._tasks:
            message = f"there is no task '{task_id[:40]}' in this session"
            raise WebError(WebErrorCode.NOT_FOUND, message)
        return self._tasks[task_id]

    def refuse_while_busy(self) -> None:
        """Raises WebError: BUSY, one of them is written or carried out."""
        for task in self.all:
            if task.busy:
                doing = "carried out" if task.phase in IN_RUN else "written"
                message = f"another task is being {doing}; wait for its end, or press Stop"
                if task.phase is Phase.PAUSED:
                    message = "another task is paused; press Go on or Stop"
                raise WebError(TaskErrorCode.BUSY, message)

    def refuse_over_another_plan(self, window: str) -> None:
        """A new task takes the place of the plan on screen, and must not do so behind the back of
        who reads it.

        Raises:
            WebError: PLAN_WAITS, what another window asked for last can be approved.
        """
        last = {task.window: task for task in self.all if task.here}
        for task in last.values():
            if task.approvable and task.window != window:
                whose = "the robot's own screen" if task.author == "kiosk" else task.author
                asked = shown_text(task.text, 40)
                message = f'{whose} asked for "{asked}" first; discard that plan, or wait'
                raise WebError(WebErrorCode.PLAN_WAITS, message)

    def put(self, task: TaskView) -> str | None:
        """Take a task as it is now. The id of one that is forgotten for it."""
        before = self._tasks.get(task.id)
        self._known.setdefault(task.id, before)
        if task.id not in self._tasks and len(self._tasks) >= WHOLE_TASKS:
            older = self.all[-WHOLE_TASKS]
            if not older.busy:
                self._tasks[older.id] = older.aged()
        self._tasks[task.id] = task
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(TELL_PERIOD, self.tell)
        self.watch(before, task)
        if len(self._tasks) <= MAX_TASKS:
            return None
        oldest = next(one.id for one in self.all if not (one.here and one.busy))
        self.forget(oldest)
        return oldest

    def forget(self, task_id: str) -> None:
        """Counts a task as never given, on pages too."""
        del self._tasks[task_id]
        self._known.pop(task_id, None)
        self._hub.send("forgotten", id=task_id)

    def tell(self) -> None:
        """Tells pages now what has changed."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        known, self._known = self._known, {}
        for task_id, before in known.items():
            told = difference(before, self._tasks[task_id])
            if len(told) > 1:
                self._hub.send("task", task=told)


def compared(task: TaskView, board: TaskBoard) -> TaskView:
    """With what its program changed, as soon as both programs are known."""
    if not task.sha256 or not task.steering or task.diff or task.phase is Phase.WRITING:
        return task
    base = board.find(task.follows)
    if task.steering != Steering.RETURN.value:
        base = next((one for one in board.all if one.sha256 == task.parent_sha256), base)
    if base is None or not base.source or task.steering == Steering.FRESH.value:
        return task
    diff = changed_lines(base.source, task.source)
    return task.changed(diff=diff, diff_from=base.version) if diff else task
