"""The words for things, people and places, and for what people have a robot say and ask.

The YAML files in this folder contain the words; a star marks held-out ones, which only evaluation
uses. A word that is starred anywhere, or in held.yaml, is never drawn for training.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Generic, TypeVar

import yaml

from roboinstruct_ros.generate.words.place_names import ALIASES, FURNITURE
from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.entities import Thing, article, plural_of

__all__ = ["ALIASES", "FURNITURE"]

T = TypeVar("T")


def read(name: str) -> Any:
    """What the YAML file of this name beside this one holds."""
    return yaml.safe_load((files(__package__) / f"{name}.yaml").read_text("utf-8"))


def lines_of(text: str) -> list[str]:
    """The lines of a block of phrasings."""
    return [line.strip() for line in text.strip().splitlines()]


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _strings(data: Any) -> Iterable[str]:
    """Every text in nested lists and mappings."""
    if isinstance(data, str):
        yield data
    else:
        for value in data.values() if isinstance(data, dict) else data:
            yield from _strings(value)


_THINGS, _PEOPLE, _PLACES = (read(name) for name in ("things", "people", "places"))
_TALK, _WIDE = read("talk"), read("wide")
#: How people frame and shorten what they ask for; see frames.yaml.
FRAMES: dict[str, Any] = read("frames")

_STARRED = (
    *_THINGS.values(),
    _PEOPLE,
    _PLACES,
    *(_TALK[key] for key in ("announcements", "chores", "events", "times")),
)
#: Names and texts that learning never sees.
HELD = frozenset(
    word.rstrip("*").partition("/")[0]
    for text in _strings(_STARRED)
    for word in _split(text)
    if word.endswith("*")
).union(_split(read("held")["names"]))


@dataclass(frozen=True)
class Pool(Generic[T]):
    """Words for training, and held-out words (`held`)."""

    train: tuple[T, ...]
    held: tuple[T, ...] = ()

    def of(self, draw: Draw) -> tuple[T, ...]:
        """The words that this pair may use."""
        return self.in_split(draw.split)

    def in_split(self, split: Split) -> tuple[T, ...]:
        """The words that the pairs of this split may use."""
        return self.held if self.held and split is Split.UNSEEN_NAMES else self.train

    def some(self, draw: Draw, count: int) -> list[T]:
        """`count` different words, or all there are; filled up from `train`."""
        first = draw.some(self.of(draw), min(count, len(self.of(draw))))
        rest = [each for each in self.train if each not in first]
        return first + draw.some(rest, min(count - len(first), len(rest)))


def is_held(name: str) -> bool:
    """Whether the name is held out; "bottle of kefir" is if "kefir" is."""
    return name in HELD or name.rpartition(" of ")[2] in HELD


def _pool(text: str) -> Pool[str]:
    names = [word.rstrip("*") for word in _split(text)]
    return Pool(
        tuple(name for name in names if not is_held(name)),
        tuple(name for name in names if is_held(name)),
    )


def _thing(form: str, word: str) -> Thing:
    name, _, plural = word.partition("/")
    if form == "mass":
        return Thing(name, f"some {name}", name)
    if form == "plural":
        return Thing(name, f"some {name}", name, True)
    if form != "count":
        name = f"{form} of {name}"
    return Thing(name, article(name), plural or plural_of(name))


def _things(forms: dict[str, str]) -> Pool[Thing]:
    found = [
        _thing(form, word.replace("*", "")) for form, text in forms.items() for word in _split(text)
    ]
    return Pool(
        tuple(each for each in found if not is_held(each.name)),
        tuple(each for each in found if is_held(each.name)),
    )


#: Things by class: "fruit", "tools".
CLASSES = {name: _things(forms) for name, forms in _THINGS.items()}
#: All things by name; the first class that has it says how it is counted.
THINGS = {
    each.name: each
    for pool in reversed(CLASSES.values())
    for each in (*reversed(pool.train), *reversed(pool.held))
}


@dataclass(frozen=True)
class Building:
    """The contents of one kind of building.

    Attributes:
        rooms: Room names that occur once.
        numbered: Words that come with a number: "ward", "meeting room".
        owned: Rooms that belong to somebody: "office".
        owners: Their owners: "family", "teachers" (by title) or "names".
        things: Classes of things.
        roles: People who work or stay there, named with "the".
    """

    rooms: Pool[str]
    numbered: Pool[str]
    owned: Pool[str]
    owners: str
    things: tuple[str, ...]
    roles: Pool[str]


BUILDINGS = {
    name: Building(
        _pool(data["rooms"]),
        _pool(data["numbered"]),
        _pool(data["owned"]),
        data["owners"],
        tuple(_split(data["things"])),
        _pool(_PEOPLE["roles"][name]),
    )
    for name, data in _PLACES["buildings"].items()
}
KINDS = _pool(_PLACES["kinds"])

PETS = ("cat", "dog", "kitten", "puppy", "hamster", "rabbit", "turtle", "parrot")

SHE, HE = _pool(_PEOPLE["she"]), _pool(_PEOPLE["he"])
FAMILY_SHE, FAMILY_HE = _pool(_PEOPLE["family_she"]), _pool(_PEOPLE["family_he"])
SURNAMES = _pool(_PEOPLE["surnames"])

ANNOUNCEMENTS, CHORES = _pool(_TALK["announcements"]), _pool(_TALK["chores"])
#: Chores of one's own, and what somebody may need or want.
OWN_CHORES, NEEDS = (tuple(_split(_TALK[key])) for key in ("own_chores", "needs"))
EVENTS, TIMES = _pool(_TALK["events"]), _pool(_TALK["times"])
#: With blanks for things, rooms, people, times.
MADE_ANNOUNCEMENTS: list[str] = _TALK["made_announcements"]


@dataclass(frozen=True)
class Ask:
    """A question: as reported ("{he} want{s} tea"), as spoken, and the answers offered."""

    reported: str
    spoken: str
    options: tuple[str, ...]


def _ask(line: str) -> Ask:
    reported, spoken, *options = (part.strip() for part in line.lstrip("* ").split("|"))
    return Ask(reported, spoken, tuple(_split(options[0] if options else "Yes, No")))


QUESTIONS = Pool(
    tuple(_ask(line) for line in _TALK["questions"] if not line.startswith("*")),
    tuple(_ask(line) for line in _TALK["questions"] if line.startswith("*")),
)
MADE_QUESTIONS = tuple(_ask(line) for line in _TALK["made_questions"])


@dataclass(frozen=True)
class Wide:
    """A word for many things: "something to drink".

    Attributes:
        said: The word.
        names: Matching things, likeliest first.
        also: Further matches if the map has them.
    """

    said: str
    names: tuple[str, ...]
    also: frozenset[str]

    def are_among(self, known: Sequence[str]) -> bool:
        """Whether the map has a matching thing."""
        return any(map(self._includes, known))

    def candidates(self, known: Sequence[str], count: int = 4) -> list[str]:
        """The names to try in order: those on the map first, filled up to `count`, five at most."""
        here = [name for name in known if self._includes(name)][:5]
        rest = [name for name in self.names if name not in here]
        return here + rest[: max(0, count - len(here))]

    def _includes(self, name: str) -> bool:
        return name.lower() in self.names or name.lower() in self.also


def _wide(said: str, data: dict[str, str]) -> Wide:
    of = [each.name for name in _split(data["of"]) for each in CLASSES[name].train]
    measured = [
        name for name in THINGS if name.rpartition(" of ")[2] in _split(data["first"])
    ]  # "bottle of water" does where water does
    names = tuple(name for name in _split(data["first"]) if not is_held(name))
    return Wide(said, names, frozenset([*of, *measured]))


WIDE = tuple(_wide(said, data) for said, data in _WIDE.items())
