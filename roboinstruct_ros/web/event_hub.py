"""Sends what happens to every open page; a page that does not keep up is let go."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

QUEUE_SIZE = 1000
"""Messages that may wait for one page. A page that falls so far behind is closed and comes back
with a fresh snapshot, which is cheaper for both than the backlog."""


MAX_BACKLOG = 4 * 1024 * 1024
"""Characters that may wait for one page."""


class Subscription:
    """The messages for one page, as JSON text, in order."""

    def __init__(self, size: int) -> None:
        self.queue: asyncio.Queue[str] = asyncio.Queue(size)
        self._backlog = 0
        self.too_slow = asyncio.Event()

    def offer(self, text: str, may_skip: bool) -> None:
        """Queues a message, unless the page is slow and the message one of many alike."""
        if may_skip and self.queue.qsize() > self.queue.maxsize // 10:
            return
        if self.queue.full() or self._backlog > MAX_BACKLOG:
            self.too_slow.set()
        else:
            self.queue.put_nowait(text)
            self._backlog += len(text)

    async def next(self) -> str:
        """The next message, when there is one."""
        text = await self.queue.get()
        self._backlog -= len(text)
        return text


class EventHub:
    """Numbers messages and hands them to every subscription; lives on one event loop."""

    def __init__(self, queue_size: int = QUEUE_SIZE) -> None:
        self._size = queue_size
        self._subscriptions: set[Subscription] = set()
        self.seq = 0

    @property
    def listeners(self) -> int:
        """Open pages."""
        return len(self._subscriptions)

    def send(self, type_: str, /, **fields: Any) -> None:
        """Sends a numbered message; none of them may be missed."""
        self.seq += 1
        self._offer({"type": type_, "seq": self.seq, **fields}, may_skip=False)

    def show(self, type_: str, /, **fields: Any) -> None:
        """Sends an unnumbered message that the next of its kind replaces."""
        self._offer({"type": type_, **fields}, may_skip=True)

    @contextmanager
    def subscribed(self) -> Iterator[Subscription]:
        """A subscription to all messages from now on, for as long as the block runs."""
        subscription = Subscription(self._size)
        self._subscriptions.add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions.discard(subscription)

    def _offer(self, message: dict[str, Any], may_skip: bool) -> None:
        if not self._subscriptions:
            return
        text = json.dumps(message)
        for subscription in self._subscriptions:
            subscription.offer(text, may_skip)
