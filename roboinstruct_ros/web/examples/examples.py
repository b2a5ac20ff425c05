"""Tries the examples of the map of now by itself, and offers those that hold with no doubt.

The model writes a program for each, the executor judges it, nothing runs. It is done one at a time
and in the background: whatever a person does comes first.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections import Counter
from typing import Any

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.instruction import IN_BACKGROUND
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.names import GENERATOR_NODE
from roboinstruct_ros.web.background_work import BackgroundWork
from roboinstruct_ros.web.before_approval import DoubtKind
from roboinstruct_ros.web.examples.candidates import Candidates, Offered
from roboinstruct_ros.web.examples.proven_file import ProvenFile, place_of
from roboinstruct_ros.web.robot_link import DiagnosisSeen, Heard, JobEnded, ProgramJudged, RobotLink
from roboinstruct_ros.web.second_opinion import SecondOpinion
from roboinstruct_ros.web.session import Session
from roboinstruct_ros.web.task_events import ended, judged
from roboinstruct_ros.web.task_view import Phase, TaskView
from roboinstruct_ros.web.web_error import WebError

PERIOD = 1.0
"""Time between two looks at the map and at who is there, s."""
PAUSE = 5.0
"""After a try that ended for another reason than the sentence, s."""
MOST_TRIES = 3
"""Of those in a row; the sentence is not offered before the next start then."""

_log = logging.getLogger(__name__)


class Examples:
    """Lives on one event loop.

    Args:
        session: whose tasks come first.
        kept: what earlier starts have proven. What does not hold is tried again by each start.

    Attributes:
        shown: sentences that hold, in the order of the map.
    """

    def __init__(
        self, session: Session, link: RobotLink, candidates: Candidates, kept: ProvenFile
    ) -> None:
        self._session, self._link, self._candidates, self._kept = session, link, candidates, kept
        self._opinion = SecondOpinion(link, self._judged)
        self._offered, self._place = Offered((), ""), ""
        self._model, self._loaded = "", False
        self._found: dict[str, str] = {}  # why not, by sentence; empty where it holds
        self._failed: Counter[str] = Counter()
        self._tried: TaskView | None = None
        self._tried_at = ""
        self._not_before = 0.0
        self._fault = ""
        self._work = BackgroundWork()
        self.shown: tuple[str, ...] = ()

    async def run(self) -> None:
        """Looks whether there is something to try, until it is cancelled."""
        while True:
            try:
                await self.look()
            except Exception:
                _log.exception("the examples could not be tried")
            await asyncio.sleep(PERIOD)

    async def look(self) -> None:
        """Takes the map and the policies as they are now, and goes on."""
        try:
            await self._take(await asyncio.to_thread(self._candidates.read))
        except ConfigError as error:
            self._say(f"no example is tried: {error}")
            return
        self._go_on()

    # What happens

    def watch(self, task: TaskView) -> None:
        """A task has changed: while it is written or carried out, nothing is tried."""
        if task.busy:
            self._give_way()

    def hear(self, heard: Heard) -> None:
        """Takes what concerns it."""
        if isinstance(heard, DiagnosisSeen):
            if heard.part == "model":
                self._model = heard.values.get("model", "")
                self._loaded = heard.values.get("state") == "loaded"
        elif isinstance(heard, ProgramJudged):
            self._opinion.hear(heard)
        elif isinstance(heard, JobEnded) and self._tried and heard.task_id == self._tried.id:
            self._written(ended(self._tried, heard))

    def _written(self, now: TaskView) -> None:
        if now.phase is Phase.READY:
            self._tried = now.changed(phase=Phase.WRITING, verdict=None)
            self._opinion.ask(self._tried)
        else:
            self._end(now)

    def _judged(
        self, task_id: str, verdict: dict[str, Any] | None, code: int, message: str
    ) -> None:
        if self._tried is not None and self._tried.id == task_id:
            self._end(judged(self._tried, verdict, code, message))

    # One after the other

    async def _take(self, offered: Offered) -> None:
        place = place_of(offered.rules_sha256, self._model) if self._model else ""
        if place != self._place or (self._tried and self._tried.text not in offered.sentences):
            self._give_way()
        if place != self._place:
            proven = await asyncio.to_thread(self._kept.of, place) if place else []
            self._found = dict.fromkeys(proven, "")
            self._failed.clear()
        self._offered, self._place = offered, place
        self._show()

    def _go_on(self) -> None:
        early = time.monotonic() < self._not_before
        if early or self._tried or not self._place or not self._free():
            return
        left = (one for one in self._offered.sentences if one not in self._found)
        words = next((one for one in left if self._failed[one] < MOST_TRIES), "")
        if not words:
            return
        task = TaskView(id=uuid.uuid4().hex, text=words, created=time.time(), author=IN_BACKGROUND)
        self._tried, self._tried_at = task, self._place
        try:
            self._link.generate(task.id, words, IN_BACKGROUND)
        except WebError:
            self._tried = None

    def _free(self) -> bool:
        """Whether nobody needs the model, and a program would begin where the robot starts."""
        robot = self._session.robot
        there = robot.nodes.get(GENERATOR_NODE) == "up" and not robot.missing() and not robot.held
        return self._loaded and there and not any(task.busy for task in self._session.board.all)

    def _give_way(self) -> None:
        if self._tried is None:
            return
        if self._opinion.withdraw(self._tried.id):
            self._tried = None
        else:
            self._link.cancel(self._tried.id)  # its end is heard

    def _end(self, now: TaskView) -> None:
        self._tried = None
        if now.phase is Phase.CANCELLED or self._tried_at != self._place:
            return
        why = why_not(now)
        if now.phase is Phase.FAILED:
            busy = now.error is not None and now.error.error_code == TaskErrorCode.BUSY
            self._failed[now.text] += not busy
            self._not_before = time.monotonic() + PAUSE
            if self._failed[now.text] >= MOST_TRIES:
                self._say(f"the example '{now.text}' is not offered: {why}")
            return
        if why:
            self._say(f"the example '{now.text}' is not offered: {why}")
        self._found[now.text] = why
        self._work.begin(self._note(self._place))

    async def _note(self, place: str) -> None:
        try:
            await self._take(await asyncio.to_thread(self._candidates.read))
        except ConfigError:
            return
        if place == self._place:  # else it was tried while the map changed
            proven = [words for words, why in self._found.items() if not why]
            await asyncio.to_thread(self._kept.note, place, proven)
        self._go_on()

    def _show(self) -> None:
        shown = tuple(one for one in self._offered.sentences if self._found.get(one) == "")
        if shown != self.shown:
            self.shown = shown
            self._session.hub.send("examples", examples=shown)

    def _say(self, line: str) -> None:
        if line != self._fault:
            self._fault = line
            _log.warning("%s", line)


def why_not(task: TaskView) -> str:
    """Why a sentence is not offered whose program was written and judged; empty where it holds."""
    if task.phase is not Phase.READY:
        said = task.answer.words if task.answer else ""
        told = task.error.message if task.error else ""
        return said or told or "no program was accepted for it"
    twice = [doubt.text for doubt in task.doubts if doubt.kind is DoubtKind.LOOK_TWICE]
    if twice:
        return twice[0]
    return f"something is left for later: {task.left}" if task.left else ""
