"""The number of the last stop: whatever was admitted under an older one moves nothing.

Every process of the stack keeps one. Stop requests carry the number of their stop, heartbeats the
last one that their sender knows of, so that a request which is lost is made up for by whoever
heard it. Goals carry the number under which they were admitted.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

LARGEST = 2**63
"""A number above it is nobody's: it would leave no room for the next stop."""

_REMEMBERED = 64  # stops by number; one that is heard twice counts once


class StopNumber:
    """Grows with every stop that is heard of, by whatever way. Thread-safe; nothing here waits.

    Args:
        clock: ns since the Unix epoch. Numbers are taken from it, so that two who stop at once give
            different ones and a process that starts anew is ahead of all before; only their order
            counts, and a clock that is wrong does no harm.
    """

    def __init__(self, clock: Callable[[], int] = time.time_ns) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._current = 0
        self._heard: deque[int] = deque(maxlen=_REMEMBERED)

    @property
    def current(self) -> int:
        """The last stop known here; 0 before the first."""
        return self._current

    def advance(self) -> int:
        """A stop begins here and now; gives its number."""
        with self._lock:
            self._grow(max(self._current + 1, min(self._clock(), LARGEST)))
            return self._current

    def hear(self, number: int) -> bool:
        """A stop request came. Gives whether it is a stop that was not known yet.

        A sender that knows of no stop, or not of the last one, still stops everything that was
        admitted before its request came.
        """
        with self._lock:
            if number in self._heard:
                return False
            ahead = self._current < number <= LARGEST
            self._grow(number if ahead else self._current + 1)
            if not ahead and 0 < number <= LARGEST:
                self._heard.append(number)
            return True

    def learn(self, number: int) -> bool:
        """A heartbeat or a goal tells of a stop. Gives whether it is one that was missed here."""
        with self._lock:
            if not self._current < number <= LARGEST:
                return False
            self._grow(number)
            return True

    def admits(self, number: int) -> bool:
        """Whether what was admitted under `number` may still move; 0 is admitted as it comes."""
        return number == 0 or number >= self._current

    def _grow(self, number: int) -> None:
        self._current = number
        self._heard.append(number)
