"""Room names are found by name and alias, and suggested when misspelt."""

from __future__ import annotations

import math
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.semantic_map import (
    Pose,
    Room,
    SemanticMap,
    contains,
    distance_outside,
    load_semantic_map,
)

HOME = load_semantic_map(shared_file("config/worlds/home.yaml"))
SQUARE = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))


def test_names_and_aliases_resolve_whatever_their_case() -> None:
    assert HOME.resolve("Kitchen") == "kitchen"
    assert HOME.resolve("  LOUNGE ") == "living room"
    assert HOME.resolve("moon") is None


def test_an_accent_may_be_coded_in_two_ways(tmp_path: Path) -> None:
    apart, whole = "Cafe\u0301", "Caf\u00e9"
    path = tmp_path / "map.yaml"
    path.write_text(f"rooms:\n- {{name: {apart}, pose: {{x: 1, y: 2}}}}\n", encoding="utf-8")
    rooms = load_semantic_map(path)
    assert rooms.resolve(apart) == rooms.resolve(whole) == whole
    assert Instruction.checked(f"Go to the {apart}").text == f"Go to the {whole}"


@pytest.mark.parametrize("character", ["\\u200b", "\\e", "\\L", "\\u202e"])
def test_a_name_with_what_nobody_sees_is_refused(character: str, tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(f'rooms:\n- {{name: "ha{character}ll", pose: {{x: 1, y: 2}}}}\n')
    with pytest.raises(ConfigError, match=r"map.yaml:2: rooms\[0\].name: expected .* without U\+"):
        load_semantic_map(path)


def test_a_misspelt_room_has_neighbours() -> None:
    assert HOME.nearest("kichen")[0] == "kitchen"
    assert HOME.nearest("livingroom")[0] == "living room"
    assert HOME.nearest("xyzzy") == ()


@pytest.mark.parametrize("name", ["bakery", "garden", "printer room", "lab 2"])
def test_what_is_only_spelt_a_little_alike_is_not_near(name: str) -> None:
    assert HOME.nearest(name) == ()


def test_rooms_of_its_kind_are_near_to_a_room() -> None:
    lab = load_semantic_map(shared_file("config/worlds/lab.yaml"))
    assert set(lab.nearest("physics lab")) < {room for room in lab.room_names if "lab" in room}
    assert len(lab.nearest("room")) == 3 and all("room" in room for room in lab.nearest("room"))


def test_room_at_tells_where_a_point_lies() -> None:
    assert HOME.room_at(10.0, 2.0) == "kitchen"
    assert HOME.room_at(-5.0, 2.0) is None


@given(st.floats(-1, 3), st.floats(-1, 3))
def test_a_square_contains_what_it_should(x: float, y: float) -> None:
    if min(abs(v) for v in (x, y, x - 2, y - 2)) > 0.01:
        assert contains(SQUARE, (x, y)) == (0 < x < 2 and 0 < y < 2)


@given(st.lists(st.text(min_size=1, max_size=8), unique_by=str.casefold, max_size=5), st.text())
def test_nearest_and_resolve_agree_with_the_names(names: list[str], asked: str) -> None:
    rooms = SemanticMap(tuple(Room(name, (), Pose(0, 0, 0)) for name in names))
    assert set(rooms.nearest(asked)) <= set(rooms.room_names)
    assert rooms.resolve(asked) is None or rooms.resolve(asked) in names


def test_a_robots_map_may_leave_outlines_out(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("rooms:\n- {name: hall, pose: {x: 1, y: 2}}\n")
    assert load_semantic_map(path).room("Hall").pose == Pose(1.0, 2.0, 0.0)


def test_a_map_says_what_may_be_tried(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("examples: [Go  home]\nrooms:\n- {name: hall, pose: {x: 1, y: 2}}\n")
    assert load_semantic_map(path).examples == ("Go home",)


def test_two_rooms_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    room = "- {name: %s, aliases: [%s], pose: {x: 1, y: 2}}\n"
    path.write_text("rooms:\n" + room % ("hall", "lobby") + room % ("Lobby", "foyer"))
    with pytest.raises(ConfigError, match=r"map.yaml:3: rooms\[1\].name: .*room 'hall'"):
        load_semantic_map(path)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("frame: odom", r"map.yaml:1: frame: expected a value 'map'"),
        ("knwon: {people: []}", r"map.yaml:1: knwon: unknown field; did you mean 'known'"),
        ("color: red", r"map.yaml:1: color: unknown field"),
        ("examples: go home", r"map.yaml:1: examples: expected a list"),
        ("examples: [Go home, '!']", r"map.yaml:1: examples\[1\]: .* has no words"),
        (f"examples: [{'x' * 201}]", r"map.yaml:1: examples\[0\]: "),
        (f"examples: [{', '.join(['Go home'] * 7)}]", r"map.yaml:1: examples: "),
    ],
)
def test_what_a_map_cannot_say_is_refused(line: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(f"{line}\nrooms:\n- {{name: hall, pose: {{x: 1, y: 2}}}}\n")
    with pytest.raises(ConfigError, match=told):
        load_semantic_map(path)


def test_a_corner_too_far_away_to_be_computed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    corners = "[[0, 0], [1.0e+200, 0], [0, 1]]"
    path.write_text(f"rooms:\n- name: hall\n  pose: {{x: 0, y: 0}}\n  polygon: {corners}\n")
    with pytest.raises(ConfigError, match=r"map.yaml:4: rooms\[0\].polygon\[1\]\[0\]: expected"):
        load_semantic_map(path)


def test_a_pose_outside_its_room_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    room = "- name: hall\n  pose: {x: 9, y: 9}\n  polygon: [[0, 0], [2, 0], [2, 2], [0, 2]]\n"
    path.write_text("rooms:\n" + room)
    with pytest.raises(ConfigError, match=r"map.yaml:3: rooms\[0\].pose: lies outside"):
        load_semantic_map(path)


@pytest.mark.parametrize(
    ("polygon", "crosses"),
    [
        ("[[0, 0], [2, 2], [2, 0], [0, 2]]", True),
        ("[[0, 2], [1.2, -1.6], [-1.9, 0.6], [1.9, 0.6], [-1.2, -1.6]]", True),  # turns one way
        ("[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]", False),  # the first corner once more
        ("[[0, 0], [4, 0], [4, 1], [1, 1], [1, 4], [0, 4]]", False),
    ],
)
def test_an_outline_whose_walls_cross_is_refused(
    polygon: str, crosses: bool, tmp_path: Path
) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(f"rooms:\n- name: a\n  pose: {{x: 0.1, y: 0.1}}\n  polygon: {polygon}\n")
    told = r"map.yaml:4: rooms\[0\].polygon: its walls cross; list the corners in order around it"
    with pytest.raises(ConfigError, match=told) if crosses else nullcontext():
        load_semantic_map(path)


def test_a_pose_in_degrees_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("rooms:\n- name: hall\n  pose: {x: 1, y: 1, yaw: 90}\n")
    told = r"map.yaml:3: rooms\[0\].pose.yaw: 90 rad is more than a turn; 90 degrees are 1.571 rad"
    with pytest.raises(ConfigError, match=told):
        load_semantic_map(path)


def test_a_pose_where_another_room_is_found_is_refused(tmp_path: Path) -> None:
    hall = "- name: hall\n  pose: {x: 4, y: 4}\n  polygon: [[0, 0], [5, 0], [5, 5], [0, 5]]\n"
    dock = "- name: dock\n  pose: {x: 1, y: 1}\n  polygon: [[0, 0], [2, 0], [2, 2], [0, 2]]\n"
    path = tmp_path / "map.yaml"
    path.write_text("rooms:\n" + hall + dock)
    told = r"map.yaml:6: rooms\[1\].pose: lies in 'hall' too; .*, or list 'dock' before it"
    with pytest.raises(ConfigError, match=told):
        load_semantic_map(path)
    path.write_text("rooms:\n" + hall + "- {name: desk, pose: {x: 1, y: 1}}\n")
    assert load_semantic_map(path).resolve("desk") == "desk", "a place without an outline"
    path.write_text("rooms:\n" + dock + hall)
    assert load_semantic_map(path).room_at(1, 1) == "dock"


@given(st.floats(-5, 7), st.floats(-5, 7))
def test_the_distance_outside_a_square_is_that_to_its_nearest_point(x: float, y: float) -> None:
    near = (min(2.0, max(0.0, x)), min(2.0, max(0.0, y)))
    assert distance_outside(SQUARE, (x, y)) == pytest.approx(math.dist(near, (x, y)), abs=2e-3)


def test_a_missing_shipped_file_names_the_places() -> None:
    with pytest.raises(FileNotFoundError, match=r"looked in .*share/roboinstruct"):
        shared_file("config/worlds/atlantis.yaml")
