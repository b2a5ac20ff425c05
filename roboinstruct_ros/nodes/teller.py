"""Publishes what a run tells, in order, on a thread of its own: the run does not wait for it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

_GATHER = 0.01  # s: what comes together is told together, so that the run is disturbed once


class Teller:
    """Calls functions one after another, each once, in the order in which they came.

    Args:
        fault: takes a line about a function that has raised; the next ones are called all the same.
    """

    def __init__(self, fault: Callable[[str], object]) -> None:
        self._fault = fault
        self._waiting: deque[Callable[[], object]] = deque()
        self._some = threading.Event()
        self._hurry = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="teller", daemon=True)
        self._thread.start()

    def tell(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call it within some 10 ms; returns at once, from any thread."""
        self._waiting.append(lambda: function(*arguments))
        self._some.set()

    def told(self, limit: float) -> bool:
        """Tell everything so far now, at most for `limit` s; gives whether all has been told."""
        done = threading.Event()
        self.tell(done.set)
        self._hurry.set()
        return done.wait(limit)

    def close(self) -> None:
        """Tell the rest, then end."""
        self._closed = True
        self._hurry.set()
        self._some.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        while not (self._closed and not self._waiting):
            self._some.wait()
            self._hurry.wait(_GATHER)
            self._some.clear()
            self._hurry.clear()
            while self._waiting:
                self._tell_next()

    def _tell_next(self) -> None:
        try:
            self._waiting.popleft()()
        except Exception as error:
            self._fault(f"something could not be told: {error}")
