"""The free memory of this machine's GPUs, as reported by `nvidia-smi`."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass

_QUERY = ("nvidia-smi", "--query-gpu=memory.total,memory.free", "--format=csv,noheader,nounits")
_PATIENCE = 10.0  # s; a hanging driver must not hang a command
_MIB = 2**20


@dataclass(frozen=True)
class GpuMemory:
    """Memory of one GPU, bytes."""

    total: int
    free: int


def gpu_memory() -> GpuMemory | None:
    """The GPU with the most free memory; None without a GPU or without `nvidia-smi`.

    Only the GPUs that the environment variable `CUDA_VISIBLE_DEVICES` allows count.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None and visible.strip() in ("", "-1"):  # values that hide all GPUs from CUDA
        return None
    query = [*_QUERY, f"--id={visible}"] if visible else _QUERY
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if answer.returncode != 0:
        return None
    return max(read_cards(answer.stdout), key=lambda card: card.free, default=None)


def read_cards(answer: str) -> list[GpuMemory]:
    """The GPUs in the output of `nvidia-smi`, MiB in each column; lines with non-numbers
    (`[N/A]` on a partitioned GPU) are skipped."""
    cards = []
    for line in answer.splitlines():
        columns = [column.strip() for column in line.split(",")]
        if len(columns) == 2 and all(column.isdecimal() for column in columns):
            total, free = (int(column) * _MIB for column in columns)
            cards.append(GpuMemory(total, free))
    return cards
