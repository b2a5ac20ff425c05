"""One task at a time; a few may wait for their turn."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_POLL = 0.05  # s between two looks at whether somebody who waits has given up


class NoTurn(Exception):
    """The order cannot be carried out now; `str()` says why in one line."""


class Turns:
    """Hands the robot to one task after the other, in the order in which they came.

    Args:
        most_waiting: tasks that may wait.
        begin: called as a task gets the robot, before anybody can see that it has.
    """

    def __init__(self, most_waiting: int = 4, begin: Callable[[], None] = lambda: None) -> None:
        self._most = most_waiting
        self._begin = begin
        self._condition = threading.Condition()
        self._waiting: deque[object] = deque()
        self._sent_away: set[object] = set()
        self._taken = False

    @property
    def taken(self) -> bool:
        """Whether a task has the robot."""
        return self._taken

    @property
    def waiting(self) -> int:
        """Tasks that wait."""
        return len(self._waiting)

    def wait_free(self, timeout: float) -> bool:
        """Wait until no task has the robot, at most `timeout` s; gives whether it is so."""
        with self._condition:
            return self._condition.wait_for(lambda: not self._taken, timeout)

    def send_away(self) -> None:
        """End the waiting of everybody who waits now."""
        with self._condition:
            self._sent_away.update(self._waiting)
            self._condition.notify_all()

    @contextmanager
    def take(
        self, queue: bool, first: bool, given_up: Callable[[], bool] = lambda: False
    ) -> Iterator[None]:
        """The robot, for the time of the block.

        Args:
            queue: wait for it.
            first: wait for it before all others.
            given_up: looked at while waiting; True ends it.

        Raises:
            NoTurn: another task has it, too many wait, or whoever waited has given up.
        """
        self._enter(queue or first, first, given_up)
        try:
            yield
        finally:
            with self._condition:
                self._taken = False
                self._condition.notify_all()

    def _enter(self, queue: bool, first: bool, given_up: Callable[[], bool]) -> None:
        ticket = object()
        with self._condition:
            if not self._taken and not self._waiting:
                self._take()
                return
            if not queue:
                raise NoTurn("another task is running; stop it or wait for its end")
            if len(self._waiting) >= self._most:
                raise NoTurn(f"{self._most} tasks wait already; ask again when one has ended")
            (self._waiting.appendleft if first else self._waiting.append)(ticket)
            try:
                while True:
                    if given_up():
                        raise NoTurn("the task was cancelled while it waited for its turn")
                    # also when the robot is free by now: the stopped task may have ended first
                    if ticket in self._sent_away:
                        raise NoTurn("the robot was stopped while the task waited for its turn")
                    if not self._taken and self._waiting[0] is ticket:
                        break
                    self._condition.wait(_POLL)
                self._take()
            finally:
                self._waiting.remove(ticket)
                self._sent_away.discard(ticket)
                self._condition.notify_all()

    def _take(self) -> None:
        self._begin()
        self._taken = True
