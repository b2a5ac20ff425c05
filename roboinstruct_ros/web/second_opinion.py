"""Has the executor judge what was written, before a person is asked to approve it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.robot_link import ProgramJudged, RobotLink
from roboinstruct_ros.web.task_view import TaskView
from roboinstruct_ros.web.web_error import WebError

PAUSES = (0.2, 0.4, 0.8, 1.6, 3.2)
"""Before the executor is asked again, which was busy or not there, s."""
ANSWER_LIMIT = 20.0
"""Time that it gets for an answer, s: its queue is short, and each program has two seconds."""

Told = Callable[[str, dict[str, Any] | None, int, str], None]
"""Takes the task's id, the verdict, and where there is none an error's code and one line."""


@dataclass
class _Asked:
    source: str
    sha256: str
    tries: int = 0
    timer: asyncio.TimerHandle | None = None


class SecondOpinion:
    """What the executor was asked and has not answered; lives on one event loop."""

    def __init__(self, link: RobotLink, told: Told) -> None:
        self._link, self._told = link, told
        self._asked: dict[str, _Asked] = {}

    def ask(self, task: TaskView) -> None:
        """Asks for the verdict on a task's program; `told` hears it."""
        self.withdraw(task.id)
        self._asked[task.id] = _Asked(task.source, task.sha256)
        self._try(task.id)

    def withdraw(self, task_id: str) -> bool:
        """Ask no more. Whether it was asked."""
        asked = self._asked.pop(task_id, None)
        if asked is not None and asked.timer is not None:
            asked.timer.cancel()
        return asked is not None

    def hear(self, judged: ProgramJudged) -> None:
        """Takes an answer; one to another text is too late."""
        asked = self._asked.get(judged.task_id)
        if asked is None or asked.sha256 != judged.sha256:
            return
        if judged.error_code == TaskErrorCode.BUSY:
            self._again(judged.task_id, judged.error_code, judged.message)
        else:
            self._end(judged.task_id, judged.verdict, judged.error_code, judged.message)

    def _try(self, task_id: str) -> None:
        asked = self._asked[task_id]
        late = "the robot's own verifier does not answer; try again soon"
        self._wait(asked, ANSWER_LIMIT, self._end, task_id, None, int(TaskErrorCode.TIMEOUT), late)
        try:
            self._link.verify(task_id, asked.source, asked.sha256)
        except WebError as error:
            self._again(task_id, int(error.code), error.message)

    def _again(self, task_id: str, code: int, message: str) -> None:
        asked = self._asked[task_id]
        if asked.tries == len(PAUSES):
            self._end(task_id, None, code, message)
            return
        self._wait(asked, PAUSES[asked.tries], self._try, task_id)
        asked.tries += 1

    def _wait(self, asked: _Asked, pause: float, then: Callable[..., None], *what: Any) -> None:
        if asked.timer is not None:
            asked.timer.cancel()
        asked.timer = asyncio.get_running_loop().call_later(pause, then, *what)

    def _end(self, task_id: str, verdict: dict[str, Any] | None, code: int, message: str) -> None:
        self.withdraw(task_id)
        self._told(task_id, verdict, code, message)
