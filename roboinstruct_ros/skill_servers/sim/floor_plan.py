"""Paths through the doors of a house, and the robot's motion along them as a function of time."""

from __future__ import annotations

import heapq
import math
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roboinstruct_ros.domain.files.world_file import DoorEntry
from roboinstruct_ros.domain.semantic_map import Point, Pose, SemanticMap, contains


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
        # Both ends count as doors too, each in its own rooms only.
        doors = [({*door.between}, door.at) for door in self.doors if door.open]
        corners = [(here, start), *doors, ({room}, end)]
        queue: list[tuple[float, tuple[int, ...]]] = [(0.0, (0,))]
        done: set[int] = set()
        while queue:
            length, path = heapq.heappop(queue)
            if path[-1] == len(corners) - 1:
                return tuple(corners[i][1] for i in path)
            if path[-1] in done:
                continue
            done.add(path[-1])
            rooms, at = corners[path[-1]]
            for i, (others, there) in enumerate(corners):
                if i not in done and rooms & others:
                    heapq.heappush(queue, (length + math.dist(at, there), (*path, i)))
        return None

    def reachable(self, start: str) -> set[str]:
        """Rooms reachable through open doors, including `start`."""
        found = [start]
        for room in found:  # the list grows meanwhile
            for door in self.doors:
                if door.open and room in door.between:
                    found += {*door.between}.difference(found)
        return set(found)


@dataclass(frozen=True)
class Velocity:
    """Forward speed in m/s and turn rate in rad/s, in the robot's own frame."""

    linear: float = 0.0
    angular: float = 0.0


@dataclass(frozen=True)
class Motion:
    """Turns in place and straight drives, one after another.

    Attributes:
        times: when each begins, and when the last one ends: simulated s since the motion began.
        states: x and y (m, frame `map`), yaw (rad, not wrapped) and distance driven (m) at these
            times; linear in between.
    """

    times: tuple[float, ...]
    states: tuple[tuple[float, float, float, float], ...]

    @property
    def duration(self) -> float:
        """Total time, s."""
        return self.times[-1]

    @property
    def length(self) -> float:
        """Total distance, m."""
        return self.states[-1][3]

    def pose_at(self, time: float) -> Pose:
        """The pose after `time` s, frame `map`."""
        x, y, yaw, _ = self._state_at(time)
        return Pose(x, y, wrapped(yaw))

    def velocity_at(self, time: float) -> Velocity:
        """The velocity after `time` s; zero at the end."""
        after = bisect(self.times, time)
        if after == len(self.times):
            return Velocity()
        (*_, yaw, driven), (*_, next_yaw, next_driven) = self.states[after - 1 : after + 1]
        lasts = self.times[after] - self.times[after - 1]
        return Velocity((next_driven - driven) / lasts, (next_yaw - yaw) / lasts)

    def distance_left(self, time: float) -> float:
        """The remaining distance after `time` s, m."""
        return self.length - self._state_at(time)[3]

    def _state_at(self, time: float) -> list[float]:
        columns = zip(*self.states, strict=True)
        return [float(np.interp(time, self.times, column)) for column in columns]


def plan_motion(start: Pose, way: Sequence[Point], yaw: float, speed: float, rate: float) -> Motion:
    """The motion from `start` along a polyline (m, from `start`), turned to `yaw` (rad) at its end.

    Args:
        speed: m/s.
        rate: turn rate, rad/s.
    """
    times, states = [0.0], [(start.x, start.y, start.yaw, 0.0)]

    def turn_to(heading: float) -> None:
        x, y, before, driven = states[-1]
        angle = wrapped(heading - before)
        if abs(angle) > 1e-9:
            times.append(times[-1] + abs(angle) / rate)
            states.append((x, y, before + angle, driven))

    def drive_to(x: float, y: float) -> None:
        *here, heading, driven = states[-1]
        length = math.dist(here, (x, y))
        times.append(times[-1] + length / speed)
        states.append((x, y, heading, driven + length))

    for x, y in way[1:]:
        here = states[-1][:2]
        if math.dist(here, (x, y)) >= 1e-6:
            turn_to(math.atan2(y - here[1], x - here[0]))
            drive_to(x, y)
    turn_to(yaw)
    return Motion(tuple(times), tuple(states))


def wrapped(angle: float) -> float:
    """Return the equivalent angle in (-pi, pi]."""
    return math.pi - (math.pi - angle) % (2 * math.pi)
