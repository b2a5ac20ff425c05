"""Matches calls against the ways in `test/generate/instructions.yaml`.

`~` begins words that a message or question must contain, see `domain/said_words.py`; `go_to *` is
any number of rooms, `says` one or several messages, `a|b` either of the two, and a part in brackets
is optional.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from roboinstruct_ros.domain.said_words import has_words


def follows(calls: Sequence[str], way: Sequence[str], start: str = "") -> bool:
    """Whether `calls`, begun in the room `start`, match `way`.

    Driving to the room that the robot is in makes no difference.
    """
    return _follows(list(without_idle_drives(calls, start)), list(without_idle_drives(way, start)))


def without_idle_drives(calls: Sequence[str], start: str) -> Iterator[str]:
    """The calls without drives to the room where the robot already is."""
    here = f"go_to {start}"
    for call in calls:
        if call == here != "go_to *":
            continue
        if "go_to" in call:
            here = call
        yield call


def _follows(calls: Sequence[str], way: Sequence[str]) -> bool:
    if not way:
        return not calls
    first, rest = way[0], way[1:]
    if first.startswith("("):
        return _follows(calls, rest) or _follows(calls, [first[1:-1], *rest])
    return any(_follows(calls[taken:], rest) for taken in _taken(calls, first))


def _taken(calls: Sequence[str], pattern: str) -> Iterator[int]:
    """The numbers of leading calls that the pattern may match."""
    skill = pattern.split(" ")[0].removesuffix("s")
    alike = list(takewhile(lambda call: call.startswith(f"{skill} "), calls))
    if pattern == "go_to *":
        yield from range(1, len(alike) + 1)
    elif pattern.startswith("says "):
        one = pattern.replace("says", "say", 1)
        yield from (n for n in range(1, len(alike) + 1) if _matches(" ".join(alike[:n]), one))
    elif calls and _matches(calls[0], pattern):
        yield 1


def _matches(call: str, pattern: str) -> bool:
    fixed, tilde, words = pattern.partition("~")
    if not tilde:
        skill, _, names = pattern.partition(" ")
        return call in [f"{skill} {name}" for name in names.split("|")]
    return call.startswith(fixed) and has_words(call, words)
