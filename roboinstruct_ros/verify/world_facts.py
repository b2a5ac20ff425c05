"""What a policy may ask of a three-valued world."""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.domain.condition import Term, Word
from roboinstruct_ros.domain.skills import HERE
from roboinstruct_ros.verify.policy_monitor import alike
from roboinstruct_ros.verify.world import PERSON, Literal, World

_WILDCARDS = "*?["


class WorldFacts:
    """Facts of a world.

    Args:
        resolve: gives a room's name on the map.
        room: gives the room that `here` or `start` means.
        decide: what an Undefined literal is; the verifier tries both, a real run takes False.
        people: names that are people.
    """

    def __init__(
        self,
        world: World,
        resolve: Callable[[str], str | None],
        room: Callable[[str], str],
        decide: Callable[[Literal], bool],
        people: tuple[str, ...] = (),
    ) -> None:
        self.room = room
        self._world = world
        self._resolve = resolve
        self._decide = decide
        self._people = people

    def location(self, name: str) -> str:
        """The own name of the room that has this name or alias; the name itself for none."""
        return self._resolve(name) or name

    def holds(self, term: Term) -> bool:
        """Whether some literal that the term describes is true; may decide an Undefined one."""
        if term.name == HERE and not term.open_end:
            return alike(self._text(term, 0), self.room("here"))
        patterns = [self._text(term, i) for i in range(len(term.arguments))]
        known: list[bool] = []
        for literal, value in self._world.literals.items():
            if literal[0] == term.name and self._fits(patterns, literal[1:], term.open_end):
                known.append(value)
        if any(known):
            return True
        open_term = term.open_end or any(mark in text for text in patterns for mark in _WILDCARDS)
        if known or open_term:
            return False
        literal = (term.name, *patterns)
        self._note_types(literal)
        holds = self._world.value(literal)
        return self._decide(literal) if holds is None else holds

    def _text(self, term: Term, index: int) -> str:
        argument = term.arguments[index]
        if isinstance(argument, Word):
            return self.room(argument.name)
        kind = self._world.domain.predicate(term.name).arguments[index]
        return self.location(argument) if kind == "location" else argument

    def _fits(self, patterns: list[str], names: tuple[str, ...], open_end: bool) -> bool:
        if len(names) != len(patterns) and not (open_end and len(names) > len(patterns)):
            return False
        return all(alike(text, name) for text, name in zip(patterns, names, strict=False))

    def _note_types(self, literal: Literal) -> None:
        for name, kind in zip(
            literal[1:], self._world.domain.predicate(literal[0]).arguments, strict=True
        ):
            is_person = "person" in kind and name.casefold() in map(str.casefold, self._people)
            self._world.narrow(name, PERSON if is_person else frozenset(kind.split(" or ")))
