"""What is approved in advance and which starts are announced, as the kiosk has them in memory."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import tzinfo

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.web.access.roles import Caller
from roboinstruct_ros.web.schedule.due_times import first_due, next_daily, read_wall
from roboinstruct_ros.web.schedule.starts import Announced
from roboinstruct_ros.web.schedule.views import NewSchedule
from roboinstruct_ros.web.task_view import TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode


def planned(
    task: TaskView, new: NewSchedule, by: Caller, now: float, zone: tzinfo
) -> ScheduledTask:
    """An approval in advance, as it was just given.

    Args:
        now: s since the Unix epoch.

    Raises:
        WebError: WRONG_PHASE, the task is not one that can be scheduled; HASH_MISMATCH;
            BAD_REQUEST, the time cannot be.
    """
    if not task.schedulable:
        message = "only an accepted program of a whole task that is kept can be scheduled"
        raise WebError(WebErrorCode.WRONG_PHASE, message)
    if new.sha256 != task.sha256:
        message = "the program shown is not the one to run; look at it again"
        raise WebError(TaskErrorCode.HASH_MISMATCH, message)
    return ScheduledTask(
        id=uuid.uuid4().hex, task_id=task.task, number=task.version, words=task.wanted,
        sha256=task.sha256, approved_by=by.name, device=by.id, approved=now,
        at=new.at, daily=new.daily, due=first_due(new.at, now, zone),
    )  # fmt: skip


class Timetable:
    """Lives on one event loop.

    Args:
        zone: of the wall clock.

    Attributes:
        announced: by the id of what starts.
        read: whether the disk has been read.
    """

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._tasks: dict[str, ScheduledTask] = {}
        self.announced: dict[str, Announced] = {}
        self.read = False

    @property
    def in_order(self) -> list[ScheduledTask]:
        """The one that is due next first."""
        return sorted(self._tasks.values(), key=lambda one: (one.due, one.id))

    def one(self, name: str) -> ScheduledTask:
        """The one of that id. Raises WebError: NOT_FOUND."""
        one = self._tasks.get(name)
        if one is None:
            raise WebError(WebErrorCode.NOT_FOUND, f"nothing is scheduled as '{name[:40]}'")
        return one

    def put(self, one: ScheduledTask) -> None:
        """Takes one as it is now."""
        self._tasks[one.id] = one

    def take(self, tasks: Iterable[ScheduledTask]) -> None:
        """What the disk has; a hold that it does not know yet stays."""
        held = {name for name, one in self._tasks.items() if one.held}
        self._tasks = {one.id: replace(one, held=one.held or one.id in held) for one in tasks}
        self.announced = {k: v for k, v in self.announced.items() if k in self._tasks}
        self.read = True

    def hold(self, held: bool) -> None:
        """Nothing starts from now on, or everything does again."""
        for one in self.in_order:
            self.put(replace(one, held=held))
        self.announced.clear()

    def advance(self, one: ScheduledTask, due: float | None) -> None:
        """Its next start is due then; None for never."""
        self.announced.pop(one.id, None)
        if one.id not in self._tasks:
            return
        if due is None:
            del self._tasks[one.id]
        else:
            self._tasks[one.id] = replace(one, due=due)

    def following(self, one: ScheduledTask, now: float) -> float | None:
        """When it is due after this time; what was missed by then is not made up for."""
        if not one.daily:
            return None
        return next_daily(read_wall(one.at).time(), max(now, one.due), self._zone)
