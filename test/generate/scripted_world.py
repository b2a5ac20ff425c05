"""A world of a few facts that a program acts in, and the calls that it made there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from random import Random
from typing import Any

from roboinstruct_ros.domain.semantic_map import load_semantic_map
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.sandbox.namespace import compile_program, program_namespace

STARTS = {"home": "hallway", "office": "lobby", "lab": "lobby"}
MAX_CALLS = 400


class Stuck(Exception):
    """A call that this world does not allow, or too many of them."""


@dataclass
class ScriptedWorld:
    """See `instructions.yaml` for what the fields hold."""

    world: str
    here: Mapping[str, Sequence[str]]
    answers: Mapping[str, Sequence[str]]
    calls: list[str] = field(default_factory=list)
    looks: int = 0

    def __post_init__(self) -> None:
        self._map = load_semantic_map(shared_file(f"config/worlds/{self.world}.yaml"))
        self._room = STARTS[self.world]
        self._things = {room: list(things) for room, things in self.here.items()}
        self._left = {person: list(said) for person, said in self.answers.items()}
        self._hand = ""

    def run(self, source: str) -> list[str]:
        """The acting calls of the program in `source`.

        Raises:
            Stuck: It did something that cannot be done here.
        """
        names = ("go_to", "pick", "place", "say", "ask", "is_in_room",
                 "get_current_location", "get_all_rooms")  # fmt: skip
        skills = {name: getattr(self, name) for name in names}
        namespace: dict[str, Any] = program_namespace(
            skills, self._sleep, lambda *_: None, lambda: float(self.looks), Random(1)
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
        if self._hand or obj not in things:
            raise Stuck(f"cannot pick {obj!r} in {self._room} with {self._hand or 'nothing'!r}")
        things.remove(obj)
        self._hand = obj
        self._note(f"pick {obj}")

    def place(self, obj: str) -> None:
        if self._hand != obj:
            raise Stuck(f"cannot place {obj!r} with {self._hand or 'nothing'!r} in the hand")
        self._things.setdefault(self._room, []).append(obj)
        self._hand = ""
        self._note(f"place {obj}")

    def say(self, message: str) -> None:
        self._note(f"say {message}")

    def ask(self, person: str, question: str, options: Sequence[str]) -> str:
        left = self._left.get(person, [])
        wanted = left.pop(0) if left else "yes"
        self._note(f"ask {person} {question}")
        for option in options:
            if option.lower() == wanted.lower():
                return option
        raise Stuck(f"{person!r} wants to answer {wanted!r}, options are {list(options)}")

    def is_in_room(self, object: str) -> bool:
        self.looks += 1
        self._bound()
        for thing in self._things.get(self._room, []):
            name, _, since = thing.partition("@")
            if name == object and self.looks >= int(since or 0):
                return True
        return False

    def get_current_location(self) -> str:
        return self._room

    def get_all_rooms(self) -> list[str]:
        return list(self._map.room_names)

    def _sleep(self, seconds: float) -> None:
        self.looks += 1
        self._bound()

    def _note(self, call: str) -> None:
        self.calls.append(call)
        self._bound()

    def _bound(self) -> None:
        if len(self.calls) + self.looks > MAX_CALLS:
            raise Stuck("it does not end")


def follows(calls: Sequence[str], way: Sequence[str]) -> bool:
    """Whether `calls` are those of `way`; `go_to *` stands for any number of rooms."""
    if not way:
        return not calls
    if way[0] == "go_to *":
        drives = list(takewhile(lambda call: call.startswith("go_to "), calls))
        return any(follows(calls[n:], way[1:]) for n in range(1, len(drives) + 1))
    return bool(calls) and _matches(calls[0], way[0]) and follows(calls[1:], way[1:])


def _matches(call: str, pattern: str) -> bool:
    fixed, tilde, words = pattern.partition("~")
    if not tilde:
        return call == pattern
    return call.startswith(fixed) and all(word in call.lower() for word in words.lower().split())
