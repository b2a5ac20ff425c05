"""What is approved in advance, which starts are announced and which were not made, as the kiosk has
them in memory."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import tzinfo

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.library.attempts import Attempt, AttemptOutcome
from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.web.access.roles import Caller
from roboinstruct_ros.web.schedule.due_times import first_due, next_daily, read_wall
from roboinstruct_ros.web.schedule.starts import Announced
from roboinstruct_ros.web.schedule.views import NewSchedule
from roboinstruct_ros.web.task_view import TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

TOLD_FOR = 86400.0
"""Time for which pages are told of a start that was not made, s."""


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


def not_run(one: ScheduledTask, why: str) -> Attempt:
    """A start that was due and is not made."""
    return Attempt(one.due, one.words, one.approved_by, AttemptOutcome.NOT_RUN, why)


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
        self._not_made: list[tuple[float, Attempt]] = []  # with when it was noted
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

    def take(self, tasks: Iterable[ScheduledTask], not_made: Iterable[Attempt]) -> None:
        """What the disk has; a hold that it does not know yet stays.

        Args:
            not_made: the last one first.
        """
        held = {name for name, one in self._tasks.items() if one.held}
        self._tasks = {one.id: replace(one, held=one.held or one.id in held) for one in tasks}
        self.announced = {k: v for k, v in self.announced.items() if k in self._tasks}
        noted = {attempt: when for when, attempt in self._not_made}
        self._not_made = [(noted.get(one, one.created), one) for one in not_made]
        self.read = True

    def miss(self, attempt: Attempt, now: float) -> None:
        """One more start was not made."""
        self._not_made.insert(0, (now, attempt))

    def not_made(self, now: float) -> list[Attempt]:
        """Those that pages are told of, the last one first."""
        return [attempt for noted, attempt in self._not_made if now - noted < TOLD_FOR]

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
