"""Every part gives programs that are right, and a few of them do what their words say."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from calls import calls_of
from drawn_clauses import HOME, clauses
from drawn_pairs import drawn_programs

from roboinstruct_ros.learn.draw import DoesNotFit, Draw, Split
from roboinstruct_ros.learn.pairs.check import fault
from roboinstruct_ros.learn.pairs.compose import PARTS, joined
from roboinstruct_ros.learn.pairs.deeds import fetched
from roboinstruct_ros.learn.pairs.flow import Branch, Search, program_of
from roboinstruct_ros.learn.pairs.pair import Pair
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.story import Story

LOST = {"then_there", "then_it", "then_them", "come_back", "held", "one_of_several"}
"""Parts that need what came before, or what this scene lacks."""


def shape(program: str) -> str:
    """What it has in common with those that differ from it in names alone."""
    texts: dict[str, str] = {}
    return re.sub(r'"[^"]*"', lambda text: texts.setdefault(text[0], f'"{len(texts)}"'), program)


@pytest.mark.computes
@pytest.mark.parametrize("name", sorted(set(PARTS) - LOST))
def test_the_verifier_accepts_every_part(name: str) -> None:
    seen = set()
    for clause in clauses(name, 20):
        pair = Pair(name, HOME, clause.text, program_of(clause.steps))
        assert "{" not in clause.text and "[" not in clause.text, clause.text
        if shape(pair.program) not in seen:
            assert not fault(pair), (clause.text, pair.program, fault(pair))
        seen.add(shape(pair.program))


@pytest.mark.computes
@pytest.mark.parametrize("name", sorted(set(PARTS) - LOST))
def test_a_part_calls_rooms_by_the_names_of_the_map(name: str) -> None:
    for clause in clauses(name, 20):
        rooms = {line.split('"')[1] for line in program_of(clause.steps).splitlines()
                 if line.strip().startswith('go_to("')}  # fmt: skip
        assert rooms <= set(HOME.rooms), clause.text


@pytest.mark.parametrize("split", Split)
def test_a_program_of_several_parts_ends_and_does_something(split: Split) -> None:
    for pair in drawn_programs(100, "composed", split):
        assert any(calls_of(pair.program, world) for world in range(12)), pair.program


def test_what_is_held_is_put_down_without_taking_it() -> None:
    scene = Scene(HOME.rooms, HOME.people, holding="banana")
    for clause in clauses("held", 20, scene):
        pair = Pair("held", scene, clause.text, program_of(clause.steps))
        assert not fault(pair), (clause.text, pair.program)
        assert 'place("banana")' in pair.program


def test_somebody_with_a_room_on_the_told_map_is_met_there() -> None:
    own = [one for one in clauses("tell_person", 200) if " Bob that " in one.text]
    assert own
    for clause in own:
        assert clause.steps[0] == 'go_to("Bob\'s office")'


def test_somebody_else_is_looked_for() -> None:
    told = [one for one in clauses("tell_person", 200) if " Anna that " in one.text]
    assert any(isinstance(clause.steps[0], Search) for clause in told)


def test_a_search_in_the_middle_goes_on_and_the_last_one_returns() -> None:
    search = Search('is_in_room("cup")', ('say("here")',), ('say("not found")',))
    last = calls_of(program_of((search,)), 1)
    middle = calls_of(program_of((search, 'say("done")')), 1)
    assert last and middle
    assert middle == (*last, ("say", "done"))


def test_a_vital_search_ends_the_program_where_nothing_is_found() -> None:
    search = Search('is_in_room("")', (), ('say("not found")',), vital=True)
    text = program_of((search, 'say("done")')).replace('is_in_room("")', "False")
    calls = calls_of(text, 1)
    assert calls and calls[-1] == ("say", "not found")


def test_a_condition_is_not_joined_by_and() -> None:
    parts = [PARTS["if_there"], PARTS["go"]]
    for number in range(100):
        draw = Draw(random.Random(number))
        text = joined(
            draw, parts, ["if there is a cup in the study, bring it here", "go to the garage"]
        )
        assert "." in text, text


def test_the_start_is_remembered_where_the_robot_comes_back() -> None:
    program = program_of(('go_to("study")', Branch('is_in_room("cup")', ("go_to(start_loc)",))))
    assert "    start_loc = get_current_location()\n" in program
    assert "start_loc" not in program_of(('go_to("study")',))


def test_what_is_carried_goes_from_where_to_where_the_words_say() -> None:
    order = re.compile(
        r"(?:bring|take|carry|move|deliver|transport) (?:an?|the|my|some) (.+) "
        r"from ((?:(?! and ).)+) to (.+)"
    )
    untold = replace(HOME, told=False)  # every room by its own name
    found = clauses("carry", 150, untold)
    seen = [(match, one) for one in found if (match := order.fullmatch(one.text))]
    assert len(seen) > 10
    for match, clause in seen:
        thing, source, target = (text.removeprefix("the ") for text in match.groups())
        calls = calls_of(program_of(clause.steps), 1)
        assert calls == (
            ("go_to", source), ("pick", thing), ("go_to", target), ("place", thing)
        ), clause.text  # fmt: skip


@pytest.mark.parametrize(
    ("word", "number"), [("two", 2), ("three", 3), ("half a dozen", 6), ("a couple of", 2)]
)
def test_so_many_are_brought_as_the_words_say(word: str, number: int) -> None:
    found = clauses("carry_count", 300, replace(HOME, told=False))
    told = [one for one in found if f" {word} " in one.text]
    assert told
    for clause in told:
        program = re.sub(r"is_in_room\(.*?\)", "True", program_of(clause.steps))
        calls = calls_of(program, 1)
        assert calls is not None
        assert [call[0] for call in calls].count("pick") == number, clause.text


def test_nothing_is_taken_where_only_an_empty_room_may_be_entered() -> None:
    told = [one for one in clauses("only_if", 100) if "unless somebody is in" in one.text]
    assert told
    for clause in told:
        for world in range(12):
            calls = calls_of(program_of(clause.steps), world)
            assert calls is not None
            somebody = ("is_in_room", "person", True) in calls
            assert somebody != any(call[0] == "pick" for call in calls), clause.text


def test_the_answer_of_one_person_is_told_to_another() -> None:
    passed_on = 0
    for clause in clauses("pass_answer", 30):
        calls = calls_of(program_of(clause.steps), 3)
        assert calls
        asked = next(call for call in calls if call[0] == "ask")
        right = calls[-1] == ("say", f"{asked[1]} said: {asked[4]}")
        assert right or str(calls[-1][1]).startswith("I could not find "), clause.text
        passed_on += right
    assert passed_on > 20


def test_everybody_who_is_known_and_there_is_asked() -> None:
    for clause in clauses("everybody", 20):
        for world in range(4):
            calls = calls_of(program_of(clause.steps), world)
            assert calls
            there = [call[1] for call in calls if call[0] == "is_in_room" and call[2]]
            assert there == [call[1] for call in calls if call[0] == "ask"], clause.text


def test_what_most_want_got_the_most_votes() -> None:
    told = [one for one in clauses("vote", 60) if "most" in one.text or "majority" in one.text]
    assert told
    for clause in told:
        for world in range(6):
            calls = calls_of(program_of(clause.steps), world)
            assert calls
            votes = [call[4] for call in calls if call[0] == "ask"]
            best = str(calls[-1][1]).removeprefix("Most want: ")
            assert votes.count(best) == max(map(votes.count, votes)), clause.text


def test_there_is_where_the_part_before_has_ended() -> None:
    for number in range(30):
        story = Story(Draw(random.Random(number)), replace(HOME, told=False))
        room = story.room()
        story.at = room
        try:
            clause = PARTS["then_there"].make(story)
        except DoesNotFit:
            continue
        assert "there" in clause.text and not str(clause.steps[0]).startswith("go_to("), clause


def test_it_and_her_are_what_the_part_before_has_put_down_and_whom_it_has_met() -> None:
    said = set()
    for number in range(40):
        story = Story(Draw(random.Random(number)), HOME)
        source, at = story.rooms(2)
        story.at, story.it, story.them = at, story.thing(), story.person()
        story.final = number % 2 == 0
        name = ("then_it", "then_them")[number % 3 == 0]
        try:
            clause = PARTS[name].make(story)
        except DoesNotFit:
            continue
        steps = (*fetched(story.it, source, at), *clause.steps)
        assert not fault(Pair(name, HOME, clause.text, program_of(steps))), clause.text
        said.update(re.findall(r"\w+", clause.text))
    assert {"it", "there", "him", "her"} <= said


def test_furniture_is_a_place_by_itself_only_where_the_map_has_it() -> None:
    with_couch = replace(HOME, rooms=(*HOME.rooms, "couch", "living room"))
    for scene, place in ((HOME, "kitchen"), (with_couch, "couch")):
        said = "fridge" if place == "kitchen" else "sofa"
        told = [one for one in clauses("put_at", 600, scene) if one.text.endswith(f"the {said}")]
        assert told
        for clause in told:
            assert f'go_to("{place}")' in program_of(clause.steps), clause.text


def test_a_piece_that_could_stand_in_several_rooms_is_asked_for() -> None:
    for clause in clauses("which_place", 60):
        assert "# Question: " in program_of(clause.steps)
        if " bed" in clause.text and "Which" in str(clause.steps):
            assert "| bedroom 1 | bedroom 2" in str(clause.steps)


def test_a_room_in_a_message_is_not_where_the_robot_goes() -> None:
    for clause in clauses("room_in_message", 100):
        words = re.search(r"(?<=say\().*", program_of(clause.steps))
        assert words
        rooms = [room for room in HOME.rooms if room in words[0]]
        assert not any(f'go_to("{room}")' in program_of(clause.steps) for room in rooms), clause


def test_what_is_kept_somewhere_is_taken_there_first() -> None:
    for clause in clauses("kept_in", 100):
        assert str(clause.steps[0]).startswith('go_to("'), clause.text
        assert str(clause.steps[1]).startswith("pick("), clause.text


def test_whose_place_it_is_decides_between_driving_and_searching() -> None:
    known = {"thing": 0, "person": 0}
    for clause in clauses("whose_place", 200, replace(HOME, told=False)):
        thing = bool(re.search(r"\b(it is|they are) in ", clause.text))
        person = bool(re.search(r"\bs?he is ", clause.text))
        searches = [step.test for step in clause.steps if isinstance(step, Search)]
        assert len(searches) == (not thing) + (not person), clause.text
        known["thing"] += thing
        known["person"] += person
    assert min(known.values()) > 50


def test_any_of_several_things_of_one_name_will_do() -> None:
    scene = replace(HOME, things=("cup 1", "cup 2", "cup 3", "book"))
    for clause in clauses("one_of_several", 30, scene):
        assert '["cup 1", "cup 2", "cup 3"]' in program_of(clause.steps)
        assert not fault(Pair("several", scene, clause.text, program_of(clause.steps)))
