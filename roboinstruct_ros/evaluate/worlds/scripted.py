"""A world of a few facts that a program acts in, and the calls that it made there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from roboinstruct_ros.domain.semantic_map import folded

MAX_CALLS = 400
ANYBODY = frozenset(["", "person", "someone", "somebody", "anyone", "anybody", "people"])


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
        """What `cup|mug@3` says: either name, there from the third look on."""
        names, _, since = text.partition("@")
        known = names.split("|")
        return cls(known[0], tuple(map(_plain, known)), int(since or 0))


@dataclass(frozen=True)
class Facts:
    """What is where at first; all of it plain values, so that it can be sent to a child.

    Attributes:
        rooms: names and aliases, folded, to the rooms that they mean.
        start: the room where the robot is.
        people: names of those who may be there.
        here: the things and people of each room, as `Thing.read` takes them.
        answers: what a person answers, one after the other; "" stands for whoever is asked.
        holding: what the gripper holds; "" for nothing.
    """

    rooms: Mapping[str, str]
    start: str
    people: Sequence[str] = ()
    here: Mapping[str, Sequence[str]] = field(default_factory=dict)
    answers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    holding: str = ""


class ScriptedWorld:
    """The eight skills as these facts let them be.

    Attributes:
        calls: of skills that act, in order.
        slept: s.
    """

    def __init__(self, facts: Facts) -> None:
        self.calls: list[str] = []
        self.slept = 0.0
        self._facts, self._room, self._looks = facts, facts.start, 0
        self._things = {
            room: [Thing.read(text) for text in facts.here[room]] for room in facts.here
        }
        self._left = {_plain(person): list(said) for person, said in facts.answers.items()}
        self._people = {_plain(name): name for name in (*facts.people, *facts.answers)}
        self._hand = Thing.read(facts.holding) if facts.holding else None

    def go_to(self, location: str) -> None:
        room = self._facts.rooms.get(folded(location))
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

    def is_in_room(self, object: str) -> bool:
        self._look()
        there = [thing for thing in self._things.get(self._room, []) if thing.since <= self._looks]
        return any(self._is(thing, _plain(object)) for thing in there)

    def get_current_location(self) -> str:
        return self._room

    def get_all_rooms(self) -> list[str]:
        return list(dict.fromkeys(self._facts.rooms.values()))

    def sleep(self, seconds: float) -> None:
        """Serves `time.sleep`; somebody who comes later comes meanwhile."""
        self.slept += seconds
        self._look()

    def now(self) -> float:
        """Serves `time.time`: s."""
        return self._looks + self.slept

    def _check_that_nobody_is_awaited(self) -> None:
        for thing in self._things.get(self._room, []):
            if thing.since > self._looks:
                raise Stuck(f"it speaks before {thing.name} is there")

    def _is(self, thing: Thing, name: str) -> bool:
        person = {*self._people, *ANYBODY}.intersection(thing.names)
        return name in thing.names or (name in ANYBODY and bool(person))

    def _note(self, call: str) -> None:
        self.calls.append(call)
        self._bound()

    def _look(self) -> None:
        self._looks += 1
        self._bound()

    def _bound(self) -> None:
        if len(self.calls) + self._looks > MAX_CALLS:
            raise Stuck("it does not end")


def _plain(name: str) -> str:
    """A name as robots compare it: letter case, articles and a plural do not matter."""
    return re.sub(r"^(the|an?|some|my) |(?<=\w\w)s$", "", folded(name))
