"""An executor that ends what it has begun before it ends itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from rclpy.executors import (
    ConditionReachedException,
    ExternalShutdownException,
    MultiThreadedExecutor,
    ShutdownException,
    TimeoutException,
)
from rclpy.task import Task


class PatientExecutor(MultiThreadedExecutor):
    """rclpy's own with an end.

    rclpy's `shutdown` does not wait: callbacks then meet an executor or a node that is gone, and
    say so. Goals are tasks that it does not even count. Here a task that a thread has taken is not
    offered to a second one, and the end comes when no thread is at work any more.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._spinning = threading.RLock()
        self._at_work = threading.Condition()
        self._working = 0
        self._faults: list[BaseException] = []
        super().__init__(*args, **options)

    def create_task(self, callback: Any, *args: Any, **options: Any) -> Task:
        """Begin a task; after the end it is one that was cancelled, and nothing is said."""
        with self._shutdown_lock:
            if not self._is_shutdown:
                return super().create_task(callback, *args, **options)
        task = Task(callback, args, options, executor=self)
        task.cancel()
        return task

    @property
    def idle(self) -> bool:
        """Whether nothing that was begun is left, answers included."""
        with self._tasks_lock, self._at_work:
            return not self._tasks and not self._working

    @property
    def ended(self) -> bool:
        """Whether `shutdown` was called."""
        return bool(self._is_shutdown)

    def shutdown(self, timeout_sec: float | None = None) -> bool:
        """End; waits up to `timeout_sec` s for callbacks. Gives whether all have ended."""
        with self._shutdown_lock:
            self._is_shutdown = True
            if self._guard:
                self._guard.trigger()
        with self._at_work:
            ended = self._at_work.wait_for(lambda: not self._working, timeout_sec)
        self._executor.shutdown(wait=False, cancel_futures=True)
        limit = -1 if timeout_sec is None else timeout_sec
        if not ended or not self._spinning.acquire(timeout=limit):
            return False  # what hangs keeps what it uses
        try:
            super().shutdown(timeout_sec)
            with self._tasks_lock:
                left, self._tasks = self._tasks, []
            for task, _, _ in left:
                task.cancel()
        finally:
            self._spinning.release()
        return True

    def finish(self) -> None:
        """Let the last callbacks end, once nobody spins any more and before nodes are destroyed."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _spin_once_impl(
        self,
        timeout_sec: Any = None,
        wait_condition: Callable[[], bool] = lambda: False,
    ) -> None:
        with self._spinning:
            if self._is_shutdown:
                return
            try:
                ready = self.wait_for_ready_callbacks(timeout_sec, None, wait_condition)
            except (
                ConditionReachedException,
                ExternalShutdownException,
                ShutdownException,
                TimeoutException,
            ):
                ready = None
            if ready is not None:
                self._hand_out(*ready)
        if self._faults:
            raise self._faults.pop(0)

    def _hand_out(self, task: Task, entity: Any, node: Any) -> None:
        with self._tasks_lock:
            self._tasks = [other for other in self._tasks if other[0] is not task]
        with self._at_work:
            self._working += 1
        try:
            self._executor.submit(self._work, task, entity, node)
        except RuntimeError:  # it ends just now
            task.cancel()
            self._worked()

    def _work(self, task: Task, entity: Any, node: Any) -> None:
        try:
            task()
            fault = task.exception() if task.done() else None
            if fault is not None:
                self._faults.append(fault)
                self.wake()  # whoever spins raises it
            elif not task.done():  # it waits for something, and is looked at again
                with self._tasks_lock:
                    self._tasks.append((task, entity, node))
        finally:
            self._worked()

    def _worked(self) -> None:
        with self._at_work:
            self._working -= 1
            self._at_work.notify_all()
