"""The rooms, things and people that a task mentions.

If the scene is in the prompt (a told scene), the program uses the map's spelling, and people may
use another word or case. Otherwise the program copies what was said.
"""

from __future__ import annotations

import re

from roboinstruct_ros.generate.prompts.surroundings import MOST_THINGS
from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.entities import Person, Room, Thing, article, plural_of
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.buildings import building_of, kinds_of, people_of, things_of
from roboinstruct_ros.learn.pairs.names import (
    has_owner,
    person_called,
    plain,
    spoken_name,
    the_room,
    thing_called,
)
from roboinstruct_ros.learn.pairs.scene import Scene

_COMMON = frozenset(
    (
        "something to drink", "something to eat", "something to read", "something to write with",
        "something to play with", "a drink", "a snack", "fruit", "a fruit", "some fruit", "a toy",
        "any tool", "a tool", "cutlery", "some cutlery", "something warm to wear",
        "something to keep me warm", "something sweet", "something to write on",
    )
)  # fmt: skip
"""The wide words that people use most."""
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def a_room(draw: Draw, scene: Scene, but: tuple[str, ...] = ()) -> Room:
    """A room of the scene other than `but`; at least one has to be left."""
    name = draw.one([room for room in scene.rooms if room not in but])
    return Room(name, _said(draw, scene, name))


def a_kind(draw: Draw, scene: Scene) -> Thing:
    """A kind of room ("bedroom"), as the map spells it; any kind where nothing is told."""
    kinds = kinds_of(scene.rooms)
    kind = draw.one(kinds if scene.told or draw.chance(0.6) else words.KINDS.of(draw))
    spelt = [
        room[at : at + len(kind)] for room in scene.rooms if (at := plain(room).find(kind)) >= 0
    ]
    name = spelt[0] if spelt else kind
    return Thing(name, article(kind), plural_of(kind))


def a_thing(draw: Draw, scene: Scene, but: tuple[str, ...] = ()) -> Thing:
    """A thing other than `but`: seven of ten times one that the scene has.

    Raises:
        DoesNotFit: All things that such a building has are named in `but`.
    """
    known = [name for name in scene.things if name not in but and not name[-1].isdigit()]
    if known and draw.chance(0.7):
        return thing_called(draw.one(known))
    names = things_of(draw, building_of(scene), 1, (*but, *scene.things)) or known
    if not names:
        raise DoesNotFit(f"no other thing than {', '.join(but)}")
    return thing_called(draw.one(names))


def a_person(draw: Draw, scene: Scene, but: tuple[str, ...] = ()) -> Person:
    """Somebody other than `but`: mostly one whom the scene has."""
    with_rooms = owners(scene) if scene.told else []
    if with_rooms and draw.chance(0.5):  # somebody without a room where others have one
        but, with_rooms = (*but, *with_rooms), []
    known = [name for name in dict.fromkeys((*scene.people, *with_rooms)) if name not in but]
    if known and draw.chance(0.75):
        return person_called(draw, draw.one(known), scene.told)
    [name] = people_of(draw, building_of(scene), 1, (*but, *scene.people))
    return person_called(draw, name if scene.told else draw.case(name), scene.told)


def owners(scene: Scene) -> list[str]:
    """People who have a room."""
    return [room.partition("'s ")[0] for room in scene.rooms if has_owner(room)]


def own_room(scene: Scene, who: Person) -> Room | None:
    """The room of that person on the told map."""
    start = f"{who.name.lower()}'s "
    own = [name for name in scene.rooms if scene.told and name.lower().startswith(start)]
    return Room(own[0], the_room(own[0])) if own else None


def a_wide_word(draw: Draw, scene: Scene) -> tuple[str, list[str]]:
    """A word for many things ("something to drink") and the names to try, in order."""
    known = scene.things[:MOST_THINGS] if scene.told else ()
    fitting = [each for each in words.WIDE if each.are_among(known)]
    pool = fitting if fitting and draw.chance(0.85) else words.WIDE
    common = [each for each in pool if each.said in _COMMON]
    pool = common if common and draw.chance(0.5) else pool
    wide = draw.one(pool)
    return wide.said, wide.candidates(known)


def called_widely(said: str, scene: Scene) -> list[str]:
    """The names to try for this wide word, in order."""
    [wide] = [each for each in words.WIDE if each.said == said]
    return wide.candidates(scene.things[:MOST_THINGS] if scene.told else ())


def _said(draw: Draw, scene: Scene, name: str) -> str:
    """A person's name for the room; another word only if the map leaves no doubt."""
    if scene.told and draw.chance(0.35):
        free = [each for each in _other_words(name) if _is_only_for(each, name, scene)]
        if free:
            return the_room(draw.one(free))
    return the_room(spoken_name(name) if scene.told else name)


def _other_words(name: str) -> list[str]:
    low = plain(name)
    found = list(words.ALIASES.get(low, ()))
    if match := re.fullmatch(r"(.+) (\d)", low):
        found += [f"{match[1]} {_NUMBERS[int(match[2])]}", f"{match[1]} no. {match[2]}"]
    elif match := re.fullmatch(r"room (\d{3})", low):
        found += [f"number {match[1]}", f"room number {match[1]}"]
    return found


def _is_only_for(alias: str, name: str, scene: Scene) -> bool:
    """Whether no other room could be meant by the alias."""
    others = [plain(room) for room in scene.rooms if room != name]
    return not any(
        alias in room or room in alias or alias in words.ALIASES.get(room, ()) for room in others
    )
