"""The shipped worlds are sound floor plans, and a typo in a world is found and named."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_file import (
    World,
    load_world,
    on_border,
)
from roboinstruct_ros.domain.files.world_names import find_world, shipped_worlds
from roboinstruct_ros.domain.semantic_map import WORLD_FIELDS, Point
from roboinstruct_ros.skill_servers.sim.house import House

HOME = shared_file("config/worlds/home.yaml").read_text()


def shipped(name: str) -> World:
    return load_world(find_world(name))


def overlaps(first: Sequence[Point], second: Sequence[Point]) -> bool:
    """Do two convex rooms share floor? Rooms that only share a wall do not.

    Source: the separating axis theorem.
    """
    for polygon in (first, second):
        for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            length = math.hypot(bx - ax, by - ay) or 1.0
            nx, ny = (ay - by) / length, (bx - ax) / length
            spans = [[x * nx + y * ny for x, y in p] for p in (first, second)]
            if max(spans[0]) <= min(spans[1]) + 1e-6 or max(spans[1]) <= min(spans[0]) + 1e-6:
                return False
    return True


def test_three_worlds_ship() -> None:
    assert shipped_worlds() == ("home", "lab", "office")


@pytest.mark.parametrize("name", shipped_worlds())
def test_a_shipped_world_is_a_floor_plan(name: str) -> None:
    world = shipped(name)
    assert world.name == name
    for first, second in itertools.combinations(world.rooms, 2):
        assert not overlaps(first.polygon, second.polygon), (first.name, second.name)
    outlines = {room.name: room.polygon for room in world.rooms}
    for door in world.doors:
        assert all(on_border(outlines[room], door.at) for room in door.between)
    house = House(world)
    assert house.plan.reachable(world.start) == set(house.map.room_names)


def test_the_home_is_furnished() -> None:
    world = shipped("home")
    assert world.start == "hallway"
    for room in world.rooms:
        assert sum(thing.count for thing in world.objects if thing.room == room.name) >= 5
    assert len({person.room for person in world.people}) == 4


@pytest.mark.parametrize(
    ("before", "after", "field", "said"),
    [
        ("aliases", "aliasses", "rooms[0].aliasses", "did you mean 'aliases'?"),
        ("[hallway, kitchen]", "[hallway, kitchn]", "doors[2].between[1]", "mean 'kitchen'?"),
        ("apple, room: kitchen", "apple, room: kichen", "objects[7].room", "mean 'kitchen'?"),
        ("room: study\n    ans", "room: studdy\n    ans", "people[1].room", "mean 'study'?"),
        ("start: hallway", "start: halway", "start", "did you mean 'hallway'?"),
        ("at: [10, 5]", "at: [10, 4]", "doors[2].at", "not in a wall of 'hallway'"),
        ("speed: 1,", "speed: fast,", "robot.speed", "expected a number (m/s)"),
        ("name: garage", "name: Hall", "rooms[1].name", "already a name of room 'hallway'"),
        ("blocked: 0,", "blocked: 2,", "failures.navigation_blocked", "less than or equal to 1"),
        ("slipped: 0,", "slipped: [appel],", "failures.grasp_slipped[0]", "mean 'apple'?"),
        ("name: Bob", "name: alice", "people[1].name", "is there twice"),
        ("[22, 7], [0, 7]", "[22, 7], [18, 6.5], [0, 7]", "rooms[0].polygon", "is not convex"),
    ],
)
def test_a_fault_in_a_world_names_its_place(
    before: str, after: str, field: str, said: str, tmp_path: Path
) -> None:
    assert before in HOME
    path = tmp_path / "home.yaml"
    path.write_text(HOME.replace(before, after, 1))
    with pytest.raises(ConfigError) as caught:
        load_world(path)
    line = HOME[: HOME.index(before)].count("\n") + 1
    assert (caught.value.field, caught.value.line) == (field, line)
    assert said in str(caught.value)


def test_an_unknown_world_names_the_shipped_ones() -> None:
    with pytest.raises(ConfigError, match=r"home, lab, office.*did you mean 'office'\?"):
        find_world("ofice")


def test_the_world_in_the_docs_can_be_simulated(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "simulation.md"
    path = tmp_path / "flat.yaml"
    path.write_text(page.read_text().split("```yaml\n")[1].split("```")[0])
    house = House(load_world(path))
    assert house.plan.reachable("hall") == {"hall", "kitchen"}


def test_a_map_knows_every_field_of_a_world() -> None:
    assert {*World.model_fields} == {*WORLD_FIELDS, "frame", "rooms", "known", "examples"}
