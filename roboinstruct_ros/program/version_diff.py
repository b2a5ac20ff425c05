"""The line-by-line difference between two programs."""

from __future__ import annotations

import difflib

SAME, ADDED, REMOVED = " ", "+", "-"


def changed_lines(old: str, new: str) -> tuple[tuple[str, str], ...]:
    """Every line of both texts with its mark: "+" added, "-" removed, " " in both; empty for
    equal texts."""
    if old.strip() == new.strip():
        return ()
    lines = difflib.ndiff(old.strip("\n").splitlines(), new.strip("\n").splitlines())
    return tuple((line[0], line[2:]) for line in lines if line[0] != "?")
