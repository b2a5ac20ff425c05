"""A world that comes to a state of another one is merged with it, and nothing is lost by that."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from brute_force import endings
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from looping_programs import looping_programs
from named_world import House
from program_expressions import Language
from program_strategies import task_programs
from programs import source_of

from roboinstruct_ros.domain.policies import Policies, Policy
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.explore.equal_states import EqualStates
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import replay, verify

pytestmark = pytest.mark.computes

DOMAIN = load_domain()
NAMES = ("kitchen", "office", "lab")
SMALL = SemanticMap(tuple(Room(name, (), Pose(0.0, 0.0, 0.0)) for name in NAMES))
QUICK = Budget(paths=150, samples=0, work=100_000, seconds=60.0)
PATIENT = Budget(paths=4000, samples=0, work=100_000_000, seconds=300.0)


def house(rooms: int) -> SemanticMap:
    names = ("pantry", *(f"room {n}" for n in range(1, rooms)))
    return SemanticMap(tuple(Room(name, (), Pose(0.0, 0.0, 0.0)) for name in names))


def program(body: str, before: str = "") -> str:
    return textwrap.dedent(before) + source_of(body)


@contextmanager
def nothing_merged() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EqualStates, "run", lambda *_: None)
        yield


# how the number of worlds grows -------------------------------------------------------------------

LOOPS = {
    "search until found": """
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("apple"):
                say("I found an apple in " + room)
                return
        say("There is no apple")
    """,
    "tell in every room": """
        rooms = get_all_rooms()
        for number, room in enumerate(rooms):
            go_to(room)
            present = is_in_room("apple")
            if present:
                say(f"an apple in room {number}: {room}")
    """,
    "fill up": """
        for room in get_all_rooms():
            if room != "pantry":
                go_to(room)
                if not is_in_room("bottle"):
                    go_to("pantry")
                    pick("bottle")
                    go_to(room)
                    place("bottle")
    """,
    "ask everybody": """
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("person"):
                if ask("", "Tea?", ["Yes", "No", "Later"]) == "Yes":
                    say("Fine")
                if ask("", "Milk?", ["Yes", "No", "Later"]) == "Later":
                    say("I shall come again")
    """,
    "was there any": """
        found = False
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("bottle"):
                found = True
        say("yes" if found else "no")
    """,
    "two things, one after the other": """
        for thing in ["cup", "plate"]:
            for room in get_all_rooms():
                go_to(room)
                if is_in_room(thing):
                    say(thing)
                    break
    """,
    "two loops": """
        rooms = get_all_rooms()
        for room in rooms:
            go_to(room)
            if is_in_room("cup"):
                say("a cup")
        for room in rooms:
            go_to(room)
            if is_in_room("plate"):
                say("a plate")
    """,
    "come back and tell": """
        start = get_current_location()
        found = False
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("bottle"):
                found = True
        go_to(start)
        say("yes" if found else "no")
    """,
    "find it and bring it back": """
        start = get_current_location()
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("bottle"):
                pick("bottle")
                go_to(start)
                place("bottle")
                return
        go_to(start)
        say("There is no bottle")
    """,
    "a function": """
        for room in get_all_rooms():
            if look(room):
                say("a cup")
    """,
}
LOOK = """
def look(room):
    go_to(room)
    for thing in ["cup", "mug"]:
        seen = is_in_room(thing)
        if seen:
            return True
    return False

"""


def worlds(name: str, rooms: int) -> int:
    """How many it takes to exhaust one of the loops."""
    source = program(LOOPS[name], LOOK if "look(" in LOOPS[name] else "")
    verdict = verify(source, DOMAIN, house(rooms), budget=PATIENT)
    assert verdict.accepted and verdict.exhaustive, verdict
    return verdict.paths


@pytest.mark.parametrize("name", LOOPS)
def test_the_worlds_of_a_loop_over_rooms_are_a_few_for_each_room(name: str) -> None:
    few, some, many = (worlds(name, rooms) for rooms in (6, 11, 21))
    assert many - some <= 2 * (some - few)
    assert many <= 8 * 21


@pytest.mark.parametrize(
    ("name", "rooms"), [("was there any", 50), ("fill up", 50), ("search until found", 200)]
)
def test_large_houses_are_exhausted(name: str, rooms: int) -> None:
    assert worlds(name, rooms) <= 2 * rooms + 1


@pytest.mark.parametrize("found", ["return", "say(room)"])
def test_two_hundred_rooms_are_exhausted_within_what_a_verdict_may_cost(found: str) -> None:
    body = f"""
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("cup"):
                {found}
    """
    verdict = verify(program(body), DOMAIN, house(200), budget=Budget(seconds=300.0))
    assert (verdict.exhaustive, verdict.paths) == (True, 201)


def test_a_count_has_as_many_states_as_values() -> None:
    body = """
        count = 0
        for room in get_all_rooms():
            go_to(room)
            count += is_in_room("cup")
        say(f"{count} cups")
    """
    for rooms in (11, 30):
        verdict = verify(program(body), DOMAIN, house(rooms), budget=PATIENT)
        assert verdict.exhaustive
        assert verdict.paths <= rooms * rooms


def test_the_shipped_budget_exhausts_what_eleven_rooms_leave_open() -> None:
    for name, body in LOOPS.items():
        if "look(" not in body:
            assert verify(program(body), DOMAIN, house(11)).exhaustive, name


# where the robot starts ---------------------------------------------------------------------------


def test_a_start_that_is_met_again_may_be_any_room() -> None:
    """Only one of the rooms breaks it, and the program cannot tell them apart by their names."""
    body = """
        rooms = get_all_rooms()
        if not is_in_room("cup"):
            go_to(rooms[2])
            pick("cup")
    """
    found = verify(program(body), DOMAIN, house(5))
    assert [v.code for v in found.violations] == [ViolationCode.OBJECT_ABSENT]
    counterexample = found.violations[0].counterexample
    assert counterexample is not None and "room 2" in counterexample.steps[0]


def test_what_is_needed_in_every_room_is_not_needed_at_the_start_alone() -> None:
    body = """
        for room in get_all_rooms():
            go_to(room)
            pick("cup")
            place("cup")
    """
    told = [str(a) for a in verify(program(body), DOMAIN, house(5)).assumptions]
    assert told and not any("where I start" in one for one in told), told


# what must not be merged --------------------------------------------------------------------------

# answers are True first, so that a violation that follows from False is lost where runs are merged
REMEMBERED = {
    "a fact of a room to which it comes back": """
        go_to("office")
        pick("cup")
        place("cup")
        go_to("kitchen")
        is_in_room("cup")
        go_to("office")
        is_in_room("plate")
        go_to("kitchen")
        if not is_in_room("cup"):
            place("cup")
    """,
    "that a name is a person's": """
        go_to("kitchen")
        if not is_in_room("cup"):
            ask("Robin", "Is this yours?", ["Yes", "No"])
        go_to("office")
        is_in_room("mug")
        pick("Robin")
    """,
    "half of a sum": """
        go_to("kitchen")
        if is_in_room("cup") + is_in_room("plate") == 0:
            place("cup")
    """,
    "half of a sum, in a function": """
        go_to("kitchen")
        if is_in_room("cup") + 2 * look() == 0:
            place("cup")
    """,
    "half of a list": """
        go_to("kitchen")
        if not any([is_in_room("cup"), is_in_room("plate")]):
            place("cup")
    """,
    "what a sum was before": """
        go_to("kitchen")
        n = 1
        if not is_in_room("cup"):
            n = 0
        n += is_in_room("mug")
        if n == 0:
            place("cup")
    """,
    "a variable": """
        go_to("kitchen")
        seen = is_in_room("cup")
        is_in_room("mug")
        if not seen:
            place("cup")
    """,
    "a variable that is set again in one branch": """
        go_to("kitchen")
        seen = is_in_room("cup")
        if is_in_room("mug"):
            seen = True
        if not seen:
            place("cup")
    """,
    "a variable that a handler reads": """
        go_to("kitchen")
        seen = is_in_room("cup")
        try:
            if is_in_room("mug"):
                [][0]
            seen = True
        except IndexError:
            if not seen:
                place("cup")
    """,
    "a variable that a finally reads after a return": """
        go_to("kitchen")
        seen = is_in_room("cup")
        try:
            if is_in_room("mug"):
                return
            seen = True
        finally:
            if not seen:
                place("cup")
    """,
    "a variable that the next round reads": """
        go_to("kitchen")
        seen = is_in_room("cup")
        for thing in ["mug", "plate"]:
            if thing == "plate" and not seen:
                place("cup")
            if is_in_room(thing):
                say(thing)
    """,
    "a variable that is read after a break": """
        go_to("kitchen")
        seen = is_in_room("cup")
        for thing in ["mug", "plate"]:
            if is_in_room(thing):
                break
            seen = True
        if not seen:
            place("cup")
    """,
    "a variable that the else of a loop reads": """
        go_to("kitchen")
        seen = is_in_room("cup")
        for thing in ["mug", "plate"]:
            if is_in_room(thing):
                break
        else:
            if not seen:
                place("cup")
    """,
    "the list that a loop goes through": """
        go_to("kitchen")
        things = ["mug", "cup"]
        if not is_in_room("plate"):
            things = ["mug", "plate"]
        for thing in things:
            things = None
            is_in_room("mug")
            if thing == "plate":
                place("cup")
    """,
    "how far a loop around it is": """
        go_to("kitchen")
        for thing in ["cup", "plate"]:
            if thing == "cup" and is_in_room(thing):
                continue
            for other in ["mug", "fork"]:
                if is_in_room("fork"):
                    break
            if thing == "cup" and not is_in_room("fork"):
                place("cup")
    """,
    "what an iterator has left": """
        go_to("kitchen")
        left = iter(["cup", "plate", "mug"])
        if not is_in_room("cup"):
            next(left)
        is_in_room("mug")
        if next(left) == "plate":
            place("cup")
    """,
    "two names of one list": """
        go_to("kitchen")
        one = []
        other = [] if is_in_room("cup") else one
        is_in_room("mug")
        one.append("x")
        if other:
            place("cup")
    """,
    "the order of a set": """
        go_to("kitchen")
        names = set()
        first, second = 8, 16
        if not is_in_room("cup"):
            first, second = second, first
        names.add(first)
        names.add(second)
        first = second = 0
        is_in_room("mug")
        if list(names)[0] == 16:
            place("cup")
    """,
    "a variable of a function within": """
        n = 0
        def more():
            nonlocal n
            n += 1
            return n
        go_to("kitchen")
        if not is_in_room("cup"):
            more()
        is_in_room("mug")
        if more() == 2:
            place("cup")
    """,
    "a variable of all functions": """
        count()
        is_in_room("mug")
        if total == 1:
            place("cup")
    """,
    "an error that is handled": """
        go_to("kitchen")
        try:
            try:
                [][0 if is_in_room("plate") else "x"]
            finally:
                is_in_room("mug")
        except IndexError:
            say("x")
        except TypeError:
            place("cup")
    """,
    "what is in the hand": """
        go_to("kitchen")
        if not is_in_room("cup"):
            pick("plate")
        go_to("office")
        is_in_room("mug")
        pick("fork")
    """,
    "who was seen": """
        go_to("kitchen")
        if is_in_room("person"):
            say("hello")
        if is_in_room("mug"):
            ask("Jack", "?", ["Yes"])
    """,
    "a skill under another name": """
        go_to("kitchen")
        do = say if is_in_room("cup") else pick
        is_in_room("mug")
        do("plate")
        pick("plate")
    """,
    "minus nothing": """
        go_to("kitchen")
        x = 0.0 if is_in_room("cup") else -0.0
        is_in_room("mug")
        if str(x) == "-0.0":
            place("cup")
    """,
    "rounds of a loop": """
        go_to("kitchen")
        tries = 0
        while not is_in_room("cup"):
            tries += 1
            if tries == 3:
                place("cup")
            if tries == 4:
                return
    """,
}
SHARED = """
total = 0

def count():
    global total
    if not is_in_room("plate"):
        total += 1

def look():
    return is_in_room("mug")

"""


@pytest.mark.parametrize("name", REMEMBERED)
def test_what_the_rest_of_the_run_may_see_is_not_merged(name: str) -> None:
    verdict = verify(program(REMEMBERED[name], SHARED), DOMAIN, SMALL)
    assert verdict.violations
    with nothing_merged():
        assert _found(verify(program(REMEMBERED[name], SHARED), DOMAIN, SMALL)) == _found(verdict)
    for violation in verdict.violations:
        assert violation.counterexample is not None
        again = replay(program(REMEMBERED[name], SHARED), violation.counterexample, DOMAIN, SMALL)
        assert [found.code for found in again] == [violation.code]


def test_what_a_policy_remembers_is_not_merged() -> None:
    rule = Policy(name="rule", never='holding("*knife*") and not in_room("*child*", "kitchen")')
    body = """
        go_to("kitchen")
        if is_in_room("child"):
            say("hello")
        go_to("office")
        is_in_room("mug")
        pick("knife")
    """
    verdict = verify(program(body), DOMAIN, SMALL, Policies(policies=(rule,)))
    assert [violation.code.value for violation in verdict.violations] == ["policy_broken"]


def test_who_is_a_person_matters_where_somebody_has_to_be_there() -> None:
    body = """
        go_to("kitchen")
        if not is_in_room("Robin"):
            return
        if is_in_room("cup"):
            ask("Robin", "Is this yours?", ["Yes", "No"])
        is_in_room("mug")
        ask("", "Shall I go?", ["Yes", "No"])
    """
    told = verify(program(body), DOMAIN, SMALL).assumptions
    assert "somebody is in the kitchen" in [assumption.clause for assumption in told], told


def test_words_that_somebody_may_hear_in_one_world_are_of_use() -> None:
    body = """
        go_to("kitchen")
        if is_in_room("cup"):
            if is_in_room("person"):
                return
        go_to("office")
        is_in_room("mug")
        go_to("kitchen")
        say("hello")
    """
    verdict = verify(program(body), DOMAIN, SMALL)
    assert verdict.accepted and not verdict.warnings


def test_people_who_are_asked_one_after_another_cost_a_few_worlds_each() -> None:
    names = [f"Guest {number}" for number in range(20)]
    body = f"""
        agreed = []
        go_to("kitchen")
        for name in {names}:
            if is_in_room(name) and ask(name, "Tea?", ["Yes", "No"]) == "Yes":
                agreed.append(name)
        say("Tea for " + ", ".join(agreed) if agreed else "No tea")
    """
    verdict = verify(program(body), DOMAIN, SMALL)
    assert verdict.accepted and verdict.exhaustive
    assert verdict.paths < 100


def test_a_wait_that_merges_with_another_may_still_end() -> None:
    body = """
        go_to("kitchen")
        if is_in_room("cup"):
            say("a cup")
        while not is_in_room("person"):
            time.sleep(5)
    """
    verdict = verify(program(body), DOMAIN, SMALL)
    assert verdict.accepted and verdict.exhaustive
    assert [warning.code.value for warning in verdict.warnings] == ["may_wait_for_ever"]


# the same verdict, with merging and without -------------------------------------------------------


def same(examples: int) -> Callable[..., Callable[..., None]]:
    return settings(
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )


def _found(verdict: Verdict) -> list[tuple[str, int]]:
    return [(violation.code.value, violation.line) for violation in verdict.violations]


def _outline(verdict: Verdict) -> object:
    warned = [(warning.code, warning.line) for warning in verdict.warnings]
    return verdict.status, verdict.exhaustive, _found(verdict), warned, verdict.coverage


def _check_same(source: str, semantic_map: SemanticMap | None) -> None:
    merged = verify(source, DOMAIN, semantic_map, budget=QUICK)
    assume(merged.exhaustive)
    with nothing_merged():
        plain = verify(source, DOMAIN, semantic_map, budget=QUICK)
    assume(plain.exhaustive)
    assert merged.paths <= plain.paths
    event("merged" if merged.paths < plain.paths else "as many worlds")
    assert _outline(merged) == _outline(plain)


@given(source=looping_programs(), closed=st.booleans())
@same(40)
def test_loops_get_the_same_verdict(source: str, closed: bool) -> None:
    _check_same(source, SMALL if closed else None)


@given(source=task_programs(Language(slips=True)), closed=st.booleans())
@same(30)
def test_programs_get_the_same_verdict(source: str, closed: bool) -> None:
    _check_same(source, SMALL if closed else None)


@given(source=looping_programs(waits=False))
@same(25)
def test_a_plain_world_agrees_with_what_is_exhausted(source: str) -> None:
    verdict = verify(source, DOMAIN, SMALL, budget=QUICK)
    assume(verdict.exhaustive)
    try:
        ends = endings(source, House(NAMES, NAMES), most=1500)
    except OverflowError:
        assume(False)
    assert {(end.code, end.line) for end in ends if end.code} == set(_found(verdict))


@pytest.mark.parametrize("test", ["is_in_room('cup')", "not is_in_room('cup')"])
def test_what_a_policy_remembers_keeps_worlds_apart(test: str) -> None:
    source = program(f"""
        go_to("kitchen")
        if {test}:
            say("beep")
        go_to("office")
        if is_in_room("apple"):
            say("beep")
    """)
    once = Policies(policies=(Policy(name="one beep", at_most=1, of="say(...)"),))
    found = verify(source, DOMAIN, SMALL, once).violations
    assert [(violation.code.value, violation.line) for violation in found] == [("policy_broken", 7)]
