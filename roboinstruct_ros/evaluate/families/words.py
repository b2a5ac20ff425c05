"""Semantic variations: other things, rooms and people, and the same request in other words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.evaluate.families.task import (
    Operator,
    Task,
    Variant,
    changed,
    each_text,
    texts,
)
from roboinstruct_ros.evaluate.suite.case import Place

THINGS = (
    "stapler", "notebook", "umbrella", "torch", "blanket", "tray", "basket", "screwdriver",
    "folder", "lamp", "vase", "bucket", "kettle", "ladle", "helmet", "scarf",
    "scissors", "headphones", "candles", "gloves", "pliers", "batteries",
)  # fmt: skip
"""Countable things, no name part of another; for places that leave things open."""

_UNCOUNTED = frozenset(
    "paper water coffee tea milk juice soup mail post food sugar salt bread laundry ice glue tape "
    "soap medicine equipment luggage".split()
)
_KEPT = ("name", "kind", "place", "parts", "answer")
_PRONOUN = re.compile(r"\b(he|she|him|her|his|hers|himself|herself)\b", re.IGNORECASE)
_SMALL = frozenset("of the and for with a an in on".split())


def other_thing(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Replaces a thing that is carried or looked for."""
    for names in _drawn(chance, _things_of(task)):
        if names[0].rpartition(" ")[2] in _UNCOUNTED:
            continue  # another name would need other words around it
        for new in _drawn(chance, [one for one in things_at(place) if not _named(task, one)]):
            if _is_many(new) is _is_many(names[0]):
                yield from _renamed(task, names, new, leftovers=True)


def other_room(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Replaces a room that is named by another room of the map."""
    rooms = {room.name: (room.name, *room.aliases) for room in place.rooms.rooms}
    named = [names for names in rooms.values() if any(_named(task, one) for one in names)]
    free = [room for room, names in rooms.items() if names not in named]
    for names in _drawn(chance, named):
        for new in _drawn(chance, free):
            if way_to_name(new) == way_to_name(names[0]):
                yield from _renamed(task, names, new)


def other_person(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Replaces a person who is named; phrasings with `she` or `his` are dropped."""
    neutral = [text for text in task["phrasings"] if not _PRONOUN.search(text)]
    people = [one for one in place.people if one[:1].isupper()]  # not `guest`
    for old in _drawn(chance, [one for one in people if _named(task, one)]):
        for new in _drawn(chance, [one for one in people if not _named(task, one)]):
            yield from _renamed(changed(task, phrasings=neutral), (old,), new)


def other_words(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """The same phrasings as other people would say or type them."""
    for way in _drawn(chance, tuple(_WAYS)):
        said = [_WAYS[way](str(text), chance) for text in task["phrasings"]]
        if phrasings := [one for one in said if one]:
            yield Variant(changed(task, phrasings=phrasings), {"way": way})


OPERATORS: dict[str, Operator] = {
    "other-thing": other_thing,
    "other-room": other_room,
    "other-person": other_person,
    "other-words": other_words,
}


def things_at(place: Place) -> tuple[str, ...]:
    """Names of things that a task may use there."""
    if place.rooms.objects is not None:
        return place.rooms.objects
    return tuple(dict.fromkeys((*place.things, *THINGS)))


def replaced(text: str, names: Sequence[str], new: str) -> str:
    """The text with another name, including its plural, capital letter and article."""
    longest = sorted(names, key=len, reverse=True)
    old = "|".join(re.escape(name) for name in longest)
    pattern = rf"(?:\b(?P<article>an?) )?(?<![^\W_])(?P<name>{old})(?P<plural>(?:e?s)?)(?![^\W_])"

    def put(found: re.Match[str]) -> str:
        name = _several(new) if found["plural"] else new
        begins = found["name"][:1].isupper() and not any(one[:1].isupper() for one in names)
        name = name[:1].upper() + name[1:] if begins else name
        if not found["article"]:
            return name
        article = "an" if new[:1].lower() in "aeiou" else "a"
        return f"{article.title() if found['article'][0] == 'A' else article} {name}"

    return re.sub(pattern, put, text, flags=re.IGNORECASE)


def _renamed(
    task: Task, names: Sequence[str], new: str, leftovers: bool = False
) -> Iterator[Variant]:
    """The task with another name; phrasings that name the old one differently are dropped.

    Args:
        leftovers: no word of the old name may remain.
    """
    varied = {
        field: value
        if field in _KEPT
        else each_text(value, lambda text: replaced(text, names, new))
        for field, value in task.items()
    }
    before, after = task["phrasings"], varied["phrasings"]
    phrasings = [text for old, text in zip(before, after, strict=True) if text != old]
    if leftovers:
        words = {w for name in names for w in re.findall(r"\w+", name.lower()) if w not in _SMALL}
        phrasings = [text for text in phrasings if not _has_any(text, words)]
        if any(_has_any(text, words) for field in varied if field not in (*_KEPT, "phrasings")
               for text in texts(varied[field])):  # fmt: skip
            return
    if phrasings:
        yield Variant({**varied, "phrasings": phrasings}, {"from": names[0], "to": new})


def _things_of(task: Task) -> list[tuple[str, ...]]:
    """All names of each thing in the task's worlds."""
    people = {folded(name) for world in task.get("worlds", ()) for name in world.get("people", ())}
    entries: dict[str, tuple[str, ...]] = {}
    for world in task.get("worlds", ()):
        held = [world["holding"]] if world.get("holding") else []
        for entry in (*held, *(one for some in world.get("objects", {}).values() for one in some)):
            names = tuple(str(entry).partition("@")[0].split("|"))
            if folded(names[0]) not in people:
                entries.setdefault(names[0], names)
    return [names for names in entries.values() if any(_named(task, one, True) for one in names)]


def _named(task: Task, name: str, in_words: bool = False) -> bool:
    """Whether the task mentions the name; with `in_words`, whether a person does."""
    said = [task["phrasings"]] if in_words else [task[f] for f in task if f not in _KEPT]
    return any(replaced(text, (name,), "\0") != text for text in texts(said))


def _several(name: str) -> str:
    if re.search(r"[^aeiou]y$", name):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def _is_many(name: str) -> bool:
    """Whether a thing is grammatically plural: slippers."""
    return name.endswith("s") and not name.endswith("ss")


def way_to_name(room: str) -> str:
    """How a room is named (`Bob's office`, `room 2`, `the hall`); replacements are alike."""
    if room[:1].isupper():
        return "name"
    return "number" if re.search(r"\b(\d+|[a-z])$", room, re.IGNORECASE) else "the"


def _has_any(text: str, words: set[str]) -> bool:
    found = {word.rstrip("s") for word in re.findall(r"\w+", text.lower())}
    return bool(found & {word.rstrip("s") for word in words})


def _drawn(chance: random.Random, values: Sequence[Any]) -> list[Any]:
    """The values in random order."""
    return chance.sample(list(values), len(values))


def ended(text: str) -> str:
    """The text, ended so that another sentence may follow."""
    return text.rstrip() if text.rstrip().endswith((".", "!", "?")) else f"{text.rstrip()}."


_IMPERATIVE = re.compile(
    r"(go|bring|take|put|check|ask|tell|say|find|look|fetch|get|pick|place|drive|wait|deliver|visit"
    r"|see|carry|collect|let|drop|leave|remind|inform|head|move|announce|search|count|grab|greet"
    r"|show|make|hand|give)\b",
    re.IGNORECASE,
)


def _asked(text: str, _: random.Random) -> str:
    """The text as a question; "" if it is not a command."""
    order = text.rstrip(".! ")
    if not _IMPERATIVE.match(order) or re.search(r"[.?!;]", order):
        return ""
    return f"Could you please {order[:1].lower()}{order[1:]}?"


def _called(text: str, _: random.Random) -> str:
    return f"Hey robot, when you have a moment: {text}"


def _heard(text: str, _: random.Random) -> str:
    """The text as a speech recognizer writes it."""
    return " ".join(re.sub(r"[^\w' ]", " ", text).lower().split())


def _mistyped(text: str, chance: random.Random) -> str:
    """The text with two letters of one long word swapped; words with a capital are left alone."""
    words = text.split(" ")
    long = [i for i, word in enumerate(words) if re.fullmatch(r"[a-z]{6,}", word)]
    if not long:
        return ""
    index = chance.choice(long)
    word, at = words[index], chance.randrange(1, len(words[index]) - 2)
    words[index] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return " ".join(words) if words[index] != word else ""


def _thanked(text: str, _: random.Random) -> str:
    return f"{ended(text)} Thanks a lot!"


_WAYS: dict[str, Callable[[str, random.Random], str]] = {
    "asked": _asked,
    "called": _called,
    "heard": _heard,
    "mistyped": _mistyped,
    "thanked": _thanked,
}
"""Names of the rewordings."""
