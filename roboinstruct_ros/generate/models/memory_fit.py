"""How much memory a model needs, and what to change if a GPU is too small.

Pure arithmetic: opens no file and queries no GPU. All values are in bytes. Messages use GB of 10^9
bytes, while GPUs are sold in GiB of 2^30 bytes (a "10 GB" card has 10.7 GB).

    weights   parameters x bits / 8, or the size of the file if there is one
    KV cache  2 (keys and values) x layers x kv_heads x head_dim x tokens x bytes of a value
    buffers   BUFFER_BYTES, an allowance
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.generate.models.gguf_file import size_in_words
from roboinstruct_ros.generate.models.quantization import QUANTIZATIONS

GIB = 2**30
BUFFER_BYTES = 600_000_000
"""llama.cpp's scratch memory for a batch of 256 tokens plus the CUDA runtime: a round allowance
for a 7B model and up to 8192 tokens, not a measurement."""

KV_BYTES = {"f16": 2.0, "q8_0": 34 / 32, "q4_0": 18 / 32}
"""Bytes of one value in the cache: blocks of 32 values with a 16-bit scale, except for f16."""

LEAST_CONTEXT = 2048
"""Smallest proposed context in tokens; below it, a `completion` prompt with a program to repair
leaves no room for an answer."""
CONTEXT_STEP = 256  # tokens; llama.cpp rounds a context up to this


@dataclass(frozen=True)
class ModelShape:
    """The properties of an architecture that determine its memory.

    Attributes:
        parameters: Number of weights.
        context: Tokens that it was trained for.
        layers: Number of transformer blocks.
        kv_heads: Heads whose keys and values are cached.
        head_dim: Values of one key of one head.
    """

    parameters: int
    context: int
    layers: int
    kv_heads: int
    head_dim: int


@dataclass(frozen=True)
class MemoryNeed:
    """Bytes by purpose."""

    weights: int
    kv_cache: int
    buffers: int = BUFFER_BYTES

    @property
    def total(self) -> int:
        return self.weights + self.kv_cache + self.buffers


class FitStatus(Enum):
    """Whether a model fits a GPU."""

    FITS = "fits"
    DOES_NOT_FIT = "does_not_fit"
    NO_CARD = "no_card"


@dataclass(frozen=True)
class WayOut:
    """A change that makes the model fit, or the largest number of layers that does.

    Attributes:
        change: `quantization`, `n_ctx`, `kv_cache`, `together` or `gpu_layers`.
        words: The change, for a person.
        total: Bytes on the GPU afterwards.
    """

    change: str
    words: str
    total: int


@dataclass(frozen=True)
class Fit:
    """The comparison of a model with a GPU.

    Attributes:
        card: Bytes of the GPU; None without one.
        short_by: Missing bytes; 0 if it fits.
        ways_out: Changes that make it fit, the smallest loss first; empty if it fits.
    """

    need: MemoryNeed
    card: int | None
    status: FitStatus
    short_by: int = 0
    ways_out: tuple[WayOut, ...] = ()


def weight_bytes(parameters: int, bits: float) -> int:
    """Bytes of `parameters` weights of `bits` bits each."""
    return round(parameters * bits / 8)


def kv_cache_bytes(shape: ModelShape, n_ctx: int, kv_type: str = "f16") -> int:
    """Bytes of the keys and values of `n_ctx` tokens."""
    values = 2 * shape.layers * shape.kv_heads * shape.head_dim * n_ctx
    return round(values * KV_BYTES[kv_type])


def memory_need(shape: ModelShape, weights: int, n_ctx: int, kv_type: str = "f16") -> MemoryNeed:
    """The memory that a model with `weights` bytes of weights needs."""
    return MemoryNeed(weights, kv_cache_bytes(shape, n_ctx, kv_type))


def gigabytes(count: int) -> str:
    """Bytes in GB, so that the terms of a sum have one unit; smaller units only instead of 0.0."""
    return f"{count / 1e9:.1f} GB" if count >= 50_000_000 else size_in_words(count)


def arithmetic(shape: ModelShape, need: MemoryNeed, n_ctx: int, kv_type: str = "f16") -> str:
    """The calculation with all its factors, in one line."""
    return (
        f"weights {gigabytes(need.weights)} + KV cache {shape.layers} layers x "
        f"{shape.kv_heads} heads x {shape.head_dim} x 2 x {KV_BYTES[kv_type]:g} bytes x {n_ctx} "
        f"tokens = {gigabytes(need.kv_cache)} + buffers {gigabytes(need.buffers)} = "
        f"{gigabytes(need.total)}"
    )


def fit(shape: ModelShape, weights: int, n_ctx: int, card: int | None, kv_type: str = "f16") -> Fit:
    """Compare a model with a GPU.

    Args:
        weights: Bytes of its weights.
        n_ctx: Tokens that prompt and answer share.
        card: Free bytes on the GPU; None without one.
        kv_type: A key of `KV_BYTES`.
    """
    need = memory_need(shape, weights, n_ctx, kv_type)
    if card is None:
        return Fit(need, None, FitStatus.NO_CARD)
    if need.total <= card:
        return Fit(need, card, FitStatus.FITS)
    ways = _single_changes(shape, weights, n_ctx, card, kv_type)
    if not ways:
        ways = _changes_together(shape, weights, n_ctx, card)
    ways += _layers_on_card(shape, need, card)
    return Fit(need, card, FitStatus.DOES_NOT_FIT, need.total - card, tuple(ways))


def _single_changes(
    shape: ModelShape, weights: int, n_ctx: int, card: int, kv_type: str
) -> list[WayOut]:
    ways: list[WayOut] = []
    for name, smaller in _smaller_weights(shape, weights):
        total = memory_need(shape, smaller, n_ctx, kv_type).total
        if total <= card:
            ways.append(WayOut("quantization", f"quantize it to {name}", total))
            break
    shorter = _longest_context(shape, weights, n_ctx, card, kv_type)
    if shorter:
        total = memory_need(shape, weights, shorter, kv_type).total
        ways.append(WayOut("n_ctx", f"a context of {shorter} tokens (n_ctx)", total))
    for name in list(KV_BYTES)[list(KV_BYTES).index(kv_type) + 1 :]:
        total = memory_need(shape, weights, n_ctx, name).total
        if total <= card:
            ways.append(WayOut("kv_cache", f"a {name} KV cache (kv_cache)", total))
            break
    return ways


def _smaller_weights(shape: ModelShape, weights: int) -> list[tuple[str, int]]:
    sizes = [(q.name, weight_bytes(shape.parameters, q.bits)) for q in QUANTIZATIONS]
    return [(name, size) for name, size in sizes if size < weights]


def _longest_context(
    shape: ModelShape, weights: int, n_ctx: int, card: int, kv_type: str
) -> int | None:
    room = card - weights - BUFFER_BYTES
    tokens = int(room / kv_cache_bytes(shape, 1, kv_type)) // CONTEXT_STEP * CONTEXT_STEP
    return tokens if LEAST_CONTEXT <= tokens < n_ctx else None


def _changes_together(shape: ModelShape, weights: int, n_ctx: int, card: int) -> list[WayOut]:
    """The most precise weights that fit with the smallest context, a smaller cache last."""
    tokens = min(n_ctx, LEAST_CONTEXT)
    for kv_type in ("f16", "q8_0"):
        for name, smaller in _smaller_weights(shape, weights):
            total = memory_need(shape, smaller, tokens, kv_type).total
            if total <= card:
                cache = "" if kv_type == "f16" else f" and a {kv_type} KV cache (kv_cache)"
                words = f"quantize it to {name}, with {tokens} tokens of context (n_ctx){cache}"
                return [WayOut("together", words, total)]
    return []


def layers_that_fit(shape: ModelShape, need: MemoryNeed, card: int) -> int:
    """Layers that fit into `card` bytes besides the buffers; all only if the complete model fits.

    A layer takes its weights and its part of the cache; the other layers run on the CPU, slower.
    """
    if need.total <= card:
        return shape.layers
    return max(min(int((card - need.buffers) / _layer(shape, need)), shape.layers - 1), 0)


def _layer(shape: ModelShape, need: MemoryNeed) -> float:
    return (need.weights + need.kv_cache) / shape.layers


def _layers_on_card(shape: ModelShape, need: MemoryNeed, card: int) -> list[WayOut]:
    layers = layers_that_fit(shape, need, card)
    if not layers:
        return []
    words = f"{layers} of {shape.layers} layers on the GPU (n_gpu_layers {layers}), slower"
    return [WayOut("gpu_layers", words, round(need.buffers + layers * _layer(shape, need)))]
