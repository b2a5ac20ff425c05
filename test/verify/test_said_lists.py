"""Runs that differ only in the items of a list that is said are one, and nothing is lost by it."""

from __future__ import annotations

import ast
import random
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from programs import source_of

from roboinstruct_ros.domain.policies import NO_POLICIES, Policies, Policy
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.program.syntax import parents_in
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.explore import standing
from roboinstruct_ros.verify.explore.said_lists import SaidList, said_lists
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import replay, verify

pytestmark = pytest.mark.computes

DOMAIN = load_domain()
QUICK = Budget(paths=400, samples=0, work=300_000, seconds=60.0)


def house(*rooms: str) -> SemanticMap:
    return SemanticMap(tuple(Room(name, (), Pose(0.0, 0.0, 0.0)) for name in rooms))


def office(rooms: int) -> SemanticMap:
    return house(*(f"room {number}" for number in range(1, rooms + 1)))


SMALL = house("kitchen", "office", "lab")


@contextmanager
def told_apart() -> Iterator[None]:
    """Lists that are only said count by their items, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standing, "said_lists", lambda *_: {})
        yield


def found(verdict: Verdict) -> list[tuple[str, int]]:
    return [(violation.code.value, violation.line) for violation in verdict.violations]


def lists_of(body: str) -> dict[str, SaidList]:
    named = said_lists(parents_in(ast.parse(source_of(body))), DOMAIN)
    return {name: of for lists in named.values() for name, of in lists.items()}


# how the number of worlds grows -------------------------------------------------------------------

REPORTS = {
    "which rooms": """
        start = get_current_location()
        found = []
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("person"):
                found.append(room)
        go_to(start)
        if found:
            say("There are people in " + ", ".join(found))
        else:
            say("There is nobody")
    """,
    "which and how many": """
        found: list[str] = []
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("chair"):
                found.append(room)
        say(f"{len(found)} rooms have a chair: {', '.join(found) or 'none'}")
    """,
    "two lists": """
        full = []
        empty = []
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("towel"):
                full.append(room)
            else:
                empty.append(room)
        if full and not empty:
            say("all of them")
        say("With: " + ", ".join(full) if full else "none")
        say("Without: " + ", ".join(empty))
    """,
    "what people answer": """
        wishes = []
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("person"):
                drink = ask("", "What would you like?", ["Tea", "Coffee", "Water"])
                wishes.append(f"{drink} in {room}")
        say("; ".join(wishes) if wishes else "nothing")
    """,
    "as a function": """
        def look(thing):
            found = []
            for room in get_all_rooms():
                go_to(room)
                if is_in_room(thing):
                    found.append(room)
            say(thing + ": " + ", ".join(found))
        look("cup")
    """,
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_about_many_rooms_costs_a_few_worlds_for_each(name: str) -> None:
    verdict = verify(source_of(REPORTS[name]), DOMAIN, office(24), budget=Budget(samples=0))
    assert verdict.accepted and verdict.exhaustive
    most = 24 * 24 if "many" in name else 24 * 7
    assert verdict.paths <= most
    with told_apart():
        assert not verify(
            source_of(REPORTS[name]), DOMAIN, office(24), budget=Budget(samples=0)
        ).exhaustive


# what they are, and what they are not -------------------------------------------------------------


def test_lists_that_are_only_filled_and_said_are_found() -> None:
    assert lists_of(REPORTS["which rooms"]) == {"found": SaidList(False, (2,))}
    assert lists_of(REPORTS["which and how many"]) == {"found": SaidList(True, (2,))}
    assert lists_of(REPORTS["what people answer"]) == {"wishes": SaidList(False, (2,))}
    assert lists_of(REPORTS["as a function"]) == {"found": SaidList(False, (2,))}


FILLED = """
found = []
for room in get_all_rooms():
    go_to(room)
    if is_in_room("cup"):
        found.append(room)
"""
DEPENDS = {
    "driven to": "for room in found:\n    go_to(room)",
    "picked out": "if found:\n    go_to(found[0])",
    "compared": 'if found == ["lab"]:\n    place("cup")',
    "looked into": 'if "lab" in found:\n    place("cup")',
    "its text is compared": 'if ", ".join(found) == "lab":\n    place("cup")',
    "its text is kept": 'text = ", ".join(found)\nif text == "lab":\n    place("cup")',
    "its text is measured": 'if len(", ".join(found)) == 3:\n    place("cup")',
    "asked about": 'ask("", "Is it " + ", ".join(found) + "?", ["Yes", "No"])',
    "a thing is called so": 'if found:\n    pick(", ".join(found))',
    "copied": 'other = found\nif "lab" in other:\n    place("cup")',
    "in another list": 'both = [found]\nif "lab" in both[0]:\n    place("cup")',
    "taken from": 'while found:\n    if found.pop() == "lab":\n        place("cup")',
    "its greatest": 'if found and max(found) == "lab":\n    place("cup")',
    "added up": 'found = found + ["x"]\nif found[0] == "lab":\n    place("cup")',
    "its value in a condition": 'other = found or ["lab"]\nif "lab" in other:\n    place("cup")',
    "formatted": 'say(f"{found}")\nif str(found) == "[\'lab\']":\n    place("cup")',
    "padded": "say(f\"{', '.join(found):>3000}\")",
    "joined with another separator": 'dot = "."\nsay(dot.join(found))',
    "given to what nobody takes": 'say("x", ", ".join(found))',
    "read by a function": "def last():\n    return found[-1]\nif found:\n    go_to(last())",
    "read by a lambda": "if found:\n    go_to((lambda: found[-1])())",
    "read in a comprehension": 'if [x for x in ["lab"] if x in found]:\n    place("cup")',
    "printed": 'print(", ".join(found))',
}


@pytest.mark.parametrize("use", DEPENDS)
def test_a_list_on_which_more_depends_than_words_is_none(use: str) -> None:
    body = FILLED + DEPENDS[use]
    assert lists_of(body) == {}
    verdict = verify(source_of(body), DOMAIN, SMALL)
    with told_apart():
        assert found(verdict) == found(verify(source_of(body), DOMAIN, SMALL))


@pytest.mark.parametrize(
    "other",
    [
        "def look(found):\n    return found[0]\n",
        "def look():\n    global found\n    found = ['lab']\n",
        "def found():\n    return 1\n",
    ],
)
def test_a_name_with_another_meaning_is_none(other: str) -> None:
    use = 'if found:\n    say(", ".join(found))'
    source = other + source_of(FILLED + use)
    assert said_lists(parents_in(ast.parse(source)), DOMAIN) == {}


@pytest.mark.parametrize(
    "other", ["def tell():\n    say(', '.join(found))\ntell()", "tell = lambda: len(found)"]
)
def test_a_list_that_another_function_says_is_none(other: str) -> None:
    assert lists_of(FILLED + other) == {}


def test_one_list_with_two_names_is_told_apart_from_two() -> None:
    body = """
        other = found = []
        go_to("kitchen")
        if is_in_room("cup"):
            other = []
            found = []
        if is_in_room("mug"):
            go_to("office")
        if is_in_room("plate"):
            other.append("plate")
        if found:
            place("cup")
        say(", ".join(other) if other else "none")
    """
    assert lists_of(body) == {}
    assert found(verify(source_of(body), DOMAIN, SMALL)) == [("hand_empty", 12)]


def test_the_number_of_items_counts_where_it_is_looked_at() -> None:
    body = FILLED + 'say("In: " + ", ".join(found))\nif len(found) == 2:\n    place("cup")'
    assert found(verify(source_of(body), DOMAIN, SMALL)) == [("hand_empty", 9)]


def test_whether_there_are_items_counts() -> None:
    body = FILLED + 'if not found:\n    place("cup")\nsay(", ".join(found))'
    assert found(verify(source_of(body), DOMAIN, SMALL)) == [("hand_empty", 8)]


def test_a_text_that_may_be_empty_is_found() -> None:
    body = FILLED + 'say(", ".join(found))'
    assert found(verify(source_of(body), DOMAIN, SMALL)) == [("wrong_arguments", 7)]


@pytest.mark.parametrize("item", ["None", "3", '" "', '[room, "x"]'])
def test_items_that_cannot_be_said_count(item: str) -> None:
    body = f"""
        found = []
        go_to("kitchen")
        if is_in_room("cup"):
            found.append("a cup")
        if is_in_room("mug"):
            found.append({item})
        room = "office"
        go_to(room)
        if is_in_room("apple"):
            say(", ".join(found) + " and an apple" if found else "only an apple")
            return
        say(", ".join(found) if found else "nothing")
    """.replace("found.append([room", 'room = ""\n            found.append([room')
    verdict = verify(source_of(body), DOMAIN, SMALL)
    with told_apart():
        assert found(verdict) == found(verify(source_of(body), DOMAIN, SMALL))


@pytest.mark.parametrize("condition", ['is_in_room("cup")', 'not is_in_room("cup")'])
@pytest.mark.parametrize("separator", [", ", "; " * 120])
def test_a_text_that_only_some_worlds_make_too_long_is_found(
    condition: str, separator: str
) -> None:
    long = 150 if len(separator) > 2 else 380
    rooms = house(*(letter * long for letter in "abcdef"))
    body = f"""
        found = []
        for room in get_all_rooms():
            go_to(room)
            if {condition}:
                found.append(room)
        if found:
            say({separator!r}.join(found))
    """
    verdict = verify(source_of(body), DOMAIN, rooms)
    assert found(verdict) == [("wrong_arguments", 8)]
    told = verdict.violations[0].counterexample
    assert told is not None
    (again,) = replay(source_of(body), told, DOMAIN, rooms)
    assert (again.code.value, again.line) == ("wrong_arguments", 8)


def test_a_policy_about_what_is_said_keeps_the_items_apart() -> None:
    body = FILLED + 'if found:\n    say(", ".join(found))'
    rule = Policy(name="quiet about the lab", never='say("kitchen, lab")')
    verdict = verify(source_of(body), DOMAIN, SMALL, Policies(policies=(rule,)))
    assert found(verdict) == [("policy_broken", 8)]


# the same verdict, with and without ---------------------------------------------------------------

_ACTS = (
    'pick("cup")', 'place("cup")', 'say("hello")', 'go_to("lab")', "found = []", "missing = []",
    'found.append("a cup")', "missing.append(room)", 'found.append(ask("", "?", ["x", "y"]))',
    'say(", ".join(found))', 'say("Here: " + ", ".join(missing))', "count += 1",
    'say(f"{len(missing)} are missing")', 'say(", ".join(found) or "none")', "return",
    'pick("Jack")', 'ask("Jack", "?", ["x", "y"])', "missing.append(f'no cup in {room}')",
    "found.append(str(len(missing)))",
)  # fmt: skip
_TESTS = (
    "found", "not found", "missing and not found", "len(missing) > 1", "count == 2",
    'is_in_room("cup")', 'is_in_room("apple")', 'not is_in_room("cup")', "not missing",
    'is_in_room("Jack")', 'not is_in_room("person")',
)  # fmt: skip
_SPOILS = tuple(DEPENDS.values())


@st.composite
def reports(draw: st.DrawFn) -> str:
    """A program that fills lists and says them; in every third, more depends on one of them."""
    lot = random.Random(draw(st.integers(0, 2**32 - 1)))

    def block(depth: int, loops: int) -> list[str]:
        lines = []
        for _ in range(lot.randint(1, 3)):
            kind = lot.random()
            if kind < 0.2 and loops:
                inner = block(depth - 1, loops - 1)
                lines += ["for room in get_all_rooms():", *_in(["go_to(room)", *inner])]
            elif kind < 0.55 and depth > 0:
                lines += [f"if {lot.choice(_TESTS)}:", *_in(block(depth - 1, loops))]
                if lot.random() < 0.3:
                    lines += ["else:", *_in(block(depth - 1, loops))]
            else:
                lines.append(lot.choice(_ACTS))
        return lines

    body = ["found = []", "missing = []", "count = 0", 'room = "kitchen"', "go_to(room)"]
    thing = lot.choice(("cup", "apple", "person"))
    sees = [f'if is_in_room("{thing}"):', "    found.append(room)"]
    sees += lot.choice(([], ["else:", "    missing.append(room)"]))
    more = block(1, 0) if lot.random() < 0.3 else []
    body += ["for room in get_all_rooms():", *_in(["go_to(room)", *sees, *more])]
    body += block(2, 1)
    if lot.random() < 0.35:
        body += lot.choice(_SPOILS).splitlines()
    if lot.random() < 0.5:
        body += [f"if {lot.choice(_TESTS)}:", '    place("cup")']
    return source_of("\n".join(body))


def _in(lines: list[str]) -> list[str]:
    return textwrap.indent("\n".join(lines), "    ").splitlines()


@given(source=reports(), closed=st.booleans())
@settings(
    max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
def test_reports_get_the_same_verdict(source: str, closed: bool) -> None:
    where = SMALL if closed else None
    verdict = verify(source, DOMAIN, where, NO_POLICIES, QUICK)
    assume(verdict.exhaustive)
    with told_apart():
        plain = verify(source, DOMAIN, where, NO_POLICIES, QUICK)
    assume(plain.exhaustive)
    event("fewer worlds" if verdict.paths < plain.paths else "as many worlds")
    assert verdict.paths <= plain.paths
    assert (verdict.status, found(verdict), verdict.coverage, verdict.warnings) == (
        plain.status, found(plain), plain.coverage, plain.warnings,
    )  # fmt: skip
