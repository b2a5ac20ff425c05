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
from collections.abc import Callable
from datetime import tzinfo
from typing import Any

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.library.attempts import Attempt
from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.web.access.roles import Caller
from roboinstruct_ros.web.background_work import BackgroundWork
from roboinstruct_ros.web.kept.tasks import KeptTasks, task_of
from roboinstruct_ros.web.robot_link import Heard, RobotLink
from roboinstruct_ros.web.schedule.announcer import Announcer
from roboinstruct_ros.web.schedule.due_times import local_zone
from roboinstruct_ros.web.schedule.kept_schedule import KeptSchedule
from roboinstruct_ros.web.schedule.starts import ANNOUNCED, SLACK, Announced, Starts
from roboinstruct_ros.web.schedule.timetable import Timetable, not_run, planned
from roboinstruct_ros.web.schedule.views import NewSchedule, Scheduled, scheduled_view, state_of
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_view import TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

MOST = 50
"""Approvals in advance at one time."""
PERIOD = 0.5
"""Time between two looks at the clock, s."""

_log = logging.getLogger(__name__)


class Scheduler:
    """Lives on one event loop.

    Args:
        session: whose robot it is.
        link: the way to it.
        kept: where the tasks and the schedule are.
        allowed: whether the device of that id may still have programs run.
        clock: s since the Unix epoch.
        steady: a clock that nobody sets, s.
        zone: of the wall clock; None is this machine's.
    """

    def __init__(
        self,
        session: Session,
        link: RobotLink,
        kept: KeptTasks,
        allowed: Callable[[str], bool],
        clock: Callable[[], float] = time.time,
        zone: tzinfo | None = None,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._kept, self._table = session, kept, KeptSchedule(kept)
        self._clock, self._zone, self._steady = clock, zone or local_zone(), steady
        self._plan = Timetable(self._zone)
        self._starts = Starts(session, allowed, self._zone, steady, self._not_begun)
        self._announcer = Announcer(link, session.running, self._tell)
        self._lock = asyncio.Lock()
        self._work = BackgroundWork()
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
            await asyncio.sleep(PERIOD)

    async def tick(self) -> None:
        """Announces, starts and tells what the clock says. Raises WebError: LIBRARY_FAILED."""
        async with self._lock:
            if not self._plan.read:
                await self._load()
            now = self._clock()
            for name in [one.id for one in self._plan.in_order]:
                one = self._plan.one(name)  # as it is after what was waited for
                if now >= one.due:
                    await self._meet(one, now)
                elif now >= one.due - ANNOUNCED:
                    self._announce(one, now)
                elif name in self._plan.announced and now < one.due - ANNOUNCED - SLACK:
                    del self._plan.announced[name]  # the clock was set back
                    self._announcer.withdraw(name)
                    self._tell()

    # What people do

    async def add(self, task: TaskView, new: NewSchedule, by: Caller) -> Scheduled:
        """Takes an approval in advance.

        Raises:
            WebError: WRONG_PHASE, the task is not one that can be scheduled; HASH_MISMATCH;
                BAD_REQUEST, the time cannot be; TOO_MANY; NOT_FOUND or LIBRARY_FAILED.
        """
        one = planned(task, new, by, self._clock(), self._zone)
        async with self._lock:
            if not self._plan.read:
                await self._load()
            if len(self._plan.in_order) >= MOST:
                message = f"{MOST} times are planned already; cancel one that is not needed"
                raise WebError(WebErrorCode.TOO_MANY, message)
            await asyncio.to_thread(self._table.add, one)
            self._plan.put(one)
            self._tell()
        return scheduled_view(one, self._zone)

    async def cancel(self, name: str) -> None:
        """It starts nothing any more. Raises WebError: NOT_FOUND, LIBRARY_FAILED."""
        async with self._lock:
            one = self._plan.one(name)
            await asyncio.to_thread(self._table.move, one.id, None)
            self._announcer.withdraw(one.id)
            self._plan.advance(one, None)
            self._tell()

    async def leave_out(self, name: str, due: float, by: Caller) -> None:
        """Makes not this start, but later ones.

        Raises:
            WebError: NOT_FOUND; WRONG_PHASE, it has begun, or is over; LIBRARY_FAILED.
        """
        async with self._lock:
            one = self._plan.one(name)
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
        if not self._plan.read or any(not one.held for one in self._plan.in_order):
            self._hold(True)
            self._work.begin(self._keep_hold())

    async def reload(self) -> None:
        """Looks at the disk again, where a task may be gone. Raises WebError: LIBRARY_FAILED."""
        async with self._lock:
            await self._load()

    # What happens

    def hear(self, heard: Heard) -> None:
        """Takes what the robot tells of an announcement."""
        self._announcer.hear(heard)

    def watch(self, task: TaskView) -> bool:
        """A task has changed. Whether it is one that is being started here."""
        self._announcer.watch(task)
        return self._starts.watch(task)

    # What the page is told

    def as_json(self) -> dict[str, Any]:
        """A `ScheduleState`."""
        plan, now, aloud = self._plan, self._clock(), self._announcer.aloud
        missed = plan.not_made(now)
        state = state_of(plan.in_order, plan.announced, missed, now, self._zone, aloud)
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
        self._plan.take(*await asyncio.to_thread(self._table.all))
        self._tell()

    def _hold(self, held: bool) -> None:
        for name in list(self._plan.announced):
            self._announcer.withdraw(name)
        self._plan.hold(held)
        self._tell()

    async def _keep_hold(self) -> None:
        async with self._lock:
            self._hold(True)  # of what was being read from the disk too
            try:
                await asyncio.to_thread(self._table.hold, True)
            except WebError as error:
                self._warn(error.message)

    def _announce(self, one: ScheduledTask, now: float) -> None:
        announced = self._plan.announced
        if one.id in announced or one.held or not self._session.hub.listeners:
            return
        announced[one.id] = Announced(now, self._steady(), self._session.stop_number())
        self._announcer.announce(one)
        self._tell()

    async def _meet(self, one: ScheduledTask, now: float) -> None:
        announced = self._plan.announced.pop(one.id, None)
        why = self._starts.why_not(one, announced, now)
        if why or announced is None:
            await self._leave_out(one, why)
            return
        request_id = uuid.uuid4().hex
        following = self._plan.following(one, now)
        try:
            version = await asyncio.to_thread(self._table.begin, one, following, request_id)
        except WebError as error:
            self._plan.advance(one, following)
            await self._note(one, error.message)
            return
        self._plan.advance(one, following if version else None)
        if version is not None:  # else it was cancelled elsewhere
            why = self._starts.why_not(one, announced, now)  # anything may have happened meanwhile
            if not why:
                why = self._starts.begin(task_of(version, request_id), one, announced)
            if why:
                await self._note(one, why)
        self._tell()

    async def _leave_out(self, one: ScheduledTask, why: str) -> None:
        self._announcer.withdraw(one.id)
        following, attempt = self._plan.following(one, self._clock()), not_run(one, why)
        self._plan.advance(one, following)
        try:
            await asyncio.to_thread(self._table.leave_out, one.id, following, attempt)
        finally:
            self._miss(attempt)

    async def _note(self, one: ScheduledTask, why: str) -> None:
        attempt = not_run(one, why)
        try:
            await asyncio.to_thread(self._kept.note, attempt)
        except WebError as error:
            self._warn(error.message)
        finally:
            self._miss(attempt)

    def _miss(self, attempt: Attempt) -> None:
        """Tells pages, whether it was kept or not: the disk may be full."""
        self._plan.miss(attempt, self._clock())
        self._tell()

    def _not_begun(self, one: ScheduledTask, why: str) -> None:
        self._work.begin(self._note(one, why))
