"""How tests wait for what has to come about."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

LIMIT = 60.0
"""s, for anything that should happen soon on a busy machine."""
_LOOK = 0.01  # s between two looks

T = TypeVar("T")


def until(
    holds: Callable[[], T | None],
    what: str | Callable[[], str] = "what was waited for",
    limit: float = LIMIT,
) -> T:
    """The first true value of `holds`, which is asked again and again.

    Args:
        what: should come about, for the message; a callable is asked only when it has not.
        limit: s.

    Raises:
        AssertionError: it has not come about in time.
    """
    deadline = time.monotonic() + limit
    while not (value := holds()):
        if time.monotonic() > deadline:
            said = what if isinstance(what, str) else what()
            raise AssertionError(f"not within {limit:g} s: {said}")
        time.sleep(_LOOK)
    return value
