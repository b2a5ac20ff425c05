"""Checks a model folder in the Hugging Face format, so that a broken one gets a clear error before
torch is imported.

Format of the weights: 8 bytes with the length of a JSON header, the header with the place of each
tensor, the tensors (safetensors). `model.safetensors.index.json` lists several files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.configuration import on_one_line
from roboinstruct_ros.generate.models.gguf_file import size_in_words

INDEX = "model.safetensors.index.json"
SINGLE = "model.safetensors"
TOKENIZERS = ("tokenizer.json", "tokenizer.model", "vocab.json", "spiece.model", "vocab.txt")
LONGEST_HEADER = 200_000_000  # bytes; more than any model needs


class ModelFolderError(ValueError):
    """A folder without a complete model; `str()` is one line that begins with the path."""

    def __init__(self, path: Path, fault: str) -> None:
        super().__init__(on_one_line(f"{path}: {fault}"))


@dataclass(frozen=True)
class ModelFolder:
    """A complete model in a folder.

    Attributes:
        config: Content of `config.json`.
        parameters: Number of weights in all tensors.
        weight_bytes: Size of all files with weights.
    """

    path: Path
    config: dict[str, Any]
    parameters: int
    weight_bytes: int

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.resolve().name

    @property
    def is_quantized(self) -> bool:
        """Whether its weights already have a quantized number format."""
        return bool(self.config.get("quantization_config"))

    def number(self, *keys: str) -> int:
        """The first positive integer among these keys of the config; 0 if there is none."""
        text = self.config.get("text_config")
        places = (self.config, text if isinstance(text, dict) else {})
        found = (place.get(key) for key in keys for place in places)
        return next((n for n in found if isinstance(n, int) and n > 0), 0)


def read_model_folder(path: Path) -> ModelFolder:
    """Read the model in a folder.

    Raises:
        ModelFolderError: Files are missing or damaged, the model requires its own code, or its
            weights are in another format.
    """
    config = _object(path / "config.json", "config.json is missing; give the folder of a model")
    kind = config.get("model_type")
    if not isinstance(kind, str):
        raise ModelFolderError(path, "config.json names no model_type")
    if config.get("auto_map"):
        raise ModelFolderError(
            path, f"a '{kind}' wants to run code of its own (auto_map in config.json); none is run"
        )
    if not any((path / name).is_file() for name in TOKENIZERS):
        raise ModelFolderError(path, f"holds no tokenizer; {TOKENIZERS[0]} was expected")
    sizes = [_read_weights(file) for file in _weight_files(path)]
    return ModelFolder(path, config, sum(n for n, _ in sizes), sum(size for _, size in sizes))


def _weight_files(path: Path) -> list[Path]:
    index = path / INDEX
    if not index.exists():
        if (path / SINGLE).exists():
            return [path / SINGLE]
        wanted = f"{SINGLE} or {INDEX} was expected"
        raise ModelFolderError(path, f"holds no weights: {wanted}{_hint(path)}")
    places = _object(index, f"{INDEX} is missing").get("weight_map")
    if not isinstance(places, dict) or not places:
        raise ModelFolderError(index, "damaged: it has no weight_map")
    names = sorted({str(name) for name in places.values()})
    missing = [name for name in names if not (path / name).is_file() or "/" in name]
    if missing:
        some = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
        raise ModelFolderError(path, f"{len(missing)} of {len(names)} weight files missing: {some}")
    return [path / name for name in names]


def _hint(path: Path) -> str:
    others = [*path.glob("*.bin"), *path.glob("*.pt"), *path.glob("*.pth")]
    if others:
        return f"; {others[0].name} may run code when it is read and is never loaded"
    gguf = next(path.glob("*.gguf"), None)
    return f"; for a GGUF give the file, {gguf}" if gguf else ""


def _object(file: Path, missing: str) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelFolderError(file.parent, missing) from None
    except OSError as error:
        raise ModelFolderError(file, f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise ModelFolderError(file, "damaged: it is no JSON") from None
    if not isinstance(content, dict):
        raise ModelFolderError(file, "damaged: a JSON object was expected")
    return content


def _read_weights(file: Path) -> tuple[int, int]:
    """Number of weights and bytes of one file, checked against its own header."""
    try:
        size = file.stat().st_size
        with file.open("rb") as content:
            length = int.from_bytes(content.read(8), "little")
            if size < 8 or length > min(size - 8, LONGEST_HEADER):
                raise ModelFolderError(file, _no_weights(file, size))
            header = json.loads(content.read(length))
        tensors = [value for key, value in header.items() if key != "__metadata__"]
        end = max((tensor["data_offsets"][1] for tensor in tensors), default=0)
        weights = sum(prod(tensor["shape"]) for tensor in tensors)
        whole = 8 + length + end
    except OSError as error:
        raise ModelFolderError(file, f"cannot be read: {error.strerror}") from None
    except ModelFolderError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        raise ModelFolderError(file, "damaged: its header is none of safetensors") from None
    if size < whole:
        there = f"{size_in_words(size)} of {size_in_words(whole)}"
        raise ModelFolderError(file, f"truncated: {there}; copy it again")
    return weights, size


def _no_weights(file: Path, size: int) -> str:
    with file.open("rb") as content:
        first = content.read(8)
    if first == b"version ":
        return "a Git LFS pointer, run 'git lfs pull'"
    return f"truncated or no safetensors: {size_in_words(size)}, the header is cut off"
