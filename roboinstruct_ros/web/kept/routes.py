"""Routes of the tasks that were written before."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from functools import partial

from fastapi import APIRouter, Response

from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.web.access.access import InControl, Operator, Viewer
from roboinstruct_ros.web.access.roles import Caller
from roboinstruct_ros.web.api_models import ClosedValue
from roboinstruct_ros.web.kept.tasks import (
    KeptTask,
    KeptTasks,
    RefusedAttempt,
    SharedTask,
    task_of,
)
from roboinstruct_ros.web.schedule.scheduler import Scheduler
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_view import TaskView
from roboinstruct_ros.web.window import Window


class Mark(ClosedValue):
    """Whether a task is a favourite from now on."""

    favourite: bool


def offer_kept(api: APIRouter, session: Session, kept: KeptTasks, scheduler: Scheduler) -> None:
    """Adds them; what only reads a file does so on a thread of its own."""

    async def judged_anew(
        version_of: Callable[[str], TaskVersion], by: Caller, window: str
    ) -> TaskView:
        """The task of a version that a new request, by its id, asks for."""
        session.board.refuse_while_busy()
        session.board.refuse_over_another_plan(window)
        request_id = uuid.uuid4().hex
        version = await asyncio.to_thread(version_of, request_id)
        if version.deferred:  # its program does a part only
            return session.submit(version.words, by.name, window)
        task = task_of(version, request_id)
        return session.again(task.changed(author=by.name, window=window))

    @api.get("/library")
    def library(_: Viewer, words: str = "") -> list[KeptTask]:
        """Tasks that were written before: favourites first, then the one that changed last."""
        return kept.some(words)

    @api.get("/attempts")
    def attempts(_: Viewer, words: str = "") -> list[RefusedAttempt]:
        """What was asked for and did not become a run, with the reason, the last one first."""
        return kept.refused(words)

    @api.post("/library/{name:path}/again", status_code=202)
    async def again(name: str, by: InControl, window: Window = "") -> TaskView:
        """Shows a program that was written before, judged anew; nothing moves."""
        return await judged_anew(partial(kept.again, name), by, window)

    @api.post("/library/{name:path}/favourite")
    def mark(name: str, new: Mark, _: Operator) -> Mark:
        """Makes a task a favourite, or no more."""
        kept.mark(name, new.favourite)
        return new

    @api.delete("/library/{task_id}")
    async def forget(task_id: str, _: Operator) -> dict[str, bool]:
        """Deletes a task with all its versions, and what is scheduled of it."""
        await asyncio.to_thread(kept.forget, task_id)
        await scheduler.reload()
        return {"deleted": True}

    @api.get("/library/{name:path}/file")
    def file(name: str, response: Response, _: Viewer) -> SharedTask:
        """A version to be taken elsewhere."""
        response.headers["Content-Disposition"] = 'attachment; filename="robot-task.json"'
        return kept.file(name)

    @api.post("/library", status_code=202)
    async def take(shared: SharedTask, by: InControl, window: Window = "") -> TaskView:
        """Shows a task that was shared from elsewhere, judged anew; nothing moves."""
        return await judged_anew(partial(kept.take, shared), by, window)
