"""Runs that a crash or a loss of power has interrupted, as the kiosk offers them."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.web.plan import plan_of
from roboinstruct_ros.web.robot_link import InterruptedRun, RobotLink
from roboinstruct_ros.web.task_view import Phase, TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode


class Interruptions:
    """What the executor offers now."""

    def __init__(self, link: RobotLink) -> None:
        self._link = link
        self._runs: tuple[InterruptedRun, ...] = ()

    def take(self, runs: tuple[InterruptedRun, ...]) -> None:
        """What the executor says now is all there is."""
        self._runs = runs

    def run(self, task_id: str) -> InterruptedRun:
        """The run of that task.

        Raises:
            WebError: NOT_FOUND.
        """
        for run in self._runs:
            if run.task_id == task_id:
                return run
        message = f"no interrupted run of '{task_id[:40]}' is offered any more"
        raise WebError(WebErrorCode.NOT_FOUND, message)

    def forget(self, task_id: str) -> None:
        """Has a run counted as ended. Raises WebError: NOT_FOUND."""
        self._link.forget(self.run(task_id).task_id)

    def as_json(self) -> list[dict[str, Any]]:
        """As the page gets them; the program's text comes with the task."""
        return [{**asdict(run), "source": ""} for run in self._runs]


def task_of(run: InterruptedRun) -> TaskView:
    """The run as a task that waits for a new approval."""
    key = "note.resumes_in" if run.in_flight else "note.resumes"
    return TaskView(
        id=run.task_id,
        text=run.text,
        created=time.time(),
        phase=Phase.READY,
        source=run.source,
        sha256=run.sha256,
        steps=plan_of(run.source),
        notes=(str(phrase(key, n=run.calls, code=run.in_flight)),),
        resumes=True,
    )
