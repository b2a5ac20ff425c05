"""Starts what was approved in advance, at its times, and says why where it does not.

An approval in advance is of one program, by a named person, for exactly the times that were said.
A start is announced for a minute on an open page; then the executor judges the program anew under
the rules of that moment, and it runs only when nothing speaks against it. What is missed, because
the kiosk was off or the robot busy, is told and never made up for. After a Stop nothing starts
before a person has let it go on.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.library.attempts import Attempt, AttemptOutcome
from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.web.access.roles import Caller
from roboinstruct_ros.web.kept_tasks import KeptTasks, task_of
from roboinstruct_ros.web.plan import plan_of
from roboinstruct_ros.web.schedule.due_times import (
    first_due,
    local_zone,
    next_daily,
    read_wall,
    wall_at,
)
from roboinstruct_ros.web.schedule.kept_schedule import KeptSchedule
from roboinstruct_ros.web.schedule.reasons import ANNOUNCED, Announced, why_never_began, why_not
from roboinstruct_ros.web.schedule.views import NewSchedule, Scheduled, scheduled_view, state_of
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_view import Phase, TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

MOST = 50
"""Approvals in advance at one time."""
TOLD_FOR = 86400.0
"""Time for which pages are told of a start that was not made, s."""
PERIOD = 0.5
"""Time between two looks at the clock, s."""
NEVER_BEGAN = frozenset({Phase.REJECTED, Phase.FAILED, Phase.CANCELLED, Phase.DISCARDED})

_log = logging.getLogger(__name__)


class Scheduler:
    """Lives on one event loop.

    Args:
        session: whose robot it is.
        kept: where the tasks and the schedule are.
        allowed: whether the device of that id may still have programs run.
        clock: s since the Unix epoch.
        zone: of the wall clock; None is this machine's.
        period: time between two looks at the clock, s.
    """

    def __init__(
        self,
        session: Session,
        kept: KeptTasks,
        allowed: Callable[[str], bool],
        clock: Callable[[], float] = time.time,
        zone: tzinfo | None = None,
        period: float = PERIOD,
    ) -> None:
        self._session, self._kept, self._table = session, kept, KeptSchedule(kept)
        self._allowed, self._clock, self._period = allowed, clock, period
        self._zone = zone or local_zone()
        self._tasks: dict[str, ScheduledTask] | None = None
        self._announced: dict[str, Announced] = {}
        self._starting: dict[str, tuple[ScheduledTask, Announced]] = {}
        self._not_run: tuple[tuple[float, Attempt], ...] = ()  # with when it was noted
        self._lock = asyncio.Lock()
        self._work: set[asyncio.Task[None]] = set()
        self._fault = ""

    async def run(self) -> None:
        """Looks at the clock until it is cancelled."""
        while True:
            try:
                await self.tick()
                self._fault = ""
            except WebError as error:
                self._warn(error.message)
            except Exception:
                _log.exception("the schedule could not be followed")
            await asyncio.sleep(self._period)

    async def tick(self) -> None:
        """Announces, starts and tells what the clock says. Raises WebError: LIBRARY_FAILED."""
        async with self._lock:
            if self._tasks is None:
                await self._load()
            now = self._clock()
            for name in [one.id for one in self._in_order()]:
                one = self._one(name)  # as it is after what was waited for
                if now >= one.due:
                    await self._meet(one, now)
                elif now >= one.due - ANNOUNCED:
                    self._announce(one, now)

    # What people do

    async def add(self, task: TaskView, new: NewSchedule, by: Caller) -> Scheduled:
        """Takes an approval in advance.

        Raises:
            WebError: WRONG_PHASE, the task is not one that can be scheduled; HASH_MISMATCH;
                BAD_REQUEST, the time cannot be; TOO_MANY; NOT_FOUND or LIBRARY_FAILED.
        """
        if not task.schedulable:
            message = "only an accepted program of a whole task that is kept can be scheduled"
            raise WebError(WebErrorCode.WRONG_PHASE, message)
        if new.sha256 != task.sha256:
            message = "the program shown is not the one to run; look at it again"
            raise WebError(TaskErrorCode.HASH_MISMATCH, message)
        async with self._lock:
            if self._tasks is None:
                await self._load()
            one = ScheduledTask(
                id=uuid.uuid4().hex, task_id=task.task, number=task.version, words=task.text,
                sha256=task.sha256, approved_by=by.name, device=by.id, approved=self._clock(),
                at=new.at, daily=new.daily, due=first_due(new.at, self._clock(), self._zone),
            )  # fmt: skip
            if len(self._in_order()) >= MOST:
                message = f"{MOST} times are planned already; cancel one that is not needed"
                raise WebError(WebErrorCode.TOO_MANY, message)
            await asyncio.to_thread(self._table.add, one)
            self._put(one)
            self._tell()
        return scheduled_view(one, self._zone)

    async def cancel(self, name: str) -> None:
        """It starts nothing any more. Raises WebError: NOT_FOUND, LIBRARY_FAILED."""
        async with self._lock:
            one = self._one(name)
            await asyncio.to_thread(self._table.move, one.id, None)
            self._advance(one, None)
            self._tell()

    async def leave_out(self, name: str, due: float, by: Caller) -> None:
        """Makes not this start, but later ones.

        Raises:
            WebError: NOT_FOUND; WRONG_PHASE, it has begun, or is over; LIBRARY_FAILED.
        """
        async with self._lock:
            one = self._one(name)
            if due != one.due:
                message = "this start is over; press Stop if the robot moves"
                raise WebError(WebErrorCode.WRONG_PHASE, message)
            await self._leave_out(one, str(phrase("notrun.not_now", who=by.name)))

    async def let_go_on(self) -> None:
        """Starts are made again, after a Stop. Raises WebError: LIBRARY_FAILED."""
        async with self._lock:
            await asyncio.to_thread(self._table.hold, False)
            self._hold(False)

    def stopped(self) -> None:
        """Somebody has pressed Stop: nothing starts before it is let go on."""
        if self._tasks is None or any(not one.held for one in self._in_order()):
            self._hold(True)
            self._spawn(self._keep_hold())

    async def reload(self) -> None:
        """Looks at the disk again, where a task may be gone. Raises WebError: LIBRARY_FAILED."""
        async with self._lock:
            await self._load()

    # What the page is told

    def as_json(self) -> dict[str, Any]:
        """A `ScheduleState`."""
        now = self._clock()
        recent = [attempt for noted, attempt in self._not_run if now - noted < TOLD_FOR]
        state = state_of(self._in_order(), self._announced, recent, now, self._zone)
        return state.model_dump(mode="json")

    def _tell(self) -> None:
        self._session.hub.send("schedule", schedule=self.as_json())

    def _warn(self, message: str) -> None:
        if message != self._fault:
            self._fault = message
            data = {"message": f"the schedule is not followed: {message}"}
            self._session.hub.send("event", kind="warning", task_id="", data=data)

    # What the clock says

    async def _load(self) -> None:
        tasks, not_run = await asyncio.to_thread(self._table.all)
        noted = {attempt: when for when, attempt in self._not_run}
        self._not_run = tuple((noted.get(one, one.created), one) for one in not_run)
        held = {name for name, one in (self._tasks or {}).items() if one.held}
        self._tasks = {one.id: replace(one, held=one.held or one.id in held) for one in tasks}
        self._announced = {k: v for k, v in self._announced.items() if k in self._tasks}
        self._tell()

    def _hold(self, held: bool) -> None:
        for one in self._in_order():
            self._put(replace(one, held=held))
        self._announced.clear()
        self._tell()

    async def _keep_hold(self) -> None:
        async with self._lock:
            self._hold(True)  # of what was being read from the disk too
            try:
                await asyncio.to_thread(self._table.hold, True)
            except WebError as error:
                self._warn(error.message)

    def _announce(self, one: ScheduledTask, now: float) -> None:
        if one.id in self._announced or one.held or not self._session.hub.listeners:
            return
        self._announced[one.id] = Announced(now, self._session.stop_number())
        self._tell()

    async def _meet(self, one: ScheduledTask, now: float) -> None:
        announced = self._announced.pop(one.id, None)
        why = self._why_not(one, announced, now)
        if why or announced is None:
            await self._leave_out(one, why)
            return
        request_id = uuid.uuid4().hex
        following = self._following(one, now)
        try:
            version = await asyncio.to_thread(self._table.begin, one, following, request_id)
        except WebError as error:
            self._advance(one, following)
            await self._note(one, error.message)
            return
        self._advance(one, following)
        if version is not None:  # else it was cancelled elsewhere
            why = self._why_not(one, announced, now)  # anything may have happened meanwhile
            if not why:
                why = self._begin(task_of(version, request_id, plan_of), one, announced)
            if why:
                await self._note(one, why)
        self._tell()

    def _begin(self, task: TaskView, one: ScheduledTask, announced: Announced) -> str:
        """Has the program judged, and then run. Why not; empty when it has begun."""
        if task.sha256 != one.sha256:
            return "the program is not the one that was approved"
        self._starting[task.id] = one, announced
        try:
            self._session.again(task.changed(author=one.approved_by))
        except WebError as error:
            del self._starting[task.id]
            return error.message
        return ""

    def watch(self, task: TaskView) -> bool:
        """A task has changed. Whether it is one that is being started here."""
        if task.id not in self._starting:
            return False
        if task.phase is Phase.READY:
            asyncio.get_running_loop().call_soon(self._run, task)
        elif task.phase in NEVER_BEGAN:
            one, _ = self._starting.pop(task.id)
            self._spawn(self._note(one, why_never_began(task)))
        elif task.phase is not Phase.WRITING:
            del self._starting[task.id]
        return True

    def _run(self, task: TaskView) -> None:
        if task.id not in self._starting:
            return
        one, announced = self._starting[task.id]
        when = wall_at(one.approved, self._zone).replace("T", " ")
        by = f"{one.approved_by}, in advance on {when}"
        why = self._why_not(one, announced, one.due, own=task.id)
        try:
            if not why:
                self._session.approve(task.id, one.sha256, by, announced.stop_number)
                return
        except WebError as error:
            why = error.message
        self._starting.pop(task.id, None)
        self._session.discard(task.id)
        self._spawn(self._note(one, why))

    def _why_not(
        self, one: ScheduledTask, announced: Announced | None, now: float, own: str = ""
    ) -> str:
        return why_not(one, announced, now, self._session, self._allowed(one.device), own)

    async def _leave_out(self, one: ScheduledTask, why: str) -> None:
        following = self._following(one, self._clock())
        self._advance(one, following)
        try:
            await asyncio.to_thread(self._table.move, one.id, following)
        finally:
            await self._note(one, why)

    async def _note(self, one: ScheduledTask, why: str) -> None:
        attempt = Attempt(one.due, one.words, one.approved_by, AttemptOutcome.NOT_RUN, why)
        self._not_run = ((self._clock(), attempt), *self._not_run)
        self._tell()
        try:
            await asyncio.to_thread(self._kept.note, attempt)
        except WebError as error:
            self._warn(error.message)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)  # which keeps it while it lasts
        task.add_done_callback(self._work.discard)

    # The tasks

    def _in_order(self) -> list[ScheduledTask]:
        return sorted((self._tasks or {}).values(), key=lambda one: (one.due, one.id))

    def _one(self, name: str) -> ScheduledTask:
        one = (self._tasks or {}).get(name)
        if one is None:
            raise WebError(WebErrorCode.NOT_FOUND, f"nothing is scheduled as '{name[:40]}'")
        return one

    def _put(self, one: ScheduledTask) -> None:
        if self._tasks is not None:
            self._tasks[one.id] = one

    def _advance(self, one: ScheduledTask, due: float | None) -> None:
        self._announced.pop(one.id, None)
        if self._tasks is None or one.id not in self._tasks:
            return
        if due is None:
            del self._tasks[one.id]
        else:
            self._tasks[one.id] = replace(one, due=due)

    def _following(self, one: ScheduledTask, now: float) -> float | None:
        """When it is due after this time; what was missed by then is not made up for."""
        if not one.daily:
            return None
        return next_daily(read_wall(one.at).time(), max(now, one.due), self._zone)
