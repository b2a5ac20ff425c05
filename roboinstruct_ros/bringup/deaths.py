"""Counts the deaths of a node, so that it is not restarted for ever."""

from __future__ import annotations

import time

QUICK = 10.0  # s; a shorter life counts as a quick death
MOST_QUICK = 5


class Deaths:
    """The quick deaths of one node in a row; a longer life begins the count anew.

    Attributes:
        count: with the last death, 0 before the first.
    """

    def __init__(self) -> None:
        self.count = 0
        self._born = time.monotonic()

    def born(self) -> None:
        """The node was started."""
        self._born = time.monotonic()

    def died(self) -> bool:
        """Count a death; whether it is one too many."""
        quick = time.monotonic() - self._born < QUICK
        self.count = self.count + 1 if quick else 1
        return self.count > MOST_QUICK
