"""The user's folder of imported models, and the atomic import of files into it."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from roboinstruct_ros.domain.configuration import FieldFault, InputError
from roboinstruct_ros.domain.files.user_folders import data_folder
from roboinstruct_ros.generate.models.gguf_file import GgufError, size_in_words
from roboinstruct_ros.generate.models.model_file import ModelFile, read_model_file
from roboinstruct_ros.generate.models.model_notes import ModelNotes, write_notes
from roboinstruct_ros.generate.models.model_registry import ModelRegistry, check_model_name

FOLDER_VARIABLE = "ROBOINSTRUCT_MODELS"
_CHUNK = 4 * 2**20  # bytes between two steps of a progress bar

Progress = Callable[[int], None]
"""Called with the number of bytes processed since the last call."""


class ModelFault(InputError):
    """A request about a model that cannot be fulfilled; `str()` is one line that says why."""


@dataclass(frozen=True)
class Imported:
    """The path of an imported model, and whether it was there before."""

    path: Path
    sha256: str
    was_there: bool


def models_folder() -> Path:
    """`$ROBOINSTRUCT_MODELS`, or a folder in the user's data folder."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named).expanduser() if named else data_folder() / "models"


def stored_models() -> dict[str, Path]:
    """The imported files by name."""
    return {path.stem: path for path in sorted(models_folder().glob("*.gguf"))}


def sha256_of(path: Path, progress: Progress = lambda count: None) -> str:
    """SHA-256 of a file, 64 hexadecimal digits.

    Raises:
        GgufError: it cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                progress(len(chunk))
    except OSError as error:
        raise GgufError(path, f"cannot be read: {error.strerror}") from None
    return digest.hexdigest()


def known_sha256(path: Path) -> str:
    """SHA-256 of a file, cached until the file changes.

    Raises:
        GgufError: it cannot be read.
    """
    try:
        facts = path.stat()
    except OSError as error:
        raise GgufError(path, f"cannot be read: {error.strerror}") from None
    return _sha256_then(path, facts.st_size, facts.st_mtime_ns)


@lru_cache(maxsize=16)
def _sha256_then(path: Path, size: int, changed: int) -> str:
    return sha256_of(path)


def import_model(
    source: Path,
    name: str,
    prompt_format: str | None,
    registry: ModelRegistry,
    progress: Progress = lambda count: None,
) -> Imported:
    """Copy a model into the folder; an identical model that is already there is kept.

    Args:
        name: Its new name; empty takes the file's own name.
        prompt_format: Stored in the notes of the copy; None leaves the choice to the file.
        registry: A model with a checksum there must have the same checksum here.

    Raises:
        GgufError: `source` is not a complete language model.
        ModelFault: the name is invalid or taken by another file, the checksum differs, or the
            folder
            cannot be written.
    """
    model = read_model_file(source)
    name = _checked_name(source, name)
    target = models_folder() / f"{name}.gguf"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            done = _already_there(source, target, progress)
        else:
            done = _copy(model, target, registry, progress)
        entry = registry.find(name)
        known = entry.prompt_format if entry else None
        _note(done, prompt_format or model.notes.prompt_format, known)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelFault(f"{source}: cannot be copied to {target}: {reason}") from None
    return done


def _checked_name(source: Path, name: str) -> str:
    given = name.removesuffix(".gguf") or source.stem
    try:
        return check_model_name(given)
    except FieldFault as fault:
        raise ModelFault(f"{fault.message}; give one with --name") from None


def _already_there(source: Path, target: Path, progress: Progress) -> Imported:
    """Only files of the same size can be equal, and only then are both read."""
    same_size = source.stat().st_size == target.stat().st_size
    digest = sha256_of(source, progress) if same_size else ""
    if not same_size or digest != sha256_of(target):
        raise ModelFault(
            f"{target}: another file has this name; give yours another with --name, "
            "or remove that one first"
        )
    return Imported(target, digest, was_there=True)


def _copy(model: ModelFile, target: Path, registry: ModelRegistry, progress: Progress) -> Imported:
    free = shutil.disk_usage(target.parent).free
    if free < model.file_bytes:
        raise ModelFault(
            f"{target.parent}: no space: {size_in_words(model.file_bytes)} are needed and "
            f"{size_in_words(free)} are free; free some or name another folder with "
            f"{FOLDER_VARIABLE}"
        )
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        digest = _copy_bytes(model.path, part, progress)
        _check_checksum(model.path, target.stem, digest, registry)
        if part.stat().st_size != model.file_bytes:
            raise ModelFault(f"{model.path}: changed while it was copied; import it again")
        part.replace(target)  # atomic: no incomplete model ever has its final name
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return Imported(target, digest, was_there=False)


def _copy_bytes(source: Path, target: Path, progress: Progress) -> str:
    digest = hashlib.sha256()
    with source.open("rb") as reader, target.open("xb") as writer:
        while chunk := reader.read(_CHUNK):
            writer.write(chunk)
            digest.update(chunk)
            progress(len(chunk))
        writer.flush()
        os.fsync(writer.fileno())
    return digest.hexdigest()


def _check_checksum(source: Path, name: str, digest: str, registry: ModelRegistry) -> None:
    entry = registry.find(name)
    if entry is not None and entry.sha256 not in (None, digest):
        raise ModelFault(
            f"{source}: is not the '{name}' of the registry: its SHA-256 is {digest}, "
            f"{entry.sha256} was expected; give it another name with --name"
        )


def _note(done: Imported, prompt_format: str | None, known: str | None) -> None:
    """A second import without a format keeps the format noted first; the registry's, `known`, is
    used only if nothing is noted."""
    notes = read_model_file(done.path).notes if done.was_there else ModelNotes()
    chosen = prompt_format or notes.prompt_format or known
    write_notes(done.path, ModelNotes(prompt_format=chosen, sha256=done.sha256))
