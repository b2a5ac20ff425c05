"""Rooms: the robot's map (closed world), or rooms made up from what a program asks (open world)."""

from __future__ import annotations

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.verify.choices import Choices
from roboinstruct_ros.verify.program_facts import ProgramFacts

_OTHER_ROOMS = ("hallway", "lobby", "study", "attic", "cellar", "Q1", "Z2")
"""Names for rooms that a program says nothing about; the first ones that fit are taken."""


class RoomName(str):
    """A room's name that came from the robot, not from the text of the program."""


class ImpossibleWorld(BaseException):
    """Ends a path whose made-up rooms contradict the rest: there is no such world."""


class Rooms:
    """The rooms of one path."""

    def __init__(
        self, semantic_map: SemanticMap | None, facts: ProgramFacts, choices: Choices
    ) -> None:
        self._map = semantic_map
        self._facts = facts
        self._choices = choices
        self._rooms: list[str] | None = None
        self._start: str | None = None

    def resolve(self, name: str) -> str | None:
        """The room's name on the map; any name is a room of the open world."""
        return self._map.resolve(name) if self._map else name

    def is_known_room(self, name: str) -> bool:
        return self._map is not None and self._map.resolve(name) is not None

    def is_made_up(self, name: str) -> bool:
        """Whether this name is a room of this path only because the path says so."""
        if self._map is not None or name in self._facts.locations:
            return False
        return name == self._start or (self._rooms is not None and name in self._rooms)

    def nearest(self, name: str) -> tuple[str, ...]:
        return self._map.nearest(name) if self._map else ()

    def all(self) -> list[RoomName]:
        """All rooms; in the open world the same made-up ones whenever asked."""
        if self._rooms is None:
            self._rooms = list(self._map.room_names) if self._map else self._invent()
        return [RoomName(room) for room in self._rooms]

    def start(self) -> RoomName:
        """Where the robot is when nobody has said; rooms that the program cannot tell apart
        count once."""
        candidates = self._candidates()
        self._start = candidates[self._choices.choose(len(candidates))]
        return RoomName(self._start)

    def _candidates(self) -> list[str]:
        if self._map is None:
            words = self._facts.room_words if self._facts.asks_where else ()
            others = self._others()[:1]
            return self._rooms or list(dict.fromkeys([*others, *self._facts.locations, *words]))
        if self._facts.examines_start:
            return list(self._map.room_names)
        kinds: dict[tuple[bool, ...], str] = {}
        for room in self._map.room_names:
            kinds.setdefault(self._seen_as(room), room)
        return list(kinds.values())

    def _seen_as(self, room: str) -> tuple[bool, ...]:
        assert self._map is not None
        return tuple(
            same
            for text in self._facts.texts
            for same in (self._map.resolve(text) == room, bool(text) and text in room)
        )

    def _others(self) -> list[str]:
        """Names that the program neither says nor could mean with a part of a name."""
        words = [word.lower() for word in self._facts.room_words]
        free = [
            room
            for room in _OTHER_ROOMS
            if room not in self._facts.texts and not any(w in room.lower() for w in words)
        ]
        return free or [_OTHER_ROOMS[0]]

    def _invent(self) -> list[str]:
        """None, one or two rooms for each word that the program compares rooms with, and others."""
        start = [self._start] if self._start else []
        words = self._facts.room_words
        others = self._others()[: 1 if words else 1 + self._choices.choose(2)]
        rooms = dict.fromkeys([*start, *others, *self._facts.locations])
        for word in words:
            for number in range(self._choices.choose(3)):
                rooms[word if number == 0 else f"{word} {number + 1}"] = None
        return list(rooms)
