"""LoRA adapters in GGUF files: parses their names, and checks that they fit a base model.

Format: llama.cpp's `convert_lora_to_gguf.py`; for each matrix X of the base, the tensors X.lora_a
(input width x rank) and X.lora_b (rank x output width).
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT
from roboinstruct_ros.generate.models.gguf_file import GgufError, GgufHeader, read_gguf_header
from roboinstruct_ros.generate.models.model_notes import (
    DOMAIN_KEY,
    named_format,
    read_notes,
)
from roboinstruct_ros.generate.models.model_store import known_sha256

BASE_KEY = "roboinstruct.base_sha256"
_A, _B = ".lora_a", ".lora_b"


class AdapterError(InputError, ValueError):
    """A text that is not a list of adapters; `str()` is one line."""


@dataclass(frozen=True)
class Adapter:
    """An adapter's file, and its scale: 1 is as trained."""

    path: Path
    scale: float = 1.0


def adapters_named(words: str) -> tuple[Adapter, ...]:
    """The adapters in `PATH,PATH:SCALE`, in this order.

    Raises:
        AdapterError: a scale is not a number, or a file is named twice.
    """
    found = tuple(_adapter(part) for part in map(str.strip, words.split(",")) if part)
    for index, one in enumerate(found):
        if one.path in [before.path for before in found[:index]]:
            raise AdapterError(f"lora names {one.path} twice; give it once, with one scale")
    return found


def _adapter(part: str) -> Adapter:
    path, colon, scale = part.rpartition(":")
    if not colon or scale.endswith(".gguf"):
        return Adapter(Path(part).expanduser())
    try:
        number = float(scale)
    except ValueError:
        number = float("nan")
    if not isfinite(number) or not path:
        raise AdapterError(f"lora '{part}': '{scale}' is no scale; give it like {path}:0.5")
    return Adapter(Path(path).expanduser(), number)


def prompt_format_with(adapters: Sequence[Adapter], base: Path, header: GgufHeader) -> str:
    """The prompt format of the first adapter that names one; "" if none does.

    Raises:
        GgufError: an adapter is missing, truncated, not an adapter, or does not fit the base.
        ConfigError: the notes of an adapter are invalid.
    """
    formats = [_checked(adapter.path, base, header) for adapter in adapters]
    return next(filter(None, formats), "")


def trained_for(adapters: Sequence[Adapter], header: GgufHeader) -> str:
    """The domain that the adapters, or else the base, were trained for. Raises GgufError."""
    named = (read_gguf_header(adapter.path).text(DOMAIN_KEY) for adapter in adapters)
    return next(filter(None, named), "") or header.text(DOMAIN_KEY, SERVICE_ROBOT)


def _checked(path: Path, base: Path, header: GgufHeader) -> str:
    own = read_gguf_header(path)
    kind = own.text("adapter.type") or own.text("general.type", "model")
    if kind != "lora":
        raise GgufError(path, f"holds no LoRA adapter but a {kind}; a base goes to 'model'")
    for fault in _misfits(own, base, header):
        raise GgufError(path, f"does not fit {base.name}: {fault}")
    return named_format(path, own, read_notes(path))


def _misfits(own: GgufHeader, base: Path, header: GgufHeader) -> Iterator[str]:
    """Why an adapter belongs to another base; the first reason suffices."""
    wanted = own.text(BASE_KEY)
    if wanted and wanted != (found := known_sha256(base)):
        yield f"it was trained for the file with SHA-256 {wanted[:12]}..., this is {found[:12]}..."
    kinds = [one.text("general.architecture") for one in (own, header)]
    if kinds[0] != kinds[1]:
        yield f"it is for the architecture {kinds[0]}, this is {kinds[1]}"
    if not own.tensors:
        yield "it changes no matrix"
    for name, shape in own.tensors.items():
        yield from _misfit(name, shape, own, header)


def _misfit(
    name: str, shape: tuple[int, ...], own: GgufHeader, header: GgufHeader
) -> Iterator[str]:
    matrix = name.removesuffix(_A).removesuffix(_B)
    if matrix not in header.tensors:
        yield f"it changes {matrix}, which there is not: the base has other layers"
        return
    a, b = own.tensors.get(matrix + _A, ()), own.tensors.get(matrix + _B, ())
    if len(shape) != 2 or len(a) != 2 or len(b) != 2:
        yield f"{matrix} has not one matrix {_A} and one {_B}"
    elif a[1] != b[0]:
        yield f"the two halves for {matrix} have ranks {a[1]} and {b[0]}"
    elif (widths := (a[0], b[1])) != header.tensors[matrix]:
        this = " x ".join(map(str, header.tensors[matrix]))
        yield f"it changes {matrix} of {widths[0]} x {widths[1]} weights, this has {this}"


def bytes_of(adapters: Sequence[Adapter]) -> int:
    """Total size of their files in bytes, which is also their size in memory."""
    return sum(adapter.path.stat().st_size for adapter in adapters)


def add_to(llama: Any, adapters: Sequence[Adapter]) -> None:
    """Add adapters to a loaded `llama_cpp.Llama`, which frees them with itself.

    Its own argument takes only one adapter, and reads the base into memory instead of mapping it.

    Raises:
        RuntimeError: llama.cpp does not accept an adapter.
    """
    import llama_cpp

    if not adapters:
        return
    handles = (llama_cpp.llama_adapter_lora_p_ctypes * len(adapters))()
    for place, adapter in enumerate(adapters):
        loaded = llama_cpp.llama_adapter_lora_init(llama._model.model, str(adapter.path).encode())
        if not loaded:
            raise RuntimeError(f"the adapter {adapter.path} cannot be used")
        handles[place] = loaded
    scales = (ctypes.c_float * len(adapters))(*(adapter.scale for adapter in adapters))
    if llama_cpp.llama_set_adapters_lora(llama.ctx, handles, len(adapters), scales):
        raise RuntimeError("the adapters cannot be used together")
