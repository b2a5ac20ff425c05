"""Changes of a map's text: what is meant, and nothing else in the file."""

from __future__ import annotations

import difflib
from typing import Any

import pytest
from pydantic import TypeAdapter

from roboinstruct_ros.domain.configuration import parse_yaml
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_file import World
from roboinstruct_ros.domain.semantic_map import parse_semantic_map
from roboinstruct_ros.web.engineer.map_change import ChangeRefused, MapChange, changed

HOME = shared_file("config/worlds/home.yaml").read_text()
MAP = """\
# The lab, by Ann.
rooms:
  - name: bay  # where it charges
    pose:
      x: 1.0  # m
      y: 2.0
    aliases:
    - dock
  - {name: hall, pose: {x: 4, y: 2}}

known:
  objects: [cup, box]  # all there are
"""
CHANGE: TypeAdapter[MapChange] = TypeAdapter(MapChange)


def change(text: str, do: str, **more: Any) -> str:
    return changed(text, CHANGE.validate_python({"do": do, **more}))


def lines_changed(before: str, after: str) -> list[str]:
    diff = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in diff if line[0] in "+-"]


def test_a_room_is_placed_on_its_own_line() -> None:
    after = change(HOME, "place_room", room="kitchen", x=9.5, y=1.25, yaw=0.5)
    assert lines_changed(HOME, after) == [
        "-     pose: {x: 10, y: 2.5, yaw: -1.57}",
        "+     pose: {x: 9.5, y: 1.25, yaw: 0.5}",
    ]


def test_a_room_is_renamed_wherever_the_world_names_it() -> None:
    after = change(HOME, "rename_room", room="hallway", name="long: hall")
    world = parse_yaml(after, "home.yaml", World)
    assert world.start == world.rooms[0].name == world.doors[0].between[0] == "long: hall"
    assert world.objects[0].room == "long: hall"
    assert "hallway" not in after.partition("rooms:")[2]
    assert after.startswith("# A family home: ten rooms along one hallway.")


def test_other_names_are_set_where_there_were_some_and_where_there_were_none() -> None:
    after = change(MAP, "set_aliases", room="bay", aliases=["dock", "yes"])
    after = change(after, "set_aliases", room="hall", aliases=["aisle"])
    rooms = parse_semantic_map(after, "map.yaml").rooms
    assert [room.aliases for room in rooms] == [("dock", "yes"), ("aisle",)]
    after = change(HOME.replace("    aliases: [carport]\n", ""), "set_aliases", room="garage",
                   aliases=["carport"])  # fmt: skip
    assert parse_semantic_map(after, "home.yaml").resolve("carport") == "garage"


def test_a_room_is_added_to_a_robots_map_and_removed_again() -> None:
    after = change(MAP, "add_room", name="store", x=7.5, y=1, yaw=0.5)
    assert len(lines_changed(MAP, after)) == 1
    room = parse_semantic_map(after, "map.yaml").room("store")
    assert (room.pose.x, room.pose.y, room.pose.yaw, room.polygon) == (7.5, 1.0, 0.5, ())
    assert change(after, "remove_room", room="store") == MAP
    after = change(MAP, "remove_room", room="bay")
    assert parse_semantic_map(after, "map.yaml").room_names == ("hall",)
    assert "# all there are" in after


def test_a_room_of_a_world_takes_its_doors_with_it() -> None:
    with pytest.raises(ChangeRefused, match=r"'garage' still has hammer, .* and 4 more; give them"):
        change(HOME, "remove_room", room="garage")
    with pytest.raises(ChangeRefused, match="'hallway' still has the robot at its start"):
        change(HOME, "remove_room", room="hallway")
    things = parse_yaml(HOME, "home.yaml", World).objects
    after = HOME
    for index in reversed([i for i, one in enumerate(things) if one.room == "garage"]):
        after = change(after, "remove", what="objects", index=index)
    after = change(after, "remove_room", room="garage")
    world = parse_yaml(after, "home.yaml", World)
    assert "garage" not in {room.name for room in world.rooms}
    doors = parse_yaml(HOME, "home.yaml", World).doors
    assert world.doors == tuple(door for door in doors if "garage" not in door.between) != doors
    rooms = "- {name: a, pose: {x: 1, y: 1}}\n- {name: b, pose: {x: 3, y: 1}}\n"
    two = f"name: w\nstart: a\nrooms:\n{rooms}doors:\n- {{between: [a, b], at: [2, 1]}}\n"
    alone = change(two, "remove_room", room="b")
    assert "doors: []" in alone


def test_comments_stay() -> None:
    after = change(MAP, "rename_room", room="bay", name="port")
    after = change(after, "place_room", room="port", x=0.0, y=0.0, yaw=1.0)
    after = change(after, "add", what="objects", name="jar")
    for comment in ("# The lab, by Ann.", "# where it charges", "# all there are"):
        assert comment in after
    assert parse_semantic_map(after, "map.yaml").objects == ("cup", "box", "jar")


def test_people_and_things_of_a_robots_map_are_names() -> None:
    after = change(MAP, "change", what="objects", index=0, name="mug")
    after = change(after, "remove", what="objects", index=1)
    after = change(after, "add", what="people", name="Ann")
    rooms = parse_semantic_map(after, "map.yaml")
    assert (rooms.objects, rooms.people) == (("mug",), ("Ann",))
    open_map = MAP.partition("\nknown")[0]
    after = change(open_map, "add", what="people", name="Bob")
    rooms = parse_semantic_map(after, "map.yaml")
    assert (rooms.objects, rooms.people) == (None, ("Bob",))


def test_people_and_things_of_a_world_are_somewhere() -> None:
    after = change(HOME, "change", what="people", index=1, name="Robert", room="garage")
    after = change(after, "add", what="objects", name="chess set", room="study")
    after = change(after, "add", what="people", name="Dr. Who", room="kitchen")
    after = change(after, "remove", what="objects", index=0)
    world = parse_yaml(after, "home.yaml", World)
    assert (world.people[1].name, world.people[1].room) == ("Robert", "garage")
    assert len(world.people[1].answers) == 3
    assert world.objects[-1].name == "chess set" and world.objects[0].name == "coat"
    assert world.people[-1].room == "kitchen"


def test_the_last_entry_leaves_an_empty_list() -> None:
    after = change(MAP, "remove", what="objects", index=0)
    after = change(after, "remove", what="objects", index=0)
    assert parse_semantic_map(after, "map.yaml").objects == ()
    after = change(after, "add", what="objects", name="cup")
    assert parse_semantic_map(after, "map.yaml").objects == ("cup",)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"do": "rename_room", "room": "bar", "name": "x"}, "no room is named 'bar'"),
        ({"do": "remove_room", "room": "bar"}, "no room is named 'bar'"),
        ({"do": "remove", "what": "objects", "index": 7}, "no entry 8 among the objects"),
        ({"do": "change", "what": "people", "index": 0, "name": "x"}, "no entry 1 among"),
    ],
)
def test_what_is_not_there_cannot_be_changed(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(ChangeRefused, match=told):
        changed(MAP, CHANGE.validate_python(asked))


def test_a_world_gets_no_room_without_walls_and_no_map_is_without_a_room() -> None:
    with pytest.raises(ChangeRefused, match="needs an outline and a door"):
        change(HOME, "add_room", name="attic", x=1, y=1)
    last = change(MAP, "remove_room", room="hall")
    with pytest.raises(ChangeRefused, match="it is the only room"):
        change(last, "remove_room", room="bay")


def test_a_file_that_says_one_thing_for_two_is_left_to_its_author() -> None:
    shared = "rooms:\n- {name: bay, pose: &here {x: 1, y: 2}}\n- {name: hall, pose: *here}\n"
    with pytest.raises(ChangeRefused, match="change it by hand"):
        change(shared, "place_room", room="bay", x=3, y=4)
