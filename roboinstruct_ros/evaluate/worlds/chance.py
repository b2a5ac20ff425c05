"""Made-up worlds by number; their answers are a fixed function of the number."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

_ROOMS = ("hallway", "kitchen", "study")
_MOST_CALLS = 400


class TooLong(Exception):
    """More calls than any task needs."""


class ChanceWorld:
    """The eight skills in world `number`, which has two rooms of each of `kinds`.

    Attributes:
        calls: all of them, with their answers.
    """

    def __init__(self, number: int, kinds: Sequence[str]) -> None:
        self.calls: list[Sequence[object]] = []
        self._number, self._here = number, _ROOMS[0]
        self._rooms = [*_ROOMS, *(f"{kind} {i}" for kind in kinds for i in (1, 2))]
        self._asked: Counter[tuple[str, str]] = Counter()

    def go_to(self, location: str) -> None:
        self._note("go_to", location)
        self._here = location

    def pick(self, obj: str) -> None:
        self._note("pick", obj)

    def place(self, obj: str) -> None:
        self._note("place", obj)

    def say(self, message: str) -> None:
        self._note("say", message)

    def is_in_room(self, object: str) -> bool:
        self._asked[self._here, object] += 1
        # Whoever is waited for comes at the third look at the latest.
        late = self._asked[self._here, object] >= 3
        present = late or _lot(self._number, self._here, object) < 128
        self._note("is_in_room", object, present)
        return present

    def ask(self, person: str, question: str, options: list[str]) -> str:
        # People change their mind when asked again, so a program that insists ends.
        self._asked[person, question] += 1
        answer = options[
            (_lot(self._number, person) + self._asked[person, question]) % len(options)
        ]
        self._note("ask", person, question, list(options), answer)
        return answer

    def get_current_location(self) -> str:
        return self._here

    def get_all_rooms(self) -> list[str]:
        return list(self._rooms)

    def sleep(self, seconds: float) -> None:
        """Implements `time.sleep`."""
        self._note("sleep")

    def now(self) -> float:
        """Implements `time.time`: every call takes a second."""
        return float(len(self.calls))

    def _note(self, *call: object) -> None:
        self.calls.append(call)
        if len(self.calls) > _MOST_CALLS:
            raise TooLong


def _lot(*parts: object) -> int:
    return hashlib.sha256(repr(parts).encode()).digest()[0]
