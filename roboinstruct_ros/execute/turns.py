"""One task at a time; a few may wait for their turn."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

_POLL = 0.02  # s between two looks at whether whoever waits must not go on


class NoTurn(Exception):
    """The order cannot be carried out now; `str()` says why in one line."""


class GivenUp(Exception):
    """Whoever waited must not have the robot any more."""


class Turns:
    """Hands the robot to one task after the other, in the order in which they came.

    Args:
        most_waiting: tasks that may wait.
    """

    def __init__(self, most_waiting: int = 4) -> None:
        self._most = most_waiting
        self._condition = threading.Condition()
        self._waiting: deque[Place] = deque()
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
        """Wait until no task has the robot, at most `timeout` s; whether it is so."""
        with self._condition:
            return self._condition.wait_for(lambda: not self._taken, timeout)

    @contextmanager
    def place(self, queue: bool, first: bool) -> Iterator[Place]:
        """A place among those who want the robot, for the time of the block.

        Args:
            queue: wait for it.
            first: wait for it before all others.

        Raises:
            NoTurn: another task has it, or too many wait.
        """
        place = Place(self)
        with self._condition:
            self._admit(place, queue or first, first)
        try:
            yield place
        finally:
            with self._condition:
                self._leave(place)

    def _admit(self, place: Place, may_wait: bool, first: bool) -> None:
        free = not self._taken and not self._waiting
        if not free and not may_wait:
            raise NoTurn("another task is running; stop it or wait for its end")
        if not free and len(self._waiting) >= self._most:
            raise NoTurn(f"{self._most} tasks wait already; ask again when one has ended")
        (self._waiting.appendleft if first else self._waiting.append)(place)

    def _leave(self, place: Place) -> None:
        if place in self._waiting:
            self._waiting.remove(place)
        else:
            self._taken = False
        self._condition.notify_all()

    def _take(self, place: Place, given_up: threading.Event) -> None:
        with self._condition:
            while self._taken or self._waiting[0] is not place:
                if given_up.is_set():
                    break
                self._condition.wait(_POLL)
            if given_up.is_set():  # also when the robot is free by now
                raise GivenUp
            self._waiting.popleft()
            self._taken = True


class Place:
    """Where a task stands among those that want the robot."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def take(self, given_up: threading.Event) -> None:
        """Have the robot until the end of the block that the place is from.

        Args:
            given_up: set when it must not have it any more.

        Raises:
            GivenUp: that came first.
        """
        self._turns._take(self, given_up)
