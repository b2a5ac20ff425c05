"""Converts `vision_msgs` detections to sightings, and tracked objects to detections."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Pose, Vector3
from rclpy.time import Time as RosTime
from std_msgs.msg import Header

from roboinstruct_ros.names import MAP_FRAME
from roboinstruct_ros.skill_servers.kit.fault import name_fault
from roboinstruct_ros.skill_servers.kit.pose import placement_of, pose_message
from roboinstruct_ros.skill_servers.kit.rotation import NO_TURN, Placement, Vector, normalised
from roboinstruct_ros.skill_servers.perception.object_name_match import ObjectNames
from roboinstruct_ros.skill_servers.perception.perceived_world import Sighting, Track

MOST = 200
"""Most detections used per frame; comparing more with the known objects takes too long."""

InMap = Callable[[str, Time], "Placement | None"]
RoomOf = Callable[["Vector | None"], "str | None"]


class UnknownFrame(Exception):
    """A frame whose pose in `map` is unknown; the text is the frame."""


def frame_of(header: Header) -> str:
    """The frame id without the slashes that some detectors add."""
    return str(header.frame_id).strip("/")


def sightings_2d(message: Any, names: ObjectNames, room_of: RoomOf) -> list[Sighting]:
    """The sightings in a Detection2DArray; without positions, they get the robot's room."""
    found = []
    for detection in message.detections[:MOST]:
        best = best_result(detection)
        if best is not None:
            name, room = names.of_label(best.hypothesis.class_id), room_of(None)
            found.append(Sighting(name, best.hypothesis.score, room=room, tracker_id=detection.id))
    return found


def sightings_3d(
    message: Any, names: ObjectNames, in_map: InMap, room_of: RoomOf
) -> list[Sighting]:
    """The sightings in a Detection3DArray, in frame `map`; non-finite ones are skipped.

    Raises:
        UnknownFrame: the pose of the camera is unknown.
    """

    @cache
    def camera(frame: str) -> Placement:
        placement = in_map(frame, message.header.stamp)
        if placement is None:
            raise UnknownFrame(frame)
        return placement

    camera(frame_of(message.header))  # an empty array counts only if the camera's pose is known
    found = []
    for detection in message.detections[:MOST]:
        best = best_result(detection)
        if best is None:
            continue
        size = detection.bbox.size
        boxed = size.x > 0 or size.y > 0 or size.z > 0
        seen = placed(detection.bbox.center if boxed else best.pose.pose, size)
        if seen is None:
            continue
        place = camera(frame_of(detection.header) or frame_of(message.header)).of(seen)
        found.append(
            Sighting(
                names.of_label(best.hypothesis.class_id),
                best.hypothesis.score,
                place.position,
                place.orientation,
                (max(0.0, size.x), max(0.0, size.y), max(0.0, size.z)),
                room_of(place.position),
                detection.id,
            )
        )
    return found


def objects_message(vision: Any, tracks: Iterable[Track], ros_now: RosTime, now: float) -> Any:
    """The tracked objects with a position as a Detection3DArray in frame `map`.

    Each detection's own stamp is when the object was last there; its `id` identifies the object.

    Args:
        vision: the module vision_msgs.msg.
        now: the moment `ros_now` on the clock of the tracks, s.
    """
    header = Header(stamp=ros_now.to_msg(), frame_id=MAP_FRAME)
    message = vision.Detection3DArray(header=header)
    for track in tracks:
        if track.last.position is None or track.there_at is None:
            continue
        detection = vision.Detection3D(id=str(track.number))
        result = vision.ObjectHypothesisWithPose()
        ago = int((now - track.there_at) * 1e9)
        stamp = RosTime(nanoseconds=max(0, ros_now.nanoseconds - ago))
        detection.header = Header(stamp=stamp.to_msg(), frame_id=MAP_FRAME)
        result.hypothesis.class_id, result.hypothesis.score = track.name, track.last.score
        pose = pose_message(Placement(track.last.position, track.last.orientation))
        result.pose.pose = detection.bbox.center = pose
        detection.results = [result]
        x, y, z = track.last.size
        detection.bbox.size = Vector3(x=x, y=y, z=z)
        message.detections.append(detection)
    return message


def best_result(detection: Any) -> Any:
    """The most likely hypothesis of a detection; None if none has a name and a finite score."""
    named = [r for r in detection.results if name_fault("", r.hypothesis.class_id) is None]
    known = [r for r in named if math.isfinite(r.hypothesis.score)]
    return max(known, key=lambda r: r.hypothesis.score, default=None)


def placed(pose: Pose, size: Vector3) -> Placement | None:
    """The pose as a value, in its own frame; None if it or the size is not finite."""
    placement = placement_of(pose)
    if not all(map(math.isfinite, (*placement.position, size.x, size.y, size.z))):
        return None
    return Placement(placement.position, normalised(placement.orientation) or NO_TURN)
