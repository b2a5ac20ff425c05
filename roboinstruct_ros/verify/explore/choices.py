"""The one source of everything that a run leaves open: a sequence of choices."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from roboinstruct_ros.verify.rooms.room_names import NameTest

SKIPPED = 1_000_000
"""Stands in a sequence where rounds were skipped; no question has so many alternatives."""


class TooManyChoices(BaseException):
    """A path leaves more questions open than can be tried exhaustively."""


@dataclass
class Corner:
    """Answers all questions alike, or all but one.

    Attributes:
        last: take the last alternative (No, if a question has two); else the first.
        but: index from 0 of the question that gets the opposite answer.
    """

    last: bool
    but: int | None = None
    asked: int = 0

    def randrange(self, alternatives: int) -> int:
        """The interface of `random.Random` that `Choices` needs."""
        last = self.last != (self.asked == self.but)
        self.asked += 1
        return alternatives - 1 if last else 0


class Spent(NamedTuple):
    """What a path has used of the limits of a run: bytes printed, and skill calls."""

    printed: int = 0
    calls: int = 0


@dataclass
class Choices:
    """Answers open questions from a prefix, then with the first alternative or at random.

    Attributes:
        prefix: alternatives to take at the first questions.
        rng: draws the remaining answers (or a `Corner` does); None takes the first alternative.
        limit: most open questions; None is no limit.
        tests: the questions asked about made-up names.
        taken: (alternative taken, number of alternatives) of each question so far.
        left_out: (line, reason) why some answers to a question are not among its alternatives; line
            0 for the whole program.
    """

    prefix: tuple[int, ...] = ()
    rng: random.Random | Corner | None = None
    limit: int | None = None
    left_out: dict[tuple[int, str], None] = field(default_factory=dict)
    tests: set[NameTest] = field(default_factory=set)
    taken: list[tuple[int, int]] = field(default_factory=list)

    def choose(self, alternatives: int, names: Sequence[object] = (), about: object = "") -> int:
        """Pick one of `alternatives` (at least 1); a single alternative is not a question.

        Args:
            names, about: the alternatives and their subject, for subclasses; ignored here.

        Raises:
            TooManyChoices: the path is past its limit.
        """
        if alternatives <= 1:
            return 0
        position = len(self.taken)
        if self.limit is not None and position >= self.limit:
            raise TooManyChoices
        if position < len(self.prefix):
            picked = min(self.prefix[position], alternatives - 1)
        else:
            picked = self.rng.randrange(alternatives) if self.rng else 0
        self.taken.append((picked, alternatives))
        return picked

    def skip(self) -> None:
        """Note that rounds are skipped here."""
        self.taken.append((SKIPPED, 1))

    @property
    def tries_all(self) -> bool:
        """Whether other sequences are tried too, so that a recurring state may end this one."""
        return self.rng is None

    @property
    def is_corner(self) -> bool:
        """Whether each question has the same answer every time it is asked."""
        return isinstance(self.rng, Corner) and self.rng.but is None

    def leave_out(self, line: int, reason: str) -> None:
        """Record that some world is not among the alternatives."""
        self.left_out[line, reason] = None

    @property
    def sequence(self) -> tuple[int, ...]:
        return tuple(picked for picked, _ in self.taken)

    def next_prefix(self) -> tuple[int, ...] | None:
        """The next sequence depth first; None if this was the last."""
        for position in range(len(self.taken) - 1, -1, -1):
            picked, alternatives = self.taken[position]
            if picked + 1 < alternatives:
                return (*self.sequence[:position], picked + 1)
        return None
