"""Notes on a model, in `<file>.gguf.yaml`; the GGUF itself is never changed."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from roboinstruct_ros.domain.configuration import Strict, load_yaml
from roboinstruct_ros.generate.models.gguf_file import GgufError, GgufHeader
from roboinstruct_ros.generate.models.model_registry import FormatName, Sha256
from roboinstruct_ros.generate.prompts.prompt import DEFAULT_FORMAT, FORMATS

PROMPT_FORMAT_KEY = "roboinstruct.prompt_format"
DOMAIN_KEY = "roboinstruct.domain"
"""The GGUF key with the domain name, in a model trained for a robot other than the shipped one."""
CHAT_FORMAT = "chat"

_NAMES = ("general.finetune", "general.name", "general.basename")
_TRAINED_TO_CHAT = re.compile(r"(?:^|[^a-z])(?:instruct|chat|it)(?:$|[^a-z])", re.IGNORECASE)


class ModelNotes(Strict):
    """Notes on one file.

    Attributes:
        prompt_format: Overrides the prompt format in the GGUF.
        sha256: Of the file when it was imported.
    """

    prompt_format: FormatName | None = None
    sha256: Sha256 | None = None


def notes_path(model: Path) -> Path:
    """The path of a model file's notes."""
    return model.with_name(model.name + ".yaml")


def read_notes(model: Path) -> ModelNotes:
    """Read the notes of a model file; empty notes if there are none.

    Raises:
        ConfigError: the notes are invalid.
    """
    path = notes_path(model)
    return load_yaml(path, ModelNotes) if path.exists() else ModelNotes()


def write_notes(model: Path, notes: ModelNotes) -> None:
    """Write the notes of a model file."""
    text = yaml.safe_dump(notes.model_dump(exclude_none=True), sort_keys=False)
    notes_path(model).write_text(text, encoding="utf-8")


def prompt_format_of(path: Path, header: GgufHeader, notes: ModelNotes) -> str:
    """The prompt format: from the notes, else from the GGUF, else `chat` if the model's names
    say that it was trained to chat, else the one for models of unknown training.

    Raises:
        GgufError: the file names a format that there is not.
    """
    named = named_format(path, header, notes)
    if named:
        return named
    return CHAT_FORMAT if _is_for_chat(path, header) else DEFAULT_FORMAT


def named_format(path: Path, header: GgufHeader, notes: ModelNotes) -> str:
    """The format named by the notes or the GGUF; "" if neither names one.

    Raises:
        GgufError: the file names a format that there is not.
    """
    named = notes.prompt_format or header.text(PROMPT_FORMAT_KEY)
    if named and named not in FORMATS:
        fault = f"names the prompt format '{named}', which there is not: {', '.join(FORMATS)}"
        raise GgufError(path, f"{fault}; {notes_path(path).name} beside it can name another")
    return named


def trained_to_chat(*names: str) -> bool:
    """Whether a model's names say that it was trained to follow instructions."""
    return any(_TRAINED_TO_CHAT.search(name) for name in names)


def _is_for_chat(path: Path, header: GgufHeader) -> bool:
    """A base model often has a template too, but was not trained on it."""
    if not header.text("tokenizer.chat_template").strip():
        return False
    return trained_to_chat(path.stem, *(header.text(key) for key in _NAMES))


def prompt_format_source(path: Path, header: GgufHeader, notes: ModelNotes) -> str:
    """Where the prompt format comes from, in words."""
    if notes.prompt_format:
        return "noted beside the file"
    if header.text(PROMPT_FORMAT_KEY):
        return f"{PROMPT_FORMAT_KEY} in the file"
    if _is_for_chat(path, header):
        return "its name and its chat template"
    return "the default, the file names none"
