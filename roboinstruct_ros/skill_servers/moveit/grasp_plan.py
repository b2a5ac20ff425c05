"""Computes hand poses for grasping and placing. Plain geometry: m and rad, frame `map`.

The hand's z axis points out between the fingers; the fingers close along its y axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from roboinstruct_ros.skill_servers.kit.rotation import (
    UP,
    Placement,
    Quaternion,
    Vector,
    about,
    from_rpy,
    multiply,
    rotate,
)
from roboinstruct_ros.skill_servers.moveit.grasp_config import (
    GraspEntry,
    GraspsEntry,
    GripperEntry,
    PlaceEntry,
)

DOWN: Vector = (0.0, 0.0, -1.0)
LONGEST_SURFACE = 10.0
"""Surface sides are cut to this length (m): perception's estimate of a longer one is wrong."""
LEAST_STEP = 0.05
"""Least distance (m) between two spots tried on a surface."""


@dataclass(frozen=True)
class Box:
    """An object as a box: its centre, and its sides along its own axes, m.

    Objects of the same name have different keys.
    """

    name: str
    placement: Placement
    size: Vector
    key: str = ""

    @property
    def id(self) -> str:
        """Id in the planning scene."""
        return self.key or self.name

    @property
    def steepness(self) -> list[float]:
        """Of each of its own axes: 0 is level, 1 is vertical."""
        return [abs(rotate(self.placement.orientation, axis)[2]) for axis in _AXES]

    @property
    def height(self) -> float:
        """From its lowest to its highest point, m."""
        return sum(part * up for part, up in zip(self.size, self.steepness, strict=True))

    @property
    def top(self) -> float:
        """Its highest point, m."""
        return self.placement.position[2] + self.height / 2


@dataclass(frozen=True)
class GraspCandidate:
    """One grasp, by the placements of the tip link.

    Attributes:
        before: start of the straight approach.
        grasp: where the fingers close.
        after: end of the lift.
    """

    before: Placement
    grasp: Placement
    after: Placement


@dataclass(frozen=True)
class PlaceCandidate:
    """One way to place an object; `thing` is its future box, the rest are placements of the tip."""

    before: Placement
    release: Placement
    after: Placement
    thing: Placement


_AXES: tuple[Vector, Vector, Vector] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def grasp_width(entry: GraspEntry, thing: Box) -> float:
    """The finger distance for the object, m: as listed, else its smaller horizontal side."""
    if entry.width is not None:
        return entry.width
    level = [s for s, up in zip(thing.size, thing.steepness, strict=True) if up < 0.7]
    return min(level, default=min(thing.size))


def grasp_candidates(
    thing: Box, entry: GraspEntry, gripper: GripperEntry, robot: Vector
) -> list[GraspCandidate]:
    """Candidates, preferred first; side grasps begin with the one from the robot's position."""
    back = Placement(orientation=from_rpy(*gripper.tool_rpy)).inverse().orientation
    found = []
    for side in entry.from_:
        hands = _from_top(thing, entry) if side == "top" else _from_side(thing, entry, robot)
        for turn, direction in hands:
            at = thing.placement.moved(direction, entry.depth).position
            grasp = Placement(at, multiply(turn, back))
            before, after = grasp.moved(direction, -entry.approach), grasp.moved(UP, entry.lift)
            found.append(GraspCandidate(before, grasp, after))
    return found


def place_candidates(
    spots: Sequence[Vector], thing: Box, tip: Placement, grasps: GraspsEntry, grasp: GraspEntry
) -> list[PlaceCandidate]:
    """Candidates at these points, in their order.

    Args:
        thing: the object's box when it was grasped.
        tip: placement of the tip at that moment.
    """
    tool = from_rpy(*grasps.gripper.tool_rpy)
    tip_on_thing = thing.placement.inverse().of(tip)
    count = min(4, grasp.turns)
    turns = [about(UP, 2 * math.pi * index / count) for index in range(count)]
    found = []
    for spot in spots:
        middle = Placement(spot).moved(UP, thing.height / 2 + grasps.place.clearance).position
        for turn in turns:
            there = Placement(middle, multiply(turn, thing.placement.orientation))
            release = there.of(tip_on_thing)
            ahead = rotate(multiply(release.orientation, tool), UP)
            after = release.moved(ahead, -grasp.approach)
            found.append(PlaceCandidate(release.moved(UP, grasp.lift), release, after, there))
    return found


def free_spots(
    surface: Box, others: Sequence[Box], robot: Vector, entry: PlaceEntry
) -> list[Vector]:
    """Points on a surface that are reachable and clear of other objects, nearest first."""
    step = max(LEAST_STEP, entry.apart / 2)
    lengths = [min(length, LONGEST_SURFACE) for length in surface.size[:2]]
    sides = [_steps(length, entry.apart, step) for length in lengths]
    spots = []
    for along, across in product(*sides):
        inside = Placement((along, across, surface.size[2] / 2))
        x, y, _ = surface.placement.of(inside).position
        spots.append((x, y, surface.top))
    near = [s for s in spots if math.dist(s[:2], robot[:2]) <= entry.reach]
    free = [s for s in near if all(_clear(s, other, entry.apart) for other in others)]
    return sorted(free, key=lambda s: math.dist(s[:2], robot[:2]))


def _from_top(thing: Box, entry: GraspEntry) -> list[tuple[Quaternion, Vector]]:
    """Hand rotations and directions: straight down, closing across the shorter side first."""
    yaw = thing.placement.yaw
    if thing.size[0] < thing.size[1]:
        yaw += math.pi / 2  # the fingers close along the hand's y
    # rotated by pi, a hand closes on the same two sides: first one half, then its mirror images
    angles = _angles(entry.turns, math.pi)
    return [(from_rpy(math.pi, 0.0, yaw + angle), DOWN) for angle in angles]


def _from_side(thing: Box, entry: GraspEntry, robot: Vector) -> list[tuple[Quaternion, Vector]]:
    """Hand rotations and approach directions: horizontal, from the robot's position first."""
    at = thing.placement.position
    ahead = math.atan2(at[1] - robot[1], at[0] - robot[0])
    yaws = [ahead + angle for angle in _angles(entry.turns, 2 * math.pi)]
    return [(from_rpy(0.0, math.pi / 2, yaw), (math.cos(yaw), math.sin(yaw), 0.0)) for yaw in yaws]


def _angles(count: int, period: float) -> list[float]:
    """A full turn in equal steps, rad; those nearest to a multiple of `period` first."""
    angles = [2 * math.pi * index / count for index in range(count)]
    return sorted(angles, key=lambda angle: round(abs(math.remainder(angle, period)), 6))


def _steps(length: float, apart: float, step: float) -> list[float]:
    count = max(0, int((length / 2 - apart / 2) / step))
    return [i * step for i in range(-count, count + 1)]


def _clear(spot: Vector, other: Box, apart: float) -> bool:
    if other.top < spot[2] + 0.005:  # below the surface, or the surface itself
        return True
    return math.dist(spot[:2], other.placement.position[:2]) >= apart
