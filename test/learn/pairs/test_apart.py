"""Tasks over several rooms: who is asked where, what is taken from where, and what decides."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from calls import Calls, calls_of
from drawn_clauses import HOME, clauses

from roboinstruct_ros.learn.pairs.compose import Clause
from roboinstruct_ros.learn.pairs.flow import program_of

UNTOLD = replace(HOME, told=False)
"""Every room by its own name."""
WORLDS = range(6)


def ran(clause: Clause, world: int, seen: bool | None = None) -> Calls:
    """What the clause does in a made-up world; `seen`: the answer to every look."""
    program = program_of(clause.steps)
    if seen is not None:
        program = re.sub(r"is_in_room\([^)]*\)", str(seen), program)
        program = re.sub(r"range\(\d{2,}\)", "range(2)", program)  # minutes are too many rounds
    calls = calls_of(program, world)
    assert calls is not None, program
    return calls


def where(calls: Calls, skill: str) -> list[tuple[object, object]]:
    """The rooms in which a skill was used, each with what it was used on; "" before any drive."""
    room: object = ""
    found = []
    for name, *arguments in calls:
        room = arguments[0] if name == "go_to" else room
        if name == skill:
            found.append((room, arguments[0]))
    return found


@pytest.mark.parametrize("name", ["poll_apart", "serve_apart", "agree_apart", "tell_apart"])
def test_everybody_is_met_in_the_room_that_the_words_say(name: str) -> None:
    met = 0
    for clause in clauses(name, 60, UNTOLD):
        said = dict(
            re.findall(r"(Bob|Anna|Carlos|Maria) (?:in|at|is in) the (\w+ ?\d?)\b", clause.text)
        )
        calls = ran(clause, 1, True)
        for room, who in where(calls, "ask"):
            if who in said:
                met += 1
                assert room == said[str(who)].strip(), clause.text
        for room, words in where(calls, "say"):
            if name == "tell_apart" and (who := str(words).partition(",")[0]) in said:
                met += 1
                assert room == said[who].strip(), clause.text
    assert met > 20


def test_a_poll_of_several_rooms_ends_where_it_began_and_tells_all_answers() -> None:
    told = [one for one in clauses("poll_apart", 120) if "said: " in program_of(one.steps)]
    assert told
    for clause in told:
        for world in WORLDS:
            calls = ran(clause, world)
            [said] = [call for call in calls if call[0] == "say"]
            for call in calls:
                if call[0] == "ask":
                    assert f"{call[1]} said: {call[-1]}" in str(said[1]), clause.text


def test_the_first_who_says_yes_is_the_last_who_is_asked() -> None:
    for clause in clauses("ask_in_turn", 30):
        for world in WORLDS:
            calls = ran(clause, world)
            answers = [call[-1] for call in calls if call[0] == "ask"]
            assert "Yes" not in answers[:-1], clause.text
            told = str(calls[-1][1])
            assert (told == "Nobody said yes") == (answers[-1] == "No"), clause.text


def test_what_may_be_in_several_rooms_is_taken_once_from_where_it_is_seen() -> None:
    for clause in clauses("fetch_in_turn", 60, UNTOLD):
        for world in WORLDS:
            calls = ran(clause, world)
            for look, after in pairwise(calls):
                if look[0] == "is_in_room" and look[2]:
                    assert after == ("pick", look[1]), clause.text
                    break


@pytest.mark.parametrize("name", ["put_from", "and_another", "gather"])
def test_things_are_taken_where_they_are_and_put_where_they_belong(name: str) -> None:
    """In each order that the words give: "take it to the study, it is in the garage"."""
    order = {
        "put_from": r"(?:to|into|in) the (?P<to>[\w ]+?)(?: (?:only )?(?:if|unless|, but).*)?"
        r"\. (?:It is|They are) in the (?P<at>[\w ]+)",
        "and_another": r"from the (?P<at>[\w ]+?) to the (?P<to>[\w ]+?)(?:,| and|\.) .*",
        "gather": r"(?:bring|take) .* from the (?P<at>[\w ]+?) and .* to the (?P<to>[\w ]+)",
    }[name]
    seen = 0
    for clause in clauses(name, 300, UNTOLD):
        if match := re.search(order + "$", clause.text):
            calls = ran(clause, 1, "unless" not in clause.text and "not if" not in clause.text)
            picked, placed = where(calls, "pick"), where(calls, "place")
            assert picked[0][0] == match["at"] and placed[0][0] == match["to"], clause.text
            seen += 1
    assert seen > 5


def test_a_thing_goes_where_the_answer_says() -> None:
    for clause in clauses("place_by_answer", 60, UNTOLD):
        for world in WORLDS:
            calls = ran(clause, world)
            [asked] = [call for call in calls if call[0] == "ask"]
            [(room, _)] = where(calls, "place")
            goes = re.search(
                rf"{re.escape(str(asked[-1]))} one (?:goes )?to the ([\w ]+?)(?:,|$)", clause.text
            )
            if goes:
                assert room == goes[1], clause.text
            elif " should g" in clause.text or "goes or" in clause.text:
                assert room == asked[-1], clause.text


@pytest.mark.parametrize("there", [True, False])
def test_what_nobody_is_there_for_does_not_stay_there(there: bool) -> None:
    for clause in clauses("back_if_missing", 40, UNTOLD):
        calls = ran(clause, 1, there)
        [(source, thing)] = where(calls, "pick")
        [(target, placed)] = where(calls, "place")
        assert placed == thing
        drives = [call[1] for call in calls if call[0] == "go_to"]
        assert (target == drives[1]) == there, clause.text
        if not there and re.search(r"(take|put) \w+ back", clause.text):
            assert target == source, clause.text


def test_who_does_not_come_is_waited_for_no_longer_than_said() -> None:
    for clause in clauses("wait_at_most", 20):
        rounds = re.search(r"range\((\d+)\)", program_of(clause.steps))
        assert rounds
        minutes = int(rounds[1]) // 60
        words = {1: "a minute|1 minute", 2: "two minutes", 3: "three minutes", 5: "five minutes"}
        assert re.search(f"{minutes} minutes|{words.get(minutes, 'x y')}", clause.text), clause.text
        met, missed = ran(clause, 1, True), ran(clause, 1, False)
        assert met[1][0] == "say" and len(met) == 2, clause.text
        assert met[1] not in missed, clause.text
