"""Grasps and places as geometry: frames, m and rad."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.domain.configuration import ConfigError, load_yaml
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.skill_servers.kit.rotation import (
    NO_TURN,
    UP,
    Placement,
    about,
    from_rpy,
    matrix_placement,
    multiply,
    rotate,
)
from roboinstruct_ros.skill_servers.moveit.grasp_config import (
    GraspEntry,
    GraspsEntry,
    GripperEntry,
    PlaceEntry,
)
from roboinstruct_ros.skill_servers.moveit.grasp_plan import (
    Box,
    free_spots,
    grasp_candidates,
    grasp_width,
    place_candidates,
)
from roboinstruct_ros.skill_servers.perception.object_name_match import ObjectNames

numbers = st.floats(-3.0, 3.0)
vectors = st.tuples(numbers, numbers, numbers)
turns = st.tuples(numbers, numbers, numbers).map(lambda rpy: from_rpy(*rpy))
placements = st.builds(Placement, vectors, turns)
GRIPPER = GripperEntry(open_width=0.08)


def near(a: tuple[float, ...], b: tuple[float, ...], apart: float = 1e-6) -> bool:
    return math.dist(a, b) < apart


@given(placements, placements)
def test_a_placement_and_its_inverse_cancel(outer: Placement, inner: Placement) -> None:
    back = outer.inverse().of(outer.of(inner))
    assert near(back.position, inner.position)
    assert near(rotate(back.orientation, UP), rotate(inner.orientation, UP))


@given(turns, vectors)
def test_axes_and_matrices_give_the_turn_back(
    turn: tuple[float, ...], at: tuple[float, ...]
) -> None:
    axes = [rotate(turn, axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), UP)]  # type: ignore[arg-type]
    matrix = [[axes[c][r] for c in range(3)] + [at[r]] for r in range(3)]
    placed = matrix_placement(matrix)
    assert near(rotate(placed.orientation, at), rotate(turn, at), 1e-5)  # type: ignore[arg-type]
    assert near(placed.position, at) and near(rotate(placed.orientation, UP), axes[2], 1e-5)


@given(placements, st.floats(0.02, 0.2), st.integers(1, 12), vectors, turns)
def test_every_grasp_comes_straight_at_the_thing_and_lifts_straight_up(
    where: Placement, approach: float, count: int, robot: tuple[float, ...], tool: tuple[float, ...]
) -> None:
    # a level thing: tilted ones are taken along the same axes
    thing = Box("apple", Placement(where.position, about(UP, where.yaw)), (0.07, 0.05, 0.1))
    entry = GraspEntry(approach=approach, turns=count, **{"from": ("top", "side")})
    yaw = Placement((0.0, 0.0, 0.0), tool).yaw  # type: ignore[arg-type]
    gripper = GripperEntry(open_width=0.08, tool_rpy=(0.3, -0.2, yaw))
    found = grasp_candidates(thing, entry, gripper, robot)  # type: ignore[arg-type]
    assert len(found) == 2 * count
    for index, candidate in enumerate(found):
        hand = multiply(candidate.grasp.orientation, from_rpy(*gripper.tool_rpy))
        out = rotate(hand, UP)
        came = [
            (g - b) / approach
            for g, b in zip(candidate.grasp.position, candidate.before.position, strict=True)
        ]
        assert near(tuple(came), out, 1e-4)
        assert near(out, (0.0, 0.0, -1.0), 1e-5) if index < count else abs(out[2]) < 1e-5
        assert near(candidate.grasp.position, thing.placement.position)
        lifted = candidate.after.position[2] - candidate.grasp.position[2]
        assert abs(lifted - entry.lift) < 1e-6
        assert candidate.after.position[:2] == pytest.approx(candidate.grasp.position[:2])
        assert candidate.before.orientation == candidate.grasp.orientation


@pytest.mark.parametrize(("size", "across"), [((0.2, 0.05, 0.1), 1), ((0.05, 0.2, 0.1), 0)])
def test_from_the_top_the_fingers_close_across_the_shorter_side(
    size: tuple[float, float, float], across: int
) -> None:
    thing = Box("box", Placement((1.0, 0.0, 0.5)), size)
    first = grasp_candidates(thing, GraspEntry(**{"from": ["top"]}), GRIPPER, (0.0, 0.0, 0.0))[0]
    fingers = rotate(first.grasp.orientation, (0.0, 1.0, 0.0))
    assert abs(fingers[across]) == pytest.approx(1.0)
    assert grasp_width(GraspEntry(), thing) == 0.05


def test_from_the_side_the_hand_comes_from_where_the_robot_stands() -> None:
    thing = Box("cup", Placement((2.0, 2.0, 0.8)), (0.07, 0.07, 0.1))
    entry = GraspEntry(**{"from": ["side"]})
    robot = (1.0, 1.0, 0.0)
    found = grasp_candidates(thing, entry, GRIPPER, robot)
    apart = [math.dist(candidate.before.position[:2], robot[:2]) for candidate in found]
    assert apart == sorted(apart)
    assert near(found[0].before.position, (2 - 0.1 / 2**0.5, 2 - 0.1 / 2**0.5, 0.8))


@given(placements, turns, vectors, st.floats(0.02, 0.2))
def test_a_placed_thing_stands_upright_just_above_its_spot(
    tip: Placement, turned: tuple[float, ...], spot: tuple[float, float, float], height: float
) -> None:
    yaw = Placement((0.0, 0.0, 0.0), turned).yaw  # type: ignore[arg-type]
    thing = Box("apple", Placement((1.0, 1.0, 0.8), about(UP, yaw)), (0.07, 0.05, height))
    grasps = GraspsEntry(gripper=GRIPPER)
    for candidate in place_candidates([spot], thing, tip, grasps, GraspEntry()):
        bottom = candidate.thing.position[2] - height / 2
        assert bottom == pytest.approx(spot[2] + grasps.place.clearance)
        assert candidate.thing.position[:2] == pytest.approx(spot[:2])
        # the hand holds it as it did when it took it
        held = candidate.release.inverse().of(candidate.thing)
        taken = tip.inverse().of(thing.placement)
        assert near(held.position, taken.position)
        assert near(rotate(candidate.thing.orientation, UP), UP)
        assert candidate.before.position[2] > candidate.release.position[2]
        back = math.dist(candidate.after.position, candidate.release.position)
        assert back == pytest.approx(GraspEntry().approach)


@given(st.floats(-3, 3), st.lists(st.tuples(st.floats(0.3, 1.3), st.floats(-0.5, 0.5)), max_size=4))
def test_spots_are_on_the_surface_in_reach_and_clear(
    yaw: float, others: list[tuple[float, float]]
) -> None:
    table = Box("table", Placement((0.8, 0.0, 0.35), about(UP, yaw)), (0.8, 1.2, 0.7))
    things = [Box("cup", Placement((x, y, 0.75)), (0.07, 0.07, 0.1)) for x, y in others]
    entry = PlaceEntry(reach=0.85, apart=0.12)
    spots = free_spots(table, things, (0.0, 0.0, 0.0), entry)
    for spot in spots:
        inside = table.placement.inverse().of(Placement(spot)).position
        assert abs(inside[0]) <= 0.4 and abs(inside[1]) <= 0.6
        assert spot[2] == pytest.approx(0.7)
        assert math.hypot(*spot[:2]) <= 0.85
        assert all(math.dist(spot[:2], other) >= 0.12 for other in others)
    apart = [math.hypot(*spot[:2]) for spot in spots]
    assert apart == sorted(apart)
    assert spots or others


def test_a_thing_is_taken_as_its_own_entry_or_that_of_its_kind_says() -> None:
    grasps = load_yaml(shared_file("config/grasps.yaml"), GraspsEntry)
    from roboinstruct_ros.skill_servers.perception.object_name_match import load_object_names

    names = load_object_names(shared_file("config/object_names.yaml"))
    assert grasps.grasp_of("Mug", names).width == 0.075  # type: ignore[union-attr]
    assert grasps.grasp_of("wine bottle", names).from_ == ("side", "top")  # type: ignore[union-attr]
    assert grasps.grasp_of("apple", names).lift == 0.1  # type: ignore[union-attr]
    assert grasps.grasp_of("sock", names) == grasps.defaults
    strict = grasps.model_copy(update={"unlisted": False})
    assert strict.grasp_of("sock", names) is None
    assert ObjectNames().canonical("socks") == "sock"
    assert from_rpy(0.0, 0.0, 0.0) == NO_TURN


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gripper: {open_width: 0.08}\nobjects: [{name: melon, width: 0.2}]", "objects[0].width"),
        ("gripper: {open_width: 0.08}\nobjects: [{name: a}, {name: A}]", "listed twice"),
        ("gripper: {open_width: 0.08, closed_width: 0.09}", "gripper.closed_width"),
        ("gripper: {open_width: wide}", "expected a number (m), got 'wide'"),
        ("gripper: {open_widht: 0.08}", "did you mean 'open_width'?"),
        ("gripper: {open_width: 0.08}\ndefaults: {from: [below]}", "defaults.from[0]"),
        ("gripper: {open_width: 0.08}\ndefaults: {approach: -1}", "defaults.approach"),
    ],
)
def test_a_bad_file_gets_one_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "grasps.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as fault:
        load_yaml(path, GraspsEntry)
    assert said in str(fault.value) and "\n" not in str(fault.value)
