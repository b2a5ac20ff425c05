"""A robot's trajectory, stops and sightings, according to one source of its pose."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

STOOD = 5.0  # s, least duration of a stop
STILL = 0.3  # m within which a robot counts as standing
APART = 2.0  # m between two places; closer stops are one place
_CELL = 0.5  # m
_FARTHEST = 1e6  # m
_SILENT = 30.0  # s without a pose, after which the robot's position in between is unknown


@dataclass(frozen=True)
class Spot:
    """x and y in m, yaw in rad."""

    x: float
    y: float
    yaw: float = 0.0

    def to(self, other: Spot) -> float:
        """Distance, m."""
        return math.hypot(self.x - other.x, self.y - other.y)

    def then(self, step: Spot) -> Spot:
        """The pose reached by moving by `step` from here."""
        sine, cosine = math.sin(self.yaw), math.cos(self.yaw)
        x, y = self.x + cosine * step.x - sine * step.y, self.y + sine * step.x + cosine * step.y
        return Spot(x, y, math.remainder(self.yaw + step.yaw, math.tau))

    @property
    def is_possible(self) -> bool:
        """Whether the pose is finite and within 1,000 km."""
        return math.hypot(self.x, self.y) < _FARTHEST and math.isfinite(self.yaw)


@dataclass(frozen=True)
class Stay:
    """A stop; times in s since the epoch."""

    spot: Spot
    begun: float
    ended: float


@dataclass
class Drive:
    """The trajectory from one source.

    Attributes:
        frame: frame of the poses.
        stays: stops, in order.
        seen: sightings by name and half-metre cell: how many, and most at once.
        length: distance travelled, m.
    """

    frame: str
    stays: list[Stay] = field(default_factory=list)
    seen: dict[tuple[str, int, int], tuple[int, int]] = field(default_factory=dict)
    here: Spot | None = None
    length: float = 0.0
    _anchor: Spot | None = None
    _since: float = 0.0
    _last: float = 0.0

    def go(self, at: float, spot: Spot) -> None:
        """Add a pose. A clock jump ends a stop."""
        if not spot.is_possible:
            return
        jumped = not 0 <= at - self._last <= _SILENT
        if self._anchor is None or jumped or spot.to(self._anchor) > STILL:
            self.end()
            self._anchor, self._since = spot, at
        if self.here is not None and not jumped:
            self.length += spot.to(self.here)
        self.here, self._last = spot, at

    def see(self, name: str, count: int) -> None:
        """Add a sighting at the current pose."""
        if self.here is not None:
            cell = (name, round(self.here.x / _CELL), round(self.here.y / _CELL))
            times, most = self.seen.get(cell, (0, 0))
            self.seen[cell] = (times + 1, max(most, count))

    def end(self) -> None:
        """End a stop; the first counts however short it was."""
        if self._anchor is not None and (self._last - self._since >= STOOD or not self.stays):
            self.stays.append(Stay(self._anchor, self._since, self._last))
        self._anchor = None

    def places(self) -> list[Spot]:
        """The places where it stood, each once, in order of the first visit."""
        found: list[Spot] = []
        for stay in self.stays:
            if all(stay.spot.to(one) >= APART for one in found):
                found.append(stay.spot)
        return found

    def sightings(self, least: int) -> Iterator[tuple[str, int, int]]:
        """Objects seen `least` times or more near a place: name, index of the place,
        most at once."""
        found: dict[tuple[str, int], tuple[int, int]] = {}
        places = self.places()
        for (name, x, y), (times, most) in self.seen.items():
            at = (name, nearest(places, Spot(x * _CELL, y * _CELL)))
            before = found.get(at, (0, 0))
            found[at] = (before[0] + times, max(before[1], most))
        for (name, place), (times, most) in sorted(found.items()):
            if times >= least:
                yield name, place, most


def nearest(places: list[Spot], spot: Spot) -> int:
    """Index of the nearest place."""
    return min(range(len(places)), key=lambda number: places[number].to(spot))
