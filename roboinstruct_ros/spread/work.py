"""Bookkeeping for work items that other processes handle."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

MOST_DEATHS = 2
"""Processes that may die over one item before it is given up."""

MOST_LOST = 3
"""Items given up in a row, beyond which the items are not the cause."""


class SpreadError(Exception):
    """Ray or its cluster is not available, or every process dies; `str()` is one line."""


@dataclass(frozen=True)
class Done(Generic[Made]):
    """A finished work item.

    Attributes:
        index: index in the work.
        value: the result; None if it was given up.
        deaths: processes that died over it.
    """

    index: int
    value: Made | None
    deaths: int = 0


class Left:
    """The remaining items, by index, and the fate of each."""

    def __init__(self, count: int) -> None:
        self._left, self._deaths = deque(range(count)), Counter[int]()
        self._lost_in_a_row = 0

    def __bool__(self) -> bool:
        return bool(self._left)

    def take(self) -> int:
        """Index of the next item."""
        return self._left.popleft()

    def done(self, index: int, value: Made) -> Done[Made]:
        """Mark an item as finished."""
        self._lost_in_a_row = 0
        return Done(index, value, self._deaths[index])

    def died(self, index: int) -> Iterator[Done[Any]]:
        """The item's process has died: queue the item again, or finish it without a value.

        Raises:
            SpreadError: too many items in a row were given up.
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
"""Processes each item somewhere and yields results as they complete, in any order."""


def in_order(done: Iterator[Done[Made]]) -> Iterator[Done[Made]]:
    """Reorder results to the order of the work."""
    waiting: dict[int, Done[Made]] = {}
    following = 0
    for one in done:
        waiting[one.index] = one
        while following in waiting:
            yield waiting.pop(following)
            following += 1
