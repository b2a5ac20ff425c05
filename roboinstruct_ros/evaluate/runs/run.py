"""Evaluates the remaining items of an evaluation, and writes each record to its folder."""

from __future__ import annotations

import os
from collections.abc import Generator
from functools import partial
from typing import Any

from roboinstruct_ros.evaluate.runs.evaluator import Work, evaluate, lost
from roboinstruct_ros.evaluate.runs.folder import Folder
from roboinstruct_ros.evaluate.runs.prepared import Prepared
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.spread.on_ray import on_ray
from roboinstruct_ros.spread.processes import in_processes
from roboinstruct_ros.spread.work import Spread


def spread_over(jobs: int, ray: str = "") -> Spread[Any, Any]:
    """That many processes on this machine, or one per core for 0; or a cluster."""
    jobs = jobs or len(os.sched_getaffinity(0))
    return partial(on_ray, ray) if ray else partial(in_processes, jobs=jobs)


def run(
    prepared: Prepared, folder: Folder, spread: Spread[Work, Record]
) -> Generator[Record, None, None]:
    """Yield the records as they come; at the end the folder is in the order of the items.

    Raises:
        FolderError: a record cannot be written; earlier ones are stored.
        BackendError: the model cannot be loaded.
        SpreadError: there is no such cluster.
    """
    work = prepared.left(folder)
    for done in spread(evaluate, work):
        record = done.value or lost(work[done.index].item, done.deaths)
        if done.deaths:
            record = record.model_copy(update={"lost": done.deaths})
        folder.add(record)
        yield record
    folder.finish([item.key for item in prepared.items])
