"""In which room the robot is, whatever way it came: held to the outlines and the margin."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap, distance_outside
from roboinstruct_ros.skill_servers.nav2.room_of_pose import RoomOfPose, holding_room

MARGIN = 0.3
RADIUS = 1.5
LEFT = Room("left", (), Pose(2, 2, 0), ((0, 0), (4, 0), (4, 4), (0, 4)))
RIGHT = Room("right", (), Pose(4.1, 2, 0), ((4, 0), (8, 0), (8, 4), (4, 4)))
CORNER = Room("corner", (), Pose(2, 12, 0), ((0, 10), (6, 10), (6, 16), (4, 16), (4, 12), (0, 12)))
DISC = Room("dock", (), Pose(12, 2, 0))
NOOK = Room("nook", (), Pose(7, 3, 0))  # no outline, and inside the right room
MAP = SemanticMap((NOOK, LEFT, RIGHT, CORNER, DISC))
BY_NAME = {room.name: room for room in MAP.rooms}

points = st.tuples(st.floats(-3, 16), st.floats(-3, 18))
walks = st.lists(points, min_size=1, max_size=12)
jitter = st.lists(st.floats(-MARGIN * 0.99, MARGIN * 0.99), min_size=1, max_size=20)


def tracker() -> RoomOfPose:
    return RoomOfPose(MAP, MARGIN, RADIUS)


def outside(name: str, point: tuple[float, float]) -> float:
    """How far a point lies outside a room, m."""
    room = BY_NAME[name]
    if room.polygon:
        return distance_outside(room.polygon, point)
    x, y = point[0] - room.pose.x, point[1] - room.pose.y
    return max(0.0, (x * x + y * y) ** 0.5 - RADIUS)


@given(walks)
def test_the_room_is_never_farther_away_than_the_margin(walk: list[tuple[float, float]]) -> None:
    rooms = tracker()
    for point in walk:
        room = rooms.see(point)
        assert room == rooms.room
        if room is None:
            assert all(outside(other, point) > 0 for other in BY_NAME)
        else:
            assert outside(room, point) <= MARGIN


@given(walks, points)
def test_deep_in_a_room_the_past_does_not_matter(
    walk: list[tuple[float, float]], point: tuple[float, float]
) -> None:
    rooms = tracker()
    for earlier in walk:
        rooms.see(earlier)
    here = [name for name in ("left", "right", "corner") if outside(name, point) == 0]
    elsewhere = [room.name for room in MAP.rooms if room.polygon and room.name not in here]
    if here and all(outside(name, point) > MARGIN for name in elsewhere):
        assert rooms.see(point) == here[0]


@given(jitter)
def test_a_robot_in_a_doorway_stays_in_one_room(steps: list[float]) -> None:
    rooms = tracker()
    rooms.see((3.0, 2.0))
    assert {rooms.see((4.0 + step, 2.0)) for step in steps} == {"left"}
    assert rooms.see((4.0 + MARGIN * 1.01, 2.0)) == "right"
    assert {rooms.see((4.0 + step, 2.0)) for step in steps} == {"right"}


def test_who_drove_there_knows_better_than_the_margin() -> None:
    rooms = tracker()
    rooms.see((3.0, 2.0))
    assert rooms.see((4.1, 2.0)) == "left"
    rooms.arrive("right")
    assert rooms.see((4.1, 2.0)) == "right"
    assert rooms.see((1.0, 2.0)) == "left"


def test_another_map_is_followed_in_the_room_of_the_same_name() -> None:
    rooms = tracker()
    rooms.see((3.0, 2.0))
    rooms.follow(SemanticMap((replace(LEFT, polygon=((0, 0), (3.5, 0), (3.5, 4), (0, 4))),)))
    assert rooms.room == "left"
    assert rooms.see((3.5 + MARGIN * 0.99, 2.0)) == "left"
    assert rooms.see((3.5 + MARGIN * 1.01, 2.0)) is None
    rooms.see((3.0, 2.0))
    rooms.follow(SemanticMap((RIGHT,)))
    assert rooms.room is None
    rooms.arrive("left")
    assert rooms.room is None, "it went while somebody drove there"


def test_a_room_without_an_outline_is_a_disc_and_an_outline_wins_over_it() -> None:
    rooms = tracker()
    assert rooms.see((13.0, 2.0)) == "dock"
    assert rooms.see((13.7, 2.0)) == "dock"
    assert rooms.see((14.0, 2.0)) is None
    assert rooms.see((7.0, 3.0)) == "right"
    rooms.arrive("nook")
    assert rooms.see((7.0, 3.0)) == "right"


def test_of_rooms_that_overlap_the_first_counts_as_everywhere_else() -> None:
    alcove = Room("alcove", (), Pose(0.5, 1, 0), ((0, 0), (3, 0), (3, 2), (0, 2)))
    around = Room("living room", (), Pose(4, 3, 0), ((0, 0), (6, 0), (6, 5), (0, 5)))
    both = SemanticMap((alcove, around))
    point = (2.5, 1.0)  # nearer to the pose of the room around
    assert holding_room(both, point, RADIUS) is alcove and both.room_at(*point) == "alcove"
    rooms = RoomOfPose(both, MARGIN, RADIUS)
    walk = ((4.0, 3.0), (2.8, 1.0), point, (3.2, 1.0), (3.4, 1.0))
    assert [rooms.see(at) for at in walk] == [
        "living room", "living room", "alcove", "alcove", "living room",
    ]  # fmt: skip


def test_nobody_knows_where_the_robot_is_before_the_first_pose() -> None:
    assert tracker().room is None
