"""Has the robot itself say that it will start by itself.

What is said is a program of one `say`, which the executor judges first, so that the policies hold
for it too; it is said outside of any task, and nothing can move by it.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from typing import Any

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.web.robot_link import AnnouncementEnded, Heard, ProgramJudged, RobotLink
from roboinstruct_ros.web.second_opinion import SecondOpinion
from roboinstruct_ros.web.shown import shown_text
from roboinstruct_ros.web.task_events import judged
from roboinstruct_ros.web.task_view import IN_RUN, Phase, TaskView

SAID_WITHIN = 25.0
"""Time after which pages say it, s: a start is announced for 60."""
MOST_WORDS = 200
"""Characters of a task that are said."""


class Announcer:
    """Lives on one event loop.

    Args:
        running: whether a task runs, which may have something to say itself.
        changed: called when `aloud` has changed.

    Attributes:
        aloud: by the id of what starts, whether the robot has said it; where it has not, the pages
            do. None as long as that is not known.
    """

    def __init__(
        self, link: RobotLink, running: Callable[[], bool], changed: Callable[[], None]
    ) -> None:
        self._link, self._running, self._changed = link, running, changed
        self._opinion = SecondOpinion(link, self._judged)
        self._said: dict[str, tuple[str, TaskView, asyncio.TimerHandle]] = {}
        self.aloud: dict[str, bool] = {}

    def announce(self, one: ScheduledTask) -> None:
        """Has it said; nothing waits for that."""
        self.aloud.pop(one.id, None)
        if self._running():
            self.aloud[one.id] = False
            return
        words = shown_text(one.words, MOST_WORDS)
        text = str(phrase("schedule.spoken", words=words))
        source = f"def task_program():\n    say({text!r})\n"
        name = uuid.uuid4().hex
        task = TaskView(
            id=name, text=text, created=time.time(), source=source, sha256=sha256_of(source)
        )
        late = asyncio.get_running_loop().call_later(SAID_WITHIN, self._end, name, False)
        self._said[name] = one.id, task, late
        self._opinion.ask(task)

    def withdraw(self, one: str) -> None:
        """It does not start, or not yet: what is said of it ends."""
        for name in [name for name, said in self._said.items() if said[0] == one]:
            self._end(name, False)

    def watch(self, task: TaskView) -> None:
        """A task has changed: one that runs is not spoken over."""
        if task.phase in IN_RUN:
            for name in list(self._said):
                self._end(name, False)

    def hear(self, heard: Heard) -> None:
        """Takes what concerns it."""
        if isinstance(heard, ProgramJudged):
            self._opinion.hear(heard)
        elif isinstance(heard, AnnouncementEnded):
            self._end(heard.name, not heard.fault)

    def _judged(self, name: str, verdict: dict[str, Any] | None, code: int, message: str) -> None:
        if name not in self._said:
            return
        task = judged(self._said[name][1], verdict, code, message)
        if task.phase is Phase.READY:
            self._link.announce(name, task.text)
        else:
            self._end(name, False)

    def _end(self, name: str, aloud: bool) -> None:
        if name not in self._said:
            return
        one, _, late = self._said.pop(name)
        late.cancel()
        if not self._opinion.withdraw(name) and not aloud:
            self._link.hush(name)
        self.aloud[one] = aloud
        self._changed()
