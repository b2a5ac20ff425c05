"""What speaks against a start that was approved in advance, when its time has come."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_view import Phase, TaskView

ANNOUNCED = 60.0
"""Time for which a start is announced, s."""
SLACK = 5.0
"""Time by which an announcement may be shorter, s."""
LATE = 30.0
"""Time after which a start that was not made is missed, s."""


@dataclass(frozen=True)
class Announced:
    """Since when a start is announced, s since the Unix epoch, and the number of the last stop
    that was known then."""

    since: float
    stop_number: int


def why_not(
    one: ScheduledTask,
    announced: Announced | None,
    now: float,
    session: Session,
    allowed: bool,
    own: str = "",
) -> str:
    """Why it is not started now, in one line; empty when nothing speaks against it.

    Args:
        announced: None where it was not.
        now: s since the Unix epoch.
        allowed: the device that has approved it may still have programs run.
        own: id of the task that is to be started, where there is one already.
    """
    missing = session.robot.missing()
    if now > one.due + LATE:
        return str(phrase("notrun.kiosk"))
    if one.held:
        return str(phrase("notrun.held"))
    if announced is None or announced.since > one.due - ANNOUNCED + SLACK:
        return str(phrase("notrun.unannounced"))
    if announced.stop_number != session.stop_number():
        return str(phrase("notrun.stopped"))
    if not session.hub.listeners:
        return str(phrase("notrun.no_page"))
    if not allowed:
        return str(phrase("notrun.not_allowed", who=one.approved_by))
    if missing:
        return str(phrase("notrun.missing", nodes=", ".join(missing)))
    if session.interruptions.as_json():
        return str(phrase("notrun.interrupted"))
    busy = next((task for task in session.board.all if task.busy and task.id != own), None)
    if busy is not None and busy.phase is Phase.PAUSED:
        return str(phrase("notrun.paused"))
    return str(phrase("notrun.busy")) if busy else ""


def why_never_began(task: TaskView) -> str:
    """Why a task that was to be started has ended before its run."""
    if task.phase is Phase.REJECTED and task.refusal is not None:
        return task.refusal.reason
    if task.phase in (Phase.CANCELLED, Phase.DISCARDED):
        return str(phrase("notrun.ended"))
    return task.error.message if task.error else str(phrase("notrun.unjudged"))
