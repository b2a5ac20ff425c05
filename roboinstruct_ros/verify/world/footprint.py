"""Which facts of a world were looked at: another world that agrees on them goes the same way."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Literal = tuple[str, ...]


class Facts(NamedTuple):
    """The facts of a world at some moment, as `World` has them.

    Attributes:
        ended: literals that are False again, as they are at the beginning if nobody knows better.
        people: entities that are people; the same in all worlds that are compared.
        asked: where a waiting loop has asked what.
    """

    literals: dict[Literal, bool]
    stale: frozenset[Literal]
    ended: frozenset[Literal]
    people: frozenset[str]
    asked: frozenset[Hashable]


@dataclass
class Footprint:
    """What was looked at.

    Attributes:
        literals: one by one.
        everywhere: predicates all of whose literals were gone through.
        entities: those of which all literals were.
        there: (predicate, all arguments but the first) of which all literals were.
        people: the same, of which only those about people were.
        asked: whether a waiting loop had asked this here.
        is_all: it is not known what was looked at.
    """

    literals: set[Literal] = field(default_factory=set)
    everywhere: set[str] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)
    there: set[Literal] = field(default_factory=set)
    people: set[Literal] = field(default_factory=set)
    asked: set[Hashable] = field(default_factory=set)
    is_all: bool = False

    def clear(self) -> None:
        """Begin anew."""
        self.is_all = False
        for part in self._parts:
            part.clear()

    def add(self, other: Footprint) -> bool:
        """Take in what another run looked at. Whether that may be news further up, too."""
        if self.is_all:
            return True
        self.is_all = news = other.is_all
        for mine, others in zip(self._parts, other._parts, strict=True):
            if not others <= mine:
                mine |= others
                news = True
        return news

    def fits(self, mine: Facts, others: Facts) -> bool:
        """Whether two worlds agree on all of it."""
        differ = {literal for literal, _ in mine.literals.items() ^ others.literals.items()}
        differ |= mine.stale ^ others.stale
        ended, asked = mine.ended ^ others.ended, mine.asked ^ others.asked
        if self.is_all:
            return not (differ or ended or asked)
        return (
            self.asked.isdisjoint(asked)
            and self.everywhere.isdisjoint(literal[0] for literal in ended)
            and not any(self._includes(literal, mine.people) for literal in differ)
        )

    def _includes(self, literal: Literal, people: frozenset[str]) -> bool:
        there = (literal[0], *literal[2:])
        return (
            literal in self.literals
            or literal[0] in self.everywhere
            or there in self.there
            or (there in self.people and literal[1] in people)
            or not self.entities.isdisjoint(literal[1:])
        )

    @property
    def _parts(self) -> tuple[set[Any], ...]:
        return (
            self.literals, self.everywhere, self.entities, self.there, self.people, self.asked,
        )  # fmt: skip
