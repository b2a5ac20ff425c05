"""Tracks objects over many frames of detections: those that are there, and those that were.

No ROS and no clock: times are s on the caller's clock, lengths are m in frame `map`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.skill_servers.kit.rotation import NO_TURN, Quaternion, Vector
from roboinstruct_ros.skill_servers.perception.object_name_match import ObjectNames


@dataclass(frozen=True)
class Sighting:
    """One detection in one frame.

    Attributes:
        name: canonical name.
        score: confidence, 0..1.
        position: centre of the box, m; None if the detector works in the image only.
        orientation: of the box.
        size: of the box along its own axes, m; zeros if unknown.
        room: the room that contains it; None if it is in no room of the map.
        tracker_id: id by the detector's own tracker; empty if it has none.
    """

    name: str
    score: float
    position: Vector | None = None
    orientation: Quaternion = NO_TURN
    size: Vector = (0.0, 0.0, 0.0)
    room: str | None = None
    tracker_id: str = ""


@dataclass(frozen=True)
class Memory:
    """How sightings become tracks; the `most` latest are kept."""

    hits: int = option(
        3,
        "a thing counts as there once seen in this many of the last frames_of_hits frames",
        1,
        100,
    )
    frames: int = option(
        5, "number of last frames in which hits are counted", 1, 100, name="frames_of_hits"
    )
    distance: float = option(
        0.3, "sightings of one name farther apart than this are two things", 0.01, 5.0, "m"
    )
    people_distance: float = option(
        1.0, "sightings farther apart than this are two people", 0.01, 10.0, "m"
    )
    forget_after: float = option(
        3600.0, "a thing is forgotten after this long unseen", 1.0, 1e6, "s"
    )
    most: int = 500

    @property
    def of_frames(self) -> int:
        """Number of last frames to evaluate; at least `hits`."""
        return max(self.frames, self.hits)


@dataclass(eq=False)
class Track:
    """One object, as last seen.

    Attributes:
        seen: for each of the last frames of its source, whether it was detected.
        there_at: when it was last confirmed by enough hits, s; None if never.
    """

    number: int
    source: str
    last: Sighting
    seen: deque[bool]
    there_at: float | None = None

    @property
    def name(self) -> str:
        return self.last.name


@dataclass
class PerceivedWorld:
    """All tracks. Not thread-safe: the caller holds a lock."""

    names: ObjectNames
    memory: Memory = field(default_factory=Memory)
    tracks: list[Track] = field(default_factory=list)
    _count: int = 0

    def see(self, source: str, sightings: Iterable[Sighting], now: float) -> None:
        """Process one frame of one source; an empty frame counts as evidence of absence."""
        wanted = [s for s in sightings if s.score >= self.names.least_score(s.name)]
        tracks = [t for t in self.tracks if t.source == source]
        found, new = self._assign(tracks, wanted)
        for index, track in enumerate(tracks):
            self._note(track, found.get(index), now)
        for sighting in new:
            self._count += 1
            track = Track(self._count, source, sighting, deque(maxlen=self.memory.of_frames))
            self.tracks.append(track)
            self._note(track, sighting, now)
        self._forget(now)

    def in_room(self, asked: str, room: str, since: float) -> list[Track]:
        """Objects of that name in the room that were confirmed at `since` (s) or later."""
        return [t for t in self.find(asked) if t.last.room == room and _when(t) >= since]

    def find(self, asked: str) -> list[Track]:
        """All confirmed objects of that name."""
        return [track for track in self.remembered() if self.names.is_a(track.name, asked)]

    def remembered(self) -> list[Track]:
        """All confirmed objects."""
        return [track for track in self.tracks if track.there_at is not None]

    def look_anew(self) -> None:
        """Restart the hit counts, so that only later frames confirm an object; tracks are kept."""
        for track in self.tracks:
            track.seen.clear()

    def take_away(self, name: str, near: Vector, radius: float) -> None:
        """Delete the nearest object of that name within `radius` (m, horizontal): it was picked.

        Each source has a track of it. Tracks without a position may be of it too; another object of
        that name is seen again.
        """
        gone: list[Sighting | None] = []
        for source in {track.source for track in self.tracks}:
            seen = [track.last for track in self.tracks if track.source == source]
            gone.append(self._nearest([s for s in seen if s.position], name, near, radius))
            gone += [s for s in seen if not s.position and self.names.is_a(s.name, name)]
        self.tracks = [t for t in self.tracks if not any(t.last is one for one in gone)]

    def without_held(
        self, sightings: list[Sighting], held: str, robot: Vector | None, reach: float
    ) -> list[Sighting]:
        """Drop the robot's held object: the nearest of that name within `reach` (m) of the robot.

        What has no position, and everything if the robot has none, counts as 0 m away.
        """
        hand = self._nearest(sightings, held, robot, reach) if held else None
        return [sighting for sighting in sightings if sighting is not hand]

    def _nearest(
        self, sightings: list[Sighting], name: str, near: Vector | None, radius: float
    ) -> Sighting | None:
        def apart(sighting: Sighting) -> float:
            if sighting.position is None or near is None:
                return 0.0
            return math.dist(sighting.position[:2], near[:2])

        like = [s for s in sightings if self.names.is_a(s.name, name) and apart(s) <= radius]
        return min(like, key=apart, default=None)

    def _note(self, track: Track, sighting: Sighting | None, now: float) -> None:
        track.seen.append(sighting is not None)
        if sighting is not None:
            track.last = sighting
            if sum(track.seen) >= self.memory.hits:
                track.there_at = now

    def _assign(
        self, tracks: Sequence[Track], sightings: list[Sighting]
    ) -> tuple[dict[int, Sighting], list[Sighting]]:
        """The sightings by index of their track, nearest pairs first, and those of no track."""
        limits = {name: self._limit(name) for name in {s.name for s in sightings}}
        pairs = [
            (cost, t, s)
            for t, track in enumerate(tracks)
            for s, sighting in enumerate(sightings)
            if (cost := _cost(track, sighting, limits[sighting.name])) is not None
        ]
        found: dict[int, Sighting] = {}
        used: set[int] = set()
        for _, t, s in sorted(pairs):
            if t not in found and s not in used:
                found[t] = sightings[s]
                used.add(s)
        return found, [sighting for s, sighting in enumerate(sightings) if s not in used]

    def _limit(self, name: str) -> float:
        """The largest distance (m) between two sightings of one object of that name."""
        is_person = self.names.is_a(name, "person")
        return self.memory.people_distance if is_person else self.memory.distance

    def _forget(self, now: float) -> None:
        oldest = now - self.memory.forget_after
        kept = [t for t in self.tracks if any(t.seen) or _when(t) >= oldest]
        kept.sort(key=_when, reverse=True)
        self.tracks = kept[: self.memory.most]


def _when(track: Track) -> float:
    return -math.inf if track.there_at is None else track.there_at


def _cost(track: Track, sighting: Sighting, limit: float) -> float | None:
    """Distance between track and sighting, m; None if they cannot be the same object."""
    before = track.last
    if before.name != sighting.name:
        return None
    if before.tracker_id and before.tracker_id == sighting.tracker_id:
        return 0.0
    if before.position is None or sighting.position is None:
        same = before.position is sighting.position and before.room == sighting.room
        return 0.0 if same else None
    apart = math.dist(before.position, sighting.position)
    return apart if apart <= limit else None
