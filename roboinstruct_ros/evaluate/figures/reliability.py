"""How far a model's confidence can be believed: of what it is so sure of, how much is right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from roboinstruct_ros.evaluate.figures.interval import percent

BOUNDS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Of the lines of the table; the last one holds its upper end."""

Told = tuple[float, bool]
"""A confidence, and whether what it was told of is right."""


def reliability(told: Sequence[Told]) -> str:
    """Markdown: a line for each range of confidence, and the expected calibration error below."""
    rows = ["| confidence | cases | mean | right |", "| --- | --- | --- | --- |"]
    error = 0.0
    for low, high in pairwise(BOUNDS):
        some = [one for one in told if low <= one[0] < high or one[0] == high == BOUNDS[-1]]
        if not some:
            continue
        mean, right = sum(sure for sure, _ in some) / len(some), sum(good for _, good in some)
        error += abs(mean * len(some) - right) / len(told)
        share = percent(right, len(some))
        rows.append(f"| {low:.1f} to {high:.1f} | {len(some)} | {100 * mean:.0f} % | {share} |")
    below = f"Expected calibration error: {100 * error:.0f} %, {len(told)} cases."
    return "\n".join([*rows, "", below])
