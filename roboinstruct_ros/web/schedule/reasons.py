"""What speaks against a start that was approved in advance, when its time has come."""

from __future__ import annotations

from dataclasses import dataclass

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
        return "the kiosk was not running then"
    if one.held:
        return "Stop was pressed, and nobody has let the scheduled tasks go on since"
    if announced is None or announced.since > one.due - ANNOUNCED + SLACK:
        return "no page was open for the minute in which it is announced"
    if announced.stop_number != session.stop_number():
        return "the robot was stopped while it was announced"
    if not session.hub.listeners:
        return "no page was open to announce it on"
    if not allowed:
        return f"{one.approved_by}, who approved it, may not have tasks run any more"
    if missing:
        return f"part of the robot was missing: {', '.join(missing)}"
    if session.interruptions.as_json():
        return "an interrupted task waited for somebody to decide on it"
    busy = next((task for task in session.board.all if task.busy and task.id != own), None)
    if busy is not None and busy.phase is Phase.PAUSED:
        return "another task was paused"
    return "the robot was busy with another task" if busy else ""


def why_never_began(task: TaskView) -> str:
    """Why a task that was to be started has ended before its run."""
    if task.phase is Phase.REJECTED and task.refusal is not None:
        return task.refusal.reason
    if task.phase in (Phase.CANCELLED, Phase.DISCARDED):
        return "it was stopped before it began"
    return task.error.message if task.error else "it could not be judged"
