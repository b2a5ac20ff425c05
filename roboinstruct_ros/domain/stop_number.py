"""The number of the last stop: nothing that was admitted under an older number may move.

Every process of the stack keeps one. A stop request carries its own number, a heartbeat the last
number that its sender knows, so that a lost request reaches everybody through those who received
it. A goal carries the number under which it was admitted.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable

NO_STOP = 1
"""The number before the first stop; 0 is reserved for senders that do not know a number."""
LARGEST = 2**63
"""Larger numbers are invalid: they would leave no room for the next stop."""

_REMEMBERED = 64  # recent stop numbers; a request that arrives twice counts once


class Admission(threading.Event):
    """Work admitted under a stop number; once set, it must never move again.

    A newer stop sets it, in the thread that receives the stop. The owner may set it for its own
    reasons.

    Attributes:
        number: the last stop known at the time of admission.
    """

    def __init__(self, number: int = 0) -> None:
        super().__init__()
        self.number = number


class StopNumber:
    """Grows with every stop, however the process learns of it. Thread-safe and non-blocking.

    Args:
        clock: ns since the Unix epoch. Numbers are taken from the clock, so that two simultaneous
            stops get different numbers and a restarted process is ahead of all earlier ones. Only
            the order counts; a wrong clock does no harm.
    """

    def __init__(self, clock: Callable[[], int] = time.time_ns) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._current = NO_STOP
        self._known: deque[int] = deque(maxlen=_REMEMBERED)
        self._admitted: weakref.WeakSet[Admission] = weakref.WeakSet()

    @property
    def current(self) -> int:
        """The last stop known to this process."""
        return self._current

    def admit(self, number: int = 0) -> Admission:
        """Admit work under `number`; 0 is the last stop known here.

        The admission is already set if a newer stop is known.
        """
        with self._lock:
            admission = Admission(number or self._current)
            if admission.number < self._current:
                admission.set()
            else:
                self._admitted.add(admission)
            return admission

    def advance(self) -> int:
        """Begin a stop here and return its number."""
        with self._lock:
            self._grow(self._next())
            return self._current

    def hear(self, number: int) -> bool:
        """Handle a stop request. Return whether the stop was unknown here.

        A sender that knows no stop (0), or not the last one, still stops everything admitted before
        its request arrived: the stop gets a new number here. Other receivers choose other numbers,
        and all of them settle on the highest, as if Stop had been pressed twice.
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
        """Learn of a stop from a heartbeat or a goal. Return whether it was unknown here."""
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
