"""What comes of work that other processes do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

MOST_DEATHS = 2
"""Processes that may die over one piece of work; then it is given up."""


class ClusterError(Exception):
    """Ray is not installed, or there is no such cluster; `str()` is one clear line."""


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
