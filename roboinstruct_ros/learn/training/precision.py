"""The number format of the training: bfloat16 where it is fast, else float32."""

from __future__ import annotations

import time

import torch

_ROWS, _WIDTH, _TIMES = 256, 512, 3


def fastest_precision() -> torch.dtype:
    """bfloat16, or float32 on a machine that only emulates bfloat16.

    A CPU without AVX-512 BF16 or AMX takes eight times as long for a matrix in bfloat16, the others
    less time than in float32. Both are timed, for a tenth of a second.
    """
    if torch.cuda.is_available():
        supported = torch.cuda.is_bf16_supported(including_emulation=False)
        return torch.bfloat16 if supported else torch.float32
    emulated = _seconds(torch.bfloat16) > 2 * _seconds(torch.float32)
    return torch.float32 if emulated else torch.bfloat16


def _seconds(precision: torch.dtype) -> float:
    """Shortest time of a matrix product, s."""
    rows = torch.ones(_ROWS, _WIDTH, dtype=precision)
    weights = torch.ones(_WIDTH, _WIDTH, dtype=precision)
    times = []
    for _ in range(_TIMES):
        begun = time.perf_counter()
        torch.nn.functional.linear(rows, weights)
        times.append(time.perf_counter() - begun)
    return min(times)
