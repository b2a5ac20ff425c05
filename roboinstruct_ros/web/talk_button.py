"""The talk button: while it is held, the robot's dictation writes down what is said."""

from __future__ import annotations

import asyncio
import time

from roboinstruct_ros.web.event_hub import EventHub
from roboinstruct_ros.web.robot_link import Dictated, DictationSeen, RobotLink
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

LONGEST = 60.0
"""s after which a button counts as let go: the page that held it may be gone."""
PATIENCE = 60.0
"""s after it was let go in which what was said may come; later words are somebody else's."""


class TalkButton:
    """Lives on one event loop; the words go to the pages, where a person reads and sends them.

    Attributes:
        offered: whether something on the robot writes down what is said.
    """

    def __init__(self, link: RobotLink, hub: EventHub) -> None:
        self.offered = False
        self._link, self._hub = link, hub
        self._limit: asyncio.TimerHandle | None = None
        self._awaited_until = 0.0

    def press(self, down: bool) -> None:
        """The button goes down, or up.

        Raises:
            WebError: NODE_MISSING, nothing writes down what is said.
        """
        if down and not self.offered:
            message = "no node writes down what is said now; type it instead"
            raise WebError(WebErrorCode.NODE_MISSING, message)
        if self._limit:
            self._limit.cancel()
        loop = asyncio.get_running_loop()
        self._limit = loop.call_later(LONGEST, self._let_go) if down else None
        self._awaited_until = time.monotonic() + PATIENCE + (LONGEST if down else 0.0)
        self._link.talk(down)

    def _let_go(self) -> None:
        self._limit = None
        self._link.talk(False)

    def hear(self, heard: DictationSeen | Dictated) -> None:
        """Takes it, and tells pages."""
        if isinstance(heard, DictationSeen):
            self.offered = heard.offered
            self._hub.send("dictation", offered=heard.offered)
        elif time.monotonic() < self._awaited_until:
            self._hub.send("dictated", text=heard.text)
