"""A pause of the running task."""

from __future__ import annotations

import threading
import time

from roboinstruct_ros.domain.stop_number import Admission

_POLL = 0.02  # polling period for a pause or a stop, s


class Pause:
    """A pause request from any thread: the run holds at its next call, or at once in a drive."""

    def __init__(self) -> None:
        self._held = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self._since, self._before = 0.0, 0.0

    @property
    def is_set(self) -> bool:
        return self._held.is_set()

    def hold(self) -> None:
        if not self.is_set:
            self._since = time.monotonic()
        self._going.clear()
        self._held.set()

    def go_on(self) -> None:
        self._before = self._before + self._held_now()
        self._held.clear()
        self._going.set()

    def clock(self) -> float:
        """Monotonic clock (s) that stands still while the run is held."""
        return time.monotonic() - self._before - self._held_now()

    def _held_now(self) -> float:
        return time.monotonic() - self._since if self.is_set else 0.0

    def wait(self, cancel: threading.Event) -> None:
        """Return when the pause is over or `cancel` is set."""
        while not self._going.wait(_POLL) and not cancel.is_set():
            continue

    def or_cancelled(self, cancel: Admission) -> Admission:
        """An admission that reads as set when the pause or `cancel` is."""
        return _Either(cancel, self._held)


class _Either(Admission):
    """Set when either of two events is; never set itself."""

    def __init__(self, one: Admission, other: threading.Event) -> None:
        super().__init__(one.number)
        self._one, self._other = one, other

    def is_set(self) -> bool:
        return self._one.is_set() or self._other.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        left = timeout
        while not self.is_set():
            if left is not None and left <= 0:
                return False
            step = _POLL if left is None else min(_POLL, left)
            self._one.wait(step)
            left = None if left is None else left - step
        return True
