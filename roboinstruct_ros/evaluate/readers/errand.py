"""Assembles the steps that a sentence asks for into the worlds and ways of a case."""

from __future__ import annotations

from hashlib import sha256

from roboinstruct_ros.evaluate.suite.case import Place, Trial

_ASK_OR_SAY = "ask_or_say"


class Errand:
    """Fetching, carrying and finding at a place, step by step.

    A thing has one or several names, `mug|cup`. If nobody says in which room it is, it is in one
    that the robot has to find.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._way: list[str] = []
        self._lies: list[tuple[str, str]] = []
        self._answers: dict[str, list[str]] = {}
        self._room = self._held = self._sought = ""

    def go(self, room: str) -> None:
        """Drive there; the next step happens there unless it says otherwise."""
        self._way.append(f"go_to {room}")
        self._room = room

    def pick(self, thing: str, room: str = "") -> None:
        """Take the thing from the room, else from where the robot was sent, else look for it.

        Raises:
            ValueError: the hand is full.
        """
        if self._held:
            raise ValueError("two things at once")
        if self._sought != thing:
            self._arrive(thing, room)
        self._way.append(f"pick {thing}")
        self._held, self._sought = thing, ""

    def find(self, thing: str, room: str = "") -> None:
        """Look for the thing; without a later `pick`, say whether it is there."""
        self._arrive(thing, room)
        self._sought = thing

    def put(self, room: str = "") -> None:
        """Carry what is held to the room, else to where the robot began.

        Raises:
            ValueError: nothing is held.
        """
        if not self._held:
            raise ValueError("nothing to put down")
        self._way += [f"go_to {room or self._place.start}", f"place {self._held}"]
        self._held = self._room = ""

    def ask_to(self, person: str, words: str) -> None:
        """Ask the person for what the words say; a message that asks is equally right."""
        self._way += [f"(say ~{person})", f"{_ASK_OR_SAY} {person} ~{words}"]
        self._answers[person] = ["yes|ok|sure|i will"]

    def trials(self) -> tuple[Trial, ...]:
        """The worlds for testing all steps."""
        here = self._things()
        if self._sought:
            back, word = f"(go_to {self._place.start})", self._sought.split("|")[-1].split()[-1]
            there = [*self._way, back, f"says ~{word}|found|yes|there !NOT", back]
            absent = [*self._way, back, "says ~NOT", back]
            return Trial([there], here), Trial([absent])
        way = list(self._way)
        if self._held:  # "get the cup" may also mean "bring it"
            way += [f"(go_to {self._place.start})", f"(place {self._held})"]
        return (Trial(_spelled_out([*way, "(say ~)"]), here, self._answers),)

    def _arrive(self, thing: str, room: str) -> None:
        """Drive to where the thing is."""
        if room and self._room and self._room != room:  # a room on the way makes no difference
            self._way[-1] = f"({self._way[-1]})"
        if room:
            self.go(room)
        elif not self._room:
            self._way.append("go_to *")
        self._lies.append((thing, self._room))

    def _things(self) -> dict[str, list[str]]:
        """The things by room; things to be found are in a room that the sentence does not name."""
        here: dict[str, list[str]] = {}
        spoken_of = {f"go_to {self._place.start}", *(call.strip("()") for call in self._way)}
        others = [n for n in self._place.rooms.room_names if f"go_to {n}" not in spoken_of]
        for thing, room in self._lies:
            hidden = others[sha256(thing.encode()).digest()[0] % len(others)]
            here.setdefault(room or hidden, []).append(thing)
        return here


def _spelled_out(way: list[str]) -> list[list[str]]:
    """The way once with `ask` and once with `say`, if both are right."""
    for index, call in enumerate(way):
        skill, _, rest = call.partition(" ")
        if skill == _ASK_OR_SAY:
            head, tail = way[:index], _spelled_out(way[index + 1 :])
            said = f"say ~{rest.partition('~')[2]}"
            return [[*head, one, *end] for one in (f"ask {rest}", said) for end in tail]
    return [way]
