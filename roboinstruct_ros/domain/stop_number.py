"""The number of the last stop: whatever was admitted under an older one moves nothing.

Every process of the stack keeps one. Stop requests carry the number of their stop, heartbeats the
last one that their sender knows of, so that a request which is lost is made up for by whoever
heard it. Goals carry the number under which they were admitted.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable

NO_STOP = 1
"""Before the first stop; 0 is left to those who do not tell what they know."""
LARGEST = 2**63
"""A number above it is nobody's: it would leave no room for the next stop."""

_REMEMBERED = 64  # stops by number; one that is heard twice counts once


class Admission(threading.Event):
    """What was let in under a stop number; set, for ever, when it must not move any more.

    A newer stop sets it, in the thread that hears of the stop. Whoever carries it out may set it
    for reasons of its own.

    Attributes:
        number: of the last stop that was known as it was let in.
    """

    def __init__(self, number: int = 0) -> None:
        super().__init__()
        self.number = number


class StopNumber:
    """Grows with every stop that is heard of, by whatever way. Thread-safe; nothing here waits.

    Args:
        clock: ns since the Unix epoch. Numbers are taken from it, so that two who stop at once take
            different ones and a process that starts anew is ahead of all before; only their order
            counts, and a clock that is wrong does no harm.
    """

    def __init__(self, clock: Callable[[], int] = time.time_ns) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._current = NO_STOP
        self._known: deque[int] = deque(maxlen=_REMEMBERED)
        self._admitted: weakref.WeakSet[Admission] = weakref.WeakSet()

    @property
    def current(self) -> int:
        """The last stop known here."""
        return self._current

    def admit(self, number: int = 0) -> Admission:
        """Let something in under `number`; 0 is the last stop known here.

        It is set already where a newer stop is known.
        """
        with self._lock:
            admission = Admission(number or self._current)
            if admission.number < self._current:
                admission.set()
            else:
                self._admitted.add(admission)
            return admission

    def advance(self) -> int:
        """A stop begins here and now; the number that it takes."""
        with self._lock:
            self._grow(self._next())
            return self._current

    def hear(self, number: int) -> bool:
        """A stop request came. Whether it is a stop that was not known yet.

        A sender that knows of no stop (0), or not of the last one, still stops everything that was
        let in before its request came: it takes a number here. Others who hear it take other
        numbers, and all settle on the highest, as if it had been pressed twice.
        """
        with self._lock:
            if number in self._known:
                return False
            ahead = self._current < number <= LARGEST
            if not ahead and 0 < number <= LARGEST:
                self._known.append(number)
            self._grow(number if ahead else self._next())
            return True

    def learn(self, number: int) -> bool:
        """A heartbeat or a goal tells of a stop. Whether it is one that was missed here."""
        with self._lock:
            if not self._current < number <= LARGEST:
                return False
            self._grow(number)
            return True

    def _next(self) -> int:
        return max(self._current + 1, min(self._clock(), LARGEST))

    def _grow(self, number: int) -> None:
        self._current = number
        self._known.append(number)
        for admission in list(self._admitted):
            if admission.number < number:
                admission.set()
                self._admitted.discard(admission)
