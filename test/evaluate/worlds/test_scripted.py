"""A scripted world lets a call be, or fail, as the simulated house does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboinstruct_ros.domain.files.world_file import World, load_world
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.evaluate.worlds.scripted import Facts, Failure, ScriptedWorld
from roboinstruct_ros.evaluate.worlds.trials import Run, Trials
from roboinstruct_ros.sandbox.namespace import SkillError
from roboinstruct_ros.skill_servers.kit.fault import Fault, empty_argument
from roboinstruct_ros.skill_servers.sim.house import House, Journey

ROOMS = {"kitchen": "kitchen", "hall": "hall"}


def facts(**given: Any) -> Facts:
    here = {"kitchen": ["cup", "plate", "Bob"], "hall": ["Eve@3"]}
    given = {"here": here, "people": ("Bob", "Eve"), "people_are_placed": True, **given}
    return Facts(ROOMS, "kitchen", **given)


def error_of(world: ScriptedWorld, skill: str, *arguments: Any) -> str:
    try:
        getattr(world, skill)(*arguments)
    except SkillError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("skill", "arguments", "code"),
    [
        ("go_to", ("moon",), "unknown_location"),
        ("pick", ("spoon",), "object_not_found"),
        ("pick", ("Bob",), "object_not_found"),
        ("place", ("cup",), "hand_empty"),
        ("ask", ("Eve", "Well?", ["yes"]), "person_not_found"),
        ("ask", ("Bob", "Well?", []), "invalid_argument"),
        ("say", (" ",), "invalid_argument"),
        ("say", (3,), "invalid_argument"),
    ],
)
def test_a_call_that_cannot_be_fails_with_the_code_of_a_robot(
    skill: str, arguments: tuple[Any, ...], code: str
) -> None:
    world = ScriptedWorld(facts())
    assert error_of(world, skill, *arguments) == code
    assert [(one.skill, one.error) for one in world.made] == [(skill, code)]
    assert not world.calls


def test_a_hand_holds_one_thing() -> None:
    world = ScriptedWorld(facts(holding="tray"))
    assert error_of(world, "pick", "cup") == "hand_full"
    assert error_of(world, "place", "cup") == "hand_empty"
    assert error_of(world, "place", "the tray") == ""
    assert error_of(world, "pick", "cups") == ""


def test_who_comes_later_is_asked_later() -> None:
    world = ScriptedWorld(facts(answers={"Eve": ["no"]}))
    world.go_to("hall")
    world.say("Is anybody there?")
    assert error_of(world, "ask", "Eve", "Well?", ["yes", "no"]) == "person_not_found"
    assert [world.is_in_room("person") for _ in range(3)] == [False, False, True]
    assert world.ask("somebody", "Well?", ["Yes", "No"]) == "No"


def test_the_first_calls_fail_that_could_be_made() -> None:
    failing = Failure("pick", "grasp_failed", "*cup*", 2)
    world = ScriptedWorld(facts(fails=(failing,)))
    tried = [error_of(world, "pick", name) for name in ("spoon", "plate")]
    world.place("plate")
    tried += [error_of(world, "pick", "cup") for _ in range(3)]
    assert tried == ["object_not_found", "", "grasp_failed", "grasp_failed", ""]


def test_who_has_left_is_not_there_any_more() -> None:
    world = ScriptedWorld(facts(fails=(Failure("ask", "person_left"),)))
    ask = ("ask", "Bob", "Well?", ["yes"])
    assert error_of(world, *ask) == "person_left"
    assert error_of(world, *ask) == "person_not_found"
    assert not world.is_in_room("Bob")


# In the child.


def run(trials: Trials, body: str, **given: Any) -> Run:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return trials.run(f"def task_program():\n{lines}", [facts(**given)])[0]


RETRY = """\
for attempt in range(3):
    try:
        pick("cup")
        break
    except SkillError as error:
        say(error.code)"""


def test_a_program_that_catches_a_failure_goes_on(trials: Trials) -> None:
    done = run(trials, RETRY, fails=(Failure("pick", "grasp_failed", times=2),))
    assert done.calls == ["say grasp_failed", "say grasp_failed", "pick cup"]
    assert [one.error for one in done.made if one.skill == "pick"] == ["grasp_failed"] * 2 + [""]
    assert not done.fault


def test_a_failure_that_nothing_catches_is_told_with_its_call(trials: Trials) -> None:
    done = run(trials, 'pick("spoon")')
    assert done.fault == (
        "pick('spoon') fails and nothing catches it: object_not_found, no spoon in kitchen"
    )


def test_no_program_catches_that_it_does_not_end(trials: Trials) -> None:
    body = 'while True:\n    try:\n        pick("spoon")\n    except Exception:\n        pass'
    assert run(trials, body).fault == "it does not end"


# The same calls in both houses.

HOME: World = load_world(find_world("home"))
NAMES = ["apple", "the mug", "Keys", "cup", "Jack", "Emma", "person", "nobody here", " "]
PLACES = [*(room.name for room in HOME.rooms), "cellar", "library", ""]
CALLS = st.one_of(
    st.tuples(st.just("go_to"), st.sampled_from(PLACES)),
    st.tuples(
        st.sampled_from(["pick", "place", "is_in_room"]),
        st.sampled_from([*NAMES, *(one.name for one in HOME.objects)]),
    ),
    st.tuples(st.just("ask"), st.sampled_from(["", *NAMES]), st.just("?"), st.just(["a", "b"])),
    st.tuples(st.just("say"), st.sampled_from(["hello", ""])),
)


def in_the_house(house: House, skill: str, *arguments: Any) -> object:
    """The code of the failure, else the answer to a look."""
    if skill == "say":
        found: object = None if arguments[0].strip() else empty_argument("message")
    elif skill == "ask":
        found = house.find_person(*arguments)
    else:
        found = getattr(house, skill)(*arguments)
    if isinstance(found, Journey):
        house.pose = found.motion.pose_at(found.motion.duration)
    if isinstance(found, Fault):
        return found.code.name.lower()
    return found if skill == "is_in_room" else ""


def in_the_script(world: ScriptedWorld, skill: str, *arguments: Any) -> object:
    try:
        found = getattr(world, skill)(*arguments)
    except SkillError as error:
        return error.code
    return found if skill == "is_in_room" else ""


def script_of(world: World) -> Facts:
    rooms = {folded(name): room.name for room in world.rooms for name in (room.name, *room.aliases)}
    things = [(one.room, one.name) for one in world.objects for _ in range(one.count)]
    things += [(one.room, one.name) for one in world.people]
    here = {
        room.name: [name for place, name in things if place == room.name] for room in world.rooms
    }
    people = [person.name for person in world.people]
    return Facts(rooms, world.start, people, here, people_are_placed=True)


@settings(max_examples=60, deadline=None)
@given(st.lists(CALLS, max_size=25))
def test_both_worlds_answer_alike(calls: list[tuple[Any, ...]]) -> None:
    house, script = House(HOME), ScriptedWorld(script_of(HOME))
    for call in calls:
        assert in_the_script(script, *call) == in_the_house(house, *call), call
        assert script.room == house.current_location()
        assert (script.hand and script.hand.name) == (house.held and house.held.name)
