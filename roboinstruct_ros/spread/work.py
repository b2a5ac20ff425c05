"""What comes of work that other processes do."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

MOST_DEATHS = 2
"""Processes that may die over one piece of work; then it is given up."""

MOST_LOST = 3
"""Pieces of work given up one after the other; then it is not the work."""


class SpreadError(Exception):
    """Ray is not installed, there is no such cluster, or whoever works dies over everything;
    `str()` is one clear line."""


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


class Left:
    """What is left to do, by its place in the work, and what becomes of each piece."""

    def __init__(self, count: int) -> None:
        self._left, self._deaths = deque(range(count)), Counter[int]()
        self._lost_in_a_row = 0

    def __bool__(self) -> bool:
        return bool(self._left)

    def take(self) -> int:
        """The next piece."""
        return self._left.popleft()

    def done(self, index: int, value: Made) -> Done[Made]:
        """It is over."""
        self._lost_in_a_row = 0
        return Done(index, value, self._deaths[index])

    def died(self, index: int) -> Iterator[Done[Any]]:
        """Whoever was at it has died: it comes again, or is over without a value.

        Raises:
            SpreadError: that is so of one piece after the other.
        """
        self._deaths[index] += 1
        if self._deaths[index] < MOST_DEATHS:
            self._left.appendleft(index)
            return
        self._lost_in_a_row += 1
        if self._lost_in_a_row > MOST_LOST:
            raise SpreadError(
                "one process after the other dies over its work; where memory runs out, --jobs 1 "
                "takes least"
            )
        yield Done(index, None, self._deaths[index])


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
