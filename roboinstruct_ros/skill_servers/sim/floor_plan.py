"""Paths through the doors of a house, and the robot's motion along them as a function of time."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.semantic_map import Point, Pose, SemanticMap, contains
from roboinstruct_ros.domain.world_file import DoorEntry


@dataclass(frozen=True)
class FloorPlan:
    """Rooms (convex outlines) and the doors between them."""

    rooms: SemanticMap
    doors: tuple[DoorEntry, ...]

    def way(self, start: Point, room: str) -> tuple[Point, ...] | None:
        """The corners of the shortest path in m from `start` through open doors to a room's pose.

        Both ends are included; None if no open path leads there.
        """
        goal = self.rooms.room(room)
        end = (goal.pose.x, goal.pose.y)
        here = {r.name for r in self.rooms.rooms if contains(r.polygon, start)}
        if room in here or not self.doors:  # a world without doors has no walls that matter
            return (start, end)
        # Dijkstra over doors: in a convex room there is a straight line between any two doors.
        # The approach pose counts as one more, in its room only.
        doors = [
            *(door for door in self.doors if door.open),
            DoorEntry(between=(room, room), at=end),
        ]
        queue: list[tuple[float, tuple[int, ...]]] = [
            (math.dist(start, d.at), (i,)) for i, d in enumerate(doors) if here & {*d.between}
        ]
        heapq.heapify(queue)
        done: set[int] = set()
        while queue:
            length, path = heapq.heappop(queue)
            last = doors[path[-1]]
            if last is doors[-1]:
                return (start, *(doors[i].at for i in path))
            if path[-1] in done:
                continue
            done.add(path[-1])
            for i, door in enumerate(doors):
                if i not in done and {*last.between} & {*door.between}:
                    heapq.heappush(queue, (length + math.dist(last.at, door.at), (*path, i)))
        return None

    def reachable(self, start: str) -> set[str]:
        """Rooms reachable through open doors, including `start`."""
        found, edge = {start}, [start]
        while edge:
            room = edge.pop()
            for door in self.doors:
                if door.open and room in door.between:
                    new = {*door.between} - found
                    found |= new
                    edge += new
        return found


@dataclass(frozen=True)
class _Leg:
    start: float  # s since the motion began
    duration: float  # s
    origin: Pose
    length: float = 0.0  # m straight ahead
    turn: float = 0.0  # rad in place


@dataclass(frozen=True)
class Velocity:
    """Forward speed in m/s and turn rate in rad/s, in the robot's own frame."""

    linear: float = 0.0
    angular: float = 0.0


@dataclass(frozen=True)
class Motion:
    """Turns in place and straight drives, leg by leg; times in simulated s since it began."""

    legs: tuple[_Leg, ...]
    end: Pose
    speed: float  # m/s
    turn_rate: float  # rad/s

    @property
    def duration(self) -> float:
        """Total time, s."""
        return self.legs[-1].start + self.legs[-1].duration if self.legs else 0.0

    @property
    def length(self) -> float:
        """Total distance, m."""
        return sum(leg.length for leg in self.legs)

    def pose_at(self, time: float) -> Pose:
        """The pose after `time` s, frame `map`."""
        leg = self._leg_at(time)
        if leg is None:
            return self.end
        part = (time - leg.start) / leg.duration
        x = leg.origin.x + math.cos(leg.origin.yaw) * leg.length * part
        y = leg.origin.y + math.sin(leg.origin.yaw) * leg.length * part
        return Pose(x, y, wrapped(leg.origin.yaw + leg.turn * part))

    def velocity_at(self, time: float) -> Velocity:
        """The velocity after `time` s; zero at the end."""
        leg = self._leg_at(time)
        if leg is None:
            return Velocity()
        if leg.turn:
            return Velocity(angular=math.copysign(self.turn_rate, leg.turn))
        return Velocity(linear=self.speed)

    def distance_left(self, time: float) -> float:
        """The remaining distance after `time` s, m."""
        parts = [1 - (time - leg.start) / leg.duration for leg in self.legs]
        left = zip(self.legs, parts, strict=True)
        # From 0.0: without legs the sum must still be a float, or rclpy aborts on the message.
        return sum((leg.length * min(1.0, max(0.0, part)) for leg, part in left), 0.0)

    def _leg_at(self, time: float) -> _Leg | None:
        return next((leg for leg in self.legs if time < leg.start + leg.duration), None)


def plan_motion(start: Pose, way: Sequence[Point], yaw: float, speed: float, rate: float) -> Motion:
    """The motion from `start` along a polyline (m, from `start`), turned to `yaw` (rad) at its end.

    Args:
        speed: m/s.
        rate: turn rate, rad/s.
    """
    legs: list[_Leg] = []
    time, pose = 0.0, start

    def turn_to(heading: float) -> None:
        nonlocal time, pose
        angle = wrapped(heading - pose.yaw)
        if abs(angle) > 1e-9:
            legs.append(_Leg(time, abs(angle) / rate, pose, turn=angle))
            time += abs(angle) / rate
        pose = Pose(pose.x, pose.y, heading)

    for x, y in way[1:]:
        length = math.dist((pose.x, pose.y), (x, y))
        if length < 1e-6:
            continue
        turn_to(math.atan2(y - pose.y, x - pose.x))
        legs.append(_Leg(time, length / speed, pose, length=length))
        time += length / speed
        pose = Pose(x, y, pose.yaw)
    turn_to(wrapped(yaw))
    return Motion(tuple(legs), pose, speed, rate)


def wrapped(angle: float) -> float:
    """Return the equivalent angle in (-pi, pi]."""
    return math.pi - (math.pi - angle) % (2 * math.pi)
