"""Reads the header of a GGUF file, so that a broken file gets a clear error.

llama.cpp reacts to a bad file with pages of log or by aborting the process, so everything that can
be checked from outside is checked here first. Format: the `gguf` library's `gguf_reader.py` and
ggml's `docs/gguf.md`, versions 2 and 3.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

from roboinstruct_ros.domain.configuration import InputError, on_one_line

MAGIC = b"GGUF"
VERSIONS = (2, 3)
DEFAULT_ALIGNMENT = 32  # bytes
MAX_ENTRIES = 10_000_000  # metadata entries, array items or tensors; more than any model has

_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q",
            12: "d"}  # fmt: skip

# ggml type number -> (weights per block, bytes per block). Types missing here are newer than this
# table, and the extent of their tensors is not checked.
BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    9: (32, 40), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
    15: (256, 292), 16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18),
    21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8),
    28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
    40: (64, 36), 41: (128, 18),
}  # fmt: skip


class GgufError(InputError, ValueError):
    """A file that is not a complete GGUF; `str()` is one line that begins with the path."""

    def __init__(self, path: Path, fault: str) -> None:
        super().__init__(on_one_line(f"{path}: {fault}"))


@dataclass(frozen=True)
class GgufHeader:
    """The header of a GGUF.

    Attributes:
        metadata: Scalars and strings by key, without arrays (vocabularies).
        arrays: Number of items of each array by key.
        parameters: Number of weights in all tensors.
        file_bytes: Size of the file, bytes.
        tensors: Dimensions of each tensor by name, the fastest-varying first.
    """

    metadata: dict[str, str | int | float | bool]
    arrays: dict[str, int]
    parameters: int
    file_bytes: int
    tensors: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def text(self, key: str, default: str = "") -> str:
        """The string under `key`, or `default`."""
        value = self.metadata.get(key)
        return value if isinstance(value, str) else default

    def number(self, key: str, default: int = 0) -> int:
        """The integer under `key`, or `default`."""
        value = self.metadata.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else default


def read_gguf_header(path: Path) -> GgufHeader:
    """Read and check the header of the GGUF file at `path`.

    Raises:
        GgufError: The file is missing, not a GGUF, of an unknown version, damaged, or shorter than
            its own table of tensors requires.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            first = file.read(24)
            _check_magic(path, first, size)
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _Reader(path, data).header()
    except FileNotFoundError:
        raise GgufError(path, "no such model file; give the path of a .gguf file") from None
    except IsADirectoryError:
        raise GgufError(path, "is a folder; give the path of a .gguf file") from None
    except OSError as error:
        raise GgufError(path, f"cannot be read: {error.strerror}") from None


def _check_magic(path: Path, first: bytes, size: int) -> None:
    if not size:
        raise GgufError(path, "is empty; a GGUF model file was expected")
    if first[:4] != MAGIC:
        kind = "a Git LFS pointer, run 'git lfs pull'" if first.startswith(b"version ") else (
            f"it begins with {first[:4]!r}, a GGUF begins with b'GGUF'")  # fmt: skip
        raise GgufError(path, f"not a GGUF model file: {kind}")
    if len(first) < 24:
        raise GgufError(path, f"truncated: {size} bytes, the header is cut off")
    version = struct.unpack_from("<I", first, 4)[0]
    if version not in VERSIONS:
        raise GgufError(path, f"GGUF version {version} is not supported; versions 2 and 3 are")


class _Reader:
    """Parses the header sequentially; every step is checked against the end of the file."""

    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self._path = path
        self._data = data
        self._at = 8

    def header(self) -> GgufHeader:
        tensors, entries = self._count(), self._count()
        metadata: dict[str, str | int | float | bool] = {}
        arrays: dict[str, int] = {}
        for _ in range(entries):
            key, kind = self._string(), self._number("I")
            if kind == _ARRAY:
                arrays[key] = self._skip_array()
            else:
                metadata[key] = self._value(kind)
        shapes, end = self._tensor_table(tensors)
        alignment = metadata.get("general.alignment", DEFAULT_ALIGNMENT)
        if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
            raise GgufError(self._path, f"damaged: an alignment of {alignment} is no power of two")
        needed = -(-self._at // alignment) * alignment + end
        if tensors and needed > len(self._data):
            there, whole = size_in_words(len(self._data)), size_in_words(needed)
            raise GgufError(self._path, f"truncated: {there} of {whole}; copy it again")
        parameters = sum(map(prod, shapes.values()))
        return GgufHeader(metadata, arrays, parameters, len(self._data), shapes)

    def _tensor_table(self, tensors: int) -> tuple[dict[str, tuple[int, ...]], int]:
        """Dimensions by name, and the end of the last tensor in bytes from the data's start."""
        shapes: dict[str, tuple[int, ...]] = {}
        end = 0
        for _ in range(tensors):
            name, dimensions = self._string(), self._number("I")
            if dimensions > 4:
                raise GgufError(
                    self._path, f"damaged: tensor {name!r} has {dimensions} dimensions, at most 4"
                )
            shapes[name] = tuple(self._number("Q") for _ in range(dimensions))
            weights = prod(shapes[name])
            kind, offset = self._number("I"), self._number("Q")
            block, block_bytes = BLOCKS.get(kind, (1, 0))
            end = max(end, offset + -(-weights // block) * block_bytes)
        return shapes, end

    def _value(self, kind: int) -> str | int | float | bool:
        if kind == _STRING:
            return self._string()
        if kind not in _SCALARS:
            raise GgufError(self._path, f"damaged: unknown metadata type {kind}")
        value: int | float | bool = self._unpack(_SCALARS[kind])
        return value

    def _skip_array(self) -> int:
        kind, items = self._number("I"), self._count()
        if kind in _SCALARS:
            self._skip(items * struct.calcsize("<" + _SCALARS[kind]))
        elif kind == _STRING:
            for _ in range(items):
                self._skip(self._number("Q"))
        else:
            raise GgufError(self._path, f"damaged: unknown array type {kind}")
        return items

    def _count(self) -> int:
        count = self._number("Q")
        if count > MAX_ENTRIES:
            raise GgufError(self._path, f"damaged: the header announces {count} entries")
        return count

    def _string(self) -> str:
        length = self._number("Q")
        start = self._at
        self._skip(length)
        return self._data[start : self._at].decode("utf-8", "replace")

    def _number(self, form: str) -> int:
        return int(self._unpack(form))

    def _unpack(self, form: str) -> int | float | bool:
        start = self._at
        self._skip(struct.calcsize("<" + form))
        value: int | float | bool = struct.unpack_from("<" + form, self._data, start)[0]
        return value

    def _skip(self, count: int) -> None:
        self._at += count
        if self._at > len(self._data):
            there = size_in_words(len(self._data))
            raise GgufError(self._path, f"truncated: {there}, the header is cut off; copy it again")


def size_in_words(count: int) -> str:
    """Bytes in readable form, in powers of 1000, e.g. `4.1 GB`."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} bytes"
