"""Kills an evaluation at random points and goes on with it each time: SUITE PROGRAMS FOLDER SEED.

A process of its own, that nothing but this runs in: each evaluation is a fork of it. Prints how
many records there were at each kill.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.folder import RECORDS, Folder
from roboinstruct_ros.evaluate.runs.prepared import prepare, resumed
from roboinstruct_ros.evaluate.runs.run import run
from roboinstruct_ros.spread.work import Done

POINTS = 20


def here(do: Callable[[Any], Any], work: Sequence[Any]) -> Iterator[Done[Any]]:
    """In an order that is not that of the items."""
    for index in reversed(range(len(work))):
        yield Done(index, do(work[index]))


def go_on(folder: Path) -> None:
    prepared = resumed(folder, Asked(""), frozenset())
    with closing(Folder(folder)) as opened:
        for _ in run(prepared, opened, here):
            pass


def killed(folder: Path, size: int, delay: float) -> int:
    """Go on until so many bytes and some more are there, then kill it; bytes that are there."""
    child = os.fork()
    if not child:
        try:
            go_on(folder)
        finally:
            os._exit(0)
    records = folder / RECORDS
    while not os.waitpid(child, os.WNOHANG)[0]:
        if records.exists() and records.stat().st_size >= size:
            time.sleep(delay)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.0005)
    return records.stat().st_size


def main(suite: str, programs: str, to: str, seed: str) -> None:
    folder, draw = Path(to), random.Random(int(seed))
    prepared = prepare(Asked(suite, programs=programs).settled())
    Folder.make(folder, prepared.manifest).close()
    size = 0
    for _ in range(POINTS):
        step = draw.randrange(1, 1500)
        size = killed(folder, size + step, draw.uniform(0, 0.004))
        print((folder / RECORDS).read_bytes().count(b"\n"), flush=True)
    go_on(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
