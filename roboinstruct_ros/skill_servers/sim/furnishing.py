"""Objects and people of a simulated house: name matching and positions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roboinstruct_ros.domain.files.world_file import PersonEntry, World
from roboinstruct_ros.domain.semantic_map import Point


@dataclass
class Thing:
    """One object; `room` is None while the robot holds it. Position in m, frame `map`."""

    name: str
    room: str | None
    position: Point


@dataclass
class Person:
    """A person and their position in m, frame `map`."""

    entry: PersonEntry
    room: str
    position: Point

    @property
    def name(self) -> str:
        return self.entry.name


def furnish(world: World) -> list[Thing]:
    """Place every object of a world along the walls of its room."""
    names = [(entry.room, entry.name) for entry in world.objects for _ in range(entry.count)]
    things = []
    for room in world.rooms:
        here = [name for place, name in names if place == room.name]
        for index, name in enumerate(here):
            spot = point_on_ring(room.polygon, 0.75, index / len(here))
            things.append(Thing(name, room.name, spot))
    return things


def invite(world: World) -> list[Person]:
    """Place every person of a world off the centre of their room."""
    people = []
    for room in world.rooms:
        here = [entry for entry in world.people if entry.room == room.name]
        for index, entry in enumerate(here):
            spot = point_on_ring(room.polygon, 0.4, (index + 0.5) / len(here))
            people.append(Person(entry, room.name, spot))
    return people


def point_on_ring(polygon: Sequence[Point], scale: float, part: float) -> Point:
    """The point at a fraction (0..1) of a convex room's outline, scaled about its centre."""
    outline = np.array([*polygon, polygon[0]])
    middle = np.mean(polygon, axis=0)
    ring = middle + (outline - middle) * scale
    along = np.cumsum([0.0, *map(math.dist, ring, ring[1:])])
    x, y = (np.interp(part % 1.0 * along[-1], along, column) for column in ring.T)
    return float(x), float(y)
