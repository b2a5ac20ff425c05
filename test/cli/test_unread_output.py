"""When nobody reads any more what a task or a stack prints, both go on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import pytest

from roboinstruct_ros.commands import up
from roboinstruct_ros.commands.report import ConsoleReport, JsonReport, Report
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode


@contextmanager
def unread(ends: Callable[[], tuple[int, int]] = os.pipe) -> Iterator[None]:
    reads, writes = ends()
    os.close(reads)
    with open(writes, "w", buffering=1) as out, open(os.dup(writes), "w", buffering=1) as err:
        with redirect_stdout(out), redirect_stderr(err):
            yield
        for stream in (out, err):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@pytest.mark.parametrize("ends", [os.pipe, os.openpty])
@pytest.mark.parametrize("kind", [JsonReport, ConsoleReport])
def test_a_task_goes_on(kind: type[Report], ends: Callable[[], tuple[int, int]]) -> None:
    lost = {"kind": EventKind.NODE_LOST.value, "data": {"message": "the recorder was lost"}}
    with unread(ends):
        report = kind()
        report.event(lost)
        report.event(lost)
        report.finished("a", "failed", TaskErrorCode.UNKNOWN, "why")


def test_nodes_are_read_and_looked_after() -> None:
    with unread():
        up._print_line("executor", "a line")
        up._tell_death(JsonReport(), "recorder", "was killed", True)
