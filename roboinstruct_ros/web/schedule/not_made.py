"""Starts that were due and were not made, for whoever looks later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from roboinstruct_ros.library.attempts import Attempt, AttemptOutcome
from roboinstruct_ros.library.schedule_table import ScheduledTask
from roboinstruct_ros.web.kept.tasks import KeptTasks
from roboinstruct_ros.web.web_error import WebError

TOLD_FOR = 86400.0
"""Time for which pages are told of one, s."""


class NotMade:
    """Lives on one event loop.

    Args:
        clock: s since the Unix epoch.
        tell: called when there is another one.
        warn: takes why one cannot be kept, in one line.
    """

    def __init__(
        self,
        kept: KeptTasks,
        clock: Callable[[], float],
        tell: Callable[[], None],
        warn: Callable[[str], None],
    ) -> None:
        self._kept, self._clock, self._tell, self._warn = kept, clock, tell, warn
        self._all: tuple[tuple[float, Attempt], ...] = ()  # with when it was noted

    @property
    def recent(self) -> list[Attempt]:
        """Those that pages are told of, the last one first."""
        now = self._clock()
        return [attempt for noted, attempt in self._all if now - noted < TOLD_FOR]

    def take(self, kept: Iterable[Attempt]) -> None:
        """What the disk has, the last one first."""
        noted = {attempt: when for when, attempt in self._all}
        self._all = tuple((noted.get(one, one.created), one) for one in kept)

    async def note(self, one: ScheduledTask, why: str) -> None:
        """Keeps and tells one."""
        attempt = not_run(one, why)
        try:
            await asyncio.to_thread(self._kept.note, attempt)
        except WebError as error:
            self._warn(error.message)
        finally:
            self.tell(attempt)

    def tell(self, attempt: Attempt) -> None:
        """Tells one, kept or not: the disk may be full."""
        self._all = ((self._clock(), attempt), *self._all)
        self._tell()


def not_run(one: ScheduledTask, why: str) -> Attempt:
    """A start that was due and is not made."""
    return Attempt(one.due, one.words, one.approved_by, AttemptOutcome.NOT_RUN, why)
