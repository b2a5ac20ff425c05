"""What a program does in a few made-up worlds, to tell whether two programs do the same.

Only for programs that the verifier accepted: they run in this process, against stubs of the eight
skills whose answers are a fixed function of the world's number.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from types import SimpleNamespace

Calls = tuple[tuple[object, ...], ...]
_ROOMS = ("hallway", "kitchen", "study")
_MOST_CALLS = 400


class _TooLong(Exception):
    pass


def _lot(*parts: object) -> int:
    return hashlib.sha256(repr(parts).encode()).digest()[0]


def _kinds(source: str) -> list[str]:
    """The kinds of rooms a program looks for: the literals of `"bedroom" in room`."""
    return [
        node.left.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Constant)
        and isinstance(node.left.value, str)
        and isinstance(node.ops[0], (ast.In, ast.NotIn))
    ]


class _World:
    """Stub skills that remember what was asked of them."""

    def __init__(self, number: int, rooms: list[str]) -> None:
        self.number = number
        self.rooms = rooms
        self.here = "hallway"
        self.calls: list[tuple[object, ...]] = []
        self.looks: Counter[tuple[str, str]] = Counter()

    def _note(self, *call: object) -> None:
        self.calls.append(call)
        if len(self.calls) > _MOST_CALLS:
            raise _TooLong

    def go_to(self, location: str) -> None:
        self._note("go_to", location)
        self.here = location

    def pick(self, obj: str) -> None:
        self._note("pick", obj)

    def place(self, obj: str) -> None:
        self._note("place", obj)

    def say(self, message: str) -> None:
        self._note("say", message)

    def is_in_room(self, object: str) -> bool:
        self.looks[self.here, object] += 1
        # Who is waited for comes at the third look at the latest.
        late = self.looks[self.here, object] >= 3
        present = late or _lot(self.number, self.here, object) < 128
        self._note("is_in_room", object, present)
        return present

    def ask(self, person: str, question: str, options: list[str]) -> str:
        # Asked again, people change their mind, so a program that insists comes to an end.
        self.looks[person, question] += 1
        answer = options[(_lot(self.number, person) + self.looks[person, question]) % len(options)]
        self._note("ask", person, question, tuple(options), answer)
        return answer

    def get_current_location(self) -> str:
        return self.here

    def get_all_rooms(self) -> list[str]:
        return list(self.rooms)


_BUILTINS = {
    f.__name__: f
    for f in (bool, enumerate, float, int, len, list, max, min, range, set, sorted, str, sum)
}


def calls_of(source: str, number: int, kinds: list[str]) -> Calls | None:
    """The skill calls in world `number`, or None when the program fails or does not end there."""
    world = _World(number, [*_ROOMS, *(f"{kind} {i}" for kind in kinds for i in (1, 2))])
    names = (
        "go_to",
        "pick",
        "place",
        "say",
        "is_in_room",
        "ask",
        "get_current_location",
        "get_all_rooms",
    )
    scope: dict[str, object] = {name: getattr(world, name) for name in names}
    scope["__builtins__"] = _BUILTINS
    scope["time"] = SimpleNamespace(sleep=lambda seconds: world._note("sleep"))
    try:
        exec(compile(source, "<program>", "exec"), scope)
        scope["task_program"]()  # type: ignore[operator]
    except Exception:
        return None
    return tuple(world.calls)


def same_behaviour(source: str, reference: str, worlds: int = 8) -> bool:
    """Whether both programs make the same skill calls in the first few worlds."""
    kinds = _kinds(reference)
    return all(
        (calls := calls_of(source, n, kinds)) is not None and calls == calls_of(reference, n, kinds)
        for n in range(worlds)
    )
