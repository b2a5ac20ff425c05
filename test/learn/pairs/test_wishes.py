"""Wishes, people in turn and things that are looked for: what the programs do for the words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from calls import calls_of

from roboinstruct_ros.generate.prompts.surroundings import MOST_THINGS
from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.pairs import buildings, scenes, surroundings, words
from roboinstruct_ros.learn.pairs.compose import Clause, Make
from roboinstruct_ros.learn.pairs.flow import program_of
from roboinstruct_ros.learn.pairs.names import thing_called
from roboinstruct_ros.learn.pairs.parts import served, wishes
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.story import Story

HOME = Scene(
    rooms=("kitchen", "study", "bedroom 1", "bedroom 2", "Maria's office", "hallway"),
    people=("Bob", "Anna", "Carlos", "Maria"),
    things=("milk", "book", "apple", "bottle of water", "blanket"),
    here="study",
)
NAMES = re.compile(r"for item in (\[.*\]):")


def clauses(make: Make, count: int, scene: Scene = HOME) -> Iterator[Clause]:
    """Draws of one part in one scene."""
    drawn = 0
    for number in range(40 * count):
        try:
            yield make(Story(Draw(random.Random(number)), scene))
        except DoesNotFit:
            continue
        drawn += 1
        if drawn == count:
            return


def test_a_wide_word_becomes_different_names_and_those_of_the_map_come_first() -> None:
    drinks = [
        one for one in clauses(wishes.wide, 200) if "something to drink" in one.text
        and "from" not in one.text
    ]  # fmt: skip
    assert drinks
    for clause in drinks:
        match = NAMES.search(program_of(clause.steps))
        assert match and match[1].startswith('["milk", "bottle of water", '), clause.text
    for clause in clauses(wishes.wide, 100):
        names = re.findall(r'"(.*?)"', NAMES.findall(program_of(clause.steps))[0])
        assert 3 <= len(names) == len(set(names)) <= 5, clause.text


def test_names_that_the_prompt_cuts_off_are_no_candidates() -> None:
    many = tuple(f"box {number}" for number in range(MOST_THINGS))
    names = scenes.called_widely("something to read", replace(HOME, things=(*many, "atlas")))
    assert "atlas" not in names


def test_what_somebody_needs_follows_from_how_they_are() -> None:
    thirsty = [one for one in clauses(wishes.in_need, 200) if "thirsty" in one.text]
    assert thirsty
    for clause in thirsty:
        assert "water" in program_of(clause.steps), clause.text
        if "Maria is" in clause.text:
            assert 'go_to("Maria\'s office")' in program_of(clause.steps)


def test_the_second_choice_is_brought_only_where_the_first_is_nowhere() -> None:
    strict = [
        one for one in clauses(wishes.second_choice, 200)
        if " if there is none" in one.text and " from " not in one.text and "go to" not in one.text
    ]  # fmt: skip
    assert strict
    for clause in strict:
        first, *_ = re.findall(r'"(.*?)"', NAMES.findall(program_of(clause.steps))[0])
        for world in range(8):
            calls = calls_of(program_of(clause.steps), world)
            assert calls is not None
            picked = [call[1] for call in calls if call[0] == "pick"]
            there = any(call[:2] == ("is_in_room", first) and call[2] for call in calls)
            assert there == (picked == [first]), clause.text


def test_one_thing_without_a_room_is_looked_for_in_all_rooms() -> None:
    for clause in clauses(served.look_for, 60):
        program = program_of(clause.steps)
        assert "# Question" not in program
        assert "for room in get_all_rooms():" in program, clause.text
        assert 'say("I could not find ' in program, clause.text


def test_a_reminder_is_said_to_the_person_and_not_where_its_room_is() -> None:
    for clause in clauses(served.remind_that, 60):
        if who := re.search(r"(?:remind|let) (Bob|Anna|Carlos|Maria)\b", clause.text):
            assert f'say("{who[1]}, ' in program_of(clause.steps), clause.text


def test_what_is_handed_over_is_in_the_hand_before_the_robot_waits() -> None:
    for clause in clauses(served.hand_over, 60):
        program = program_of(clause.steps)
        assert program.index("pick(") < program.index("while not ") < program.index("place(")
    held = replace(HOME, holding="book")
    for clause in clauses(served.hand_over, 60, held):
        program = program_of(clause.steps)
        assert "pick(" not in program and 'place("book")' in program, clause.text


def test_everybody_who_is_asked_gets_what_they_chose() -> None:
    asked = 0
    for clause in clauses(served.asked_in_turn, 40):
        for world in range(4):
            calls = calls_of(program_of(clause.steps), world)
            assert calls is not None
            answers = [call[4] for call in calls if call[0] == "ask"]
            assert answers == [call[1] for call in calls if call[0] == "place"], clause.text
            asked += len(answers) > 1
    assert asked > 10


def test_large_maps_are_as_long_as_those_of_real_places() -> None:
    drawn = [buildings.draw_scene(Draw(random.Random(number))) for number in range(400)]
    told = [scene for scene in drawn if scene.told]
    large = [scene for scene in told if len(scene.things) >= 20]
    assert 0.15 < len(large) / len(told) < 0.35
    assert any(len(scene.things) > MOST_THINGS for scene in large)
    assert all(len(scene.rooms) >= 10 for scene in large)


def test_a_room_that_several_could_be_is_never_the_other_room_of_a_task() -> None:
    for number in range(60):
        draw = Draw(random.Random(number))
        spot = surroundings.Spot(draw, HOME)
        room = surroundings.Room("bedroom 1", "the bedroom")
        _, steps = surroundings.in_a_room(spot, thing_called("book"), room)
        assert "bedroom 2" not in program_of(steps)


def test_the_common_wide_words_are_known() -> None:
    assert {wide.said for wide in words.WIDE} >= scenes._COMMON
