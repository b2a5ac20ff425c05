"""Reads another robot's bag: poses from transforms, localisation, Nav2 or odometry; detections.

Source: REP 105 (frames), tf2_msgs, nav2_msgs, and vision_msgs 1 to 4.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from roboinstruct_ros.trace.bag import BagError
from roboinstruct_ros.trace.foreign.drive import Drive, Spot, nearest
from roboinstruct_ros.trace.foreign.messages import ForeignBag

MAP = "map"
SURE = 0.5  # least score of a detection
OFTEN = 3  # least number of detections of an object at a place

_BASES = ("base_footprint", "base_link")
_DEEPEST = 20  # frames between the robot and the map
_GOAL_ENDS = {4: "reached", 5: "cancelled", 6: "given up"}  # action_msgs/GoalStatus
_AGAIN = 30.0  # s out of sight, after which an object is reported again

TF, STATUS = "tf2_msgs/msg/TFMessage", "action_msgs/msg/GoalStatusArray"
ESTIMATE, POSE = "geometry_msgs/msg/PoseWithCovarianceStamped", "geometry_msgs/msg/PoseStamped"
FEEDBACK = "nav2_msgs/action/NavigateToPose_FeedbackMessage"
ODOMETRY = "nav_msgs/msg/Odometry"
DETECTIONS = ("vision_msgs/msg/Detection2DArray", "vision_msgs/msg/Detection3DArray")
KINDS = {TF, STATUS, ESTIMATE, POSE, FEEDBACK, ODOMETRY, *DETECTIONS}


@dataclass(frozen=True)
class Moment:
    """A line of the timeline: s since the start of the bag, and the robot's pose."""

    at: float
    what: str
    told: str
    spot: Spot | None = None


@dataclass
class Imported:
    """Contents of a bag.

    Attributes:
        drive: from the best available source.
        missing: what a world needs and the bag lacks, one sentence each.
    """

    drive: Drive
    moments: list[Moment]
    missing: list[str] = field(default_factory=list)


def read_foreign(place: Path) -> Imported:
    """Read another robot's bag, in constant memory.

    Raises:
        BagError: it is not a bag, not a complete one, or has no pose of the robot.
    """
    bag, reading = ForeignBag(place), _Reading()
    for topic, kind, at, message in bag.messages(KINDS):
        try:
            reading.hear(topic, kind, at, message)
        except (AttributeError, TypeError, ValueError):  # a version with other fields
            bag.damaged[topic] += 1
    for drive in reading.drives.values():
        drive.end()
    found = [drive for _, drive in sorted(reading.drives.items()) if drive.stays]
    if not found:
        there = ", ".join(f"{topic} ({kind})" for topic, kind in sorted(bag.topics.items()))
        needed = f"{TF} with {MAP} and {_BASES[1]}, {ESTIMATE}, {FEEDBACK} or {ODOMETRY}"
        raise BagError(
            f"{place}: nothing in it tells where the robot was; needed is one of {needed}; "
            f"there is: {there or 'nothing'}"
        )
    moments = sorted([*reading.moments, *_stops(found[0], reading.begun)], key=lambda one: one.at)
    return Imported(found[0], moments, list(_missing(bag, found[0])))


@dataclass
class _Reading:
    """State of the reading; drives by quality of their source, 0 is best."""

    begun: float = 0.0
    drives: dict[int, Drive] = field(default_factory=dict)
    moments: list[Moment] = field(default_factory=list)
    _frames: dict[str, tuple[str, Spot]] = field(default_factory=dict)
    _goals: dict[bytes, int] = field(default_factory=dict)
    _seen: dict[str, float] = field(default_factory=dict)

    def hear(self, topic: str, kind: str, at: float, message: Any) -> None:
        self.begun = self.begun or at
        if kind == TF:
            self._transform(at, message.transforms)
        elif kind == ESTIMATE:
            self._go(1, at, message.header.frame_id, message.pose.pose)
        elif kind == FEEDBACK:
            pose = message.feedback.current_pose
            self._go(2, at, pose.header.frame_id, pose.pose)
        elif kind == ODOMETRY:
            self._go(3, at, message.header.frame_id, message.pose.pose)
        elif kind == POSE and "goal" in topic:
            self._tell(at, "goal", f"a goal on {topic}", _spot(message.pose))
        elif kind == STATUS:
            self._status(at, topic, message.status_list)
        elif kind in DETECTIONS:
            self._see(at, message.detections)

    def _transform(self, at: float, transforms: Sequence[Any]) -> None:
        for one in transforms:
            step = _spot_of(one.transform.translation, one.transform.rotation)
            self._frames[_plain(one.child_frame_id)] = (_plain(one.header.frame_id), step)
        base = next((base for base in _BASES if base in self._frames), "")
        spot, frame = Spot(0.0, 0.0), base
        for _ in range(_DEEPEST):
            if frame not in self._frames:
                break
            frame, step = self._frames[frame]
            spot = step.then(spot)
        if base and frame == MAP:
            self.drives.setdefault(0, Drive(MAP)).go(at, spot)

    def _go(self, rank: int, at: float, frame: str, pose: Any) -> None:
        self.drives.setdefault(rank, Drive(_plain(frame))).go(at, _spot(pose))

    def _status(self, at: float, topic: str, goals: Sequence[Any]) -> None:
        action = topic.removesuffix("/_action/status")
        for one in goals:
            name, status = bytes(one.goal_info.goal_id.uuid), int(one.status)
            if self._goals.get(name) != status and status in _GOAL_ENDS:
                self._tell(at, _GOAL_ENDS[status], f"a goal of {action}")
            self._goals[name] = status
        while len(self._goals) > 1000:  # for bags of weeks
            del self._goals[next(iter(self._goals))]

    def _see(self, at: float, detections: Sequence[Any]) -> None:
        names = Counter(filter(None, map(_name, detections)))
        for name, count in names.items():
            for drive in self.drives.values():
                drive.see(name, count)
            if not 0 <= at - self._seen.get(name, -math.inf) < _AGAIN:
                self._tell(at, "saw", name)
            self._seen[name] = at

    def _tell(self, at: float, what: str, told: str, spot: Spot | None = None) -> None:
        best = self.drives[min(self.drives)].here if self.drives else None
        self.moments.append(Moment(at - self.begun, what, told, spot or best))


def _stops(drive: Drive, begun: float) -> Iterator[Moment]:
    places = drive.places()
    for stay in drive.stays:
        told = f"place {nearest(places, stay.spot) + 1}, for {stay.ended - stay.begun:.0f} s"
        yield Moment(stay.begun - begun, "stood", told, stay.spot)


def _missing(bag: ForeignBag, drive: Drive) -> Iterator[str]:
    yield "The names of the rooms are not in the bag: places are called by number, in the order"
    yield "in which the robot first stood there. Walls and doors are not: a place is a square."
    if drive.frame != MAP:
        yield f"Places are in frame '{drive.frame}', which drifts: the bag has no pose in '{MAP}'."
    detections = {topic for topic, kind in bag.topics.items() if kind in DETECTIONS}
    if not detections:
        yield "There are no things and no people: the bag has no vision_msgs detections."
    elif not detections <= set(bag.unknown) and not list(drive.sightings(OFTEN)):
        yield f"No thing was seen {OFTEN} times from one place with a score of {SURE} or more."
    elif drive.seen:
        yield "Things are put to the place that was nearest to the robot as it saw them."
        yield "What people answer is not in the bag."
    if any(name.isdecimal() for name, _, _ in drive.seen):
        yield "Detections are numbers of classes: their names are in the detector's own files."
    for topic in bag.unknown:
        yield f"{topic} is left out: the bag has no definition of {bag.topics[topic]}."
    for topic, count in sorted(bag.damaged.items()):
        yield f"{topic}: {count} messages cannot be read and are left out."


def _name(detection: Any) -> str:
    """The most likely class of a detection; empty if none is likely."""
    sure = [getattr(one, "hypothesis", one) for one in detection.results]
    best = max(sure, key=lambda one: one.score, default=None)
    if best is None or not best.score >= SURE:
        return ""
    return " ".join(str(getattr(best, "class_id", getattr(best, "id", ""))).split())[:80].rstrip()


def _plain(frame: str) -> str:
    """A frame id without the robot's prefix."""
    return frame.rpartition("/")[2]


def _spot(pose: Any) -> Spot:
    return _spot_of(pose.position, pose.orientation)


def _spot_of(at: Any, turned: Any) -> Spot:
    x, y, z, w = turned.x, turned.y, turned.z, turned.w
    return Spot(at.x, at.y, math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
