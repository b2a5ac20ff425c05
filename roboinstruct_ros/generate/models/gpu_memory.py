"""What the graphics cards of this machine have free, asked of `nvidia-smi`."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass

_QUERY = ("nvidia-smi", "--query-gpu=memory.total,memory.free", "--format=csv,noheader,nounits")
_PATIENCE = 10.0  # s; a driver that hangs must not hang a command
_MIB = 2**20


@dataclass(frozen=True)
class GpuMemory:
    """Bytes of one card."""

    total: int
    free: int


def gpu_memory() -> GpuMemory | None:
    """The card with the most free memory; None when there is no card or nobody who knows.

    Only the cards count that the environment variable `CUDA_VISIBLE_DEVICES` leaves to CUDA.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None and visible.strip() in ("", "-1"):  # what hides all cards from CUDA
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
    """The cards in what `nvidia-smi` printed, MiB in each column; what is no number (`[N/A]` on
    a card that is split) is left out."""
    cards = []
    for line in answer.splitlines():
        columns = [column.strip() for column in line.split(",")]
        if len(columns) == 2 and all(column.isdecimal() for column in columns):
            total, free = (int(column) * _MIB for column in columns)
            cards.append(GpuMemory(total, free))
    return cards
