"""Converts the simulated world to messages for viewers: pose, odometry, transform and markers."""

from __future__ import annotations

from collections.abc import Iterator

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Transform, TransformStamped, Vector3
from nav_msgs.msg import Odometry
from std_msgs.msg import ColorRGBA, Header
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from roboinstruct_ros.domain.semantic_map import Pose
from roboinstruct_ros.names import BASE_FRAME, MAP_FRAME
from roboinstruct_ros.skill_servers.kit.pose import pose_message
from roboinstruct_ros.skill_servers.sim.floor_plan import Velocity
from roboinstruct_ros.skill_servers.sim.house import House

WALL = ColorRGBA(r=0.35, g=0.4, b=0.45, a=1.0)
DOOR = ColorRGBA(r=0.55, g=0.8, b=0.55, a=1.0)
CLOSED = ColorRGBA(r=0.8, g=0.3, b=0.3, a=1.0)
THING = ColorRGBA(r=0.95, g=0.6, b=0.15, a=1.0)
PERSON = ColorRGBA(r=0.2, g=0.45, b=0.9, a=1.0)


def odometry(pose: Pose, velocity: Velocity, stamp: Time) -> Odometry:
    """The pose (frame `map`) and the simulated velocity (frame `base_link`)."""
    message = Odometry(header=Header(stamp=stamp, frame_id=MAP_FRAME), child_frame_id=BASE_FRAME)
    message.pose.pose = pose_message(pose)
    message.twist.twist.linear.x = velocity.linear
    message.twist.twist.angular.z = velocity.angular
    return message


def transform(pose: Pose, stamp: Time) -> TFMessage:
    """Transform from `map` to `base_link`, for tf2."""
    turn = pose_message(pose).orientation
    moved = Transform(translation=Vector3(x=pose.x, y=pose.y), rotation=turn)
    header = Header(stamp=stamp, frame_id=MAP_FRAME)
    return TFMessage(
        transforms=[TransformStamped(header=header, child_frame_id=BASE_FRAME, transform=moved)]
    )


def world_markers(house: House, stamp: Time) -> MarkerArray:
    """Markers of the whole world; the first one deletes those of earlier arrays.

    Namespaces: `rooms` (outlines), `doors`, `objects`, `people`, `held` (frame `base_link`, so it
    moves with the robot). The name is in `text`.
    """
    markers = [Marker(header=Header(stamp=stamp, frame_id=MAP_FRAME), action=Marker.DELETEALL)]
    number: dict[str, int] = {}
    for marker in _all_markers(house):
        marker.id = number.get(marker.ns, 0)
        number[marker.ns] = marker.id + 1
        marker.header.stamp = stamp
        markers.append(marker)
    return MarkerArray(markers=markers)


def _all_markers(house: House) -> Iterator[Marker]:
    for room in house.map.rooms:
        outline = _marker("rooms", room.name, Marker.LINE_STRIP, WALL, 0.08)
        outline.points = [Point(x=x, y=y) for x, y in (*room.polygon, room.polygon[0])]
        yield outline
    for door in house.plan.doors:
        colour = DOOR if door.open else CLOSED
        yield _at(_marker("doors", " | ".join(door.between), Marker.CUBE, colour, 0.3), door.at)
    for thing in house.things:
        if thing.room is not None:
            yield _at(_marker("objects", thing.name, Marker.CUBE, THING, 0.2), thing.position)
    for person in house.people:
        body = _marker("people", person.name, Marker.CYLINDER, PERSON, 0.4)
        yield _at(body, person.position)
    if house.held:
        held = _at(_marker("held", house.held.name, Marker.CUBE, THING, 0.2), (0.3, 0.0))
        held.header.frame_id = BASE_FRAME
        held.frame_locked = True
        yield held


def _marker(namespace: str, text: str, kind: int, colour: ColorRGBA, size: float) -> Marker:
    scale = Vector3(x=size, y=size, z=size)
    header = Header(frame_id=MAP_FRAME)
    return Marker(header=header, ns=namespace, text=text, type=kind, color=colour, scale=scale)


def _at(marker: Marker, position: tuple[float, float]) -> Marker:
    marker.pose.position.x, marker.pose.position.y = map(float, position)
    marker.pose.position.z = marker.scale.z / 2
    return marker
