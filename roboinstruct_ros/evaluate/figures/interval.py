"""The confidence interval of a share."""

from __future__ import annotations

from math import sqrt

Z95 = 1.96
"""Standard deviations to either side that hold 95 % of a normal distribution."""


def wilson(hits: float, total: float, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of `hits` among `total`; (0, 1) if nothing was counted."""
    if not total:
        return 0.0, 1.0
    share, over = hits / total, z * z / total
    centre = share + over / 2
    half = z * sqrt(max(0.0, share * (1 - share)) / total + over / (4 * total))
    low, high = (centre - half) / (1 + over), (centre + half) / (1 + over)
    return max(0.0, low), min(1.0, high)
