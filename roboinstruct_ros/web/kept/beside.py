"""What the library does beside the tasks of a session: it keeps what was refused, and knows the
program of a run that was begun before this start."""

from __future__ import annotations

import asyncio
import logging

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.library.attempts import Attempt, AttemptOutcome
from roboinstruct_ros.web.background_work import BackgroundWork
from roboinstruct_ros.web.kept.tasks import KeptTasks
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_view import IN_RUN, Phase, TaskView
from roboinstruct_ros.web.web_error import WebError

_log = logging.getLogger(__name__)


class KeptBeside:
    """Watches the tasks of a session; lives on one event loop, and reads files on other threads."""

    def __init__(self, session: Session, kept: KeptTasks) -> None:
        self._session, self._kept = session, kept
        self._work = BackgroundWork()

    def watch(self, before: TaskView | None, now: TaskView) -> None:
        """A task has changed."""
        if before is None and not now.here and now.phase in IN_RUN:
            self._work.begin(self._recognise(now.id))
        if now.here and (before is None or before.phase is not now.phase):
            attempt = refused(now)
            if attempt is not None:
                self._work.begin(self._keep(attempt))

    async def _keep(self, attempt: Attempt) -> None:
        try:
            await asyncio.to_thread(self._kept.note, attempt)
        except WebError as error:
            _log.warning("a refused attempt is not kept: %s", error.message)

    async def _recognise(self, task_id: str) -> None:
        try:
            version = await asyncio.to_thread(self._kept.of_request, task_id)
        except WebError as error:
            _log.warning("the program of a run cannot be looked up: %s", error.message)
            return
        if version is not None:
            self._session.recognise(task_id, version)


def refused(task: TaskView) -> Attempt | None:
    """What was refused of a task, and why; None where nothing was."""
    if task.phase is Phase.REJECTED and task.refusal is not None:
        outcome, why = AttemptOutcome.REJECTED, task.refusal.reason
    elif task.phase is Phase.ANSWERED and task.answer and task.answer.kind is AnswerKind.CANNOT:
        outcome, why = AttemptOutcome.REFUSED, task.answer.words
    else:
        return None
    return Attempt(task.created, task.text, task.author, outcome, why)
