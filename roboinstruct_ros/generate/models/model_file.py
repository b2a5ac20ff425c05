"""The properties of a GGUF file that matter for running it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.generate.models.gguf_file import GgufError, GgufHeader, read_gguf_header
from roboinstruct_ros.generate.models.memory_fit import ModelShape
from roboinstruct_ros.generate.models.model_notes import (
    ModelNotes,
    prompt_format_of,
    prompt_format_source,
    read_notes,
)
from roboinstruct_ros.generate.models.quantization import file_type_name


@dataclass(frozen=True)
class ModelFile:
    """A language model in one complete file.

    Attributes:
        quantization: Name of its number format.
        format_source: Where the prompt format comes from, in words.
    """

    path: Path
    name: str
    architecture: str
    quantization: str
    prompt_format: str
    format_source: str
    shape: ModelShape
    file_bytes: int
    notes: ModelNotes


def check_language_model(path: Path, header: GgufHeader) -> None:
    """Refuse a GGUF that is not a language model.

    Raises:
        GgufError: it names no architecture, or has no vocabulary.
    """
    if not header.text("general.architecture"):
        raise GgufError(path, "holds no language model: the key general.architecture is missing")
    if not header.arrays.get("tokenizer.ggml.tokens"):
        raise GgufError(
            path,
            "holds no vocabulary (tokenizer.ggml.tokens); "
            "give the model itself, not an adapter or a projector",
        )


def read_model_file(path: Path) -> ModelFile:
    """Read the model in the file at `path`.

    Raises:
        GgufError: it is not a complete language model.
        ConfigError: its notes are invalid.
    """
    header = read_gguf_header(path)
    parts = header.number("split.count", 1)
    if parts > 1:
        raise GgufError(
            path, f"is one part of {parts}; make one file of them with llama-gguf-split --merge"
        )
    check_language_model(path, header)
    notes = read_notes(path)
    return ModelFile(
        path=path,
        name=header.text("general.name", path.stem),
        architecture=header.text("general.architecture"),
        quantization=_quantization(header),
        prompt_format=prompt_format_of(path, header, notes),
        format_source=prompt_format_source(path, header, notes),
        shape=model_shape(path, header),
        file_bytes=header.file_bytes,
        notes=notes,
    )


def _quantization(header: GgufHeader) -> str:
    return file_type_name(header.number("general.file_type", -1))


def model_shape(path: Path, header: GgufHeader) -> ModelShape:
    """The properties of the architecture, from the keys that llama.cpp itself reads.

    Raises:
        GgufError: one of them is missing.
    """
    architecture = header.text("general.architecture")

    def fact(key: str, default: int = 0) -> int:
        number = header.number(f"{architecture}.{key}", default)
        if number < 1:
            raise GgufError(
                path, f"holds no {architecture}.{key}, so its memory cannot be computed"
            )
        return number

    heads = fact("attention.head_count")
    # Models with a different number of heads per layer have a list here, of which the header reader
    # keeps only the length. The number of all heads is then the upper bound.
    kv_heads = fact("attention.head_count_kv", heads)
    width = fact("attention.key_length", fact("embedding_length") // heads)
    return ModelShape(
        header.parameters, fact("context_length"), fact("block_count"), kv_heads, width
    )
