"""The semantic map: names, aliases, outlines and approach poses of the rooms, in frame `map`."""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from roboinstruct_ros.domain.configuration import (
    FieldFault,
    Strict,
    Unit,
    nearest_name,
    parse_yaml,
    read_text,
)
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.whole_text import is_unseen

Point = tuple[float, float]
"""x and y in m, frame `map`."""

Metres = Annotated[float, Unit("m"), Field(ge=-1e8, le=1e8)]
Radians = Annotated[float, Unit("rad")]


def _visible(name: str) -> str:
    for character in name:
        if is_unseen(character):
            raise ValueError(f"expected a name without U+{ord(character):04X}, which nobody sees")
    return unicodedata.normalize("NFC", name)


Name = Annotated[
    str,
    Field(min_length=1, max_length=80, pattern=r"^\S(.*\S)?$"),
    AfterValidator(_visible),
]

_ALIKE = 0.7
"""Least similarity of the spellings of two rooms, one of which may be meant by the other."""

_MISSPELT = 0.82
"""Least similarity of a misspelt name and the right one; less alike names are of two rooms."""

_NUMBER = re.compile(r"\d+|(?<!\S)\w(?!\S)")
"""What tells apart the rooms of one kind: the 3 of `classroom 3`, the A of `lab A`."""


def _asked(text: str) -> str:
    return Instruction.checked(text).text


Examples = Annotated[
    tuple[Annotated[str, Field(max_length=200), AfterValidator(_asked)], ...], Field(max_length=6)
]
"""Sentences that a person may ask here, shown as suggestions."""


@dataclass(frozen=True)
class Pose:
    """An approach pose: x and y in m, yaw in rad counter-clockwise from +x, frame `map`."""

    x: float
    y: float
    yaw: float


@dataclass(frozen=True)
class Room:
    """A room with its aliases, the pose at which the robot stops, and its outline in m."""

    name: str
    aliases: tuple[str, ...]
    pose: Pose
    polygon: tuple[Point, ...] = ()


@dataclass(frozen=True)
class SemanticMap:
    """All rooms, in the order of the file.

    Attributes:
        objects, people: the only valid names; None if a task may name any.
        examples: tasks for people to try; used for nothing else.
    """

    rooms: tuple[Room, ...]
    objects: tuple[str, ...] | None = None
    people: tuple[str, ...] | None = None
    examples: tuple[str, ...] = ()

    @property
    def room_names(self) -> tuple[str, ...]:
        """The names, without aliases, in the order of the file."""
        return tuple(room.name for room in self.rooms)

    def vocabulary(self, kind: str) -> tuple[str, ...] | None:
        """The only valid names of an entity type (object, person), or None if any name is valid."""
        return {"object": self.objects, "person": self.people}.get(kind)

    def resolve(self, name: str) -> str | None:
        """The name of the room with that name or alias (case and spacing ignored), or None."""
        return self._by_name.get(folded(name))

    def names(self, name: str) -> tuple[str, ...]:
        """All names of the room that `name` refers to, its own name first; only `name` if there is
        no such room."""
        return self._names.get(folded(name), (name,))

    def room(self, name: str) -> Room:
        """The room of that name or alias.

        Raises:
            KeyError: there is none.
        """
        resolved = self.resolve(name)
        if resolved is None:
            raise KeyError(name)
        return next(room for room in self.rooms if room.name == resolved)

    def nearest(self, name: str, count: int = 3) -> tuple[str, ...]:
        """Up to `count` names of rooms that `name` may have meant, most similar first.

        Aliases are compared too, but the result is always the room's own name. A room that shares a
        word with `name` counts as similar: "physics lab" has neighbours among the labs. That both
        are called a room, or have one number, says nothing, except where that is all of `name`.
        """
        wanted = folded(name)
        telling = {word for word in wanted.split() if word.isalpha() and word != "room"}
        scores: dict[str, float] = {}
        for known, room in self._by_name.items():
            score = difflib.SequenceMatcher(None, wanted, known).ratio()
            if (telling or {wanted}) & set(known.split()):
                score += 1.0
            scores[room] = max(score, scores.get(room, 0.0))
        ranked = sorted(scores, key=lambda room: -scores[room])
        return tuple(room for room in ranked[:count] if scores[room] >= _ALIKE)

    def misspelt(self, name: str) -> str | None:
        """The name or alias of which `name` is a misspelling; None for a name of the map, and for
        one that may be of a room elsewhere: `classroom 9` is no misspelt `classroom 3`.
        """
        if self.resolve(name) is not None:
            return None
        number = _NUMBER.findall(folded(name))
        names = [known for room in self.rooms for known in (room.name, *room.aliases)]
        alike = [known for known in names if _NUMBER.findall(folded(known)) == number]
        return nearest_name(name, alike, _MISSPELT)

    def room_at(self, x: float, y: float) -> str | None:
        """The room whose outline holds the point (m, frame `map`), or None."""
        for room in self.rooms:
            if contains(room.polygon, (x, y)):
                return room.name
        return None

    @cached_property
    def _by_name(self) -> dict[str, str]:
        names = {folded(a): room.name for room in self.rooms for a in room.aliases}
        return {**names, **{folded(room.name): room.name for room in self.rooms}}

    @cached_property
    def _names(self) -> dict[str, tuple[str, ...]]:
        names = {room.name: (room.name, *room.aliases) for room in self.rooms}
        return {name: names[room] for name, room in self._by_name.items()}


def no_such_room(name: str, nearest: Sequence[str]) -> str:
    """The clause that tells of a room that is not on the map, and which ones may be meant."""
    hint = f"; did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""
    return f"there is no room '{name}' on the map{hint}"


def folded(name: str) -> str:
    """The form in which names are compared: without case, extra spaces and separate accents."""
    return " ".join(unicodedata.normalize("NFC", name.casefold()).split())


def contains(polygon: tuple[Point, ...], point: Point) -> bool:
    """Is the point inside the polygon or on its border (to 1 mm)?"""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if distance_to_wall(point, (ax, ay), (bx, by)) < 1e-3:
            return True
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def crosses_itself(polygon: tuple[Point, ...]) -> bool:
    """Do two walls cross? Walls that only touch, or lie on each other, do not."""
    walls = tuple(zip(polygon, polygon[1:] + polygon[:1], strict=True))

    def divides(wall: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
        (ax, ay), (bx, by) = wall
        first, second = ((bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in other)
        return min(first, second) < -1e-9 and max(first, second) > 1e-9

    return any(divides(a, b) and divides(b, a) for a, b in combinations(walls, 2))


def distance_outside(polygon: tuple[Point, ...], point: Point) -> float:
    """The distance in m of a point outside the polygon; 0 inside and on the border."""
    if contains(polygon, point):
        return 0.0
    walls = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return min(distance_to_wall(point, start, end) for start, end in walls)


def distance_to_wall(point: Point, start: Point, end: Point) -> float:
    """The distance in m from a point to the wall between two corners."""
    (px, py), (ax, ay), (bx, by) = point, start, end
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return math.hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay))


class PoseEntry(Strict):
    """An approach pose in YAML."""

    x: Metres
    y: Metres
    yaw: Radians = 0.0

    @field_validator("yaw")
    @classmethod
    def _is_in_rad(cls, yaw: float) -> float:
        if abs(yaw) > 2 * math.pi:
            turned = f"{yaw:g} degrees are {math.radians(yaw):.4g} rad"
            raise FieldFault((), f"{yaw:g} rad is more than a turn; {turned}")
        return yaw


class RoomEntry(Strict):
    """A room in YAML; only a simulated world requires the outline."""

    name: Name
    aliases: tuple[Name, ...] = ()
    pose: PoseEntry
    polygon: tuple[tuple[Metres, Metres], ...] = ()

    @model_validator(mode="after")
    def _pose_is_inside(self) -> RoomEntry:
        if not self.polygon:
            return self
        if len(self.polygon) < 3:
            raise FieldFault(("polygon",), "expected at least three corners ([x, y] in m)")
        if crosses_itself(self.polygon):
            raise FieldFault(("polygon",), "its walls cross; list the corners in order around it")
        if not contains(self.polygon, (self.pose.x, self.pose.y)):
            raise FieldFault(("pose",), f"lies outside the polygon of '{self.name}'")
        return self

    def room(self) -> Room:
        """The room as a domain object."""
        pose = Pose(self.pose.x, self.pose.y, self.pose.yaw)
        return Room(self.name, self.aliases, pose, self.polygon)


def check_rooms(rooms: Sequence[RoomEntry]) -> None:
    """Refuse a name or alias that two rooms share, and a pose where another room is found.

    Raises:
        FieldFault: names both rooms.
    """
    _check_names(rooms)
    for index, room in enumerate(rooms):
        pose = (room.pose.x, room.pose.y)
        first = next((r.name for r in rooms[:index] if contains(r.polygon, pose)), None)
        if first is not None and room.polygon:  # a place without an outline may lie in a room
            message = f"lies in '{first}' too; shrink its polygon, or list '{room.name}' before it"
            raise FieldFault(("rooms", index, "pose"), message)


def _check_names(rooms: Sequence[RoomEntry]) -> None:
    taken: dict[str, str] = {}
    for index, room in enumerate(rooms):
        fields: list[tuple[tuple[str | int, ...], str]] = [(("name",), room.name)]
        fields += [(("aliases", i), alias) for i, alias in enumerate(room.aliases)]
        for field, name in fields:
            if folded(name) in taken:
                owner = taken[folded(name)]
                message = f"'{name}' is already a name of room '{owner}'"
                raise FieldFault(("rooms", index, *field), message)
            taken[folded(name)] = room.name


class KnownNames(Strict):
    """The only objects and people that a task may name; an absent list allows any name."""

    objects: tuple[Name, ...] | None = None
    people: tuple[Name, ...] | None = None


WORLD_FIELDS = (
    "name", "start", "robot", "durations", "doors", "objects", "people", "failures", "recorded",
)  # fmt: skip
"""Fields that the file of a simulated world has besides its map."""


class _MapPart(BaseModel):
    # The world's own model checks these fields.
    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    frame: Literal["map"] = "map"
    rooms: Annotated[tuple[RoomEntry, ...], Field(min_length=1)]
    known: KnownNames = KnownNames()
    examples: Examples = ()

    @model_validator(mode="before")
    @classmethod
    def _fields_are_known(cls, data: dict[str, Any]) -> dict[str, Any]:
        known = [*cls.model_fields, *WORLD_FIELDS]
        if "image" in data and "resolution" in data:  # the file of nav2_map_server
            message = "this is Nav2's map of obstacles; name a file with rooms: and their poses"
            raise FieldFault(("image",), message)
        for field in data:
            if field not in known:
                message = "unknown field"
                raise FieldFault((field,), message, str(field), known)
        return data

    @model_validator(mode="after")
    def _rooms_are_told_apart(self) -> _MapPart:
        check_rooms(self.rooms)
        return self


def load_semantic_map(path: str | Path) -> SemanticMap:
    """Read `rooms:`, `known:` and `examples:` from a world YAML or a robot's map YAML.

    Raises:
        ConfigError: the file or its rooms are invalid.
    """
    return parse_semantic_map(read_text(path), path)


def parse_semantic_map(text: str, path: str | Path) -> SemanticMap:
    """Parse the text of such a file; `path` is for the error. Raises ConfigError."""
    part = parse_yaml(text, path, _MapPart)
    rooms = tuple(entry.room() for entry in part.rooms)
    return SemanticMap(rooms, part.known.objects, part.known.people, part.examples)
