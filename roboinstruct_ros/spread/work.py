"""What comes of work that other processes do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

MOST_DEATHS = 2
"""Processes that may die over one piece of work; then it is given up."""

MOST_LOST = 3
"""Pieces of work given up one after the other; then it is not the work."""


class SpreadError(Exception):
    """Ray is not installed, there is no such cluster, or whoever works dies over everything;
    `str()` is one clear line."""


class Losses:
    """Counts what is given up; see `MOST_LOST`."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def end(self, given_up: bool) -> None:
        """One piece of work is over. Raises SpreadError."""
        self._in_a_row = self._in_a_row + 1 if given_up else 0
        if self._in_a_row > MOST_LOST:
            raise SpreadError(
                "one process after the other dies over its work; where memory runs out, --jobs 1 "
                "takes least"
            )


@dataclass(frozen=True)
class Done(Generic[Made]):
    """One piece of work that is over.

    Attributes:
        index: its place in the work.
        value: what came of it; None where it was given up.
        deaths: processes that died over it.
    """

    index: int
    value: Made | None
    deaths: int = 0


Spread = Callable[[Callable[[Given], Made], Sequence[Given]], Iterator[Done[Made]]]
"""Does each piece of work somewhere, and tells of it as soon as it is over, in any order."""


def in_order(done: Iterator[Done[Made]]) -> Iterator[Done[Made]]:
    """The same in the order of the work."""
    waiting: dict[int, Done[Made]] = {}
    following = 0
    for one in done:
        waiting[one.index] = one
        while following in waiting:
            yield waiting.pop(following)
            following += 1
