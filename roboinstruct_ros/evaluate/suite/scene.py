"""The facts of a scripted world for conditions; all facts are known."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.condition import Term, Word, alike_thing, fits_text, is_pattern
from roboinstruct_ros.domain.semantic_map import SemanticMap, folded
from roboinstruct_ros.domain.skills import HERE
from roboinstruct_ros.evaluate.suite.names_in_tasks import suite_domain
from roboinstruct_ros.evaluate.worlds.scripted import ScriptedWorld, Thing


@dataclass(frozen=True)
class Scene:
    """The current facts of a world, for the monitors of conditions."""

    world: ScriptedWorld
    rooms: SemanticMap

    def holds(self, term: Term) -> bool:
        """Whether some literal that matches the term is true."""
        wanted = [*term.arguments, "*", "*"]
        if term.name == HERE:
            return self.is_room(wanted[0], self.world.room)
        if term.name == "holding":
            return self.world.hand is not None and self._is_thing(wanted[0], self.world.hand)
        return any(
            self._is_thing(wanted[0], thing)
            for room in self.world.rooms
            if self.is_room(wanted[1], room)
            for thing in self.world.things_in(room)
        )

    def room(self, word: str) -> str:
        """The room that `here` or `start` means."""
        return self.world.room if word == "here" else self.world.facts.start

    def is_room(self, wanted: str | Word, room: str) -> bool:
        """Whether a condition's text means this room, by any of its names."""
        names = self.rooms.names(room)
        if isinstance(wanted, Word):
            return folded(names[0]) == folded(self.room(wanted.name))
        return any(fits_text(wanted, name) for name in names)

    def names(self, name: str) -> tuple[str, ...]:
        """All names of the thing or person called `name`."""
        return (name, *self.world.other_names(name))

    def doubt(self) -> None:
        """Does nothing: every fact is known."""

    def _is_thing(self, wanted: str | Word, thing: Thing) -> bool:
        if isinstance(wanted, Word):
            return False
        if suite_domain().is_anybody(wanted):
            return self.world.is_person(thing)
        fits = fits_text if is_pattern(wanted) else alike_thing
        return any(fits(wanted, name) for name in (thing.name, *thing.names))
