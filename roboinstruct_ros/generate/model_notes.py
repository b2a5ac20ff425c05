"""What is noted beside a model, in `<file>.gguf.yaml`; the GGUF itself is never rewritten."""

from __future__ import annotations

from pathlib import Path

import yaml

from roboinstruct_ros.domain.configuration import Strict, load_yaml
from roboinstruct_ros.generate.gguf_file import GgufHeader
from roboinstruct_ros.generate.model_registry import FormatName, Sha256
from roboinstruct_ros.generate.prompt import DEFAULT_FORMAT, FORMATS

PROMPT_FORMAT_KEY = "roboinstruct.prompt_format"


class ModelNotes(Strict):
    """Notes of one file.

    Attributes:
        prompt_format: How the model is spoken to, whatever its GGUF says.
        sha256: Of the file when it was imported.
    """

    prompt_format: FormatName | None = None
    sha256: Sha256 | None = None


def notes_path(model: Path) -> Path:
    """Where the notes of a model file stand."""
    return model.with_name(model.name + ".yaml")


def read_notes(model: Path) -> ModelNotes:
    """The notes of a model file; empty ones when there are none.

    Raises:
        ConfigError: the file of notes cannot be used.
    """
    path = notes_path(model)
    return load_yaml(path, ModelNotes) if path.exists() else ModelNotes()


def write_notes(model: Path, notes: ModelNotes) -> None:
    """Write the notes of a model file."""
    text = yaml.safe_dump(notes.model_dump(exclude_none=True), sort_keys=False)
    notes_path(model).write_text(text, encoding="utf-8")


def prompt_format_of(header: GgufHeader, notes: ModelNotes) -> str:
    """Notes first, then the GGUF, then the format for models of unknown training."""
    named = notes.prompt_format or header.text(PROMPT_FORMAT_KEY)
    return named if named in FORMATS else DEFAULT_FORMAT


def prompt_format_source(header: GgufHeader, notes: ModelNotes) -> str:
    """Who chose the prompt format, in words."""
    if notes.prompt_format:
        return "noted beside the file"
    named = header.text(PROMPT_FORMAT_KEY)
    if named in FORMATS:
        return f"{PROMPT_FORMAT_KEY} in the file"
    unknown = f"the file names '{named}', which there is not" if named else "the file names none"
    return f"the default, {unknown}"
