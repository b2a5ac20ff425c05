"""Scenes, and what tasks in them speak of."""

import random

import pytest

from roboinstruct_ros.learn.draw import DoesNotFit, Draw, Split, until
from roboinstruct_ros.learn.pairs import buildings, scenes, words
from roboinstruct_ros.learn.pairs.ambiguous import draw_question
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.surroundings import Spot

HOME = Scene(
    (
        "kitchen",
        "living room",
        "Guest Bedroom",
        "main bedroom",
        "Bob's office",
        "hallway",
        "bedroom 2",
    ),
    ("Grandma", "Bob", "nurse"),
    ("apple", "bottle of water"),
    here="hallway",
)


def draws(count: int, split: Split = Split.TRAIN) -> list[Draw]:
    return [Draw(random.Random(seed), split) for seed in range(count)]


def test_a_scene_has_different_rooms_a_kind_and_stands_in_one_of_them() -> None:
    for draw in draws(300):
        scene = buildings.draw_scene(draw)

        assert len(set(scene.rooms)) == len(scene.rooms) >= 3
        assert len(set(scene.things)) == len(scene.things)
        assert scene.here in scene.rooms
        assert buildings.kinds_of(scene.rooms)


def test_the_same_state_of_chance_gives_the_same_scene_and_words() -> None:
    def made(draw: Draw) -> list[object]:
        scene = buildings.draw_scene(draw)
        parts = (scenes.a_room, scenes.a_thing, scenes.a_person, scenes.a_kind, scenes.a_wide_word)
        return [scene, *(part(draw, scene) for part in parts)]

    assert list(map(made, draws(50))) == list(map(made, draws(50)))


def test_learning_never_sees_held_names() -> None:
    for draw in draws(500):
        scene = buildings.draw_scene(draw)
        thing, person = scenes.a_thing(draw, scene), scenes.a_person(draw, scene)
        named = [*scene.rooms, *scene.people, *scene.things, scene.holding, thing.name, person.name]

        assert not {name.lower() for name in named} & {name.lower() for name in words.HELD}


def test_unseen_names_are_drawn_from_the_held_words() -> None:
    scene = buildings.draw_scene(draws(1, Split.UNSEEN_NAMES)[0])

    assert all(map(words.is_held, scene.things))


def test_a_room_is_spelt_as_the_map_spells_it_whatever_it_is_called() -> None:
    rooms = [scenes.a_room(draw, HOME, but=("kitchen",)) for draw in draws(300)]

    assert {room.name for room in rooms} == {*HOME.rooms} - {"kitchen"}
    assert "the lounge" in {room.the for room in rooms if room.name == "living room"}
    assert "the guest bedroom" in {room.the for room in rooms if room.name == "Guest Bedroom"}
    assert "Bob's office" in {room.the for room in rooms}


def test_an_alias_that_could_mean_two_rooms_is_not_said() -> None:
    scene = Scene(("storage room", "break room", "staff room"))

    said = {(room.the, room.name) for room in (scenes.a_room(draw, scene) for draw in draws(300))}

    assert ("the staff room", "break room") not in said
    assert ("the coffee room", "break room") in said


def test_where_nothing_is_told_the_program_copies_what_was_said() -> None:
    for draw in draws(200):
        scene = buildings.draw_scene(draw)
        room = scenes.a_room(draw, scene)
        if not scene.told:
            assert room.the.removeprefix("the ") == room.name


def test_a_kind_is_in_two_rooms_of_the_map() -> None:
    for draw in draws(100):
        kind = scenes.a_kind(draw, HOME)
        assert kind.plural == "bedrooms"


def test_people_are_called_as_people_call_them() -> None:
    people = [scenes.a_person(draw, HOME) for draw in draws(200)]
    called = {(each.name, each.who) for each in people}

    assert {("nurse", "the nurse"), ("Grandma", "my grandma"), ("Bob", "Bob")} <= called
    assert {each.he for each in people if each.name == "Grandma"} == {"she"}


def test_a_kind_is_spelt_as_the_map_spells_it() -> None:
    scene = Scene(("meeting_room_1", "meeting_room_2", "hall"))

    kinds = {scenes.a_kind(draw, scene) for draw in draws(20)}
    rooms = {scenes.a_room(draw, scene).the for draw in draws(50)}

    assert {(each.name, each.plural) for each in kinds} == {("meeting_room", "meeting rooms")}
    assert "meeting room 2" in rooms


def test_what_is_left_is_drawn_and_an_exhausted_list_is_said() -> None:
    draw = draws(1, Split.UNSEEN_NAMES)[0]
    museum = words.BUILDINGS["museum"]
    found = (each.name for kind in museum.things for each in words.CLASSES[kind].of(draw))
    names = tuple(dict.fromkeys(found))
    scene = Scene(museum.rooms.train[:6], things=names)

    assert scenes.a_thing(draw, scene, names[1:]).name == names[0]
    with pytest.raises(DoesNotFit, match="no other thing than"):
        scenes.a_thing(draw, scene, names)
    with pytest.raises(DoesNotFit, match="nothing fits among 50 draws"):
        until(lambda: draw.one(("Bob", "Anna")), lambda who: who == "Maria", 50)


def test_a_question_is_found_where_all_people_have_titles() -> None:
    people = ("Dr. Costa", "Mrs. Weber", "guest")
    scene = Scene((*HOME.rooms, "Dr. Costa's room"), people, told=True)
    for draw in draws(60):
        _, (_, _, program) = draw_question(draw, Spot(draw, scene), False)
        assert "# Question: " in program
        assert not any(f"Which {name}" in program for name in people)
