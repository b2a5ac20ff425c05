"""Resolves a model given as a path, the name of an imported model, or a name in the registry."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.generate.models.lora import Adapter
from roboinstruct_ros.generate.models.model_registry import (
    ModelRegistry,
    RegistryEntry,
    load_registry,
)
from roboinstruct_ros.generate.models.model_store import ModelFault, stored_models
from roboinstruct_ros.generate.models.packaged_model import check_adapter_file, packaged_file


@dataclass(frozen=True)
class NamedModel:
    """The model behind a name or a path.

    Attributes:
        entry: In the registry; None if it is not listed.
        path: File or folder; None for a known model that is not on this machine.
        adapters: The adapters that come with it.
    """

    entry: RegistryEntry | None
    path: Path | None
    adapters: tuple[Adapter, ...] = ()


def named_model(model: str, registry: ModelRegistry | None = None) -> NamedModel:
    """Resolve `model`. A path takes precedence if it exists or looks like one, then imported
    models.

    Raises:
        ModelFault: It is neither a path nor a known name.
        ConfigError: The registry cannot be read.
    """
    path = Path(model).expanduser()
    if _is_path(model, path):
        # A file with a known name is most likely that model; its checksum decides.
        return NamedModel(registry.find(path.stem) if registry else None, path)
    registry = registry or load_registry()
    stored, entry = stored_models(), registry.find(model)
    if model in stored:
        return NamedModel(entry, stored[model], _adapters_here(entry))
    if entry is not None:
        return NamedModel(entry, file_here(entry), _adapters_here(entry))
    raise ModelFault(
        f"there is no file and no model '{model}'; {_hint(model, [*registry.names, *stored])}"
    )


def file_here(entry: RegistryEntry) -> Path | None:
    """The file of a model that comes with the stack or in a package, or of its base model."""
    if entry.shipped:
        return shared_file(entry.source)
    if entry.base is not None:
        return stored_models().get(entry.base)
    with suppress(ModelFault):
        return packaged_file(entry)
    return None


def _adapters_here(entry: RegistryEntry | None) -> tuple[Adapter, ...]:
    if entry is None or entry.adapter is None:
        return ()
    with suppress(FileNotFoundError):
        return (Adapter(shared_file(entry.adapter.file)),)
    return ()


def model_on_this_machine(model: str, bare: bool = False) -> NamedModel:
    """Resolve `model` to a file or folder; weights and adapters from packages are checked.

    Args:
        bare: Omit the adapter that comes with it.

    Raises:
        ModelFault: The name is unknown, or its file is missing or incomplete.
        ConfigError: The registry cannot be read.
    """
    try:
        named = named_model(model)
    except FileNotFoundError as error:  # a shipped file that was deleted
        raise ModelFault(str(error)) from None
    entry = named.entry
    if entry is not None and entry.name == model:
        _check_here(entry, bare)
    if named.path is not None:
        return replace(named, adapters=()) if bare else named
    assert entry is not None
    raise ModelFault(f"{model} is not on this machine: {_way_here(entry)}")


def _check_here(entry: RegistryEntry, bare: bool) -> None:
    if entry.package is not None and entry.name not in stored_models():
        packaged_file(entry)
    if not bare:
        check_adapter_file(entry)


def _way_here(entry: RegistryEntry) -> str:
    if entry.parts or entry.base:
        return f"'roboinstruct models get {entry.name}' fetches it"
    return (
        f"fetch https://huggingface.co/{entry.source}, make a GGUF of it (models/README.md), then "
        f"'roboinstruct models import FILE --name {entry.name}'"
    )


def _is_path(model: str, path: Path) -> bool:
    if "/" in model or model.endswith(".gguf"):
        return True
    with suppress(OSError, ValueError):  # longer than a file name may be, or with a null byte
        return path.exists()
    return False


def _hint(wrong: str, known: Sequence[str]) -> str:
    folded = {name.casefold(): name for name in reversed(known)}
    near = difflib.get_close_matches(wrong.casefold(), list(folded), n=3, cutoff=0.5)
    if not near:
        return "'roboinstruct models list' shows them"
    return f"did you mean {' or '.join(repr(folded[name]) for name in near)}?"
