"""Rooms: the robot's map (closed world), or rooms made up from what a program asks (open world)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.verify.choices import Choices
from roboinstruct_ros.verify.program_facts import ProgramFacts
from roboinstruct_ros.verify.room_names import MadeUpName, NewWord, RoomName, RoomWord, Test

_OTHER_ROOMS = (
    "hallway", "lobby", "study", "attic", "cellar", "Q1", "Z2", "X3", "W4", "V5", "U6", "J7",
)  # fmt: skip
"""Names for rooms that a program says nothing about; the first ones that fit are taken."""

_TOGETHER = 3
"""So many words may meet in one name in every way; with more, the verdict is not exhaustive."""


class ImpossibleWorld(BaseException):
    """Ends a path whose made-up rooms contradict the rest: there is no such world."""


class Rooms:
    """The rooms of one path.

    Args:
        words: texts that some path of the program compares made-up names with.
    """

    def __init__(
        self,
        semantic_map: SemanticMap | None,
        facts: ProgramFacts,
        words: tuple[RoomWord, ...],
        choices: Choices,
    ) -> None:
        self._map = semantic_map
        self._facts = facts
        self._words = words
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

    def vocabulary(self, kind: str) -> tuple[str, ...] | None:
        """The only names of this entity type on the map; None where any name may be."""
        return self._map.vocabulary(kind) if self._map else None

    def fix(self, rooms: Iterable[str]) -> None:
        """The rooms that the robot really has."""
        self._rooms = list(rooms)

    def all(self) -> list[RoomName]:
        """All rooms; in the open world the same made-up ones whenever asked."""
        if self._rooms is None:
            self._rooms = list(self._map.room_names) if self._map else list(self._invent())
        return [self.name(room) for room in self._rooms]

    def start(self) -> str:
        """Where the robot is when nobody has said; rooms that the program cannot tell apart
        count once."""
        candidates = self._candidates()
        self._start = candidates[self._choices.choose(len(candidates))]
        return self._start

    def name(self, room: str) -> RoomName:
        """The name as the program gets it."""
        if self._map is not None:
            return RoomName(room)
        return MadeUpName.of(room, self._note)

    def _note(self, word: RoomWord) -> None:
        if word.text and word not in self._words and word.text not in self._facts.locations:
            raise NewWord(word)

    def _candidates(self) -> list[str]:
        if self._map is None:
            if self._rooms:
                return self._rooms
            words = [self._example(w, 0) for w in self._words] if self._facts.asks_where else []
            return list(dict.fromkeys([*self._others()[:1], *self._facts.locations, *words]))
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
        words = [word.text.lower() for word in self._words]
        free = [
            room
            for room in _OTHER_ROOMS
            if room not in self._facts.texts and not any(w in room.lower() for w in words)
        ]
        return free or [_OTHER_ROOMS[0]]

    def _invent(self) -> Iterator[str]:
        """None, one or more rooms for each word that rooms are compared with, and others."""
        rooms = dict.fromkeys([self._start] if self._start else [])
        some = [1] if self._words else [1, 2]
        rooms.update(dict.fromkeys(self._others()[: self._how_many(some)]))
        rooms.update(dict.fromkeys(self._facts.locations))
        for word in self._words:
            few = [0, 1] if word.test is Test.EQUALS else [0, 1, 2]
            for number in range(self._how_many(few)):
                rooms[self._example(word, number)] = None
        for name in self._meeting():
            if self._choices.choose(2):
                rooms[name] = None
        yield from rooms

    def _meeting(self) -> Iterator[str]:
        """Names that match several words."""
        parts = [word for word in self._words if word.test is not Test.EQUALS]
        if len(parts) > _TOGETHER:
            self._choices.left_out = True
            yield _joined(parts)
            return
        for size in range(2, len(parts) + 1):
            yield from map(_joined, combinations(parts, size))

    def _how_many(self, numbers: list[int]) -> int:
        """One of the numbers, or more than the program counts to."""
        if numbers[-1] > 1:
            counted = self._facts.counts_to
            numbers = [*numbers, *(n for n in (counted, counted + 1) if n > numbers[-1])]
        return numbers[self._choices.choose(len(numbers))]

    def _example(self, word: RoomWord, number: int) -> str:
        if number == 0:
            return word.text
        if word.test is Test.ENDS:
            return f"{_OTHER_ROOMS[-number]} {word.text}"
        return f"{word.text} {number + 1}"


def _joined(words: Iterable[RoomWord]) -> str:
    """A name that matches all the words."""
    return " ".join(w.text for w in sorted(words, key=lambda word: word.test is Test.ENDS))
