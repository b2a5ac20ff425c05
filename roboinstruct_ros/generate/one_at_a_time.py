"""Who has the model: one request at a time, and one in the background gives way to any other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

GIVE_WAY_LIMIT = 10.0
"""Time that a request in the background gets to end for another, s; 0.1 s is what it takes."""


class OneAtATime:
    """Safe to call from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._held = self._in_background = self._awaited = False

    @property
    def awaited(self) -> bool:
        """Whether a request waits for the one in the background to end."""
        return self._awaited

    @contextmanager
    def kept_free(self, limit: float) -> Iterator[bool]:
        """Lets nobody enter; gives False where the request that holds it outlasts `limit` s."""
        with self._changed:
            free = self._changed.wait_for(lambda: not self._held, limit)
            self._held = self._held or free
        try:
            yield free
        finally:
            if free:
                self._leave()

    @contextmanager
    def entered(self, background: bool = False) -> Iterator[bool]:
        """Holds the model; gives False at once where another request has it."""
        entered = self._enter(background)
        try:
            yield entered
        finally:
            if entered:
                self._leave()

    def _enter(self, background: bool) -> bool:
        with self._changed:
            if self._held and not background and self._in_background and not self._awaited:
                self._awaited = True
                self._changed.wait_for(lambda: not self._held, GIVE_WAY_LIMIT)
                self._awaited = False
            elif self._awaited:
                return False
            if self._held:
                return False
            self._held, self._in_background = True, background
            return True

    def _leave(self) -> None:
        with self._changed:
            self._held = False
            self._changed.notify_all()
