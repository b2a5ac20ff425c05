"""Draws places for pairs: the rooms of a building, its people and its things."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from roboinstruct_ros.learn.draw import Draw, Split, until
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.furniture import PIECES
from roboinstruct_ros.learn.pairs.names import ROLES, TITLES, plain, thing_called
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.words import Building

_HOW_OFTEN = {"home": 5, "office": 3, "lab": 2, "hospital": 2, "hotel": 2, "school": 2}
_BUILDINGS = [name for name in words.BUILDINGS for _ in range(_HOW_OFTEN.get(name, 1))]
_LARGE = 0.25
"""Share of the maps in prompts that are as long as those of real places."""
_OPEN = 0.6
"""Share of the other maps in prompts that name rooms only, as those of most robots do."""
_WITH_FURNITURE = 0.25
"""Share of the maps in prompts with pieces of furniture among the places."""
_NUMBERED = 0.1
"""Share of the maps in prompts with several things of one name, distinguished by a number."""


def draw_scene(draw: Draw, kind: str = "") -> Scene:
    """A building with at least two rooms of one kind, its people and things.

    Args:
        kind: of building, one of `words.BUILDINGS`; any if empty.
    """
    building = words.BUILDINGS[kind or draw.one(_BUILDINGS)]
    told = draw.chance(0.7)
    large = told and draw.chance(_LARGE)
    # the minimum of two draws: lists of all lengths, but mostly short ones
    count = min(draw.rng.randint(10, 30), draw.rng.randint(10, 30))
    count = count if large else draw.rng.randint(3, 14)
    people = people_of(draw, building, draw.one((0, 1, 1, 2, 2, 3, 3, 4, 5, 6)))
    rooms = until(lambda: _rooms(draw, building, people, count), kinds_of)
    many = min(draw.rng.randint(20, 70), draw.rng.randint(20, 70))
    things = things_of(draw, building, many if large else draw.rng.randint(0, 10))
    if told and draw.chance(_NUMBERED):
        [name] = things_of(draw, building, 1)
        several = draw.rng.randint(2, 4) if thing_called(name).a.startswith("a") else 0
        things += [f"{name} {number + 1}" for number in range(several)]
    if told and not large and draw.chance(_OPEN):
        people, things = [], []
    if told and draw.chance(_WITH_FURNITURE):
        free = [each for each in PIECES if each not in rooms]
        pieces = draw.some(free, draw.one((2, 3, 4, 5, 6, 8, 12, 20)))
        mixed = draw.some([*rooms, *pieces], len(rooms) + len(pieces))
        rooms = mixed if kinds_of(mixed) else rooms
    case: Callable[[str], str] = str.lower if draw.lower and not told else str
    if told and draw.chance(0.08):
        case = draw.one((_title, _snake))
    return Scene(
        tuple(case(room) for room in rooms),
        tuple(people) if told else tuple(case(name) for name in people),
        tuple(things),
        here=case(draw.one(rooms)),
        holding=draw.one(things_of(draw, building, 1)) if draw.chance(0.06) else "",
        told=told,
    )


def kinds_of(rooms: list[str] | tuple[str, ...]) -> list[str]:
    """Words that occur in at least two rooms, and in no other room by accident ("hall" in
    hallway)."""
    names = [plain(room) for room in rooms]
    return [
        kind
        for kind in (*words.KINDS.train, *words.KINDS.held)
        if len(found := [name for name in names if kind in name]) > 1
        and all(re.search(rf"\b{kind}\b", name) for name in found)
    ]


def building_of(scene: Scene) -> Building:
    """The kind of building that has most of the scene's rooms."""
    return _building_with(scene.rooms)


@lru_cache(maxsize=256)
def _building_with(named: tuple[str, ...]) -> Building:
    rooms = [plain(room) for room in named]

    def share(kind: str) -> int:
        whole, parts = _ROOMS[kind]
        said = sum(part in room for part in parts for room in rooms)
        return 2 * sum(room in whole for room in rooms) + said

    return words.BUILDINGS[max(words.BUILDINGS, key=share)]


_ROOMS = {
    kind: (
        frozenset(building.rooms.train + building.rooms.held),
        frozenset((*building.numbered.train, *building.owned.train)),
    )
    for kind, building in words.BUILDINGS.items()
}
"""Names of rooms, and parts of names, by the kind of building."""


def things_of(draw: Draw, building: Building, count: int, but: tuple[str, ...] = ()) -> list[str]:
    """Names of different things that such a building has, other than `but`; all if too few."""
    pools, different = _pools(building.things, draw.split, but)
    found: dict[str, None] = {}
    while len(found) < min(count, different):
        found[draw.one(draw.one(pools))] = None
    return list(found)


def _pools(
    classes: tuple[str, ...], split: Split, but: tuple[str, ...]
) -> tuple[tuple[tuple[str, ...], ...], int]:
    """The names of the things in each class but for those in `but`, and how many different ones."""
    pools, known = _all_pools(classes, split)
    if taken := known.intersection(but):
        left = (
            pool if names.isdisjoint(taken) else tuple(name for name in pool if name not in taken)
            for pool, names in pools
        )
        return tuple(pool for pool in left if pool), len(known) - len(taken)
    return tuple(pool for pool, _ in pools), len(known)


@cache
def _all_pools(
    classes: tuple[str, ...], split: Split
) -> tuple[tuple[tuple[tuple[str, ...], frozenset[str]], ...], frozenset[str]]:
    """The names of the things in each class, in order and as a set, and all together."""
    things = (words.CLASSES[name].in_split(split) for name in classes)
    pools = tuple(names for every in things if (names := tuple(one.name for one in every)))
    return tuple((pool, frozenset(pool)) for pool in pools), frozenset().union(*pools)


def people_of(draw: Draw, building: Building, count: int, but: tuple[str, ...] = ()) -> list[str]:
    """Names of different people who may be there, other than `but`.

    Raises:
        DoesNotFit: There are not so many.
    """
    taken = {name.lower() for name in but}
    found: list[str] = []
    for _ in range(count):
        found.append(until(lambda: _somebody(draw, building), lambda who: who.lower() not in taken))
        taken.add(found[-1].lower())
    return found


def _somebody(draw: Draw, building: Building) -> str:
    roll = draw.rng.random()
    if building.owners == "family" and roll < 0.4:
        return draw.one(draw.one((words.FAMILY_SHE, words.FAMILY_HE)).of(draw))
    if roll < 0.15:
        return draw.one(building.roles.of(draw))
    if roll < (0.6 if building.owners == "teachers" else 0.22):
        return f"{draw.one(TITLES)} {draw.one(words.SURNAMES.of(draw))}"
    return draw.one(draw.one((words.SHE, words.HE)).of(draw))


def _rooms(draw: Draw, building: Building, people: list[str], count: int) -> list[str]:
    """Different rooms: some of one kind, some with owners, the rest named."""
    found: list[str] = []
    for make in draw.some((_numbered, _owned, _of_a_kind), draw.one((1, 1, 2))):
        size = max(2, draw.rng.randint(2, max(2, count // 3)))
        found += [room for room in make(draw, building, people, size) if room not in found]
    found = found[: count - 1]
    rest = building.rooms.some(draw, count)
    found += [room for room in rest if room not in found][: count - len(found)]
    draw.rng.shuffle(found)
    return found


def _numbered(draw: Draw, building: Building, _of: list[str], count: int) -> list[str]:
    word = draw.one(building.numbered.of(draw))
    roll = draw.rng.random()
    if roll > 0.8:
        return _odd(draw, word, count)
    if word == "room" or roll < 0.1:
        first = 100 * draw.rng.randint(1, 9) + draw.rng.randint(0, 20)
        return [f"{word} {first + number}" for number in range(count)]
    if word in ("ward", "gate", "zone", "hall", "dock") and roll < 0.7:
        return [f"{word} {letter}" for letter in "ABCDEFGHIJKLMNOPQ"[:count]]
    return [f"{word} {number + 1}" for number in range(count)]


def _odd(draw: Draw, word: str, count: int) -> list[str]:
    """Names in the style of door signs: "Room 2.14", "lab_1", "R-101", "B204"."""
    floor, first = draw.rng.randint(0, 5), draw.rng.randint(1, 40)
    form: str = draw.one(
        ("{W} {f}.{n:02}", "{W} {f}.{n:02}", "{w} {f}.{n:02}", "{w}_{n}", "{w}_{n}", "{w}-{n}",
         "{w}{n}", "{W} {L}{f}{n:02}", "{w} {l}-{f}{n:02}", "{W}-{f}{n:02}", "{w} {n}{l}")
    )  # fmt: skip
    letter = draw.one("ABCDEGHKNRSW")
    spelt = {"w": word, "W": word[:1].upper() + word[1:], "L": letter, "l": letter.lower()}
    return [form.format(f=floor, n=first + number, **spelt) for number in range(count)]


def _owned(draw: Draw, building: Building, people: list[str], count: int) -> list[str]:
    room = draw.one(building.owned.of(draw))
    owners = [name for name in people if name.lower() not in ROLES]
    if draw.chance(0.5):  # a person on the map need not have a room there
        owners = draw.some(owners, len(owners) // 2)
    owners += [
        n
        for n in people_of(draw, building, count)
        if n.lower() not in ROLES and n not in (*owners, *people)
    ]
    return [f"{owner}'s {room}" for owner in owners[:count]]


def _of_a_kind(draw: Draw, building: Building, _of: list[str], count: int) -> list[str]:
    rooms = building.rooms.train
    kind = draw.one(_kinds_among(rooms) or ("room",))
    fitting = [room for room in rooms if room.endswith(f" {kind}")]
    return draw.some(fitting, min(count, len(fitting)))


@lru_cache(maxsize=256)
def _kinds_among(rooms: tuple[str, ...]) -> tuple[str, ...]:
    """Last words of at least two of the names."""
    kinds = words.KINDS.train
    return tuple(k for k in kinds if sum(room.endswith(f" {k}") for room in rooms) > 1)


def _snake(name: str) -> str:
    return name.replace(" ", "_")


def _title(name: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in name.split())
