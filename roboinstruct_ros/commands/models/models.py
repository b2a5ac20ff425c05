"""`roboinstruct models list` and `import`; the GPU memory that other model commands check."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from roboinstruct_ros.commands.arguments import Json
from roboinstruct_ros.commands.listing import console, table
from roboinstruct_ros.domain.configuration import ConfigError, InputError, nearest_name
from roboinstruct_ros.generate.models.gguf_file import size_in_words
from roboinstruct_ros.generate.models.gpu_memory import gpu_memory
from roboinstruct_ros.generate.models.memory_fit import (
    GIB,
    FitStatus,
    ModelShape,
    fit,
    gigabytes,
    kv_cache_bytes,
    weight_bytes,
)
from roboinstruct_ros.generate.models.model_file import read_model_file
from roboinstruct_ros.generate.models.model_names import file_here
from roboinstruct_ros.generate.models.model_registry import load_registry
from roboinstruct_ros.generate.models.model_store import (
    ModelFault,
    import_model,
    models_folder,
    stored_models,
)
from roboinstruct_ros.generate.models.quantization import QUANTIZATIONS, quantization
from roboinstruct_ros.generate.prompts.prompt import FORMATS

Vram = Annotated[
    float | None,
    typer.Option(help="GPU memory in GiB; default: what is free on this machine.", min=0.0),
]

_WIDE = 130  # columns
_SIZES = ("Q4_K_M", "Q5_K_M", "Q8_0")


@dataclass(frozen=True)
class Card:
    """GPU memory to fit into, bytes (None without a GPU), and the source of that number."""

    free: int | None
    words: str


def card(vram: float | None) -> Card:
    """The GPU memory given by `--vram` in GiB, else that of this machine."""
    if vram is not None:
        if not isfinite(vram):
            raise ModelFault(
                f"--vram {vram} is no number of GiB; give the size of the card, e.g. 10"
            )
        free = int(vram * GIB)
        return Card(free, f"a card of {vram:g} GiB ({size_in_words(free)})")
    found = gpu_memory()
    if found is None:
        return Card(None, "no GPU found; name a card with --vram GIB")
    words = f"the GPU here, {size_in_words(found.free)} free of {size_in_words(found.total)}"
    return Card(found.free, words)


def list_models(
    vram: Vram = None,
    n_ctx: Annotated[int, typer.Option(help="Context size in tokens.", min=1)] = 4096,
    as_json: Json = False,
) -> None:
    """List the models known by name or imported, and which of them fit the GPU."""
    room = card(vram)
    rows = [_row(*known, n_ctx, room.free) for known in _known_models()]
    if as_json:
        document = {"card_bytes": room.free, "n_ctx": n_ctx, "models": rows}
        print(json.dumps(document))
        return
    shown = console(_WIDE)
    unfit = "?" if room.free is None else "no"
    shown.print(_table(rows, n_ctx, shown.width, unfit))
    held = "" if room.free is None else "Held against "
    shown.print(f"\n{held}{escape(room.words)}.", soft_wrap=True)
    shown.print(f"Imported models stand in {models_folder()}.", soft_wrap=True)


def _known_models() -> Iterator[tuple[str, str | None, ModelShape, Path | None]]:
    """Name, licence, shape and file of each model; an imported file is read for its shape."""
    stored = stored_models()
    for entry in load_registry().models:
        path = stored.pop(entry.name, None) or file_here(entry)
        yield entry.name, entry.licence, entry.shape, path
    for name, path in stored.items():
        try:
            yield name, None, read_model_file(path).shape, path
        except InputError as error:  # one bad file must not hide the others
            print(error, file=sys.stderr)


def _row(
    name: str, licence: str | None, shape: ModelShape, path: Path | None, n_ctx: int,
    room: int | None,
) -> dict[str, Any]:  # fmt: skip
    tokens = min(n_ctx, shape.context)
    return {
        "name": name,
        "licence": licence,
        "parameters": shape.parameters,
        "context": shape.context,
        "weight_bytes": {
            size: weight_bytes(shape.parameters, quantization(size).bits) for size in _SIZES
        },
        "n_ctx": tokens,
        "kv_cache_bytes": kv_cache_bytes(shape, tokens),
        "fits_at": _best_that_fits(shape, tokens, room),
        "path": str(path) if path else None,
    }


def _best_that_fits(shape: ModelShape, n_ctx: int, room: int | None) -> str | None:
    for candidate in QUANTIZATIONS:
        weights = weight_bytes(shape.parameters, candidate.bits)
        if fit(shape, weights, n_ctx, room).status is FitStatus.FITS:
            return candidate.name
    return None


def _table(rows: list[dict[str, Any]], n_ctx: int, width: int, unfit: str) -> Table:
    """The table; on a narrow terminal the licence is below the name."""
    beside = width >= _WIDE
    figures = (f">{title}" for title in ("params", "tokens", *_SIZES, f"KV at\n{n_ctx}"))
    heads = ("name", *["licence"] * beside)
    shown = table(*heads, *figures, "fits", "here", padding=(0, 1) if beside else 0)
    for row in rows:
        name, licence = escape(row["name"]), escape(row["licence"] or "unknown")
        texts = [name, licence] if beside else [f"{name}\n[dim]  {licence}[/]"]
        shown.add_row(*texts, *_figures(row, unfit))
    return shown


def _figures(row: dict[str, Any], unfit: str) -> list[str]:
    weights = row["parameters"]
    return [
        f"{weights / 1e9:.2f} B" if weights >= 1e8 else f"{weights / 1e6:.1f} M",
        str(row["context"]),
        *(gigabytes(size) for size in row["weight_bytes"].values()),
        gigabytes(row["kv_cache_bytes"]),
        f"[green]{row['fits_at']}[/]" if row["fits_at"] else unfit,
        "yes" if row["path"] else "no",
    ]


def import_file(
    file: Annotated[str, typer.Argument(help="A GGUF file.")],
    name: Annotated[str, typer.Option(help="Name of the model; default: the file's name.")] = "",
    prompt_format: Annotated[
        str, typer.Option(help="Prompt format: completion, chat, ...; default: as the file says.")
    ] = "",
) -> None:
    """Copy a model into the model folder."""
    if prompt_format and prompt_format not in FORMATS:
        near = nearest_name(prompt_format, list(FORMATS))
        known = f"'{prompt_format}' is none; there are {', '.join(FORMATS)}"
        raise ConfigError("--prompt-format", 0, "", known, near)
    source = Path(file).expanduser()
    size = read_model_file(source).file_bytes
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    stderr = Console(stderr=True)
    # A refusal stays one line: no progress bar above it, and none in a log.
    with Progress(*columns, console=stderr, transient=True, disable=not stderr.is_terminal) as bar:
        task = bar.add_task(escape(source.name), total=size)
        done = import_model(
            source, name, prompt_format or None, load_registry(),
            lambda count: bar.advance(task, count),
        )  # fmt: skip
    model = read_model_file(done.path)
    print(f"{done.path}: {'is there already' if done.was_there else 'imported'}, verified")
    print(f"prompt format {model.prompt_format} ({model.format_source})")
    print(f"use it: roboinstruct up --model {done.path.stem}")
