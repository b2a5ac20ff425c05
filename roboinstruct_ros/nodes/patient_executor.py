"""An executor that ends what it has begun before it ends itself."""

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
    """Runs callbacks in several threads, as rclpy's `MultiThreadedExecutor`, with an end.

    rclpy's `shutdown` does not wait: callbacks then meet an executor or a node that is gone, and
    say so. Goals are tasks that it does not even count. Here a task that a thread has taken is not
    taken by a second one, and the end comes when no thread is at work any more. Why it is not
    `rclpy.experimental.EventsExecutor`: docs/decisions/0011.

    Args:
        num_threads: callbacks that may run at once.
        context: rclpy's default one unless it is given.
    """

    def __init__(self, num_threads: int, *, context: Context | None = None) -> None:
        self._executor = ThreadPoolExecutor(num_threads, "worker")
        self._spinning = threading.RLock()
        self._changed = threading.Condition()
        self._taken: set[Task] = set()  # by a thread, or waiting for one
        self._left: set[Task] = set()  # begun or not, and without an end
        self._over = False
        self._faults: deque[BaseException] = deque()
        super().__init__(context=context)

    def create_task(self, callback: Any, *args: Any, **options: Any) -> Task:
        """Begin a task; after the end it is one that was cancelled, and nothing is said."""
        with self._changed:
            if not self._over:
                task = super().create_task(callback, *args, **options)
                self._left.add(task)
                return task
        task = Task(callback, args, options, executor=self)
        task.cancel()
        return task

    @property
    def idle(self) -> bool:
        """Whether nothing that was begun is left, answers included."""
        with self._changed:
            return not self._left and not self._taken

    @property
    def ended(self) -> bool:
        """Whether `shutdown` was called."""
        return self._over

    def spin(self) -> None:
        """Run callbacks until the end."""
        while self.context.ok() and not self._over:
            self.spin_once()

    def spin_once(self, timeout_sec: float | None = None) -> None:
        """Hand the next callback to a thread; raises what an earlier one has raised."""
        with self._spinning:
            task = None if self._over else self._next(timeout_sec)
            if task is not None:
                self._hand_out(task)
        if self._faults:
            raise self._faults.popleft()

    def shutdown(self, timeout_sec: float | None = None) -> bool:
        """End; waits up to `timeout_sec` s for callbacks, and says whether all have ended."""
        with self._changed:
            self._over = True
            self.wake()
            ended = self._changed.wait_for(lambda: not self._taken, timeout_sec)
        self._executor.shutdown(wait=False, cancel_futures=True)
        limit = -1 if timeout_sec is None else timeout_sec
        if not ended or not self._spinning.acquire(timeout=limit):
            return False  # what hangs keeps what it uses
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
            task, _, _ = self.wait_for_ready_callbacks(timeout_sec, None, self._is_over)
        except (
            ConditionReachedException,
            ExternalShutdownException,
            ShutdownException,
            TimeoutException,
        ):
            return None
        return task

    def _is_over(self) -> bool:
        return self._over

    def _hand_out(self, task: Task) -> None:
        with self._changed:
            if task in self._taken:  # rclpy offers it until a thread has begun it
                return
            self._taken.add(task)
        try:
            self._executor.submit(self._work, task)
        except RuntimeError:  # it ends just now
            task.cancel()
            self._worked(task)

    def _work(self, task: Task) -> None:
        try:
            task()
            fault = task.exception() if task.done() else None
            if fault is not None:
                self._faults.append(fault)
                self.wake()  # whoever spins raises it
        finally:
            self._worked(task)

    def _worked(self, task: Task) -> None:
        with self._changed:
            self._taken.discard(task)
            if task.done() or task.cancelled():
                self._left.discard(task)
            else:  # it waits for something, and rclpy offers it again
                self._left.add(task)
            self._changed.notify_all()
