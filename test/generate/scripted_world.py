"""A world of a few facts that a program acts in, and the calls that it made there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from random import Random
from typing import Any

import yaml

from roboinstruct_ros.domain.semantic_map import SemanticMap, folded, load_semantic_map
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.sandbox.namespace import compile_program, program_namespace

STARTS = {"home": "hallway", "office": "lobby", "lab": "entrance"}
MAX_CALLS = 400
ANYBODY = frozenset(["", "person", "someone", "somebody", "anyone", "anybody", "people"])
NOT = (
    r"\b(no|not|none|nobody|nothing|nowhere|never|neither|without|missing|unable|failed|empty|gone|"
    r"absent|zero|0|cannot|isnt|lacks?)\b|n't\b"
)
"""What `NOT` stands for in the words of a way."""


class Stuck(Exception):
    """A call that this world does not allow, or too many of them."""


@dataclass(frozen=True)
class Thing:
    """A thing or a person by all its names, and the look from which on it is there."""

    name: str
    names: tuple[str, ...]
    since: int = 0

    @classmethod
    def read(cls, text: str) -> Thing:
        names, _, since = text.partition("@")
        return cls(names.split("|")[0], tuple(map(_plain, names.split("|"))), int(since or 0))


@cache
def _rooms_and_people(world: str) -> tuple[SemanticMap, tuple[str, ...]]:
    path = shared_file(f"config/worlds/{world}.yaml")
    people = yaml.safe_load(path.read_text())["people"]
    return load_semantic_map(path), tuple(person["name"] for person in people)


def _plain(name: str) -> str:
    """A name as robots compare it: letter case, articles and a plural do not matter."""
    return re.sub(r"^(the|an?|some|my) |(?<=\w\w)s$", "", folded(name))


@dataclass
class ScriptedWorld:
    """See `instructions.yaml` for what the fields hold."""

    world: str
    here: Mapping[str, Sequence[str]]
    answers: Mapping[str, Sequence[str]]
    calls: list[str] = field(default_factory=list)
    looks: int = 0

    slept: float = 0.0

    def __post_init__(self) -> None:
        self._map, known = _rooms_and_people(self.world)
        self._room = STARTS[self.world]
        self._things = {room: [Thing.read(text) for text in self.here[room]] for room in self.here}
        self._left = {_plain(person): list(said) for person, said in self.answers.items()}
        self._people = {_plain(name): name for name in (*known, *self.answers)}
        self._hand: Thing | None = None

    def run(self, source: str) -> list[str]:
        """The acting calls of the program in `source`.

        Raises:
            Stuck: It did something that cannot be done here.
        """
        names = ("go_to", "pick", "place", "say", "ask", "is_in_room",
                 "get_current_location", "get_all_rooms")  # fmt: skip
        skills = {name: getattr(self, name) for name in names}
        namespace: dict[str, Any] = program_namespace(
            skills, self._sleep, lambda *_: None, lambda: self.looks + self.slept, Random(1)
        )
        exec(compile_program(source), namespace)
        namespace["task_program"]()
        return self.calls

    def go_to(self, location: str) -> None:
        room = self._map.resolve(location)
        if room is None:
            raise Stuck(f"there is no room {location!r}")
        self._room = room
        self._note(f"go_to {room}")

    def pick(self, obj: str) -> None:
        things = self._things.get(self._room, [])
        found = next((thing for thing in things if _plain(obj) in thing.names), None)
        if self._hand or not found:
            raise Stuck(f"cannot pick {obj!r} in {self._room} with {self._hand!r} in the hand")
        things.remove(found)
        self._hand = found
        self._note(f"pick {found.name}")

    def place(self, obj: str) -> None:
        if not self._hand or _plain(obj) not in self._hand.names:
            raise Stuck(f"cannot place {obj!r} with {self._hand!r} in the hand")
        self._things.setdefault(self._room, []).append(self._hand)
        self._note(f"place {self._hand.name}")
        self._hand = None

    def say(self, message: str) -> None:
        self._check_that_nobody_is_awaited()
        self._note(f"say {message}")

    def ask(self, person: str, question: str, options: Sequence[str]) -> str:
        left = self._left.get("" if _plain(person) in ANYBODY else _plain(person), [])
        wanted = left.pop(0) if left else "yes"
        self._check_that_nobody_is_awaited()
        name = self._people.get(_plain(person), person)
        self._note(f"ask {name} {question} ({', '.join(options)})")
        for begins in (str.__eq__, str.startswith):  # "Yes, please" is a yes where no option is
            for option in options:
                if any(begins(option.lower(), word) for word in wanted.lower().split("|")):
                    return option
        raise Stuck(f"{person!r} wants to answer {wanted!r}, options are {list(options)}")

    def _check_that_nobody_is_awaited(self) -> None:
        for thing in self._things.get(self._room, []):
            if thing.since > self.looks:
                raise Stuck(f"it speaks before {thing.name} is there")

    def is_in_room(self, object: str) -> bool:
        self.looks += 1
        self._bound()
        there = [thing for thing in self._things.get(self._room, []) if thing.since <= self.looks]
        return any(self._is(thing, _plain(object)) for thing in there)

    def _is(self, thing: Thing, name: str) -> bool:
        person = {*self._people, *ANYBODY}.intersection(thing.names)
        return name in thing.names or (name in ANYBODY and bool(person))

    def get_current_location(self) -> str:
        return self._room

    def get_all_rooms(self) -> list[str]:
        return list(self._map.room_names)

    def _sleep(self, seconds: float) -> None:
        self.looks += 1
        self.slept += seconds
        self._bound()

    def _note(self, call: str) -> None:
        self.calls.append(call)
        self._bound()

    def _bound(self) -> None:
        if len(self.calls) + self.looks > MAX_CALLS:
            raise Stuck("it does not end")


def faults(row: Mapping[str, Any], source: str) -> list[str]:
    """What the program in `source` does wrong in the worlds of a row; nothing when it is right."""
    cases = [row, *row.get("also", [])]
    return [fault for case in cases if (fault := _fault(row["world"], case, source))]


def _fault(name: str, case: Mapping[str, Any], source: str) -> str:
    world = ScriptedWorld(name, case.get("here", {}), case.get("answers", {}))
    try:
        world.run(source)
    except Exception as error:  # a model's program fails in any way
        return f"{world.calls}, then {type(error).__name__}: {error}"
    slept = case.get("slept", world.slept)
    if abs(world.slept - slept) > slept / 10:
        return f"it waits {world.slept} s, not {slept} s"
    right = any(follows(world.calls, way, STARTS[name]) for way in case["ways"])
    return "" if right else f"{world.calls}"


def follows(calls: Sequence[str], way: Sequence[str], start: str = "") -> bool:
    """Whether `calls`, begun in the room `start`, are those of `way`; see `instructions.yaml`.

    Driving to the room that the robot is in makes no difference.
    """
    return _follows(
        list(_without_idle_drives(calls, start)), list(_without_idle_drives(way, start))
    )


def _without_idle_drives(calls: Sequence[str], start: str) -> Iterator[str]:
    here = f"go_to {start}"
    for call in calls:
        if call == here != "go_to *":
            continue
        if "go_to" in call:
            here = call
        yield call


def _follows(calls: Sequence[str], way: Sequence[str]) -> bool:
    if not way:
        return not calls
    first, rest = way[0], way[1:]
    if first.startswith("("):
        return _follows(calls, rest) or _follows(calls, [first[1:-1], *rest])
    return any(_follows(calls[taken:], rest) for taken in _taken(calls, first))


def _taken(calls: Sequence[str], pattern: str) -> Iterator[int]:
    """How many of the first calls the pattern may stand for."""
    skill = pattern.split(" ")[0].removesuffix("s")
    alike = list(takewhile(lambda call: call.startswith(f"{skill} "), calls))
    if pattern == "go_to *":
        yield from range(1, len(alike) + 1)
    elif pattern.startswith("says "):
        one = pattern.replace("says", "say", 1)
        yield from (n for n in range(1, len(alike) + 1) if _matches(" ".join(alike[:n]), one))
    elif calls and _matches(calls[0], pattern):
        yield 1


def _matches(call: str, pattern: str) -> bool:
    fixed, tilde, words = pattern.partition("~")
    if not tilde:
        skill, _, names = pattern.partition(" ")
        return call in [f"{skill} {name}" for name in names.split("|")]
    said = call.lower().replace("\u2019", "'")
    return call.startswith(fixed) and all(_says(said, word) for word in words.split())


def _says(said: str, word: str) -> bool:
    """Whether a message has the word, a pattern: a short one, and a forbidden one, as a whole."""
    if word.endswith("NOT"):
        return bool(re.search(NOT, said)) is (word == "NOT")
    if word.startswith("!"):
        return not re.search(rf"\b({word[1:]})\b", said)
    parts = word.lower().split("|")
    return any(re.search(rf"\b{part}\b" if len(part) <= 3 else part, said) for part in parts)
