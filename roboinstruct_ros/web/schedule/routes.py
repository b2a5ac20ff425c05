"""Routes of what is approved in advance."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from roboinstruct_ros.web.access.access import InControl, Operator, Viewer
from roboinstruct_ros.web.schedule.scheduler import Scheduler
from roboinstruct_ros.web.schedule.views import NewSchedule, NotNow, Scheduled, ScheduleState
from roboinstruct_ros.web.session import Session


def offer_schedule(api: APIRouter, session: Session, scheduler: Scheduler) -> None:
    """Adds them."""

    @api.get("/schedule", response_model=ScheduleState)
    async def schedule(_: Viewer) -> dict[str, Any]:
        """What is approved in advance, and what was not started when its time had come."""
        return scheduler.as_json()

    @api.post("/tasks/{task_id}/schedule", status_code=201)
    async def add(task_id: str, new: NewSchedule, by: InControl) -> Scheduled:
        """Approves the program of a task in advance, if it is the very text that was shown."""
        return await scheduler.add(session.board.task(task_id), new, by)

    @api.post("/schedule/{name}/not-now")
    async def not_now(name: str, which: NotNow, by: Operator) -> dict[str, bool]:
        """Leaves one start out."""
        await scheduler.leave_out(name, which.due, by)
        return {"left_out": True}

    @api.delete("/schedule/{name}")
    async def cancel(name: str, _: Operator) -> dict[str, bool]:
        """Withdraws an approval in advance."""
        await scheduler.cancel(name)
        return {"cancelled": True}

    @api.post("/schedule/go-on")
    async def go_on(_: InControl) -> dict[str, bool]:
        """Has scheduled tasks start again at their times, after a Stop."""
        await scheduler.let_go_on()
        return {"held": False}
