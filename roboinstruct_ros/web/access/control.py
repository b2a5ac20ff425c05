"""Which device has control of the robot: one at a time, so that two people do not take it apart.

Who acts first has it. Another can ask for it; it goes over when the holder gives it, does not
answer in time, or has no page open. Stop is not asked for: it is everybody's.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from roboinstruct_ros.web.access.roles import Caller
from roboinstruct_ros.web.event_hub import EventHub
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

ANSWER_LIMIT = 30.0
"""Time in which the holder can keep control after another has asked for it, s."""
AWAY_LIMIT = 30.0
"""Time after which a holder without an open page has it no more, s."""


class Control:
    """Lives on one event loop."""

    def __init__(self, hub: EventHub) -> None:
        self._hub, self._answer_limit, self._away_limit = hub, ANSWER_LIMIT, AWAY_LIMIT
        self._holder: Caller | None = None
        self._asking: Caller | None = None
        self._pages: Counter[str] = Counter()
        self._due: asyncio.TimerHandle | None = None

    def act(self, caller: Caller) -> None:
        """The caller is about to change something.

        Raises:
            WebError: NOT_IN_CONTROL, another device has control.
        """
        if self._holder is None:
            self._pass_to(caller)
        elif self._holder.id != caller.id:
            message = f"{self._holder.name} has control; ask for it, or press Stop"
            raise WebError(WebErrorCode.NOT_IN_CONTROL, message)
        elif not self._pages[caller.id]:
            self._await_return()

    def ask(self, caller: Caller) -> None:
        """Asks for control; it comes at once when nobody has it."""
        if self._holder is None or self._holder.id == caller.id:
            self._pass_to(caller)
        elif self._asking is None or self._asking.id == caller.id:
            self._asking = caller
            self._call_later(self._answer_limit, lambda: self._pass_to(caller))
            self._tell()
        else:
            message = f"{self._asking.name} has asked for control already; wait for the answer"
            raise WebError(WebErrorCode.NOT_IN_CONTROL, message)

    def answer(self, caller: Caller, give: bool) -> None:
        """The holder gives control to who has asked for it, or up; or keeps it.

        Raises:
            WebError: NOT_IN_CONTROL, another device has control.
        """
        if self._holder is None or self._holder.id != caller.id:
            raise WebError(WebErrorCode.NOT_IN_CONTROL, "this device does not have control")
        self._pass_to(self._asking if give else self._holder)

    @contextmanager
    def page_of(self, caller: Caller) -> Iterator[None]:
        """While a page of the caller is open."""
        self._pages[caller.id] += 1
        if self._holder is not None and self._holder.id == caller.id and self._asking is None:
            self._call_later(None)
        try:
            yield
        finally:
            self._pages[caller.id] -= 1
            if not self._pages[caller.id]:
                del self._pages[caller.id]
                if self._holder is not None and self._holder.id == caller.id:
                    self._await_return()

    def withdraw(self, device_id: str) -> None:
        """A device is let in no more."""
        if self._asking is not None and self._asking.id == device_id:
            self._pass_to(self._holder)
        if self._holder is not None and self._holder.id == device_id:
            self._pass_to(self._asking)

    def as_json(self) -> dict[str, Any]:
        """As pages get it; null where there is nobody."""
        return {
            "holder": self._holder.as_json() if self._holder else None,
            "asking": self._asking.as_json() if self._asking else None,
        }

    def _await_return(self) -> None:
        if self._asking is None:
            self._call_later(self._away_limit, lambda: self._pass_to(None))

    def _pass_to(self, caller: Caller | None) -> None:
        before = self.as_json()
        self._holder, self._asking = caller, None
        self._call_later(None)
        if caller is not None and not self._pages[caller.id]:
            self._await_return()
        if self.as_json() != before:
            self._tell()

    def _call_later(self, delay: float | None, then: Any = None) -> None:
        if self._due is not None:
            self._due.cancel()
        loop = asyncio.get_running_loop()
        self._due = loop.call_later(delay, then) if delay is not None else None

    def _tell(self) -> None:
        self._hub.send("control", control=self.as_json())
