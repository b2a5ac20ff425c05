"""The robot's room on a path, and the literals that a skill's patterns denote there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from roboinstruct_ros.domain.literal_pattern import LiteralPattern
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.skills import HERE, Precondition
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.verify.rooms.rooms import Rooms
from roboinstruct_ros.verify.story import filled, named
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.real_past import RealPast
from roboinstruct_ros.verify.world.skill_arguments import Call
from roboinstruct_ros.verify.world.world import ANYBODY, ImpossibleWorld, Literal, World

LOCATION = frozenset({"location"})
_SPECIAL = {"anybody": ANYBODY, "*": "*"}


@dataclass(eq=False)
class Whereabouts:
    """Chooses the robot's start room when it first matters.

    Attributes:
        start: where the robot started; None while that is open.
    """

    _path: Path
    _world: World
    _rooms: Rooms
    _past: RealPast
    start: str | None = None

    def here(self) -> str:
        """The robot's room.

        Raises:
            ImpossibleWorld: the chosen entity cannot be a room.
        """
        here = self._world.argument_of(HERE)
        if here is None:
            here = self._past.location(len(self._path.calls)) or self._rooms.start()
            if not self._world.narrow(here, LOCATION):
                raise ImpossibleWorld
            self._world.set((HERE, here), True)
            verb = "starts" if self.start is None else "is"
            place = here
            self._path.tell(lambda: sentence(f"suppose the robot {verb} in {named(place)}"))
        if self.start is None:
            self.start = here
        return here

    def unmet(self, need: Precondition, literal: Literal, entities: Mapping[str, str]) -> str:
        """Why the literal of a precondition makes a call impossible, in the domain file's words."""
        held = self._world.argument_of(*literal[:-1])
        here = named(self.here()) if "{here}" in need.message else ""
        told = need.message.format(
            **filled(entities), here=here, held=named(held) if held else "nothing"
        )
        if self._world.left.isdisjoint([literal, (*literal[:-1], held or "")]):
            return told
        return str(phrase("told.from_earlier", why=told))

    def room_of(self, word: str) -> str:
        """The room that `here` or `start` means."""
        here = self.here()
        if word == "here":
            self._rooms.touched(here)
            return here
        room = self.start or here
        self._rooms.named(room)
        return room

    def literal(
        self,
        pattern: LiteralPattern,
        entities: Mapping[str, str],
        noted: bool = True,
        looks: bool = True,
    ) -> Literal:
        """The literal that a pattern of a skill denotes in this call.

        Args:
            noted: a fact of a room is read or changed.
            looks: read, not changed.
        """
        parts = [pattern.predicate]
        for name in pattern.arguments:
            if name == "here":
                parts.append(self.here())
                if noted:
                    self._rooms.touched(parts[-1], looks)
            else:
                parts.append(entities[name] if name in entities else _SPECIAL[name])
                if noted and pattern.predicate != HERE:
                    self._rooms.named(parts[-1])
        return tuple(parts)

    def effects(self, call: Call) -> list[Literal]:
        """The literals that a call changes."""
        return [self.literal(effect.pattern, call.entities) for effect in call.skill.effects]
