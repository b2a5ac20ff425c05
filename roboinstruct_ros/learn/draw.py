"""The only source of randomness of the dataset: seeded choices and the expansion of phrasings.

A phrasing is a sentence with alternatives in brackets and slots in braces::

    "[please |][go|head] to {room}[, then|and then] say {message}"

Alternatives may nest and may be empty; slots are filled after the alternatives are chosen.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import TypeVar

T = TypeVar("T")

TRIES = 1000
"""Draws after which nothing is assumed to fit."""
_INNERMOST = re.compile(r"\[([^\[\]]*)\]")
_SINGULAR = re.compile(
    r"\bthey (is|isn't|does|doesn't|has|wants|needs|says|prefers|comes|shows|arrives)\b(?!')", re.I
)
_PLURAL = {"is": "are", "isn't": "aren't", "does": "do", "doesn't": "don't", "has": "have"}


class DoesNotFit(Exception):
    """No possible draw fits: a scene has too few rooms, or a list has no other name."""


class Split(str, Enum):
    """Which words and phrasings a pair may use."""

    TRAIN = "train"
    UNSEEN_NAMES = "unseen_names"
    UNSEEN_PHRASINGS = "unseen_phrasings"
    UNSEEN_SHAPES = "unseen_shapes"


class Draw:
    """Seeded choices for one pair.

    Args:
        rng: the source of randomness; the same state gives the same pair.
        split: the set of names and phrasings to use.
    """

    def __init__(self, rng: random.Random, split: Split = Split.TRAIN) -> None:
        self.rng = rng
        self.split = split
        # A tenth of people type without capitals; names are then lower case in the program too.
        self.lower = rng.random() < 0.1

    def case(self, text: str) -> str:
        """The text in this person's capitalisation."""
        return text.lower() if self.lower else text

    def one(self, options: Sequence[T]) -> T:
        """One of the options, all equally likely."""
        return self.rng.choice(options)

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """`count` different options in random order."""
        return self.rng.sample(options, count)

    def chance(self, probability: float) -> bool:
        """True with the given probability (0..1)."""
        return self.rng.random() < probability

    def template(self, train: Sequence[str], held: Sequence[str] = ()) -> str:
        """A phrasing of this split; `held` ones never occur in training."""
        if held and self.split is Split.UNSEEN_PHRASINGS:
            return self.one(held)
        return self.one(train)

    def expand(self, template: str, **slots: str) -> str:
        """The template with every bracket chosen and every slot filled; "they" gets its verb."""

        def choose(match: re.Match[str]) -> str:
            return self.one(str(match.group(1)).split("|"))

        while "[" in template:
            template = _INNERMOST.sub(choose, template)
        for name, value in slots.items():
            template = template.replace("{" + name + "}", value)
        return _SINGULAR.sub(_in_plural, template)

    def phrase(self, train: Sequence[str], held: Sequence[str] = (), **slots: str) -> str:
        """An expanded phrasing of this split."""
        return self.expand(self.template(train, held), **slots)


def _in_plural(found: re.Match[str]) -> str:
    return f"{found[0].split()[0]} {_PLURAL.get(found[1], found[1].removesuffix('s'))}"


def until(
    make: Callable[[], T], fits: Callable[[T], object] = lambda _: True, tries: int = TRIES
) -> T:
    """The first result of `make` that fits.

    Raises:
        DoesNotFit: no result did in `tries` draws.
    """
    for _ in range(tries):
        try:
            if fits(drawn := make()):
                return drawn
        except DoesNotFit:
            continue
    raise DoesNotFit(f"nothing fits among {tries} draws")
