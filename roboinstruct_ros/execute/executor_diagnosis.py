"""The executor's status for `/diagnostics`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.domain.diagnosis import Diagnosis, Level
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.sandbox.confinement import LAYERS

LITTLE_SPACE = 100.0
"""Warn when the journals' disk has less free space than this (MiB)."""

TASK = "task"
"""Diagnostic part with state, task, line and queue."""
NODES = "nodes"
"""Diagnostic part with all nodes that the executor hears or should hear."""

_DOUBTFUL = {
    TaskState.AWAITING_APPROVAL: "a run was interrupted; 'roboinstruct resume' lists it",
    TaskState.RECOVERING: "a skill has failed and is tried again",
    TaskState.FAILED: "the last task failed",
}


@dataclass(frozen=True)
class TaskNow:
    """What the executor is doing.

    Attributes:
        line: program line, 1-based; 0 for none.
        interrupted: runs that can be resumed.
    """

    state: TaskState = TaskState.IDLE
    task_id: str = ""
    line: int = 0
    waiting: int = 0
    interrupted: int = 0


def executor_diagnoses(
    task: TaskNow,
    layers: Sequence[str],
    journals: Path | None,
    rules: Diagnosis,
    nodes: Mapping[str, str],
    watched: Collection[str] = (),
) -> list[Diagnosis]:
    """One diagnosis per part. Reads the free space of the journals' disk.

    Args:
        layers: active layers of the sandbox's confinement.
        journals: journal folder; None if no journals are kept.
        rules: from `policies_diagnosis`.
        nodes: every node heard or watched, as "up", "lost" or "not heard".
        watched: nodes whose heartbeat must not stop.
    """
    parts = (_task(task), _confinement(layers), _journal(journals))
    return [*parts, rules, _nodes(nodes, watched)]


def policies_diagnosis(policies: Sequence[str], sha256: str, fault: str = "") -> Diagnosis:
    """Diagnosis of the rules that programs are verified against.

    Args:
        sha256: hash of map and policies, as in verdicts.
        fault: why the current files cannot be used; empty if they can.
    """
    values = {str(number): name for number, name in enumerate(policies, 1)}
    values["rules"] = sha256
    if fault:
        told = f"nothing starts until map and policies can be used: {fault}"
        return Diagnosis("policies", Level.ERROR, told, values)
    return Diagnosis("policies", Level.OK, f"{len(policies)} hold", values)


def _task(task: TaskNow) -> Diagnosis:
    doubt = _DOUBTFUL.get(task.state)
    values = {
        "state": task.state.value,
        "task": task.task_id,
        "line": str(task.line),
        "waiting": str(task.waiting),
        "interrupted": str(task.interrupted),
    }
    return Diagnosis(TASK, Level.WARN if doubt else Level.OK, doubt or task.state.value, values)


def _confinement(layers: Sequence[str]) -> Diagnosis:
    missing = [name for name in LAYERS if name not in layers]
    values = {name: "missing" if name in missing else "holds" for name in LAYERS}
    if missing:
        told = f"this system lacks {', '.join(missing)}"
        return Diagnosis("confinement", Level.WARN, told, values)
    return Diagnosis("confinement", Level.OK, "all layers hold", values)


def _journal(folder: Path | None) -> Diagnosis:
    if folder is None:
        return Diagnosis("journal", Level.WARN, "off; an interrupted run cannot be gone on with")
    place = _existing(folder)
    writable = place.is_dir() and os.access(place, os.W_OK | os.X_OK)
    free = shutil.disk_usage(place).free / 2**20
    values = {
        "folder": str(folder),
        "writable": "yes" if writable else "no",
        "free": f"{free:.0f} MiB",
    }
    if not writable:
        return Diagnosis("journal", Level.ERROR, "not writable; every task will fail", values)
    if free < LITTLE_SPACE:
        told = f"{free:.0f} MiB are free; a full disk ends the task"
        return Diagnosis("journal", Level.WARN, told, values)
    return Diagnosis("journal", Level.OK, "writable", values)


def _nodes(nodes: Mapping[str, str], watched: Collection[str]) -> Diagnosis:
    lost = [name for name, state in nodes.items() if state == "lost"]
    unheard = [name for name, state in nodes.items() if state == "not heard"]
    if lost:
        level = Level.ERROR if set(lost) & set(watched) else Level.WARN
        return Diagnosis(NODES, level, f"lost: {', '.join(lost)}", nodes)
    if unheard:
        return Diagnosis(NODES, Level.WARN, f"not heard yet: {', '.join(unheard)}", nodes)
    return Diagnosis(NODES, Level.OK, "all are up", nodes)


def _existing(folder: Path) -> Path:
    """The folder or its nearest existing parent: the first run creates the folder."""
    return next((path for path in (folder, *folder.parents) if os.path.exists(path)), Path("/"))
