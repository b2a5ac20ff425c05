"""What other threads say to the session, in order, on the loop that it lives on."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable

from roboinstruct_ros.web.robot_link import Heard

AT_ONCE = 100
"""Messages that are taken in before the loop serves others again."""

_log = logging.getLogger(__name__)

FRESH = 1.0
"""Age of what is fresh, s."""


class Inbox:
    """Wakes the loop once for many messages; `put`, `call` and `lag` are for any thread."""

    def __init__(self, take: Callable[[Heard], None]) -> None:
        self._take = take
        self._heard: deque[Heard] = deque()
        self._woken = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Begins to take; called on the loop."""
        self._loop = asyncio.get_running_loop()

    def put(self, heard: Heard) -> None:
        """Has a message taken in."""
        self._heard.append(heard)
        if not self._woken:
            self._wake()

    def call(self, what: Callable[[], None]) -> None:
        """Has something done on the loop, before what is put later."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(what)
        except RuntimeError:
            _log.debug("the loop has closed; too late: %s", what)

    def lag(self) -> float:
        """s that messages have waited for the loop by now; 0 when none waits."""
        return time.monotonic() - self._woken if self._woken else 0.0

    def _wake(self) -> None:
        self._woken = time.monotonic()
        self.call(self._drain)

    def _drain(self) -> None:
        self._woken = 0.0
        for _ in range(AT_ONCE):
            if not self._heard:
                return
            heard = self._heard.popleft()
            try:
                self._take(heard)
            except Exception:  # of one message; the next ones are heard
                _log.exception("a %s could not be taken in", type(heard).__name__)
        self._wake()
