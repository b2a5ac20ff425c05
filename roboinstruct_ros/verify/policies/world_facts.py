"""The facts of a three-valued world for policies, in a trial and in a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from roboinstruct_ros.domain.condition import Term, Word, alike, alike_thing, has_wildcards
from roboinstruct_ros.domain.semantic_map import SemanticMap, folded
from roboinstruct_ros.domain.skills import HERE
from roboinstruct_ros.domain.thing_names import same_thing
from roboinstruct_ros.verify.world.footprint import PERSON
from roboinstruct_ros.verify.world.world import ANYBODY, Literal, World

_SOMETHING = "something"
"""Stands for an entity about which a condition says nothing."""


@dataclass(frozen=True)
class WorldFacts:
    """The facts of a world, as the policy monitors see them.

    Attributes:
        semantic_map: the robot's rooms; None leaves them open.
        room: returns the room that `here` or `start` means.
        decide: decides an Undefined literal; the verifier tries both values, a real run takes the
            default, False.
        doubt: called when trying both values cannot settle a fact.
        is_made_up: whether a room of the open world could have had another name.
        people: names that are people.
    """

    world: World
    semantic_map: SemanticMap | None
    room: Callable[[str], str]
    decide: Callable[[Literal], bool] = lambda literal: False
    doubt: Callable[[], None] = lambda: None
    is_made_up: Callable[[str], bool] = lambda room: False
    people: tuple[str, ...] = ()

    def is_room(self, wanted: str | Word, room: str) -> bool:
        """Whether a condition's text means this room, by any of its names."""
        names = self._room_names(room)
        if isinstance(wanted, Word):
            return folded(names[0]) == folded(self._room_names(self.room(wanted.name))[0])
        fits = any(alike(wanted, name) for name in names)
        if not fits and self.is_made_up(room):
            self.doubt()
        return fits

    def names(self, name: str) -> tuple[str, ...]:
        """The name itself: things and people have one name each."""
        return (name,)

    def holds(self, term: Term) -> bool:
        """Whether some literal that matches the term is true; may decide Undefined literals."""
        kinds = self.world.domain.predicate(term.name).arguments
        wanted = [*term.arguments, *["*"] * (len(kinds) - len(term.arguments))]
        if term.name == HERE:
            return self.is_room(wanted[0], self.room("here"))
        known = [
            value
            for literal, value in self.world.known(term.name)
            if all(map(self._fits, wanted, literal[1:], kinds))
        ]
        wide = any(isinstance(text, str) and has_wildcards(text) for text in wanted)
        if any(known) or (known and not wide):
            return any(known)
        meant = [self._meant(text, kind) for text, kind in zip(wanted, kinds, strict=True)]
        return any(self._is_true((term.name, *names), wide) for names in product(*meant))

    def _is_true(self, literal: Literal, wide: bool) -> bool:
        """Whether the literal is true, or is decided to be.

        Args:
            wide: the entities are mere examples of what the condition matches. Such an example may
                be the name of a person in this world, until a fact that only objects can have is
                true of it.
        """
        if not self._note_types(literal, sure=not wide) and wide:
            return False
        value = self.world.value(literal)
        value = self.decide(literal) if value is None else value
        if value:
            self._note_types(literal)
        return value

    def _room_names(self, room: str) -> tuple[str, ...]:
        return self.semantic_map.names(room) if self.semantic_map else (room,)

    def _fits(self, wanted: str | Word, name: str, kind: str) -> bool:
        if kind == "location" or isinstance(wanted, Word):
            return self.is_room(wanted, name)
        if name == ANYBODY:
            return wanted == "*" or self._person(wanted, kind) == ANYBODY
        return alike_thing(wanted, name)

    def _person(self, text: str, kind: str) -> str:
        return ANYBODY if "person" in kind and self.world.domain.is_anybody(text) else text

    def _meant(self, wanted: str | Word, kind: str) -> list[str]:
        """The names for which the literal has to be evaluated."""
        if isinstance(wanted, Word):
            return [self.room(wanted.name)]
        if kind == "location":
            return self._rooms_meant(wanted)
        if not has_wildcards(wanted):
            return [self._spelled(self._person(wanted, kind))]
        lists = [self._only(part) for part in kind.split(" or ")]
        if all(names is not None for names in lists):
            return [name for names in lists for name in names or () if alike_thing(wanted, name)]
        example = " ".join(wanted.replace("*", " ").replace("?", " ").split()) or _SOMETHING
        return [self._spelled(self._person(example, kind))]

    def _rooms_meant(self, wanted: str) -> list[str]:
        if self.semantic_map is None and has_wildcards(wanted):
            self.doubt()
            return []
        if self.semantic_map is None or not has_wildcards(wanted):
            return [self._room_names(wanted)[0]]
        return [room for room in self.semantic_map.room_names if self.is_room(wanted, room)]

    def _only(self, kind: str) -> tuple[str, ...] | None:
        listed = self.world.domain.entities.get(kind)
        if listed is None and self.semantic_map is not None:
            return self.semantic_map.vocabulary(kind)
        return listed

    def _spelled(self, name: str) -> str:
        """The name in the program's own spelling."""
        known = self.world.entity_types
        return next((entity for entity in known if same_thing(entity, name)), name)

    def _note_types(self, literal: Literal, sure: bool = True) -> bool:
        """Whether the literal's entities can have the types that its predicate requires.

        Args:
            sure: record that they have them; else record it only for known people.
        """
        kinds, fits = self.world.domain.predicate(literal[0]).arguments, True
        for name, kind in zip(literal[1:], kinds, strict=True):
            is_person = "person" in kind and any(alike(name, person) for person in self.people)
            types = PERSON if is_person else frozenset(kind.split(" or "))
            if name != ANYBODY and (sure or is_person):
                fits &= self.world.narrow(name, types)
            elif name != ANYBODY:
                fits &= bool(self.world.entity_types.get(name, types) & types)
        return fits
