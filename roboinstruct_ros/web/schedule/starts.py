"""Makes a start that is due: its program is judged anew, and runs if nothing speaks against it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import tzinfo

from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.web.schedule.due_times import wall_at
from roboinstruct_ros.web.schedule.reasons import Announced, why_never_began, why_not
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_view import Phase, TaskView
from roboinstruct_ros.web.web_error import WebError

NEVER_BEGAN = frozenset({Phase.REJECTED, Phase.FAILED, Phase.CANCELLED, Phase.DISCARDED})


class Starts:
    """Lives on one event loop.

    Args:
        allowed: whether the device of that id may still have programs run.
        zone: of the wall clock.
        not_made: told of a start that was begun and did not become a run, and why.
    """

    def __init__(
        self,
        session: Session,
        allowed: Callable[[str], bool],
        zone: tzinfo,
        not_made: Callable[[ScheduledTask, str], None],
    ) -> None:
        self._session, self._allowed, self._zone = session, allowed, zone
        self._not_made = not_made
        self._begun: dict[str, tuple[ScheduledTask, Announced]] = {}

    def why_not(
        self, one: ScheduledTask, announced: Announced | None, now: float, own: str = ""
    ) -> str:
        """As `reasons.why_not` says."""
        return why_not(one, announced, now, self._session, self._allowed(one.device), own)

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
