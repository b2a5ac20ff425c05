"""Detects degenerate repetition: a small model may write `inininin` for ever."""

from __future__ import annotations

LONGEST_UNIT = 64
"""Characters of the longest repeated unit: two lines of a program."""
REPEATS = 8
LEAST = 48
"""Least characters of all repeats together."""


def repeats_itself(text: str) -> bool:
    """Whether `text` ends with one unit over and over, which no correct program does.

    The unit may be one letter or up to two lines, but not blanks alone, which deep indentation has.
    Correct programs do not contain a line eight times in a row, nor a name of eight equal syllables
    and the length of two long words: they use a loop.
    """
    if len(text) < LEAST:
        return False
    longest = min(LONGEST_UNIT, len(text) // REPEATS)
    last = text[-1]
    return any(text[-1 - unit] == last and _ends_with(text, unit) for unit in range(1, longest + 1))


def _ends_with(text: str, unit: int) -> bool:
    """Whether `text` ends with repeats of its last `unit` characters."""
    run = text[-max(LEAST, REPEATS * unit) :]
    return run[unit:] == run[:-unit] and not run.isspace()
