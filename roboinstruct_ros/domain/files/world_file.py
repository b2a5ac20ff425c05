"""The YAML format of a simulated world; `load_world` refuses a world that cannot be simulated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from roboinstruct_ros.domain.configuration import (
    FieldFault,
    Strict,
    Unit,
    load_yaml,
    nearest_name,
)
from roboinstruct_ros.domain.semantic_map import (
    Examples,
    KnownNames,
    Metres,
    Name,
    Point,
    RoomEntry,
    SemanticMap,
    check_rooms,
    distance_to_wall,
    folded,
)

DOOR_TOLERANCE = 0.05
"""Largest distance in m between a door and a wall of each of its rooms."""

Seconds = Annotated[float, Unit("s"), Field(ge=0, le=600)]
Rate = Annotated[float, Field(ge=0, le=1)]


class RobotEntry(Strict):
    """The robot's speeds, and what it holds at first (empty for nothing)."""

    speed: Annotated[float, Unit("m/s"), Field(gt=0, le=10)] = 1.0
    turn_rate: Annotated[float, Unit("rad/s"), Field(gt=0, le=20)] = 2.0
    holds: Name | Literal[""] = ""


class DurationsEntry(Strict):
    """Durations of the skills other than driving."""

    pick: Seconds = 3.0
    place: Seconds = 2.5
    say: Seconds = 1.5
    ask: Seconds = 3.0


class DoorEntry(Strict):
    """An opening in the wall that two rooms share."""

    between: tuple[Name, Name]
    at: tuple[Metres, Metres]
    open: bool = True


class ObjectEntry(Strict):
    """`count` objects of one name in a room."""

    name: Name
    room: Name
    count: Annotated[int, Field(ge=1, le=100)] = 1


class AnswerEntry(Strict):
    """A person's answer to every question that contains these words."""

    question: str
    answer: Name


class PersonEntry(Strict):
    """A person in a room; a live person waits for an answer from outside."""

    name: Name
    room: Name
    answers: tuple[AnswerEntry, ...] = ()
    otherwise: Literal["first", "random"] = "first"
    live: bool = False


class FailuresEntry(Strict):
    """Simulated failures: a number is a probability, a list names what fails once, in any order."""

    seed: Annotated[int, Field(ge=0)] = 0
    navigation_blocked: Rate | tuple[Name, ...] = 0.0
    grasp_slipped: Rate | tuple[Name, ...] = 0.0
    person_left: Rate | tuple[Name, ...] = 0.0


class RecordedCall(Strict):
    """A call in a recorded run; `ended` is false if the run ended before the call did."""

    skill: Name
    arguments: tuple[Any, ...] = ()
    result: Any = None
    error_code: Annotated[int, Field(ge=0)] = 0
    error_msg: str = ""
    ended: bool = True


class World(Strict):
    """A complete world; positions in m and rad, frame `map`."""

    name: Name
    frame: Literal["map"] = "map"
    start: Name
    robot: RobotEntry = RobotEntry()
    durations: DurationsEntry = DurationsEntry()
    rooms: Annotated[tuple[RoomEntry, ...], Field(min_length=1)]
    doors: tuple[DoorEntry, ...] = ()
    objects: tuple[ObjectEntry, ...] = ()
    people: tuple[PersonEntry, ...] = ()
    failures: FailuresEntry = FailuresEntry()
    recorded: tuple[RecordedCall, ...] = ()
    known: KnownNames = KnownNames()
    examples: Examples = ()

    @field_validator("rooms")
    @classmethod
    def _rooms_have_outlines(cls, rooms: tuple[RoomEntry, ...]) -> tuple[RoomEntry, ...]:
        for index, room in enumerate(rooms):
            if not room.polygon:
                raise FieldFault((index,), "field 'polygon' is missing")
            # The robot drives straight from door to door, and only a convex room contains every
            # such line.
            if not is_convex(room.polygon):
                message = "is not convex; split the room in two with a wide door"
                raise FieldFault((index, "polygon"), message)
        return rooms

    @model_validator(mode="after")
    def _names_fit(self) -> World:
        check_rooms(self.rooms)
        known = [room.name for room in self.rooms]
        _check_room(("start",), self.start, known)
        for index, door in enumerate(self.doors):
            for side in (0, 1):
                _check_room(("doors", index, "between", side), door.between[side], known)
            self._check_door(index, door)
        for index, thing in enumerate(self.objects):
            _check_room(("objects", index, "room"), thing.room, known)
        for index, person in enumerate(self.people):
            _check_room(("people", index, "room"), person.room, known)
        self._check_people()
        self._check_failures()
        return self

    def _check_door(self, index: int, door: DoorEntry) -> None:
        rooms = {room.name: room for room in self.rooms}
        if door.between[0] == door.between[1]:
            raise FieldFault(("doors", index, "between"), "a door joins two different rooms")
        for name in door.between:
            if not on_border(rooms[name].polygon, door.at):
                message = f"the door is not in a wall of '{name}'"
                raise FieldFault(("doors", index, "at"), message)

    def _check_people(self) -> None:
        seen: set[str] = set()
        for index, person in enumerate(self.people):
            if folded(person.name) in seen:
                message = f"'{person.name}' is there twice; give each person a name of their own"
                raise FieldFault(("people", index, "name"), message)
            seen.add(folded(person.name))

    def _check_failures(self) -> None:
        known = {
            "navigation_blocked": [room.name for room in self.rooms],
            "grasp_slipped": [thing.name for thing in self.objects],
            "person_left": [person.name for person in self.people],
        }
        for kind, names in known.items():
            listed = getattr(self.failures, kind)
            for index, name in enumerate(listed if isinstance(listed, tuple) else ()):
                if folded(name) not in map(folded, names):
                    message = f"nothing is named '{name}'"
                    raise FieldFault(("failures", kind, index), message, name, names)

    def semantic_map(self) -> SemanticMap:
        """The part of the world that the robot knows in advance."""
        return SemanticMap(tuple(entry.room() for entry in self.rooms))


def load_world(path: str | Path) -> World:
    """Read a world file.

    Raises:
        ConfigError: the file is invalid; one line says where and why.
    """
    return load_yaml(path, World)


def is_convex(polygon: Sequence[Point]) -> bool:
    """Whether the polygon turns the same way at every corner."""
    count = len(polygon)
    turns = []
    for i in range(count):
        (ax, ay), (bx, by), (cx, cy) = (polygon[(i + k) % count] for k in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return all(t >= -1e-9 for t in turns) or all(t <= 1e-9 for t in turns)


def on_border(polygon: tuple[Point, ...], point: Point) -> bool:
    """Whether the point is on a wall of the room (within `DOOR_TOLERANCE`)."""
    walls = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return any(distance_to_wall(point, a, b) <= DOOR_TOLERANCE for a, b in walls)


def _check_room(field: tuple[str | int, ...], name: str, known: Sequence[str]) -> None:
    if name not in known:
        near = nearest_name(name, known)
        hint = "" if near else f"; rooms are {', '.join(known)}"
        raise FieldFault(field, f"no room is named '{name}'{hint}", name, known)
