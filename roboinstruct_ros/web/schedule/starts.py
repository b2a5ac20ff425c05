"""Makes a start that is due: its program is judged anew, and runs if nothing speaks against it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.web.schedule.due_times import wall_at
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_view import Phase, TaskView
from roboinstruct_ros.web.web_error import WebError

ANNOUNCED = 60.0
"""Time for which a start is announced, s."""
SLACK = 5.0
"""Time by which an announcement may be shorter, s."""
LATE = 30.0
"""Time after which a start that was not made is missed, s."""
NEVER_BEGAN = frozenset({Phase.REJECTED, Phase.FAILED, Phase.CANCELLED, Phase.DISCARDED})


@dataclass(frozen=True)
class Announced:
    """Since when a start is announced, s since the Unix epoch, the same on a clock that nobody
    sets, and the number of the last stop that was known then."""

    since: float
    steady: float
    stop_number: int


class Starts:
    """Lives on one event loop.

    Args:
        allowed: whether the device of that id may still have programs run.
        zone: of the wall clock.
        steady: a clock that nobody sets, s.
        not_made: told of a start that was begun and did not become a run, and why.
    """

    def __init__(
        self,
        session: Session,
        allowed: Callable[[str], bool],
        zone: tzinfo,
        steady: Callable[[], float],
        not_made: Callable[[ScheduledTask, str], None],
    ) -> None:
        self._session, self._allowed, self._zone = session, allowed, zone
        self._steady, self._not_made = steady, not_made
        self._begun: dict[str, tuple[ScheduledTask, Announced]] = {}

    def why_not(
        self, one: ScheduledTask, announced: Announced | None, now: float, own: str = ""
    ) -> str:
        """Why it is not started now, in one line; empty when nothing speaks against it.

        Args:
            announced: None where it was not.
            now: s since the Unix epoch.
            own: id of the task that is to be started, where there is one already.
        """
        if now > one.due + LATE:
            return str(phrase("notrun.kiosk"))
        if one.held:
            return str(phrase("notrun.held"))
        if announced is None or announced.since > one.due - ANNOUNCED + SLACK:
            return str(phrase("notrun.unannounced"))
        if now - announced.since > self._steady() - announced.steady + SLACK:
            return str(phrase("notrun.clock"))
        if announced.stop_number != self._session.stop_number():
            return str(phrase("notrun.stopped"))
        if not self._session.hub.listeners:
            return str(phrase("notrun.no_page"))
        if not self._allowed(one.device):
            return str(phrase("notrun.not_allowed", who=one.approved_by))
        if missing := self._session.robot.missing():
            return str(phrase("notrun.missing", nodes=", ".join(missing)))
        if self._session.interruptions.as_json():
            return str(phrase("notrun.interrupted"))
        others = (task for task in self._session.board.all if task.id != own)
        busy = next((task for task in others if task.busy), None)
        if busy is not None and busy.phase is Phase.PAUSED:
            return str(phrase("notrun.paused"))
        return str(phrase("notrun.busy")) if busy else ""

    def begin(self, task: TaskView, one: ScheduledTask, announced: Announced) -> str:
        """Has the program judged, and then run. Why not; empty when it has begun."""
        if task.sha256 != one.sha256:
            return "the program is not the one that was approved"
        self._begun[task.id] = one, announced
        try:
            self._session.again(task.changed(author=one.approved_by))
        except WebError as error:
            del self._begun[task.id]
            return error.message
        return ""

    def watch(self, task: TaskView) -> bool:
        """A task has changed. Whether it is one that is being started here."""
        if task.id not in self._begun:
            return False
        if task.phase is Phase.READY:
            asyncio.get_running_loop().call_soon(self._run, task)
        elif task.phase in NEVER_BEGAN:
            one, _ = self._begun.pop(task.id)
            self._not_made(one, why_never_began(task))
        elif task.phase is not Phase.WRITING:
            del self._begun[task.id]
        return True

    def _run(self, task: TaskView) -> None:
        if task.id not in self._begun:
            return
        one, announced = self._begun[task.id]
        when = wall_at(one.approved, self._zone).replace("T", " ")
        by = f"{one.approved_by}, in advance on {when}"
        why = self.why_not(one, announced, one.due, own=task.id)
        try:
            if not why:
                self._session.approve(task.id, one.sha256, by, announced.stop_number)
                return
        except WebError as error:
            why = error.message
        self._begun.pop(task.id, None)
        self._session.discard(task.id)
        self._not_made(one, why)


def why_never_began(task: TaskView) -> str:
    """Why a task that was to be started has ended before its run."""
    if task.phase is Phase.REJECTED and task.refusal is not None:
        return task.refusal.reason
    if task.phase in (Phase.CANCELLED, Phase.DISCARDED):
        return str(phrase("notrun.ended"))
    return task.error.message if task.error else str(phrase("notrun.unjudged"))
