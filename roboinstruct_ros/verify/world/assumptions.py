"""Facts that a program takes for granted: it needs them, but neither checks nor handles them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from roboinstruct_ros.domain.literal_pattern import LiteralPattern
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.wording import are_many, one
from roboinstruct_ros.verify.explore.line_watch import is_within
from roboinstruct_ros.verify.rooms.room_names import RoomName
from roboinstruct_ros.verify.rooms.rooms import Rooms
from roboinstruct_ros.verify.story import named, shortened
from roboinstruct_ros.verify.verdict import Assumption
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.skill_arguments import Call
from roboinstruct_ros.verify.world.world import Literal

START, WHEREVER = "start", "here"
"""Stand for a room in an assumption: the start of the task; each room in which it is needed."""

ROOM = "location"
"""The literal `location(library)`: there is such a room."""

_MOST_ROOMS = 3
"""Most rooms that are listed by name."""

_IN_WORDS = {START: "the room where I start", WHEREVER: "every room where this is needed"}


class Assumed(NamedTuple):
    """A fact that one path took for granted.

    Attributes:
        place: index of the robot's room in the literal; 0 if the literal does not depend on it.
        at_start: that room is the one where the path began.
    """

    line: int
    literal: Literal
    value: bool
    place: int = 0
    at_start: bool = False


@dataclass(eq=False)
class TakenForGranted:
    """Collects the assumptions of one path.

    Attributes:
        seen: the assumptions so far.
    """

    _path: Path
    _rooms: Rooms
    seen: dict[Assumed, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._is_open = self._path.question.semantic_map is None
        self._handled = self._path.question.facts.handlers.caught

    def fact(self, pattern: LiteralPattern, literal: Literal, value: bool) -> None:
        """Record that an unobserved fact is assumed to be as a skill needs it."""
        if self._handled and is_within(self._handled):
            return
        place = pattern.arguments.index("here") + 1 if "here" in pattern.arguments else 0
        at_start = bool(place) and self._rooms.is_start(literal[place])
        if place and not at_start and self._rooms.is_made_up(literal[place]):
            literal = (*literal[:place], WHEREVER, *literal[place + 1 :])
        self.seen[Assumed(self._path.line, literal, value, place, at_start)] = None

    def rooms(self, call: Call) -> None:
        """Record, in the open world, rooms that a call names with the program's own texts."""
        if not self._is_open or (self._handled and is_within(self._handled)):
            return
        for parameter in call.skill.room_parameters:
            room, given = call.entities[parameter], call.arguments[parameter]
            if not (isinstance(given, RoomName) or self._rooms.is_checked(room)):
                self.seen[Assumed(self._path.line, (ROOM, room), True)] = None


def assumptions_of(domain: Domain, seen: Iterable[Assumed]) -> tuple[Assumption, ...]:
    """The assumptions of all paths, without duplicates, in program order."""
    sites: dict[tuple[int, Literal, bool, int], dict[str, bool]] = {}
    for line, literal, value, place, at_start in seen:
        without = (*literal[:place], WHEREVER, *literal[place + 1 :]) if place else literal
        rooms = sites.setdefault((line, without, value, place), {})
        rooms[literal[place]] = rooms.get(literal[place], True) and at_start
    lines: dict[tuple[Literal, bool], list[int]] = {}
    for (line, without, value, place), rooms in sorted(sites.items(), key=lambda at: at[0][0]):
        for room in _told(rooms) if place else ():
            literal = (*without[:place], room, *without[place + 1 :])
            lines.setdefault((literal, value), []).append(line)
        if not place:
            lines.setdefault((without, value), []).append(line)
    return tuple(
        Assumption(
            literal=literal, line=on[0], lines=tuple(on), clause=_clause(domain, literal, value)
        )
        for (literal, value), on in lines.items()
    )


def _told(rooms: dict[str, bool]) -> list[str]:
    """How to name the rooms of one assumption: `start`, `here`, or their own names.

    Args:
        rooms: each room, and whether the path began there every time it came up.
    """
    there = [room for room, started in rooms.items() if not started]
    if WHEREVER in there or len(there) > _MOST_ROOMS:
        return [WHEREVER]
    return [START, *there] if len(there) < len(rooms) else there


def _clause(domain: Domain, literal: Literal, value: bool) -> str:
    if literal[0] == ROOM:
        return f"there is a room called {shortened(literal[1])}"
    predicate = domain.predicate(literal[0])
    first, *rest = literal[1:]
    named_first = one(shortened(first)) if value else named(first)
    names = [named_first, *(_IN_WORDS.get(name) or named(name) for name in rest)]
    clause = (predicate.when_true if value else predicate.when_false).format(*names)
    return clause.replace(" is ", " are ", 1) if are_many(first) else clause
