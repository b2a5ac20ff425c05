"""A world is made of what a recorded run met, and answers as it did until another call is made."""

from __future__ import annotations

from pathlib import Path

from recorded_runs import recorded
from stage import BLOCKED, FakeSkills

from roboinstruct_ros.domain.files.world_file import World
from roboinstruct_ros.domain.semantic_map import parse_semantic_map
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.skill_servers.sim.house import House, Journey
from roboinstruct_ros.skill_servers.sim.rebuilt import rebuilt_world
from roboinstruct_ros.skill_servers.sim.recording import Recording, fault_of
from roboinstruct_ros.trace.run_trace import read_trace

BODY = """\
start = get_current_location()
go_to("kitchen")
pick("apple")
go_to("study")
if is_in_room("banana"):
    say(ask("Bob", "Do you want it?", ["yes", "no"]))"""

PLACES = """\
rooms:
  - {name: kitchen, pose: {x: 3, y: 1}, polygon: [[0, 0], [5, 0], [5, 3], [0, 3]]}
  - {name: dock, pose: {x: 0.5, y: 0.5}}
  - {name: shelf, pose: {x: 0.9, y: 0.5}}
  - {name: hall, pose: {x: 8, y: 1}, polygon: [[5, 0], [8.2, 0], [8.2, 3], [7, 3], [7, 2], [5, 2]]}
  - {name: study, pose: {x: 8.3, y: 1}, polygon: [[8.2, 0], [9, 0], [9, 3], [8.2, 3]]}
"""


def world_of(folder: Path, body: str, skills: FakeSkills, **options: object) -> World:
    path, _ = recorded(folder / "bag", body, skills, **options)  # type: ignore[arg-type]
    return rebuilt_world(read_trace(path))


def test_things_and_people_are_where_they_were_met(tmp_path: Path) -> None:
    met = {"get_current_location": "garage", "is_in_room": True, "ask": "no"}
    skills = FakeSkills({skill: SkillOutcome(value) for skill, value in met.items()})
    house = House(world_of(tmp_path, BODY, skills))
    assert house.current_location() == "garage"
    assert {(thing.name, thing.room) for thing in house.things} == {
        ("apple", "kitchen"), ("banana", "study"),
    }  # fmt: skip
    (bob,) = house.people
    assert (bob.name, bob.room) == ("Bob", "study")
    assert house.answer(bob, "Do you want it?", ["yes", "no"]) == "no"
    assert all(isinstance(house.go_to(room), Journey) for room in house.map.room_names)


def test_rooms_are_those_that_were_named_where_there_was_no_map(tmp_path: Path) -> None:
    skills = FakeSkills({"get_current_location": SkillOutcome("dock")})
    body = 'start = get_current_location()\ngo_to("kitchen")\ngo_to(start)'
    house = House(world_of(tmp_path, body, skills, semantic_map=None))
    assert house.map.room_names == ("dock", "kitchen") and house.current_location() == "dock"


def test_a_place_within_a_room_is_a_room_beside_it(tmp_path: Path) -> None:
    """A map may have it: a place without an outline, or one beside a room that is not convex."""
    rooms = parse_semantic_map(PLACES, "map.yaml")
    body = 'go_to("dock")\ngo_to("kitchen")'
    house = House(world_of(tmp_path, body, FakeSkills(), semantic_map=rooms))
    assert house.map.room_names == rooms.room_names
    at = [(room.pose.x, room.pose.y) for room in rooms.rooms]
    assert tuple(house.map.room_at(*pose) for pose in at) == rooms.room_names


def test_calls_go_as_recorded_up_to_the_first_other_one(tmp_path: Path) -> None:
    skills = FakeSkills({"go_to": BLOCKED})
    body = 'say("one")\ngo_to("kitchen")'
    recording = Recording(world_of(tmp_path, body, skills).recorded)
    first, second = recording.next("say", ["one"]), recording.next("go_to", ["kitchen"])
    assert first is not None and fault_of(first) is None
    assert second is not None
    fault = fault_of(second)
    assert fault is not None and fault.code is SkillErrorCode.NAVIGATION_BLOCKED
    assert recording.next("say", ["more"]) is None
    recording = Recording(world_of(tmp_path / "again", body, skills).recorded)
    assert recording.next("say", ["two"]) is None
    assert recording.next("say", ["one"]) is None
