"""The facts of a world that were read: another world with the same values continues equally."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Literal = tuple[str, ...]

PERSON = frozenset({"person"})


class Facts(NamedTuple):
    """The facts of a `World` at some moment.

    Attributes:
        ended: literals that are False again, their value at the beginning unless known otherwise.
        types: the types that each entity may still have.
        asked: the questions asked in waiting loops, with their lines.
    """

    literals: dict[Literal, bool]
    stale: frozenset[Literal]
    ended: frozenset[Literal]
    types: dict[str, frozenset[str]]
    asked: frozenset[Hashable]

    @property
    def people(self) -> set[str]:
        """The entities that are people."""
        return {name for name, types in self.types.items() if types == PERSON}


@dataclass
class Footprint:
    """The facts that were read.

    Attributes:
        literals: individual literals.
        everywhere: predicates of which all literals were read.
        entities: entities of which all literals were read.
        there: (predicate, all arguments but the first) of which all literals were read.
        people: the same, where only literals about people were read.
        types: entities that a call named: their type was read, and restricted.
        asked: questions for which it was read whether a waiting loop had asked them.
        is_all: what was read is unknown, so everything counts as read.
    """

    literals: set[Literal] = field(default_factory=set)
    everywhere: set[str] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)
    there: set[Literal] = field(default_factory=set)
    people: set[Literal] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    asked: set[Hashable] = field(default_factory=set)
    is_all: bool = False

    def clear(self) -> None:
        """Begin anew."""
        self.is_all = False
        for part in self._parts:
            part.clear()

    def add(self, other: Footprint) -> bool:
        """Add what another run read. Return whether earlier states may need it too."""
        if self.is_all:
            return True
        self.is_all = news = other.is_all
        for mine, others in zip(self._parts, other._parts, strict=True):
            if not others <= mine:
                mine |= others
                news = True
        return news

    def fits(self, mine: Facts, others: Facts) -> bool:
        """Whether two worlds agree on everything that was read."""
        differ = {literal for literal, _ in mine.literals.items() ^ others.literals.items()}
        differ |= mine.stale ^ others.stale
        ended, asked = mine.ended ^ others.ended, mine.asked ^ others.asked
        other_types = {name for name, _ in mine.types.items() ^ others.types.items()}
        if self.is_all:
            return not (differ or ended or asked or other_types)
        people = mine.people | others.people
        if other_types:
            if not other_types.isdisjoint(self.types):
                return False
            facts = (*mine.literals, *others.literals)
            differ |= {literal for literal in facts if not other_types.isdisjoint(literal[1:])}
        return (
            self.asked.isdisjoint(asked)
            and self.everywhere.isdisjoint(literal[0] for literal in ended)
            and not any(self._includes(literal, people) for literal in differ)
        )

    def _includes(self, literal: Literal, people: set[str]) -> bool:
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
            self.literals, self.everywhere, self.entities, self.there, self.people, self.types,
            self.asked,
        )  # fmt: skip
