"""The robot's room from its pose, with hysteresis so that a doorway does not flicker."""

from __future__ import annotations

import math

from roboinstruct_ros.domain.semantic_map import (
    Point,
    Room,
    SemanticMap,
    distance_outside,
    distance_to_wall,
)


class RoomOfPose:
    """Remembers the robot's room between poses. Not thread-safe.

    The robot leaves its room only when it is farther outside than the margin, or farther inside a
    room that overlaps it and is listed before it. A room without an outline counts as a disc around
    its approach pose; where a disc and an outline overlap, the outline wins.
    """

    def __init__(self, rooms: SemanticMap, margin: float, radius: float) -> None:
        """Take the map, the hysteresis margin, and the radius of rooms without outline (m)."""
        self._rooms, self._margin, self._radius = rooms, margin, radius
        self._room: Room | None = None

    @property
    def room(self) -> str | None:
        """Room of the last pose; None if it was in no room."""
        return self._room.name if self._room else None

    def see(self, point: Point) -> str | None:
        """Update with a position (x and y in m, frame `map`). Returns the robot's room, or None."""
        inside = holding_room(self._rooms, point, self._radius)
        if not self._stays(inside, point):
            self._room = inside
        return self.room

    def arrive(self, room: str) -> None:
        """Set the room after a drive: an approach pose may be just behind the door."""
        self._room = self._named(room)

    def follow(self, rooms: SemanticMap) -> None:
        """Switch to another map, keeping the room of the same name if there is one."""
        self._rooms = rooms
        self._room = self._named(self.room)

    def _named(self, name: str | None) -> Room | None:
        return next((room for room in self._rooms.rooms if room.name == name), None)

    def _stays(self, inside: Room | None, point: Point) -> bool:
        if self._room is None:
            return False
        away = outside(self._room, point, self._radius)
        if away > self._margin or inside is None or not inside.polygon:
            return away <= self._margin
        walls = zip(inside.polygon, inside.polygon[1:] + inside.polygon[:1], strict=True)
        at_wall = any(distance_to_wall(point, *wall) <= self._margin for wall in walls)
        return bool(self._room.polygon) and (away > 0.0 or at_wall)


def holding_room(rooms: SemanticMap, point: Point, radius: float) -> Room | None:
    """The room that contains a point (m, frame `map`): the first outline of the map, else the disc
    whose middle is nearest."""
    holding = [room for room in rooms.rooms if outside(room, point, radius) == 0.0]
    outlined = next((room for room in holding if room.polygon), None)
    return outlined or min(holding, key=lambda room: _from_pose(room, point), default=None)


def outside(room: Room, point: Point, radius: float) -> float:
    """Distance of a point from a room, m; one without an outline is a disc of this radius."""
    if room.polygon:
        return distance_outside(room.polygon, point)
    return max(0.0, _from_pose(room, point) - radius)


def _from_pose(room: Room, point: Point) -> float:
    return math.dist((room.pose.x, room.pose.y), point)
