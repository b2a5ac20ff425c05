"""Gives the robot to one task at a time; a few may queue."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.approval import Refused

_POLL = 0.02  # polling period for a cancelled wait, s


class GivenUp(Exception):
    """The waiting task must not have the robot any more."""


class Turns:
    """Gives the robot to one task after another, first come, first served."""

    def __init__(self, most_waiting: int = 4) -> None:
        self._most = most_waiting
        self._condition = threading.Condition()
        self._waiting: deque[object] = deque()
        self.taken = False

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def wait_free(self, timeout: float) -> bool:
        with self._condition:
            return self._condition.wait_for(lambda: not self.taken, timeout)

    @contextmanager
    def place(self, queue: bool, first: bool) -> Iterator[Callable[[threading.Event], None]]:
        """A place in the queue for the duration of the block.

        Args:
            queue: wait for the robot.
            first: wait at the head of the queue.

        Returns:
            Takes the robot until the end of the block; raises GivenUp if its argument is set first.

        Raises:
            Refused: BUSY; another task has the robot, or the queue is full.
        """
        place = object()
        with self._condition:
            if self.taken or self._waiting:
                self._check_may_wait(queue or first)
            (self._waiting.appendleft if first else self._waiting.append)(place)
        try:
            yield partial(self._take, place)
        finally:
            with self._condition:
                if place in self._waiting:
                    self._waiting.remove(place)
                else:
                    self.taken = False
                self._condition.notify_all()

    def _check_may_wait(self, asked: bool) -> None:
        if not asked:
            message = "another task is running; stop it or wait for its end"
            raise Refused(TaskErrorCode.BUSY, message)
        if len(self._waiting) >= self._most:
            message = f"{self._most} tasks wait already; ask again when one has ended"
            raise Refused(TaskErrorCode.BUSY, message)

    def _take(self, place: object, given_up: threading.Event) -> None:
        with self._condition:
            while (self.taken or self._waiting[0] is not place) and not given_up.is_set():
                self._condition.wait(_POLL)
            if given_up.is_set():  # even if the robot is free by now
                raise GivenUp
            self._waiting.popleft()
            self.taken = True
