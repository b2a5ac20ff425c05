"""Places a GGUF on the GPU or in main memory, and explains when it does not fit.

The arithmetic is in `memory_fit`; this module supplies the actual sizes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.models.gguf_file import GgufError, GgufHeader
from roboinstruct_ros.generate.models.gpu_memory import GpuMemory, gpu_memory
from roboinstruct_ros.generate.models.memory_fit import (
    Fit,
    FitStatus,
    ModelShape,
    arithmetic,
    fit,
    gigabytes,
    layers_that_fit,
)
from roboinstruct_ros.generate.models.model_file import model_shape

ALL_LAYERS = -1
AUTO_LAYERS = -2
"""Values of `n_gpu_layers` besides a number of layers."""

_OUT_OF_MEMORY = re.compile(r"alloc|out of memory", re.IGNORECASE)


@dataclass(frozen=True)
class Load:
    """A model to be loaded.

    Attributes:
        weights: Size of the file, bytes.
        n_ctx: Tokens that prompt and answer share.
        kv_type: A key of `KV_BYTES`.
    """

    shape: ModelShape
    weights: int
    n_ctx: int
    kv_type: str

    def held_against(self, room: int | None) -> Fit:
        """The comparison with `room` bytes of a GPU."""
        return fit(self.shape, self.weights, self.n_ctx, room, self.kv_type)

    @property
    def sum(self) -> str:
        """The calculation with its factors, in one line."""
        return arithmetic(self.shape, self.held_against(None).need, self.n_ctx, self.kv_type)

    def main_memory(self, layers: int) -> int:
        """Bytes that stay in main memory with `layers` on a GPU; -1 is all of them."""
        need = self.held_against(None).need
        if layers == ALL_LAYERS or layers >= self.shape.layers:
            return 0
        return round((need.weights + need.kv_cache) * (1 - layers / self.shape.layers))


@dataclass(frozen=True)
class Placement:
    """Layers for the GPU, as llama.cpp counts them, and one line that says why."""

    layers: int
    words: str


def place(load: Load, gpu: GpuMemory | None, offload: bool) -> Placement:
    """As many layers on the GPU as have room there, with their part of the KV cache.

    Args:
        gpu: The GPU; None without one, or if its free memory is unknown.
        offload: Whether llama.cpp was built for a GPU.
    """
    if not offload:
        found = "this llama.cpp is built without GPU support" if gpu else "there is no GPU"
        return Placement(0, f"all layers stay with the CPU: {found}")
    if gpu is None:
        return Placement(
            0,
            "all layers stay with the CPU: nvidia-smi knows no GPU; n_gpu_layers can name a number",
        )
    held = load.held_against(gpu.free)
    free = f"{load.sum}; {gigabytes(gpu.free)} free on the GPU"
    if held.status is FitStatus.FITS:
        return Placement(ALL_LAYERS, f"{free}: all {load.shape.layers} layers go there")
    layers = layers_that_fit(load.shape, held.need, gpu.free)
    where = f"{layers} of {load.shape.layers} layers go there" if layers else "no layer fits there"
    return Placement(layers, f"{free}: {where}, the rest stays with the CPU")


def main_memory_fault(load: Load, layers: int, free: int | None) -> str:
    """Why the CPU's part does not fit in main memory; "" if it does.

    A file is mapped, not read: a file that is too large would load, but read the disk for every
    token.
    """
    needed = load.main_memory(layers)
    if free is None or needed <= free:
        return ""
    return (
        f"{gigabytes(needed)} (weights and KV cache) would stay in main memory, where "
        f"{gigabytes(free)} are free; take a smaller model, less n_ctx, or a GPU (n_gpu_layers)"
    )


def is_out_of_memory(log: Sequence[str]) -> bool:
    """Whether llama.cpp complained about memory."""
    return any(_OUT_OF_MEMORY.search(line) for line in log)


def shortage(load: Load, room: int | None, where: str) -> str:
    """By how much a model does not fit, and what would fit, in one line.

    Args:
        room: Free bytes; None if unknown.
        where: Name of that memory.
    """
    held = load.held_against(room)
    if room is None:
        return f"{load.sum}; take a smaller model or less n_ctx"
    if held.status is FitStatus.FITS:  # an estimate, and others use the memory too
        ways = "something else takes it; try again, or take less n_ctx or n_gpu_layers"
        return f"{load.sum}, {gigabytes(room)} free in {where}: {ways}"
    ways = " or ".join(way.words for way in held.ways_out) or "a smaller model"
    return (
        f"{load.sum}, {gigabytes(room)} free in {where}, {gigabytes(held.short_by)} too much; "
        f"would fit: {ways}"
    )


def free_main_memory() -> int | None:
    """Bytes that processes can still allocate, including reclaimable caches; None if unknown."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    known = dict(line.split(":", 1) for line in lines if ":" in line)
    words = known.get("MemAvailable", "").split()
    return int(words[0]) * 1024 if words and words[0].isdecimal() else None


@dataclass(frozen=True)
class MemoryPlan:
    """The placement of one GGUF.

    Attributes:
        layers: For the GPU, as llama.cpp counts them; 0 is none, -1 all.
    """

    load: Load
    layers: int

    @classmethod
    def make(
        cls,
        path: Path,
        header: GgufHeader,
        n_ctx: int,
        kv_type: str,
        wanted: int,
        offload: bool,
        tell: Callable[[str], object],
        adapter_bytes: int = 0,
    ) -> MemoryPlan:
        """The plan for a file on this machine.

        Args:
            wanted: Layers for the GPU; `AUTO_LAYERS` takes as many as fit, and calls `tell`.
            offload: Whether llama.cpp was built for a GPU.
            adapter_bytes: Size of the adapters' files, which are loaded besides the weights.

        Raises:
            BackendError: MODEL_NOT_LOADED, the CPU's part does not fit in main memory.
        """
        try:
            shape, unknown = model_shape(path, header), ""
        except GgufError as error:  # state space models have no heads: only the weights count
            shape, unknown = ModelShape(header.parameters, n_ctx, 1, 1, 1), str(error)
        load = Load(shape, header.file_bytes + adapter_bytes, n_ctx, kv_type)
        if wanted == AUTO_LAYERS:
            placement = place(load, gpu_memory(), offload)
            if unknown and placement.layers:
                placement = Placement(0, f"all layers stay with the CPU: {unknown}")
            tell(f"{path.name}: {placement.words}")
            wanted = placement.layers
        layers = wanted if offload else 0
        fault = main_memory_fault(load, layers, free_main_memory())
        if fault:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, f"{path}: {fault}")
        return cls(load, layers)

    def shortage(self) -> str:
        """By how much it does not fit at present, and what would fit, in one line."""
        if not self.layers:
            return shortage(self.load, free_main_memory(), "main memory")
        gpu = gpu_memory()
        return shortage(self.load, gpu.free if gpu else None, "the GPU")
