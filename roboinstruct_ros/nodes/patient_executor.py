"""An rclpy executor that completes its callbacks before it ends."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rclpy.context import Context
from rclpy.executors import (
    ConditionReachedException,
    Executor,
    ExternalShutdownException,
    ShutdownException,
    TimeoutException,
)
from rclpy.task import Task


class PatientExecutor(Executor):
    """Runs callbacks in several threads like `MultiThreadedExecutor`, with an orderly shutdown.

    rclpy's `shutdown` does not wait: callbacks then meet a destroyed executor or node and log
    errors, and tasks of goals are not even counted. Here no two threads take the same task, and
    shutdown completes when no thread is at work. Why not `rclpy.experimental.EventsExecutor`: see
    docs/decisions/0011.
    """

    def __init__(self, num_threads: int, *, context: Context | None = None) -> None:
        self._executor = ThreadPoolExecutor(num_threads, "worker")
        self._spinning = threading.RLock()
        self._changed = threading.Condition()
        self._taken: set[Task] = set()  # taken by a thread or queued for one
        self._left: set[Task] = set()  # not completed, whether begun or not
        self.ended = False
        self._faults: deque[BaseException] = deque()
        super().__init__(context=context)

    def create_task(self, callback: Any, *args: Any, **options: Any) -> Task:
        """Create a task; after `shutdown` it is cancelled at once, silently."""
        with self._changed:
            if not self.ended:
                task = super().create_task(callback, *args, **options)
                self._left.add(task)
                return task
        task = Task(callback, args, options, executor=self)
        task.cancel()
        return task

    def wait_idle(self, limit: float) -> bool:
        """Wait at most `limit` s until every task has completed, including goal responses."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._left and not self._taken, limit)

    def spin(self) -> None:
        while self.context.ok() and not self.ended:
            self.spin_once()

    def spin_once(self, timeout_sec: float | None = None) -> None:
        """Hand the next callback to a thread. Raises the exception of an earlier callback."""
        with self._spinning:
            task = None if self.ended else self._next(timeout_sec)
            if task is not None:
                self._hand_out(task)
        if self._faults:
            raise self._faults.popleft()

    def shutdown(self, timeout_sec: float | None = None) -> bool:
        """Wait at most `timeout_sec` s for callbacks and shut down. Returns whether all ended."""
        with self._changed:
            self.ended = True
            self.wake()
            ended = self._changed.wait_for(lambda: not self._taken, timeout_sec)
        self._executor.shutdown(wait=False, cancel_futures=True)
        limit = -1 if timeout_sec is None else timeout_sec
        if not ended or not self._spinning.acquire(timeout=limit):
            return False  # a hanging callback keeps its resources
        try:
            super().shutdown(timeout_sec)
            left, self._left = self._left, set()
            for task in left:
                task.cancel()
        finally:
            self._spinning.release()
        return True

    def finish(self) -> None:
        """Let the last callbacks end, once nobody spins any more and before nodes are destroyed."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _next(self, timeout_sec: float | None) -> Task | None:
        try:
            # the same condition each time: for another, rclpy would begin again with the tasks
            # that no thread has begun, and compute without ever waiting
            task, _, _ = self.wait_for_ready_callbacks(timeout_sec, None, self._has_ended)
        except (
            ConditionReachedException,
            ExternalShutdownException,
            ShutdownException,
            TimeoutException,
        ):
            return None
        return task

    def _has_ended(self) -> bool:
        return self.ended

    def _hand_out(self, task: Task) -> None:
        with self._changed:
            # rclpy offers a task until a thread has begun it, which may have ended it by now
            if task in self._taken or task.done():
                return
            self._taken.add(task)
        try:
            self._executor.submit(self._work, task)
        except RuntimeError:  # shutting down
            task.cancel()
            self._worked(task)

    def _work(self, task: Task) -> None:
        try:
            task()
            fault = task.exception() if task.done() else None
            if fault is not None:
                self._faults.append(fault)
                self.wake()  # the spinning thread raises it
        finally:
            self._worked(task)

    def _worked(self, task: Task) -> None:
        with self._changed:
            self._taken.discard(task)
            if task.done() or task.cancelled():
                self._left.discard(task)
                if self._left - self._taken:  # one of these may await what this task did
                    self.wake()
            else:  # it awaits something, and rclpy will offer it again
                self._left.add(task)
            self._changed.notify_all()
