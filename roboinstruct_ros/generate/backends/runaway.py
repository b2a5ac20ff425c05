"""Notices a text that only repeats itself: a small model may go on with `inininin` for ever."""

from __future__ import annotations

LONGEST_UNIT = 64
"""Characters of a part that is repeated: two lines of a program."""
REPEATS = 8
LEAST = 48
"""Characters that all repeats together have at least."""


def repeats_itself(text: str) -> bool:
    """Whether `text` ends with one part over and over, which no right program does.

    The part may be of one letter or of two lines, but not of blanks alone, as deep indentation is.
    A line that stands eight times in a row, and a name of eight equal syllables and as many
    characters as two long words, is not in a program either: repetition is a loop there.
    """
    if len(text) < LEAST:
        return False
    longest = min(LONGEST_UNIT, len(text) // REPEATS)
    return any(_ends_with(text, unit) for unit in range(1, longest + 1))


def _ends_with(text: str, unit: int) -> bool:
    """Whether the last `unit` characters are the end of a run of repeats."""
    length = max(LEAST, REPEATS * unit)
    if text[-1] != text[-1 - unit] or length > len(text):
        return False
    run = text[-length:]
    return run[unit:] == run[:-unit] and not run.isspace()
