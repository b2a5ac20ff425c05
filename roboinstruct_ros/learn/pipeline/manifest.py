"""The manifest of a run, `manifest.json`: the request, and the state of each step."""

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
    """The state of a step."""

    BEGUN = "begun"
    DONE = "done"


class StepEntry(BaseModel):
    """One step.

    Attributes:
        asked: options, and everything else that determines its records, each with its value or
            hash.
        made: SHA-256 of its results, by file; empty until it is done.
        kept, dropped: numbers of lines of records.
        seconds: wall-clock time, and processor time of this machine, summed over all attempts.
        counts: further counts, by their names for people.
        tokens_read, tokens_written: of the models that were asked, if they report it; for training,
            the tokens learned from.
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
        config: the complete configuration with which it was begun.
        licences: of models, as a person accepted them, by model name.
    """

    config: dict[str, Any]
    licences: dict[str, str] = {}
    steps: dict[Step, StepEntry] = {}


def read_manifest(run: Path) -> Manifest:
    """Raises InputError if there is none."""
    try:
        return Manifest.model_validate_json((run / MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{run}: holds no run: {MANIFEST}: {error.strerror}") from None
    except ValueError as error:
        fault = " ".join(str(error).split())[:200]
        raise InputError(f"{run / MANIFEST}: is not that of a run: {fault}") from None


def write_manifest(run: Path, manifest: Manifest) -> None:
    """Write it atomically. Raises InputError."""
    made = run / f".{MANIFEST}.new"
    try:
        with made.open("w", encoding="utf-8") as target:
            target.write(f"{manifest.model_dump_json(indent=2)}\n")
            target.flush()
            os.fsync(target.fileno())
        made.replace(run / MANIFEST)
    except OSError as error:
        raise InputError(f"{run}: cannot be written: {error.strerror}") from None
