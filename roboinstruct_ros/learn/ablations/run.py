"""Runs one ablation setting as a run of its own, inside the run whose records it uses."""

from __future__ import annotations

import os
from pathlib import Path

from roboinstruct_ros.learn.ablations.settings import SHARED
from roboinstruct_ros.learn.pipeline.config import LearnConfig
from roboinstruct_ros.learn.pipeline.folder import RunFolder
from roboinstruct_ros.learn.pipeline.manifest import read_manifest
from roboinstruct_ros.learn.pipeline.run import Workers, run_steps
from roboinstruct_ros.learn.pipeline.work import LearnError

ABLATIONS = "ablations"
"""Folder below a run."""


def run_setting(
    name: str, config: LearnConfig, run: Path, workers: Workers, redo: bool = False
) -> None:
    """Do the remaining steps of a setting, from the tasks and programs of a run.

    Args:
        run: its tasks and programs are done.
        redo: as for `run_steps`.

    Raises:
        InputError, BackendError, SpreadError: as for `run_steps`.
    """
    path = run / ABLATIONS / name
    _take_over(run, path)
    run_steps(config, path, workers, config.steps, redo)


def _take_over(source: Path, target: Path) -> None:
    """Link the folders of the shared steps, which another run has done. Raises LearnError."""
    given = read_manifest(source)
    with RunFolder(target) as run:
        for step in SHARED:
            link = target / step.value
            try:
                if not link.is_symlink():
                    link.symlink_to(os.path.relpath(source / step.value, target))
            except OSError as error:
                raise LearnError(f"{link}: cannot be made: {error.strerror}") from None
            run.manifest.steps[step] = given.steps[step]
        run.manifest.config = run.manifest.config or given.config
        run.manifest.licences |= given.licences
        run.save()
