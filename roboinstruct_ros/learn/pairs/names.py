"""Names in the forms that English needs: with an article, with pronouns, in a sentence."""

from __future__ import annotations

import re
from functools import lru_cache

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person, Thing, article, plural_of
from roboinstruct_ros.learn.pairs import words

TITLES = ("Dr.", "Mr.", "Mrs.", "Ms.", "Professor")
_PRONOUNS = {
    "he": ("he", "him", "his"),
    "she": ("she", "her", "her"),
    "they": ("they", "them", "their"),
}
_IN_SMALL_LETTERS = tuple(title.lower() for title in TITLES)
_SHE = frozenset(
    name.lower() for pool in (words.SHE, words.FAMILY_SHE) for name in (*pool.train, *pool.held)
)
_HE = frozenset(
    name.lower() for pool in (words.HE, words.FAMILY_HE) for name in (*pool.train, *pool.held)
)
ROLES = frozenset(
    role for each in words.BUILDINGS.values() for role in (*each.roles.train, *each.roles.held)
)
_FAMILY = frozenset(
    name.lower()
    for pool in (words.FAMILY_SHE, words.FAMILY_HE)
    for name in (*pool.train, *pool.held)
)


def thing_called(name: str) -> Thing:
    """The thing with its article and plural."""
    known = words.THINGS.get(name.lower())
    if known is not None:
        return Thing(name, known.a, known.plural, known.is_plural)
    return Thing(name, article(name), plural_of(name))


def some(thing: Thing) -> str:
    """The thing in a question or negation: "a cup", "any milk"."""
    return re.sub("^some ", "any ", thing.a)


def bare(thing: Thing) -> str:
    """The thing in a statement: "a cup", "milk"."""
    return thing.a.removeprefix("some ")


def person_called(draw: Draw, name: str, told: bool) -> Person:
    """The person with pronouns, and what people call them."""
    first = name.lower()
    pronouns = draw.one(("he", "she", "they"))
    if first in _SHE or name.startswith(("Mrs.", "Ms.", "mrs.", "ms.")):
        pronouns = "she"
    elif first in _HE or first.startswith("mr."):
        pronouns = "he"
    who = f"the {name}" if first in ROLES else name
    if told and first in _FAMILY and draw.chance(0.3):
        who = f"my {first}" if " " not in first else name
    return Person(name, who, *_PRONOUNS[pronouns])


def the_room(name: str) -> str:
    """The room's name as it stands in a sentence: "the kitchen", but "Bob's office", "ward B"."""
    if has_owner(name) or re.search(r"(^|[ _-])([A-Z]?[0-9][0-9.-]*[a-z]?|[A-Za-z])$", name):
        return name
    return f"the {name}"


def spoken_name(name: str) -> str:
    """The name as it is written in a sentence: no underscores, no capitals but a name's."""
    name = name.replace("_", " ")
    if "'s " in name or not name.istitle() or re.search(r" [A-Z]$", name):
        return name
    return name.lower()


@lru_cache(maxsize=4096)
def plain(room: str) -> str:
    """The room's name in small letters with spaces, letter for letter."""
    return room.lower().replace("_", " ")


@lru_cache(maxsize=4096)
def has_owner(room: str) -> bool:
    """Whether the room is called after somebody: "Bob's office", but not "men's room"."""
    owner = room.lower().rpartition("'s ")[0]
    return owner in _SHE or owner in _HE or owner.startswith(_IN_SMALL_LETTERS)
