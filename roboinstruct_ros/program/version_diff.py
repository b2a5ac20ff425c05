"""The line-by-line difference between two programs."""

from __future__ import annotations

import difflib

from roboinstruct_ros.program.task_program import lines_of

SAME, ADDED, REMOVED = " ", "+", "-"


def changed_lines(old: str, new: str) -> tuple[tuple[str, str], ...]:
    """Every line of both texts with its mark: "+" added, "-" removed, " " in both; empty for
    equal texts."""
    if old.strip() == new.strip():
        return ()
    lines = difflib.ndiff(lines_of(old.strip("\n")), lines_of(new.strip("\n")))
    return tuple((line[0], line[2:]) for line in lines if line[0] != "?")
