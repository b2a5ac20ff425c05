"""Rooms, things and people with their English forms.

Names are composed (adjective + noun, "Bob's office", "room 204") and every third one is invented
from syllables: a model that has never seen a name has to copy it, so training must force copying.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from roboinstruct_ros.learn import vocabulary as words
from roboinstruct_ros.learn.draw import Draw, Split, drawn_apart

_ONSETS = [
    "b",
    "c",
    "d",
    "f",
    "g",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "w",
    "z",
    "br",
    "cr",
    "dr",
    "fl",
    "gr",
    "pl",
    "sh",
    "st",
    "th",
    "tr",
    "ch",
    "kl",
    "sk",
    "sp",
]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ee", "ou", "y", "io", "ea"]
_CODAS = ["", "", "", "n", "r", "l", "s", "t", "m", "k", "x", "nd", "rt", "ck", "p", "d"]


@dataclass(frozen=True)
class Room:
    """A place; `name` is used in the program, `the` in the instruction."""

    name: str
    the: str


@dataclass(frozen=True)
class Thing:
    """An object: `name` for the program; article and number forms for English."""

    name: str
    a: str
    plural: str
    is_plural: bool = False

    @property
    def the(self) -> str:
        """With the definite article."""
        return f"the {self.name}"

    @property
    def it(self) -> str:
        """The pronoun."""
        return "them" if self.is_plural else "it"

    @property
    def they(self) -> str:
        """The pronoun with its verb."""
        return "they are" if self.is_plural else "it is"

    @property
    def be(self) -> str:
        """is or are."""
        return "are" if self.is_plural else "is"


@dataclass(frozen=True)
class Person:
    """A person: `name` for the program, `who` for the instruction, pronouns."""

    name: str
    who: str
    he: str
    him: str
    his: str


def invented(draw: Draw) -> str:
    """A new word: syllables, two known words joined, or fragments of several.

    Fragments produce every subword of the tokenizer in any order, which a model has to practise to
    copy an unknown word.
    """
    roll = draw.rng.random()
    if roll < 0.3:
        front, back = (_last_word(draw.one(_SPLICED)) for _ in range(2))
        return front[: draw.rng.randint(2, max(2, len(front) - 1))] + back[len(back) // 2 - 1 :]
    if roll < 0.65:
        return "".join(_scrap(draw) for _ in range(draw.rng.choice((2, 2, 2, 3, 3))))
    count = draw.rng.choice((1, 2, 2, 2, 3, 3, 4))
    return "".join(draw.one(_ONSETS) + draw.one(_VOWELS) + draw.one(_CODAS) for _ in range(count))


def _scrap(draw: Draw) -> str:
    """Two to five neighbouring letters of a known word."""
    word = _last_word(draw.one(_SPLICED))
    size = draw.rng.randint(2, 5)
    start = draw.rng.randint(0, max(0, len(word) - size))
    return word[start : start + size]


_SPLICED = (
    *words.THINGS,
    *words.ADJECTIVES,
    *words.ROOMS,
    *words.FEMALE,
    *words.MALE,
    *words.CHORES,
    *words.SURNAMES,
    *words.ROLES,
    *words.MASS_THINGS,
    *words.ANNOUNCEMENTS,
)


def _last_word(name: str) -> str:
    word = name.rsplit(" ", 1)[-1].rsplit("'", 1)[0].lower()
    return word if len(word) > 2 and word.isalpha() else "lantern"


#: Begins with the sound of a vowel: an umbrella, but a usb stick, a uniform, a utensil.
_AFTER_AN = re.compile(r"(?!u(?:[cks][aeiou]|ni|rin|sb|t[aei])|eu|one\b)[aeiou]|hdmi|hour|x-")


def article(noun: str) -> str:
    """The noun with a or an."""
    return f"an {noun}" if _AFTER_AN.match(noun.lower()) else f"a {noun}"


def plural_of(noun: str) -> str:
    """Regular English plural; of the first noun in "bottle of water"."""
    head, of, rest = noun.partition(" of ")
    if head.endswith(("s", "x", "ch", "sh")):
        head += "es"
    elif head.endswith("y") and head[-2] not in "aeiou":
        head = head[:-1] + "ies"
    elif head.endswith("fe") or head == "loaf":
        head = head[:-2] + "ves" if head.endswith("fe") else "loaves"
    else:
        head += "s"
    return head + of + rest


@drawn_apart
def person(draw: Draw, roles: bool = True) -> Person:
    """Somebody by name or, now and then, by role."""
    roll = draw.rng.random()
    if roles and roll < 0.12:
        name = draw.word(words.ROLES, words.HELD_ROLES)
        return Person(name, f"the {name}", *draw.one(_PRONOUNS))
    pronouns = draw.one(_PRONOUNS)
    if draw.makes_up and roll < 0.5:
        name = invented(draw).capitalize()
        if draw.chance(0.08):
            name += " " + invented(draw).capitalize()
    elif pronouns[0] == "she" or (pronouns[0] == "they" and roll < 0.7):
        name = draw.word(words.FEMALE, words.HELD_FEMALE)
    else:
        name = draw.word(words.MALE, words.HELD_MALE)
    if draw.chance(0.05):
        title = {"he": ("Mr. ", "Mr. "), "she": ("Mrs. ", "Ms. ")}.get(pronouns[0], ())
        name = draw.one((*title, "Dr. ", "Professor ")) + (
            name if draw.split is Split.UNSEEN_NAMES else draw.one(words.SURNAMES)
        )
    name = name.lower() if draw.lower else name
    return Person(name, name, *pronouns)


_PRONOUNS = (("he", "him", "his"), ("she", "her", "her"), ("they", "them", "their"))


@drawn_apart
def thing(draw: Draw, count: bool = False, bare: bool = False) -> Thing:
    """An object.

    Args:
        count: only one that can be counted ("two apples").
        bare: without an adjective in front.
    """
    roll = draw.rng.random()
    if not count and roll < 0.07:
        name = draw.case(draw.word(words.PLURAL_THINGS, words.HELD_PLURAL_THINGS))
        name = _described(draw, name, 0.15)
        return Thing(name, f"some {name}" if draw.chance(0.5) else name, name, True)
    if not count and roll < 0.14:
        name = draw.word(words.MASS_THINGS, words.HELD_MASS_THINGS)
        return Thing(name, f"some {name}", name)
    if draw.makes_up and roll < 0.5:
        name = invented(draw)
        if draw.chance(0.3):
            name = f"{invented(draw)} {name}"
        elif draw.chance(0.3):
            name += " " + draw.word(words.THINGS, words.HELD_THINGS).rsplit(" of ", 1)[0]
    else:
        name = draw.word(words.THINGS, words.HELD_THINGS)
    name = draw.case(name if bare else _described(draw, name, 0.2))
    return Thing(name, article(name), plural_of(name))


def _described(draw: Draw, name: str, probability: float) -> str:
    if not draw.chance(probability):
        return name
    if draw.makes_up and draw.split is not Split.UNSEEN_NAMES and draw.chance(0.1):
        return f"{invented(draw)} {name}"
    return f"{draw.word(words.ADJECTIVES, words.HELD_ADJECTIVES)} {name}"


def things(draw: Draw, count: int) -> list[Thing]:
    """Several different objects."""
    found: dict[str, Thing] = {}
    while len(found) < count:
        new = thing(draw)
        found[new.name] = new
    return list(found.values())


@drawn_apart
def room(draw: Draw, owner: Person | None = None) -> Room:
    """A place, with or without an owner, a number or a letter."""
    roll = draw.rng.random()
    if owner is not None:
        name = f"{owner.who}'s {draw.one(_OWNED)}"
        return Room(name.removeprefix("the "), name)
    if roll < 0.16:
        who = person(draw)
        return room(draw, who)
    if roll < 0.34:
        return _numbered_room(draw)
    if roll < 0.37:
        name = draw.one(("my office", "my room", "my bedroom", "our office", "my desk"))
        return Room(name, name)
    if draw.makes_up and roll < 0.64:
        name = f"{invented(draw)} {draw.one(_INVENTED_HEADS)}".strip()
    else:
        name = draw.word(words.ROOMS, words.HELD_ROOMS)
    name = draw.case(name)
    return Room(name, name if draw.chance(0.04) else f"the {name}")


_OWNED = ("office",) * 6 + ("room", "bedroom", "desk", "lab", "study", "classroom", "house")
_INVENTED_HEADS = ("room", "room", "hall", "lab", "office", "", "", "area", "wing", "corner")


def _numbered_room(draw: Draw) -> Room:
    kind = draw.word(words.ROOM_KINDS, words.HELD_ROOM_KINDS)
    roll = draw.rng.random()
    if roll < 0.5:
        name = f"{kind} {draw.rng.randint(1, 12)}"
    elif roll < 0.75:
        name = f"room {draw.rng.randint(100, 999)}"
    elif roll < 0.9:
        name = f"{draw.one((kind, 'room'))} {draw.one('ABCDEFGH')}"
    else:
        name = f"room {draw.rng.randint(1, 9)}.{draw.rng.randint(100, 999)}"
    name = draw.case(name)
    return Room(name, f"the {name}" if draw.chance(0.04) else name)


def rooms(draw: Draw, count: int, own: Person | None = None) -> list[Room]:
    """Several different places."""
    found: dict[str, Room] = {}
    while len(found) < count:
        new = room(draw, own if not found else None)
        found[new.name] = new
    return list(found.values())


@drawn_apart
def room_kind(draw: Draw) -> Thing:
    """A kind of room ("meeting room") with its plural."""
    if draw.makes_up and draw.chance(0.25):
        name = f"{invented(draw)} {draw.one(('room', 'room', 'lab', 'hall', 'office', ''))}".strip()
    else:
        name = draw.word(words.ROOM_KINDS, words.HELD_ROOM_KINDS)
    name = draw.case(name)
    return Thing(name, article(name), plural_of(name))


def listed(names: list[str], last: str = "and", comma: bool = False) -> str:
    """'a, b and c'."""
    if len(names) == 1:
        return names[0]
    return (
        ", ".join(names[:-1]) + ("," if comma and len(names) > 2 else "") + f" {last} {names[-1]}"
    )
