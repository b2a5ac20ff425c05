"""What of the schedule is on the disk; each call reads a file, so it is for another thread."""

from __future__ import annotations

from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.library.attempts import Attempt, AttemptOutcome, Attempts
from roboinstruct_ros.library.schedule_table import ScheduledTask, ScheduleTable
from roboinstruct_ros.web.kept.tasks import KeptTasks
from roboinstruct_ros.web.web_error import WebError, WebErrorCode


class KeptSchedule:
    """Approvals in advance, beside the tasks that they are of.

    Every method raises WebError LIBRARY_FAILED when the file cannot be read or written just now.
    """

    def __init__(self, kept: KeptTasks) -> None:
        self._kept = kept

    def all(self) -> tuple[tuple[ScheduledTask, ...], tuple[Attempt, ...]]:
        """All of them, and what was not started when its time had come, the last one first."""
        if not self._kept.begun:
            return (), ()
        with self._kept.opened() as library:
            attempts = Attempts(library).all()
            tasks = ScheduleTable(library).all()
        return tasks, tuple(one for one in attempts if one.outcome is AttemptOutcome.NOT_RUN)

    def add(self, new: ScheduledTask) -> None:
        """Keeps one.

        Raises:
            WebError: NOT_FOUND, its task is not kept any more; WRONG_PHASE, no run of that program
                has succeeded yet.
        """
        with self._kept.named() as library:
            version = library.find(f"{new.task_id}/{new.number}")
            if not version.succeeded:
                message = "do it once with somebody there first; then it can be scheduled"
                raise WebError(WebErrorCode.WRONG_PHASE, message)
            ScheduleTable(library).add(new)

    def move(self, name: str, due: float | None) -> bool:
        """As `ScheduleTable.move`."""
        with self._kept.opened() as library:
            return ScheduleTable(library).move(name, due)

    def leave_out(self, name: str, due: float | None, attempt: Attempt) -> None:
        """Keeps that a start is not made, then moves as `ScheduleTable.move`: a crash in between
        tells it twice rather than never."""
        with self._kept.opened() as library:
            Attempts(library).add(attempt)
            ScheduleTable(library).move(name, due)

    def begin(self, one: ScheduledTask, due: float | None, request_id: str) -> TaskVersion | None:
        """The program that is due now, asked for by a new request; None when it was cancelled.

        The next start is written down before: a crash in between must not start it twice.
        """
        with self._kept.named() as library:
            if not ScheduleTable(library).move(one.id, due):
                return None
            return library.again(f"{one.task_id}/{one.number}", request_id)

    def hold(self, held: bool) -> None:
        """As `ScheduleTable.hold`."""
        if not self._kept.begun:
            return
        with self._kept.opened() as library:
            ScheduleTable(library).hold(held)
