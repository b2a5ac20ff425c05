"""Checks that a model may be trained: its licence is known, or a person has accepted it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from roboinstruct_ros.generate.models.model_registry import load_registry
from roboinstruct_ros.learn.pipeline.folder import RunFolder
from roboinstruct_ros.learn.pipeline.work import LearnError

Accepts = Callable[[str], bool]
"""Whether a person accepts the licence of the model with this name."""


def check_licence(run: RunFolder, base: str, accepts: Accepts) -> None:
    """Record the licence of the base model in the run; nobody is asked twice.

    Raises:
        LearnError: the licence is unknown, and nobody accepts it.
    """
    if not base or base in run.manifest.licences:
        return
    licence = _licence_of(base)
    if licence is None and accepts(base):
        licence = f"accepted by who began the run, {time.strftime('%Y-%m-%d')}"
    if licence is None:
        raise LearnError(
            f"{base}: models/registry.yaml has no licence for it; read its terms, and if you may "
            f"train it, give --accept-licence {base}"
        )
    run.manifest.licences[base] = licence
    run.save()


def _licence_of(base: str) -> str | None:
    """The licence; for a folder, that of the model after which it is named."""
    name = Path(base).name
    known = (
        one
        for one in load_registry().models
        if base in (one.name, one.source) or name == Path(one.source).name
    )
    return next((one.licence for one in known if one.licence), None)
