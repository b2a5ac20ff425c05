"""Leaves work that cannot be interrupted, as soon as nobody wants its result."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

from roboinstruct_ros.generate.backends.backend import StopSignal

POLL = 0.02  # s

T = TypeVar("T")


def result_unless(stop: StopSignal, work: Callable[[], T]) -> T | None:
    """The result of `work`, or None as soon as `stop` is set; raises what `work` raises."""
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)

    # A daemon thread of its own: a pool's thread would keep the process alive until the result.
    threading.Thread(target=run, name="work", daemon=True).start()
    while not stop.is_set():
        if wait((result,), POLL).done:
            return result.result()
    return None
