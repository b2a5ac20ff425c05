"""Distributes work over local processes; an item that kills its process is retried once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from roboinstruct_ros.spread.work import Done, Given, Left, Made

_CONTEXT = get_context("spawn")
"""Forking a process with threads may hang."""

_END_LIMIT = 5.0  # s, from SIGTERM to SIGKILL


def in_processes(
    do: Callable[[Given], Made], work: Sequence[Given], jobs: int
) -> Iterator[Done[Made]]:
    """Process each item and yield results as they complete; closing the iterator ends the
    processes.

    Args:
        do: importable by other processes. Its exceptions are raised here.
        jobs: number of processes; each lives to the end, so that `do` may cache data.

    Raises:
        SpreadError: one process after another dies.
    """
    left = Left(len(work))
    workers = [_Worker(do) for _ in range(min(jobs, len(work)))]
    try:
        while left or any(worker.busy for worker in workers):
            for worker in workers:
                if left and not worker.busy:
                    index = left.take()
                    worker.begin(index, work[index])
            for worker in _ready(workers):
                index = worker.index
                try:
                    yield left.done(index, worker.end())
                except _Died:
                    workers[workers.index(worker)] = _Worker(do)
                    yield from left.died(index)
    finally:
        for worker in workers:
            worker.close()


class _Died(Exception):
    """The process died during its work."""


class _Worker:
    """A process and its current item.

    Attributes:
        index: index of the item; -1 for none.
    """

    def __init__(self, do: Callable[[Any], Any]) -> None:
        self.index = -1
        self.pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(theirs, do), daemon=True)
        self._process.start()
        theirs.close()

    @property
    def busy(self) -> bool:
        return self.index >= 0

    def begin(self, index: int, given: Any) -> None:
        self.index = index
        with suppress(OSError):  # a dead process is detected when its result is awaited
            self.pipe.send(given)

    def end(self) -> Any:
        """The result of the current item. Raises _Died, or the exception of the work."""
        try:
            value, error = self.pipe.recv()
        except (EOFError, OSError):
            self.close()
            raise _Died from None
        self.index = -1
        if error is not None:
            raise error
        return value

    def close(self) -> None:
        self.pipe.close()
        if self._process.is_alive():
            self._process.terminate()
        self._process.join(_END_LIMIT)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _ready(workers: Sequence[_Worker]) -> list[_Worker]:
    pipes = wait([worker.pipe for worker in workers if worker.busy])
    return [worker for worker in workers if worker.pipe in pipes]


def _serve(pipe: Connection[Any, Any], do: Callable[[Any], Any]) -> None:
    """Process items until the pipe closes. Ctrl-C is for the parent only."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            given = pipe.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = do(given), None
            except Exception as error:
                answer = None, error
            pipe.send(answer)
