"""Names for a pair: a scene drawn for it, and things and people beyond those that its map knows."""

from __future__ import annotations

from roboinstruct_ros.learn import vocabulary as words
from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person, Thing, article, plural_of
from roboinstruct_ros.learn.pairs.scene import Scene

_HOME = (
    "kitchen, living room, dining room, bathroom, hallway, bedroom, main bedroom, guest bedroom, "
    "kids bedroom, study, garage, laundry room, pantry, balcony, garden, cellar, attic, playroom"
).split(", ")
_OFFICE = (
    "lobby, reception, kitchen, break room, meeting room 1, meeting room 2, meeting room 3, "
    "printer room, supply room, storage room, main office, conference room, hallway, server room, "
    "mail room, canteen, lounge, lab 1, lab 2, copy room, entrance, room 101, room 102, room 204"
).split(", ")
_HOSPITAL = (
    "reception, waiting room, pharmacy, ward 1, ward 2, ward 3, exam room 1, exam room 2, lab, "
    "staff room, kitchen, storage room, operating room, nurse station, entrance, room 12, room 14"
).split(", ")
_SCHOOL = (
    "classroom 1, classroom 2, classroom 3, classroom 4, library, gym, cafeteria, music room, "
    "art room, main office, teachers lounge, storage room, computer lab, hallway, entrance"
).split(", ")
_HOTEL = (
    "lobby, reception, bar, restaurant, kitchen, room 101, room 102, room 201, room 202, spa, "
    "laundry room, linen room, gym, conference room, terrace, storage room"
).split(", ")
_KINDS = (_HOME, _HOME, _OFFICE, _OFFICE, _HOSPITAL, _SCHOOL, _HOTEL)
_FAMILY = ("Mom", "Dad", "Grandma", "Grandpa")
_MALE_FAMILY = ("Dad", "Grandpa")


def draw_scene(draw: Draw) -> Scene:
    """A place with rooms that go together; half of them are told to the model."""
    kind = draw.one(_KINDS)
    people = [person(draw, kind is _HOME) for _ in range(draw.rng.randint(0, 6))]
    people = list({who.name: who for who in people}.values())
    rooms = draw.some(kind, min(len(kind), draw.rng.randint(4, 12)))
    suffix = "room" if kind is _HOME else "office"
    rooms += [f"{who.name}'s {suffix}" for who in people if draw.chance(0.4)][:4]
    draw.rng.shuffle(rooms)
    names = tuple(thing(draw).name for _ in range(draw.rng.randint(0, 8)))
    return Scene(
        rooms=tuple(rooms),
        people=tuple(who.name for who in people),
        things=tuple(dict.fromkeys(names)),
        here=draw.one(rooms) if draw.chance(0.8) else "",
        told=draw.chance(0.5),
    )


def person(draw: Draw, at_home: bool = False) -> Person:
    """Somebody with a first name, or of the family."""
    if at_home and draw.chance(0.35):
        return person_named(draw.one(_FAMILY))
    return person_named(draw.one(words.MALE[:50] if draw.chance(0.5) else words.FEMALE[:60]))


def person_named(name: str) -> Person:
    """The person with the pronouns that go with the name."""
    if name in words.MALE or name in _MALE_FAMILY:
        return Person(name, name, "he", "him", "his")
    return Person(name, name, "she", "her", "her")


def thing(draw: Draw, count: bool = False) -> Thing:
    """Something that a robot can carry."""
    roll = draw.rng.random()
    if not count and roll < 0.12:
        return thing_named(draw.one(words.PLURAL_THINGS[:40]))
    if not count and roll < 0.25:
        return thing_named(draw.one(words.MASS_THINGS[:30]))
    return thing_named(draw.one(words.THINGS[:250]))


def thing_named(name: str) -> Thing:
    """The thing with the forms that English needs of it."""
    if name in words.PLURAL_THINGS:
        return Thing(name, f"some {name}", name, True)
    if name in words.MASS_THINGS:
        return Thing(name, f"some {name}", name)
    return Thing(name, article(name), plural_of(name))
