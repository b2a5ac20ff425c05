"""Lists what a run would do, before it does anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.learn.pipeline.asked import asked_of, differences
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.learn.pipeline.manifest import MANIFEST, Manifest, State, read_manifest
from roboinstruct_ros.learn.pipeline.step import Step


@dataclass(frozen=True)
class Planned:
    """What would happen to a step, and why; `seconds` is the time it has taken so far."""

    step: Step
    told: str
    seconds: float = 0.0


def plan(config: LearnConfig, run: Path) -> Iterator[Planned]:
    """Each step of the configuration. Raises InputError: the folder holds something else."""
    known = read_manifest(run) if (run / MANIFEST).exists() else Manifest(config={})
    for step in config.steps:
        entry = known.steps.get(step)
        if entry is None:
            yield Planned(step, "to do")
            continue
        changed = "; ".join(differences(entry.asked, asked_of(step, config, run)))
        if changed:
            told = f"made otherwise, needs --redo: {changed}"
        elif entry.state is State.DONE:
            told = f"reused, {entry.kept} kept and {entry.dropped} dropped"
        else:
            told = "begun, goes on"
        yield Planned(step, told, entry.wall_seconds)
