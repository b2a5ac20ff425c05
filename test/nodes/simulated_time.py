"""Threads as greenlets in simulated time: what runs when is drawn from a seed, and can be repeated.

Code under test is the real one. Where it waits for an event, a condition or a clock, it waits here.
"""

from __future__ import annotations

import heapq
import random
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from greenlet import getcurrent, greenlet

_WAIT, _SET = threading.Event.wait, threading.Event.set


class SimulatedTime:
    """Runs greenlets one at a time, each until it waits.

    Attributes:
        now: s.
        random: draws everything that is drawn.
    """

    def __init__(self, seed: int) -> None:
        self.now = 0.0
        self.random = random.Random(seed)
        self.faults: list[BaseException] = []
        self._due: list[tuple[float, float, int, Callable[[], None]]] = []
        self._count = 0
        self._hub: greenlet = getcurrent()
        self._waiting: dict[int, list[greenlet]] = {}

    def later(self, delay: float, work: Callable[[], Any]) -> None:
        """Have it done after `delay` s; what is due at one moment is done in an order drawn."""
        self._count += 1
        entry = (self.now + delay, self.random.random(), self._count, work)
        heapq.heappush(self._due, entry)

    def start(self, work: Callable[[], Any]) -> None:
        """Have it done like a thread: it may wait."""

        def guarded() -> None:
            try:
                work()
            except BaseException as error:
                self.faults.append(error)

        self.later(0.0, greenlet(guarded, self._hub).switch)

    def run(self, until: float) -> None:
        """Let time pass. Raises what a thread has raised."""
        while self._due and self._due[0][0] <= until and not self.faults:
            self.now, _, _, work = heapq.heappop(self._due)
            work()
        self.now = max(self.now, until)
        if self.faults:
            raise self.faults[0]

    def sleep(self, seconds: float) -> None:
        self._wait(object(), seconds)

    def wait(self, event: threading.Event, timeout: float | None = None) -> bool:
        """Stands for `threading.Event.wait`."""
        if getcurrent() is self._hub:
            return _WAIT(event, timeout)
        if not event.is_set():
            self._wait(event, timeout)
        return event.is_set()

    def set(self, event: threading.Event) -> None:
        """Stands for `threading.Event.set`."""
        _SET(event)
        self.wake(event)

    def wake(self, what: object) -> None:
        """Those who wait for it go on."""
        for one in self._waiting.pop(id(what), []):
            self.later(0.0, one.switch)

    def _wait(self, what: object, timeout: float | None) -> None:
        me, over = getcurrent(), [False]
        waiting = self._waiting.setdefault(id(what), [])

        def go_on() -> None:
            if not over[0]:
                over[0] = True
                me.switch()

        ticket = SimpleNamespace(switch=go_on)
        waiting.append(ticket)  # type: ignore[arg-type]
        if timeout is not None:
            self.later(timeout, go_on)
        self._hub.switch()
        if ticket in waiting:
            waiting.remove(ticket)  # type: ignore[arg-type]

    @property
    def clock(self) -> Any:
        """Stands for the module `time`."""
        return SimpleNamespace(monotonic=lambda: self.now, time=lambda: self.now, sleep=self.sleep)

    def condition(self) -> SimulatedCondition:
        """Stands for `threading.Condition`."""
        return SimulatedCondition(self)


class SimulatedCondition:
    """One greenlet runs at a time, so there is nothing to lock."""

    def __init__(self, time: SimulatedTime) -> None:
        self._time = time

    def __enter__(self) -> SimulatedCondition:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def wait(self, timeout: float | None = None) -> None:
        self._time._wait(self, timeout)

    def wait_for(self, true: Callable[[], bool], timeout: float | None = None) -> bool:
        limit = None if timeout is None else self._time.now + timeout
        while not true():
            if limit is not None and self._time.now >= limit:
                return False
            self.wait(None if limit is None else limit - self._time.now)
        return True

    def notify_all(self) -> None:
        self._time.wake(self)
