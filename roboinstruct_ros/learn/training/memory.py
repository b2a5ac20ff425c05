"""Estimates the memory of a training before anything is loaded.

weights       parameters x 2 bytes; x 0.56 in 4 bits (with the scales); x 4 in full training
adapter       its parameters x 16 bytes: weight, gradient and two moments in 32 bits; in full
              training, 12 besides the weights
activations   tokens x layers x (34 x width + 5 x heads x longest) bytes, or 2 x width each if
              they are recomputed (on a GPU). Source: Korthikanti et al. 2022, (2)
head          tokens x vocabulary x 6 bytes: scores in 16 and 32 bits
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psutil

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.generate.models.gpu_memory import gpu_memory
from roboinstruct_ros.generate.models.memory_fit import gigabytes
from roboinstruct_ros.learn.training.options import TrainingOptions

_MOST_SCORED = 32_768
"""Vocabulary scores that trl's head computes at a time on a GPU."""


@dataclass(frozen=True)
class TrainingMemory:
    """Bytes by purpose."""

    weights: int
    trained: int
    activations: int
    head: int

    @property
    def total(self) -> int:
        return self.weights + self.trained + self.activations + self.head

    def __str__(self) -> str:
        named = {
            "weights": self.weights, "what is trained": self.trained,
            "activations": self.activations, "head": self.head,
        }  # fmt: skip
        terms = " + ".join(f"{name} {gigabytes(count)}" for name, count in named.items())
        return f"{terms} = {gigabytes(self.total)}"


def training_memory(
    config: Any, options: TrainingOptions, longest: int, on_gpu: bool
) -> TrainingMemory:
    """The memory of one process.

    Args:
        config: sizes of the model, as a transformers configuration.
        longest: tokens of the longest example.
    """
    layers, width, inner = config.num_hidden_layers, config.hidden_size, config.intermediate_size
    key = width // config.num_attention_heads * config.num_key_value_heads
    shapes = [(width, width), (width, key), (width, key), (width, width)]
    shapes += [(width, inner), (width, inner), (inner, width)]
    in_layers = layers * sum(a * b for a, b in shapes)
    outside = config.vocab_size * width * (1 if config.tie_word_embeddings else 2)
    everything = in_layers + outside
    if options.rank:
        weights = round(in_layers * (0.56 if options.bits == 4 else 2)) + 2 * outside
        upper = layers - options.first_layer
        trained = 16 * options.rank * upper * sum(a + b for a, b in shapes)
    else:
        weights, trained = 4 * everything, 12 * everything
    tokens = options.batch * longest
    each = 34 * width + 5 * config.num_attention_heads * longest
    again = tokens * layers * 2 * width + tokens * each
    activations = again if on_gpu else tokens * layers * each
    at_once = min(config.vocab_size, _MOST_SCORED) if on_gpu else config.vocab_size
    return TrainingMemory(weights, trained, activations, tokens * at_once * 6)


def check_memory(config: Any, options: TrainingOptions, longest: int) -> None:
    """Check that the training fits.

    Raises:
        InputError: it does not; the sum, and what would fit.
    """
    card = gpu_memory()
    free = card.free if card else psutil.virtual_memory().available
    need = training_memory(config, options, longest, card is not None)
    if need.total <= free:
        return
    where = "the GPU" if card else "main memory"
    ways = "; ".join(_ways_out(config, options, longest, card is not None, free))
    raise InputError(f"too large for {where}: {need}, {gigabytes(free)} are free; {ways}")


def _ways_out(
    config: Any, options: TrainingOptions, longest: int, on_gpu: bool, free: int
) -> list[str]:
    """Changes of the options, each of which makes it fit; otherwise the smallest possible need."""

    def total(**changes: Any) -> int:
        changed = options.model_copy(update=changes)
        return training_memory(config, changed, min(longest, changed.longest), on_gpu).total

    ways = []
    fewer = next((b for b in range(options.batch - 1, 0, -1) if total(batch=b) <= free), None)
    if fewer:
        times = -(-options.batch * options.accumulate // fewer)
        ways.append(f"batch: {fewer} with accumulate: {times} fits")
    if options.rank == 0 and total(rank=32) <= free:
        ways.append("rank: 32 (an adapter) fits")
    if on_gpu and options.rank and options.bits == 16 and total(bits=4) <= free:
        ways.append("bits: 4 fits")
    least = {"batch": 1, "longest": 512, "rank": 16, **({"bits": 4} if on_gpu else {})}
    words = ", ".join(f"{name}: {value}" for name, value in least.items())
    return ways or [f"with {words} it takes {gigabytes(total(**least))}; take a smaller base"]
