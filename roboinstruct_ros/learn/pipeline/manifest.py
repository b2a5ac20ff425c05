"""What a run was asked for, and what became of each step: `manifest.json` of its folder."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.pipeline.step import Step

MANIFEST = "manifest.json"


class State(str, Enum):
    """What became of a step."""

    BEGUN = "begun"
    DONE = "done"


class StepEntry(BaseModel):
    """One step.

    Attributes:
        asked: options, and whatever else decides about its records, each with its value or hash.
        made: SHA-256 of what it has made, by file; empty until it is done.
        kept, dropped: how many lines of records there are.
        seconds: on the clock, and of processors of this machine, of all times it was begun.
        counts: what else there is of it to count, by its name for a person.
        tokens_read, tokens_written: of models that were asked, where they tell; read ones of
            training are those that were learned from.
    """

    state: State = State.BEGUN
    asked: dict[str, Any]
    made: dict[str, str] = {}
    kept: int = 0
    dropped: int = 0
    counts: dict[str, int] = {}
    wall_seconds: float = 0.0
    processor_seconds: float = 0.0
    tokens_read: int = 0
    tokens_written: int = 0
    versions: dict[str, str] = {}


class Manifest(BaseModel):
    """A run.

    Attributes:
        config: the file it was begun from, whole.
        licences: of models, as somebody accepted them, by the name of the model.
    """

    config: dict[str, Any]
    licences: dict[str, str] = {}
    steps: dict[Step, StepEntry] = {}


def read_manifest(run: Path) -> Manifest:
    """Raises InputError: there is none."""
    try:
        return Manifest.model_validate_json((run / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{run}: holds no run: {MANIFEST}: {error.strerror}") from None
    except ValueError as error:
        fault = " ".join(str(error).split())[:200]
        raise InputError(f"{run / MANIFEST}: is not that of a run: {fault}") from None


def write_manifest(run: Path, manifest: Manifest) -> None:
    """All of it or nothing. Raises InputError."""
    made = run / f".{MANIFEST}.new"
    try:
        with made.open("w", encoding="utf-8") as target:
            target.write(f"{manifest.model_dump_json(indent=2)}\n")
            target.flush()
            os.fsync(target.fileno())
        made.replace(run / MANIFEST)
    except OSError as error:
        raise InputError(f"{run}: cannot be written: {error.strerror}") from None
