"""Rooms: the robot's map (closed world), or rooms made up from what a program asks (open world)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations, islice

from roboinstruct_ros.sandbox.namespace import program_line
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.question import Question
from roboinstruct_ros.verify.rooms.room_names import (
    ListedName,
    MadeUpName,
    NameTest,
    NewWord,
    RoomName,
    RoomWord,
    Test,
    all_tried,
)
from roboinstruct_ros.verify.world.world import ImpossibleWorld

_OTHER_ROOMS = (
    "hallway", "lobby", "study", "attic", "cellar", "Q1", "Z2", "X3", "W4", "V5", "U6", "J7",
)  # fmt: skip
"""Names for rooms that a program does not mention; the first ones that fit are taken."""

_MOST_ROOMS = 8
"""Most rooms of one kind that are made up."""

_MOST_ORDERS = 24
"""Up to this number, all orders of the rooms are tried; beyond it, only a few, and the verdict
is not exhaustive."""

_TOGETHER = 3
"""Up to this number of words, all combinations in one name are tried; beyond it, the verdict is
not exhaustive."""


class Rooms:
    """The rooms of one path.

    Args:
        words: the texts that some path of the program compares with made-up names.
    """

    def __init__(self, question: Question, words: tuple[RoomWord, ...], choices: Choices) -> None:
        self._question = question
        self._map = question.semantic_map
        self._use = question.facts.rooms
        self._words = [word for word in words if word.test is not Test.START]
        self._start_matters = len(self._words) < len(words)
        self._choices = choices
        self._rooms: list[str] | None = None
        self._start: str | None = None
        self._starts: set[str] = set()
        self._came_by_list = False
        self._touched: set[bool] = set()  # facts of: the start (True), rooms like it (False)
        self._checked: set[str] = set()

    def state(self) -> object:
        """What has been decided about the rooms."""
        return (
            self._start,
            frozenset(self._starts),
            frozenset(self._checked),
            self._came_by_list,
            frozenset(self._touched),
            None if self._rooms is None else tuple(self._rooms),
        )

    def resolve(self, name: str) -> str | None:
        """The room's name on the map; in the open world, any name is a room."""
        return self._map.resolve(name) if self._map else name

    def is_known_room(self, name: str) -> bool:
        return self._map is not None and self._map.resolve(name) is not None

    def is_made_up(self, name: str) -> bool:
        """Whether this path made the room up, so that it could have another name."""
        if self._map is not None or name in self._use.locations:
            return False
        return name in self._starts or (self._rooms is not None and name in self._rooms)

    def is_start(self, name: str) -> bool:
        """Whether the path chose this room as the robot's start, and the robot has not since
        come there through the list of rooms."""
        return name in self._starts and not self._came_by_list

    def is_checked(self, name: str) -> bool:
        """Whether the program has compared this name with the rooms that exist."""
        return name in self._checked

    def nearest(self, name: str) -> tuple[str, ...]:
        return self._map.nearest(name) if self._map else ()

    def vocabulary(self, kind: str) -> tuple[str, ...] | None:
        """The only valid names of this entity type on the map; None if any name is valid."""
        return self._map.vocabulary(kind) if self._map else None

    def fix(self, rooms: Iterable[str]) -> None:
        """Set the rooms that the robot really has."""
        self._rooms = list(rooms)

    def all(self) -> list[RoomName]:
        """All rooms; in the open world, the same made-up ones every time."""
        if self._rooms is None:
            self._rooms = list(self._map.room_names) if self._map else self._invent()
        kind = self.name if self._map is None else ListedName
        return [kind(room) for room in self._rooms]

    def start(self) -> str:
        """Choose the robot's room when it is unknown.

        Rooms that the program cannot tell apart count once. Starting in a room to which the program
        goes later is a separate world only if a fact of the first room matters.
        """
        candidates = self._candidates()
        if self._starts and self._map is None:
            self._leave_out("where the robot is after a failure may be any room")
        self._start = candidates[self._choices.choose(len(candidates), candidates, "start")]
        self._starts.add(self._start)
        return self._start

    def name(self, room: str) -> RoomName:
        """The name as the program receives it."""
        if self._map is not None:
            return RoomName(room)
        for line, reason in self._use.unseen:
            self._choices.leave_out(line, reason)
        return MadeUpName.of(room, self)

    def compared(self, word: RoomWord) -> None:
        """Handle a comparison of a made-up name with a text. Raises NewWord for a new text."""
        if word.text in self._use.locations:
            self._checked.add(word.text)
            self._tell_start_apart()
        elif word.text and word not in self._words:
            raise NewWord(word)

    def looked_up(self) -> None:
        """Handle a lookup of a made-up name, which may meet any text. Raises NewWord."""
        for text in self._use.loose:
            self.compared(RoomWord(Test.EQUALS, text))

    def tested(self, test: NameTest) -> None:
        """Handle a test of a made-up name that other names are tested with too."""
        self._choices.tests.add(test)

    def examined(self) -> None:
        """Handle a test of a made-up name that other names would answer differently."""
        self._tell_start_apart()
        self._leave_out("more is asked of a room's name than made-up names can answer")

    def ranks(self, name: str, other: str) -> tuple[int, int] | None:
        """The positions of two made-up names in the list of rooms, by which they sort if possible.

        Raises:
            ImpossibleWorld: names that occur in the program are not in alphabetical order in the
                list.
        """
        if self._rooms is None or name not in self._rooms or other not in self._rooms:
            self.examined()
            return None
        fixed = [room for room in self._rooms if room in self._use.texts]
        if fixed != sorted(fixed):
            raise ImpossibleWorld
        return self._rooms.index(name), self._rooms.index(other)

    def went(self, name: object) -> None:
        """Note that the robot went to another room, by this name."""
        self._came_by_list = isinstance(name, ListedName)

    def touched(self, room: str, looks: bool = True) -> None:
        """Handle a read or change of a fact of the robot's room. Raises NewWord if it matters in
        which room the robot started.

        On a map, it matters if a path uses facts of the start and also of rooms like it. As long as
        it uses only one of the two, the start stands for each such room.
        """
        if self._map is None or len(self._starts) > 1:
            self.named(room)
        elif self._start is not None:
            at_start = room in self._starts and not self._came_by_list
            seen_as = self._question.seen_as
            if not at_start and seen_as.get(room) != seen_as.get(self._start):
                return
            if looks and (not at_start) in self._touched:
                self._tell_start_apart()
            self._touched.add(at_start)

    def named(self, room: str) -> None:
        """Handle a read of a fact of a room from anywhere. Raises NewWord as `touched`."""
        if room in self._starts:
            self._tell_start_apart()

    def _tell_start_apart(self) -> None:
        use = self._use
        same = not (use.locations or use.places or use.goes_on_a_list or use.builds_places)
        if self._start is not None and not self._start_matters and not same:
            raise NewWord(RoomWord(Test.START, ""))

    def _candidates(self) -> list[str]:
        use = self._use
        if self._map is None:
            if self._rooms:
                return self._rooms
            known = [*use.locations, *use.places] if self._start_matters else []
            if self._start_matters and use.builds_places:
                self._leave_out("the robot may start where it goes, by a name that is put together")
            words = [self._example(word, 0) for word in self._words]
            return list(dict.fromkeys([*self._others[:1], *known, *words]))
        computed = use.builds_places or use.goes_on_a_list
        if self._question.any_start or use.examines_start or (self._start_matters and computed):
            return list(self._map.room_names)
        kinds: dict[tuple[bool, ...], str] = {}
        for room in self._map.room_names:
            kinds.setdefault(self._question.seen_as[room], room)
        return list(kinds.values())

    @cached_property
    def _others(self) -> list[str]:
        """Names that the program neither contains nor could match with a part of a name."""
        return _free_rooms(self._use.texts, tuple(word.text.lower() for word in self._words))

    def tried(self, tests: set[NameTest]) -> bool:
        """Whether the made-up names give each combination of answers."""
        names = [*self._others, *self._use.locations, *self._meeting()]
        names += [self._example(word, number) for word in self._words for number in range(3)]
        return all_tried(tests, names)

    def _invent(self) -> list[str]:
        """Make up no, one or several rooms for each word that is compared, and other rooms."""
        rooms = dict.fromkeys([self._start] if self._start else [])
        rooms.update(dict.fromkeys(self._others[: self._how_many(self._numbers_of_others())]))
        rooms.update(dict.fromkeys(self._use.locations))
        for word in self._words:
            few = [0, 1] if word.test is Test.EQUALS else [0, 1, 2]
            names = [self._example(word, number) for number in (0, 1, 2)]
            for number in range(self._how_many(few, names)):
                rooms[self._example(word, number)] = None
        for name in self._meeting():
            names = [name, name.replace(" ", " 2 ", 1)]
            for number in range(self._how_many([0, 1, 2], names, about=name)):
                rooms[names[min(number, 1)]] = None
        if not rooms:
            raise ImpossibleWorld  # the robot is in some room
        taken = [room for room in rooms if self._is_taken(room)]
        return [*(room for room in rooms if room not in taken), *self._in_some_order(taken)]

    def _is_taken(self, room: str) -> bool:
        """Whether some loop over all rooms does anything with this room."""
        known = self._use.taken
        if room not in known:
            filters = self._use.filters
            known[room] = filters is None or any(f.takes(room) for f in filters)
        return known[room]

    def _numbers_of_others(self) -> list[int]:
        """How many rooms to try that the program does not mention."""
        use, other = self._use, self._others[0]
        if use.filters and use.only_filters and use.counts_to == 0 and not self._is_taken(other):
            return [1]  # skipped, and not counted
        return [1, 0] if self._words and use.counts == 0 else [1, 2, 0]

    def _in_some_order(self, rooms: list[str]) -> list[str]:
        kinds = tuple(self._kind(room) for room in rooms)
        orders = _some_of_all_orders(kinds)
        if len(orders) > _MOST_ORDERS:
            self._leave_out("the rooms may stand in more orders than are tried")
            orders = _some_orders(len(rooms))
        order = orders[self._choices.choose(len(orders))]
        return [rooms[position] for position in order]

    def _kind(self, room: str) -> object:
        """Rooms of one kind are alike to the program."""
        if room == self._start or room in self._use.locations:
            return room
        return tuple(
            {Test.CONTAINS: word.text in room, Test.ENDS: room.endswith(word.text)}.get(
                word.test, room == word.text
            )
            for word in self._words
        )

    def _meeting(self) -> Iterator[str]:
        """Names that match several words."""
        parts = [word for word in self._words if word.test is not Test.EQUALS]
        if len(parts) > _TOGETHER:
            self._leave_out("more texts may meet in a room's name than are tried")
            yield _joined(parts)
            return
        for size in range(2, len(parts) + 1):
            yield from map(_joined, combinations(parts, size))

    def _leave_out(self, reason: str) -> None:
        self._choices.leave_out(program_line(), reason)

    def _how_many(self, numbers: list[int], names: Iterable[str] = (), about: str = "") -> int:
        """Choose one of the numbers, or more than the program counts to; of rooms that are
        skipped, one is enough."""
        if names and self._use.only_filters and not any(map(self._is_taken, names)):
            numbers = [0, 1]
        if max(numbers) > 1:
            counted = min(self._use.counts, _MOST_ROOMS)
            if counted < self._use.counts:
                self._leave_out(f"there may be more than {_MOST_ROOMS} rooms of a kind")
            numbers = [*numbers, *(n for n in (counted, counted + 1) if n > max(numbers))]
        return numbers[self._choices.choose(len(numbers), numbers, about)]

    def _example(self, word: RoomWord, number: int) -> str:
        if number == 0:
            return word.text
        if word.test is Test.ENDS:
            return f"{_OTHER_ROOMS[-number]} {word.text}"
        return f"{word.text} {number + 1}"


def _joined(words: Iterable[RoomWord]) -> str:
    """A name that matches all the words."""
    return " ".join(w.text for w in sorted(words, key=lambda word: word.test is Test.ENDS))


@lru_cache(maxsize=1024)
def _free_rooms(texts: tuple[str, ...], words: tuple[str, ...]) -> list[str]:
    free = [r for r in _OTHER_ROOMS if r not in texts and not any(w in r.lower() for w in words)]
    return free or [_OTHER_ROOMS[0]]


@lru_cache(maxsize=1024)
def _some_of_all_orders(kinds: tuple[object, ...]) -> list[tuple[int, ...]]:
    """All orders, but at most one more than are tried."""
    return list(islice(_orders(kinds), _MOST_ORDERS + 1))


def _orders(kinds: tuple[object, ...]) -> Iterator[tuple[int, ...]]:
    """All orders of these positions; positions of one kind keep their order."""

    def extend(taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(taken) == len(kinds):
            yield taken
            return
        tried = []
        for position, kind in enumerate(kinds):
            if position not in taken and kind not in tried:
                tried.append(kind)
                yield from extend((*taken, position))

    yield from extend(())


def _some_orders(count: int) -> list[tuple[int, ...]]:
    """All rotations of the given order, and its reverse."""
    forward = tuple(range(count))
    turned = [(*forward[n:], *forward[:n]) for n in range(count)]
    return [*turned, forward[::-1]]
