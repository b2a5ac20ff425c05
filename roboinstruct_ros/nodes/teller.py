"""Publishes what a run tells, in order, on a thread of its own: the run does not wait for it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any


class Teller:
    """Calls functions one after another, each once, in the order in which they came.

    Args:
        fault: takes a line about a function that has raised; the next ones are called all the same.
    """

    def __init__(self, fault: Callable[[str], object]) -> None:
        self._fault = fault
        self._queue: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="teller", daemon=True)
        self._thread.start()

    def tell(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call it soon; returns at once, from any thread."""
        self._queue.put(lambda: function(*arguments))

    def told(self, limit: float) -> bool:
        """Wait until everything so far has been told, at most `limit` s; gives whether it has."""
        done = threading.Event()
        self._queue.put(done.set)
        return done.wait(limit)

    def close(self) -> None:
        """Tell the rest, then end."""
        self._queue.put(None)
        self._thread.join(1.0)

    def _run(self) -> None:
        while (function := self._queue.get()) is not None:
            try:
                function()
            except Exception as error:
                self._fault(f"something could not be told: {error}")
