"""Which model a person means: by a path, by the name of an imported one, or of the registry."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.generate.model_registry import ModelRegistry, RegistryEntry, load_registry
from roboinstruct_ros.generate.model_store import ModelFault, stored_models


@dataclass(frozen=True)
class NamedModel:
    """What a name or a path stands for.

    Attributes:
        entry: Of the registry; None for what it does not know.
        path: File or folder; None for a model that is known but not on this machine.
    """

    entry: RegistryEntry | None
    path: Path | None


def named_model(model: str, registry: ModelRegistry | None = None) -> NamedModel:
    """What `model` stands for. A path wins if it exists or looks like one, then imported models.

    Raises:
        ModelFault: It is neither a path nor a name that is known.
        ConfigError: The registry cannot be read.
    """
    path = Path(model).expanduser()
    if _is_path(model, path):
        # The file of a known name is most likely that model; its checksum says for certain.
        return NamedModel(registry.find(path.stem) if registry else None, path)
    registry = registry or load_registry()
    stored, entry = stored_models(), registry.find(model)
    if model in stored:
        return NamedModel(entry, stored[model])
    if entry is not None:
        return NamedModel(entry, shared_file(entry.source) if entry.shipped else None)
    raise ModelFault(
        f"there is no file and no model '{model}'; {_hint(model, [*registry.names, *stored])}"
    )


def model_on_this_machine(model: str) -> Path:
    """The file or folder that `model` stands for.

    Raises:
        ModelFault: No such name, or one of the registry that nobody has fetched yet.
        ConfigError: The registry cannot be read.
    """
    try:
        named = named_model(model)
    except FileNotFoundError as error:  # a shipped file that was deleted
        raise ModelFault(str(error)) from None
    if named.path is not None:
        return named.path
    assert named.entry is not None
    raise ModelFault(
        f"{model} is not on this machine: fetch https://huggingface.co/{named.entry.source}, make "
        f"a GGUF of it (models/README.md), then 'roboinstruct models import FILE --name {model}'"
    )


def _is_path(model: str, path: Path) -> bool:
    if "/" in model or model.endswith(".gguf"):
        return True
    with suppress(OSError, ValueError):  # longer than a file name may be, or with a null in it
        return path.exists()
    return False


def _hint(wrong: str, known: Sequence[str]) -> str:
    folded = {name.casefold(): name for name in reversed(known)}
    near = difflib.get_close_matches(wrong.casefold(), list(folded), n=3, cutoff=0.5)
    if not near:
        return "'roboinstruct models list' shows them"
    return f"did you mean {' or '.join(repr(folded[name]) for name in near)}?"
