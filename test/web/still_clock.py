"""A clock that a test sets."""

from __future__ import annotations


class StillClock:
    """Shows what a test wants, s since the Unix epoch; it does not go by itself."""

    def __init__(self) -> None:
        self.now = 1_795_000_000.0  # 18 November 2026, 12:06:40 in Berlin

    def __call__(self) -> float:
        return self.now
