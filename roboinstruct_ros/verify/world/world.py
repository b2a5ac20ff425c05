"""A world of three-valued literals that grows as a program asks about it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.verify.world.footprint import PERSON, Facts, Footprint

Literal = tuple[str, ...]
"""Predicate name, then the names of the entities."""

ANYBODY = "somebody"
"""The entity that means whoever is there."""


class ImpossibleWorld(BaseException):
    """Ends a path with contradictory facts: no such world exists."""


@dataclass
class World:
    """Literals that are True or False; an absent literal is Undefined.

    Attributes:
        changing: known facts may have changed meanwhile; contradictory facts were true at different
            times.
        stale: literals that may have changed since they were observed: preconditions rely on them,
            but a question may get another answer.
        entity_types: the types that each entity may still have.
        read: the literals that were read; recorded for comparisons only.
        left: literals that are as earlier tasks have left them; for messages only.
    """

    domain: Domain
    changing: bool = False
    literals: dict[Literal, bool] = field(default_factory=dict)
    stale: set[Literal] = field(default_factory=set)
    _single: dict[Literal, Literal] = field(default_factory=dict)
    entity_types: dict[str, frozenset[str]] = field(default_factory=dict)
    _fresh: set[Literal] = field(default_factory=set)
    """Literals set and not yet stale, of predicates that may change."""
    read: Footprint = field(default_factory=Footprint)
    left: set[Literal] = field(default_factory=set)

    def narrow(self, entity: str, allowed: frozenset[str]) -> bool:
        """Restrict an entity to these types; returns False if it cannot be one of them.

        Raises:
            ImpossibleWorld: the entity turns out to be a person in a place where nobody is.
        """
        self.read.types.add(entity)
        before = self.entity_types.get(entity, allowed)
        left = before & allowed
        if not left:
            return False
        self.entity_types[entity] = left
        if left == PERSON and before != left:
            self._note_person(entity)
        return True

    def value(self, literal: Literal, surely: bool = False) -> bool | None:
        """True, False or None (Undefined), including what follows from facts about `somebody`.

        Args:
            surely: ignore facts that may have changed since they were observed.
        """
        if "*" in literal:
            return self._any_value(literal, surely)
        self.read.literals.add(literal)
        if literal in self.literals and not (surely and literal in self.stale):
            return self.literals[literal]
        implied = self._implied_by_people(literal, surely)
        if implied is not None:
            return implied
        predicate = self.domain.predicate(literal[0])
        if predicate.single and literal[:-1] in self._single:
            return False
        return predicate.initially

    def may_be(self, literal: Literal, wanted: bool) -> bool:
        """Whether a literal has this value, or is Undefined.

        It counts as read only if not: to the caller, one world in which it may is enough.
        """
        read, self.read = self.read, Footprint()
        value = self.value(literal)
        may_be = value is None or value == wanted
        if not may_be:
            read.add(self.read)
        self.read = read
        return may_be

    def set(self, literal: Literal, value: bool | None) -> None:
        """Set a literal; None makes it Undefined again."""
        self.stale.discard(literal)
        self.left.discard(literal)
        owner = literal[:-1]
        if self._single.get(owner) == literal:
            del self._single[owner]
        if value is None:
            self.literals.pop(literal, None)
            return
        if value and self.domain.predicate(literal[0]).single:
            if owner in self._single:
                self.literals[self._single[owner]] = False
                self.left.discard(self._single[owner])
            self._single[owner] = literal
        self._forget_what_contradicts(literal, value)
        self.literals[literal] = value
        if literal[0] in self.domain.changing:
            self._fresh.add(literal)

    def argument_of(self, *owner: str) -> str | None:
        """The entity for which a single-valued predicate is true now, e.g. what the hand holds.

        Args:
            owner: the predicate's name and all its arguments but the last.
        """
        true = self._single.get(owner)
        return true[-1] if true else None

    def known(self, predicate: str) -> list[tuple[Literal, bool]]:
        """All literals of a predicate that are not Undefined."""
        self.read.everywhere.add(predicate)
        return [(lit, value) for lit, value in self.literals.items() if lit[0] == predicate]

    def facts(self, asked: frozenset[Hashable]) -> Facts:
        """The current literals, for comparison with those of another world.

        Args:
            asked: the questions asked in waiting loops, with their lines.
        """
        ended = frozenset(filter(self._is_as_at_first, self.literals))
        literals = {lit: value for lit, value in self.literals.items() if lit not in ended}
        return Facts(literals, frozenset(self.stale), ended, dict(self.entity_types), asked)

    def rest(self) -> object:
        """The rest of the world's state."""
        return self.changing, frozenset(self._single.items())

    def held(self) -> tuple[str, ...]:
        """What hands hold: last arguments of true single-valued facts that begin False."""
        return tuple(
            true[-1]
            for true in self._single.values()
            if self.domain.predicate(true[0]).initially is False
        )

    def copy(self) -> World:
        """An independent copy."""
        return World(
            self.domain,
            self.changing,
            dict(self.literals),
            set(self.stale),
            dict(self._single),
            dict(self.entity_types),
            set(self._fresh),
            left=set(self.left),
        )

    def time_passes(self) -> None:
        """Forget what may change while the robot waits: people come and go."""
        self.changing = True
        for literal in list(self.literals):
            if self._may_change(literal):
                del self.literals[literal]
        self.stale.clear()

    def takes_time(self) -> None:
        """Mark facts that may have changed during a skill as stale."""
        old = {lit for lit in self._fresh if lit not in self.literals or self._may_change(lit)}
        self._fresh -= old
        self.stale.update(literal for literal in old if literal in self.literals)

    def _forget_what_contradicts(self, literal: Literal, value: bool) -> None:
        """Somebody's presence contradicts "nobody is here", and "nobody is here" any presence."""
        if len(literal) < 3:
            return
        if value and self.entity_types.get(literal[1]) == PERSON:
            everybody = (literal[0], ANYBODY, *literal[2:])
            if self.literals.get(everybody) is False:
                del self.literals[everybody]
        if not value and literal[1] == ANYBODY:
            for person in list(self._people(literal)):
                if self.literals[person]:
                    del self.literals[person]

    def _is_as_at_first(self, literal: Literal) -> bool:
        """Whether the value is the initial one, and so equivalent to Undefined."""
        is_false = self.literals[literal] is False and len(literal) == 2
        return is_false and self.domain.predicate(literal[0]).initially is False

    def _note_person(self, person: str) -> None:
        """A person's presence means that somebody is present."""
        self.read.entities.update((person, ANYBODY))
        for literal in list(self.literals):
            if len(literal) > 2 and literal[1] == person and self.literals[literal]:
                everybody = (literal[0], ANYBODY, *literal[2:])
                if self.literals.get(everybody) is False:
                    if not (self.changing or self.stale & {literal, everybody}):
                        raise ImpossibleWorld
                    del self.literals[everybody]

    def _may_change(self, literal: Literal) -> bool:
        predicate = self.domain.predicate(literal[0])
        if predicate.changes_while_waiting is None:
            return False
        if literal[1] == ANYBODY:
            return predicate.changes_while_waiting == "person"
        return predicate.changes_while_waiting in self.entity_types.get(literal[1], frozenset())

    def _any_value(self, literal: Literal, surely: bool) -> bool | None:
        if "*" in literal[2:]:
            self.read.everywhere.add(literal[0])
        self.read.there.add((literal[0], *literal[2:]))
        known = [
            value
            for other, value in self.literals.items()
            if _matches(literal, other) and not (surely and other in self.stale)
        ]
        if any(known):
            return True
        initially = self.domain.predicate(literal[0]).initially
        return False if known or initially is False else initially

    def _implied_by_people(self, literal: Literal, surely: bool) -> bool | None:
        """ "Nobody is here" implies that Jack is not here; "Jack is here", that somebody is."""
        if len(literal) < 3:
            return None
        without = self.stale if surely else ()
        if literal[1] == ANYBODY:
            people = (person for person in self._people(literal) if person not in without)
            return True if any(self.literals[person] for person in people) else None
        if self.entity_types.get(literal[1]) == PERSON:
            everybody = (literal[0], ANYBODY, *literal[2:])
            self.read.literals.add(everybody)
            is_nobody = self.literals.get(everybody) is False and everybody not in without
            return False if is_nobody else None
        return None

    def _people(self, literal: Literal) -> Iterator[Literal]:
        self.read.people.add((literal[0], *literal[2:]))
        for other in self.literals:
            same_place = other[0] == literal[0] and other[2:] == literal[2:]
            if same_place and self.entity_types.get(other[1]) == PERSON:
                yield other


def _matches(pattern: Literal, literal: Literal) -> bool:
    return len(pattern) == len(literal) and all(
        wanted in ("*", given) for wanted, given in zip(pattern, literal, strict=True)
    )
