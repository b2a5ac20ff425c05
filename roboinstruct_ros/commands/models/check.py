"""`roboinstruct models check`: what a model is, and whether it fits."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.commands.arguments import Json, like
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.listing import plain_console, table
from roboinstruct_ros.commands.models.models import Card, Vram, card
from roboinstruct_ros.domain.option import check
from roboinstruct_ros.generate.backends.llama_opening import DEFAULT_CONTEXT
from roboinstruct_ros.generate.models.gguf_file import read_gguf_header, size_in_words
from roboinstruct_ros.generate.models.lora import (
    Adapter,
    adapters_named,
    bytes_of,
    prompt_format_with,
)
from roboinstruct_ros.generate.models.memory_fit import (
    Fit,
    FitStatus,
    ModelShape,
    arithmetic,
    fit,
    gigabytes,
    weight_bytes,
)
from roboinstruct_ros.generate.models.model_file import ModelFile, read_model_file
from roboinstruct_ros.generate.models.model_names import NamedModel, named_model
from roboinstruct_ros.generate.models.model_options import NO_CHOICE
from roboinstruct_ros.generate.models.model_registry import (
    ModelRegistry,
    RegistryEntry,
    load_registry,
)
from roboinstruct_ros.generate.models.model_store import sha256_of
from roboinstruct_ros.generate.models.quantization import Quantization, quantization


class Checksum(Enum):
    """Result of comparing a file's SHA-256 with the expected one."""

    MATCHES = "matches"
    DIFFERS = "differs"
    NOT_KNOWN = "not_known"
    NO_FILE = "no_file"


@dataclass(frozen=True)
class Examination:
    """Findings on one model; `file` is None if a known model is not on this machine, and
    `of_adapter` says that an adapter determines the prompt format."""

    name: str
    entry: RegistryEntry | None
    file: ModelFile | None
    shape: ModelShape
    quantization: str
    n_ctx: int
    kv_type: str
    prompt_format: str
    fit: Fit
    sha256: str
    expected_sha256: str
    adapters: tuple[Adapter, ...] = ()
    of_adapter: bool = False

    @property
    def checksum(self) -> Checksum:
        if self.file is None:
            return Checksum.NO_FILE
        if not self.expected_sha256:
            return Checksum.NOT_KNOWN
        return Checksum.MATCHES if self.expected_sha256 == self.sha256 else Checksum.DIFFERS

    @property
    def good(self) -> bool:
        bad = self.fit.status is FitStatus.DOES_NOT_FIT or self.checksum is Checksum.DIFFERS
        return not bad


def check_model(
    model: Annotated[
        str, typer.Argument(help="A GGUF file, or a model name as 'models list' shows it.")
    ],
    lora: Annotated[str, like(NO_CHOICE, "lora")] = NO_CHOICE.lora,
    n_ctx: Annotated[
        int, typer.Option(help="Context size in tokens; 0: the model's own, at most 4096.", min=0)
    ] = 0,
    vram: Vram = None,
    kv_cache: Annotated[str, like(NO_CHOICE, "kv_cache")] = NO_CHOICE.kv_cache,
    type_: Annotated[
        str,
        typer.Option("--type", help="Quantization to assume for a model that is not installed."),
    ] = "Q4_K_M",
    as_json: Json = False,
) -> ExitCode:
    """What a model is and needs. Exit 0: fits; 1: does not fit, or another file; 2: unusable."""
    check(replace(NO_CHOICE, kv_cache=kv_cache))
    wanted = quantization(type_)
    room = card(vram)
    registry = load_registry()
    known = named_model(model, registry)
    known = replace(known, adapters=adapters_named(lora) or known.adapters)
    if known.path is None:
        assert known.entry is not None
        found = _from_registry(known.entry, wanted, n_ctx, room, kv_cache)
    else:
        found = _from_file(known.path, known, registry, n_ctx, room, kv_cache)
    if as_json:
        print(json.dumps(_document(found)))
    else:
        _show(found, room)
    return ExitCode.SUCCESS if found.good else ExitCode.FAILED


def _from_file(
    path: Path, known: NamedModel, registry: ModelRegistry, n_ctx: int, room: Card, kv_type: str
) -> Examination:  # fmt: skip
    file = read_model_file(path)
    with Console(stderr=True).status("reading the file for its SHA-256 ..."):
        digest = sha256_of(path)
    entry = next((one for one in registry.models if one.sha256 == digest), known.entry)
    expected = (entry.sha256 if entry else None) or file.notes.sha256 or ""
    tokens = n_ctx or min(file.shape.context, DEFAULT_CONTEXT)
    of_adapter = prompt_format_with(known.adapters, path, read_gguf_header(path))
    weights = file.file_bytes + bytes_of(known.adapters)
    held = fit(file.shape, weights, tokens, room.free, kv_type)
    return Examination(
        file.name, entry, file, file.shape, file.quantization, tokens, kv_type,
        of_adapter or file.prompt_format, held, digest, expected, known.adapters, bool(of_adapter),
    )  # fmt: skip


def _from_registry(
    entry: RegistryEntry, wanted: Quantization, n_ctx: int, room: Card, kv_type: str
) -> Examination:
    weights = weight_bytes(entry.parameters, wanted.bits)
    tokens = n_ctx or min(entry.context, DEFAULT_CONTEXT)
    held = fit(entry.shape, weights, tokens, room.free, kv_type)
    return Examination(
        entry.name, entry, None, entry.shape, wanted.name, tokens, kv_type, entry.prompt_format,
        held, "", entry.sha256 or "",
    )  # fmt: skip


def _show(found: Examination, room: Card) -> None:
    console = plain_console()
    rows = table("what", "found", show_header=False)
    for what, words in _facts(found):
        rows.add_row(what, escape(words))
    console.print(rows)
    sum_ = arithmetic(found.shape, found.fit.need, found.n_ctx, found.kv_type)
    console.print(escape(sum_), soft_wrap=True)
    for line in _verdict(found, room):
        console.print(line, soft_wrap=True)


def _facts(found: Examination) -> list[tuple[str, str]]:
    file, entry, shape = found.file, found.entry, found.shape
    facts = [("model", found.name)]
    if file is not None:
        source = "its adapter" if found.of_adapter else file.format_source
        facts += [
            ("file", f"{file.path}, {size_in_words(file.file_bytes)}"),
            ("architecture", file.architecture),
            *(("adapter", _adapter_in_words(one)) for one in found.adapters),
            ("prompt format", f"{found.prompt_format} ({source})"),
        ]
    elif entry is not None:
        package = f", in the package {entry.package.name}" if entry.package else ""
        facts += [
            ("file", f"not here; published as {entry.source} on Hugging Face{package}"),
            ("prompt format", entry.prompt_format),
        ]
    facts += [
        ("quantization", found.quantization),
        ("weights", f"{shape.parameters:,}"),
        ("context", f"{shape.context} tokens"),
    ]
    if entry is not None:
        facts.append(("licence", entry.licence or "unknown"))
    if file is not None:
        facts.append(("SHA-256", found.sha256))
    return facts


def _adapter_in_words(adapter: Adapter) -> str:
    scale = "" if adapter.scale == 1 else f", scaled by {adapter.scale:g}"
    return f"{adapter.path}, {size_in_words(adapter.path.stat().st_size)}{scale}"


def _verdict(found: Examination, room: Card) -> list[str]:
    lines = []
    if found.n_ctx > found.shape.context:
        lines.append(
            f"[yellow]note:[/] {found.n_ctx} tokens are more than the {found.shape.context} that "
            "it was trained for; what it writes beyond them is seldom of use"
        )
    if found.checksum is Checksum.DIFFERS:
        lines.append(
            f"[bold red]another file:[/] SHA-256 {found.expected_sha256} was expected; "
            "copy or download it again"
        )
    elif found.checksum is Checksum.MATCHES:
        lines.append("[green]checksum as expected[/]")
    elif found.checksum is Checksum.NOT_KNOWN:
        lines.append("checksum: nothing to compare it with")
    return lines + _fit_lines(found.fit, room)


def _fit_lines(held: Fit, room: Card) -> list[str]:
    if held.status is FitStatus.NO_CARD:
        return [
            "no GPU found: on the CPU it takes as much of the main memory; name a card with --vram"
        ]
    if held.status is FitStatus.FITS:
        return [f"[bold green]fits[/] {escape(room.words)}"]
    lines = [f"[bold red]does not fit[/] {escape(room.words)}: {gigabytes(held.short_by)} too much"]
    if not held.ways_out:
        return [*lines, "  nothing makes it fit; take a smaller model or n_gpu_layers 0"]
    return lines + [f"  would fit: {way.words} ({gigabytes(way.total)})" for way in held.ways_out]


def _document(found: Examination) -> dict[str, Any]:
    file, held = found.file, found.fit
    return {
        "name": found.name,
        "path": str(file.path) if file else None,
        "adapters": [{"path": str(one.path), "scale": one.scale} for one in found.adapters],
        "source": found.entry.source if found.entry else None,
        "licence": found.entry.licence if found.entry else None,
        "architecture": file.architecture if file else None,
        "quantization": found.quantization,
        "prompt_format": found.prompt_format,
        "parameters": found.shape.parameters,
        "context": found.shape.context,
        "n_ctx": found.n_ctx,
        "kv_cache": found.kv_type,
        "weight_bytes": held.need.weights,
        "kv_cache_bytes": held.need.kv_cache,
        "buffer_bytes": held.need.buffers,
        "total_bytes": held.need.total,
        "card_bytes": held.card,
        "fit": held.status.value,
        "short_by_bytes": held.short_by,
        "would_fit": [
            {"change": way.change, "words": way.words, "total_bytes": way.total}
            for way in held.ways_out
        ],
        "sha256": found.sha256 or None,
        "expected_sha256": found.expected_sha256 or None,
        "checksum": found.checksum.value,
    }  # fmt: skip
