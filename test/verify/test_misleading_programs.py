"""Small programs that are easy to misjudge; most were found by generated ones.

What a program does in a `finally:` after its path has ended says nothing of the program, a list of
rooms has an order and a length, and a text may reach a skill in a variable.
"""

from __future__ import annotations

import pytest
from programs import source_of

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import replay, verify

DOMAIN = load_domain()

POSSIBLE = {
    "a room is compared before the end of a try": """
        failed = False
        try:
            for room in get_all_rooms():
                if "lab" in room:
                    go_to(room)
            pick("cup")
        except SkillError:
            failed = True
        finally:
            if not failed:
                place("cup")
    """,
    "a try in a room that cannot be": """
        seen = False
        try:
            is_in_room("lobby")
            seen = True
        except SkillError:
            seen = True
        finally:
            assert seen
        if get_current_location() == "lobby":
            say("in the lobby")
    """,
    "a try with more questions than are tried one by one": """
        done = False
        try:
            for _ in range(999):
                time.sleep(1)
                is_in_room("Bob")
            done = True
        except SkillError:
            done = True
        finally:
            assert done
    """,
    "more questions, and a place in the end": """
        failed = False
        try:
            for _ in range(999):
                time.sleep(1)
                is_in_room("Bob")
            pick("cup")
        except SkillError:
            failed = True
        finally:
            if not failed:
                place("cup")
    """,
    "Jack is there where nobody is": """
        if not is_in_room("person"):
            if is_in_room("Jack"):
                ask("Jack", "Well?", ["Yes"])
                pick("cup")
                pick("plate")
    """,
    "nobody is there where Jack is": """
        if is_in_room("Jack"):
            if not is_in_room("person"):
                ask("Jack", "Well?", ["Yes"])
                pick("cup")
                pick("plate")
    """,
}

IMPOSSIBLE = {
    "it starts in a room that only a variable names": ("""
        if not is_in_room("apple"):
            for room in ["kitchen"]:
                go_to(room)
                pick("apple")
    """, "object_absent", 5),
    "it starts in a room that only a parameter names": ("""
        def fetch(thing, room):
            go_to(room)
            pick(thing)
        if not is_in_room("apple"):
            fetch("apple", "kitchen")
    """, "object_absent", 4),
    "the first room": ("""
        if get_all_rooms()[0] == "kitchen":
            place("cup")
    """, "hand_empty", 3),
    "the last room": ("""
        if get_all_rooms()[-1] == "old kitchen" and "kitchen" in get_all_rooms():
            place("cup")
    """, "hand_empty", 3),
    "a number of rooms, in a variable": ("""
        number = len(get_all_rooms())
        if number > 4:
            place("cup")
    """, "hand_empty", 4),
    "a number of rooms, on the way": ("""
        if (number := len(get_all_rooms())) > 4:
            place("cup")
    """, "hand_empty", 3),
    "a number of rooms, counted": ("""
        number = 0
        for room in get_all_rooms():
            number += 1
        if number == 5:
            place("cup")
    """, "hand_empty", 6),
    "a room in a set": ("""
        if "kitchen" in set(get_all_rooms()):
            place("cup")
    """, "hand_empty", 3),
    "a room as a key": ("""
        seen = {room: 1 for room in get_all_rooms()}
        if seen.get("kitchen"):
            place("cup")
    """, "hand_empty", 4),
    "a room as a part of a text": ("""
        for room in get_all_rooms():
            if room in "kitchen or office":
                place("cup")
    """, "hand_empty", 4),
    "a room made a text": ("""
        for room in get_all_rooms():
            if str(room) == "kitchen":
                place("cup")
    """, "hand_empty", 4),
    "rooms joined to a text": ("""
        if "kitchen" in ", ".join(get_all_rooms()):
            place("cup")
    """, "hand_empty", 3),
    "a long name": ("""
        for room in get_all_rooms():
            if len(room) > 20:
                place("cup")
    """, "hand_empty", 4),
    "names in their order": ("""
        for room in get_all_rooms():
            if room < "b":
                place("cup")
    """, "hand_empty", 4),
}  # fmt: skip


def judged(body: str) -> Verdict:
    return verify(source_of(body), DOMAIN, budget=Budget(paths=400, samples=20, seconds=30.0))


@pytest.mark.parametrize("name", POSSIBLE)
def test_no_world_fails(name: str) -> None:
    assert [(found.code.value, found.line) for found in judged(POSSIBLE[name]).violations] == []


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_world_that_fails_is_found_or_the_verdict_says_that_it_may_be_missed(name: str) -> None:
    body, code, line = IMPOSSIBLE[name]
    verdict = judged(body)
    found = [(violation.code.value, violation.line) for violation in verdict.violations]
    assert found == [(code, line)] or (not found and not verdict.exhaustive)


def test_the_first_violation_counts_and_not_what_it_leads_to() -> None:
    source = """
        done = False
        try:
            place("cup")
            done = True
        finally:
            assert done
    """
    (violation,) = judged(source).violations
    assert (violation.code.value, violation.line) == ("hand_empty", 4)


@pytest.mark.parametrize("body", ['is_in_room("Jack")', "random.randint(0, 5)"])
def test_the_story_of_a_loop_that_asks_for_ever_replays(body: str) -> None:
    source = f"def task_program():\n    while True:\n        {body}\n"
    (violation,) = verify(source, DOMAIN, budget=Budget(paths=100, samples=5)).violations
    assert violation.counterexample is not None
    again = replay(source, violation.counterexample, DOMAIN)
    assert [(found.code, found.line) for found in again] == [(violation.code, violation.line)]
