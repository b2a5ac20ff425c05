"""Policies in every world: what keeps them, what breaks them, and the story of it."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from programs import source_of

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.policies import Policies, Policy, load_policies
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.policies.temporal import (
    AllOf,
    Earlier,
    Formula,
    MoreThan,
    Now,
    Opposite,
    Reached,
)
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import replay, verify

DOMAIN = load_domain()
HOME = load_semantic_map(find_world("home"))
SHIPPED = load_policies(DOMAIN)


def rule(**fields: Any) -> Policies:
    return Policies(people=("child",), policies=(Policy(name="a rule", **fields),))


def shipped(name: str) -> Policies:
    return SHIPPED.switched_on((name,))


def verdict(policies: Policies, body: str) -> Verdict:
    return verify(source_of(body), DOMAIN, HOME, policies)


def broken_lines(policies: Policies, body: str) -> list[int]:
    found = verdict(policies, body)
    assert found.exhaustive
    assert all(v.code.value == "policy_broken" for v in found.violations), found.violations
    return [violation.line for violation in found.violations]


BEDROOM = shipped("ask before a bedroom")
KNIFE = shipped("no knife near a child")
AT_HOME = shipped("home at the end")
EACH = rule(before='go_to("*bedroom*")', require="ask(...)", each_time=True)
ONCE = rule(at_most=1, of="say(...)")
QUIET = rule(after='pick("baby")', until='place("baby")', never="say(...)")
NURSE = rule(only='pick("medicine*")', when='in_room("nurse", here)')
GARAGE = rule(never='robot_at("garage")')
TWICE = rule(at_least=2, of="say(...)")
EXACTLY = rule(exactly=1, of="say(...)")
GREET = rule(first='say("~hello|hi")')
ORDER = rule(in_order=['ask("", ...)', 'go_to("kitchen")', 'say("/^done$/")'])

WIDE = rule(never='holding("*knife*") and in_room("*child*", here)')
ALONE = rule(never='holding("knife") and in_room("person", here)')
NAP = rule(never='say(...) and in_room("baby", "*bedroom*")')

TABLE = [
    ("an alias", BEDROOM, 'go_to("guest room")', [2]),
    ("an alias in another spelling", BEDROOM, 'go_to(" KIDS  room")', [2]),
    ("wildcards mean a room under any of its names", rule(never='go_to("*office*")'),
     'go_to("study")', [2]),
    ("where it stands under any name", rule(never='robot_at("*office*")'), 'go_to("library")', [2]),
    ("where it may have started", rule(never='say(...) and robot_at("kitchen")'), 'say("a")', [2]),
    ("some child may be there", WIDE, 'pick("bread knife")', [2]),
    ("there are many of them", WIDE, 'pick("bread knives")', [2]),
    ("no child is there", WIDE, 'if not is_in_room("child"):\n    pick("knife")', []),
    ("another child may be there", WIDE,
     'if not is_in_room("small child"):\n    pick("knife")', [3]),
    ("nobody is there, so no child", WIDE, 'if not is_in_room("person"):\n    pick("knife")', []),
    ("somebody may be there", ALONE, 'pick("knife")', [2]),
    ("it looked, and nobody is there", ALONE,
     'if not is_in_room("person"):\n    pick("knife")', []),
    ("one who is there is somebody", ALONE,
     'if is_in_room("Jack"):\n    ask("Jack", "?", ["a"])\n    pick("knife")', [4]),
    ("a baby may be in one of the bedrooms", NAP, 'say("a")', [2]),
    ("it looked into two of three bedrooms", NAP, """
        for room in ["main bedroom", "kids bedroom"]:
            go_to(room)
            if is_in_room("baby"):
                return
        say("a")
     """, [6]),
    ("it looked into all bedrooms", NAP, """
        for room in ["main bedroom", "kids bedroom", "guest room"]:
            go_to(room)
            if is_in_room("baby"):
                return
        say("a")
     """, []),
    ("anything in the hand", rule(never='holding(...) and robot_at("study")'),
     'pick("cup")\ngo_to("study")', [2, 3]),
    ("nothing in the hand", rule(never='holding(...) and robot_at("study")'), 'go_to("study")', []),
    ("letter case and spaces of a thing", rule(never='holding("bread knife")'),
     'pick("Bread  Knife")', [2]),
    ("a thing with brackets in its name", rule(never='holding("box [a]")'), 'pick("box [a]")', [2]),
    ("an article and a plural", rule(never='holding("apple")'), 'pick("the Apples")', [2]),
    ("a plural in the rule", rule(never='pick("*apples")'), 'pick("an apple")', [2]),
    ("a child with an article", rule(never='holding("knife") and in_room("child", here)'),
     'if not is_in_room("the child"):\n    pick("knife")', []),
    ("whoever it is", rule(never='ask("somebody", ...)'), 'ask("Jack", "?", ["a"])', [2]),
    ("enters without asking", BEDROOM, 'go_to("main bedroom")', [2]),
    ("letter case does not matter", BEDROOM, 'go_to("Main Bedroom")', [2]),
    ("an alias of the map is the room too", BEDROOM, 'go_to("kids room")', [2]),
    ("a rule may name an alias", rule(never='go_to("kids room")'), 'go_to("kids bedroom")', [2]),
    ("enters after asking", BEDROOM,
     'ask("", "May I?", ["Yes", "No"])\ngo_to("main bedroom")', []),
    ("asks, and nobody answers", BEDROOM, """
        try:
            ask("", "May I?", ["Yes", "No"])
        except SkillError:
            pass
        go_to("main bedroom")
     """, [6]),
    ("a call that failed was made", rule(never='go_to("study")'), """
        try:
            go_to("study")
        except SkillError:
            pass
     """, [3]),
    ("asks on one path only", BEDROOM, """
        if is_in_room("Emma"):
            ask("Emma", "May I?", ["Yes", "No"])
        go_to("kids bedroom")
     """, [4]),
    ("enters all rooms", BEDROOM, "for room in get_all_rooms():\n    go_to(room)", [3]),
    ("asked once, enters twice", BEDROOM,
     'ask("", "?", ["Y"])\ngo_to("main bedroom")\ngo_to("kids bedroom")', []),
    ("asked once, enters twice, must ask each time", EACH,
     'ask("", "?", ["Y"])\ngo_to("main bedroom")\ngo_to("kids bedroom")', [4]),
    ("asks each time", EACH,
     'ask("", "?", ["Y"])\ngo_to("main bedroom")\nask("", "?", ["Y"])\ngo_to("kids bedroom")', []),
    ("a knife where nobody looked for a child", KNIFE, 'pick("knife")', [2]),
    ("a knife where no child is", KNIFE,
     'if not is_in_room("child"):\n    pick("bread knife")', []),
    ("a knife where nobody is", KNIFE, 'if not is_in_room("person"):\n    pick("knife")', []),
    ("a knife carried to where a child may be", KNIFE, """
        if not is_in_room("child"):
            pick("knife")
            go_to("study")
     """, [4]),
    ("a knife while children come and go", KNIFE, """
        if not is_in_room("child"):
            pick("knife")
            time.sleep(60)
            say("careful")
     """, [5]),
    ("a spoon", KNIFE, 'pick("spoon")\nplace("spoon")', []),
    ("ends elsewhere", AT_HOME, 'go_to("kitchen")', [2]),
    ("goes back", AT_HOME, 's = get_current_location()\ngo_to("kitchen")\ngo_to(s)', []),
    ("does not move", AT_HOME, 'say("hello")', []),
    ("goes home on one path only", AT_HOME, """
        s = get_current_location()
        go_to("kitchen")
        if is_in_room("apple"):
            go_to(s)
     """, [4]),
    ("says too much", ONCE, 'say("a")\nsay("b")', [3]),
    ("says one thing", ONCE, 'if is_in_room("a"):\n    say("a")\nelse:\n    say("b")', []),
    ("says it in a loop", ONCE, 'for n in range(3):\n    say("a")', [3]),
    ("speaks while it carries", QUIET, 'pick("baby")\nsay("shh")\nplace("baby")', [3]),
    ("speaks afterwards", QUIET, 'say("a")\npick("baby")\nplace("baby")\nsay("b")', []),
    ("medicine without a nurse", NURSE, 'pick("medicine box")', [2]),
    ("medicine with a nurse", NURSE, 'if is_in_room("nurse"):\n    pick("medicine box")', []),
    ("says it once only", TWICE, 'say("a")', [2]),
    ("says it twice, or more often", TWICE, 'for n in range(3):\n    say("a")', []),
    ("says nothing on one path", EXACTLY, 'if is_in_room("a"):\n    say("a")', [2]),
    ("says one thing, and no more", EXACTLY, 'say("a")', []),
    ("says one thing too many", EXACTLY, 'say("a")\nsay("b")', [3]),
    ("greets, after a look", GREET, 'is_in_room("a")\nsay("Hi all")\ngo_to("kitchen")', []),
    ("greets too late", GREET, 'go_to("kitchen")\nsay("Hello")', [2]),
    ("does nothing at all", GREET, 'is_in_room("a")', [2]),
    ("one after the other", ORDER,
     'ask("", "?", ["a"])\nsay("wait")\ngo_to("kitchen")\nsay("Done")', []),
    ("in another order", ORDER, 'go_to("kitchen")\nask("", "?", ["a"])\nsay("done")', [4]),
    ("what comes last is missing", ORDER,
     'ask("", "?", ["a"])\ngo_to("kitchen")\nsay("done, or not")', [4]),
    ("one of the options", rule(never='ask("", "*", "/^maybe/")'),
     'ask("", "?", ["yes", "Maybe not"])', [2]),
    ("none of the options", rule(never='ask("", "*", "/^maybe/")'), 'ask("", "?", ["yes"])', []),
    ("never in the garage", GARAGE, 'go_to("garage")', [2]),
    ("may start in the garage, and leaves", GARAGE, 'go_to("kitchen")', []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "policies", "body", "lines"), TABLE, ids=[row[0] for row in TABLE]
)
def test_a_rule_holds_in_every_world(
    name: str, policies: Policies, body: str, lines: list[int]
) -> None:
    assert broken_lines(policies, body) == lines


def test_a_thing_that_a_rule_may_mean_may_as_well_be_somebody_who_leaves() -> None:
    body = """
        if is_in_room("cup"):
            if ask("", "done", ["Yes", "No"]) == "Yes":
                if not is_in_room("cup"):
                    place("nothing")
    """
    found = verdict(rule(never='holding("*cup*")'), textwrap.dedent(body).strip())
    assert [(v.code.value, v.line) for v in found.violations] == [("hand_empty", 5)]


@pytest.mark.parametrize(
    ("policies", "body", "world"),
    [
        (rule(never='ask("child", ...)'), 'ask("", "?", ["a"])', HOME),
        (rule(never='go_to("*bedroom*")'), "for r in get_all_rooms():\n    go_to(r)", None),
        (rule(never='say(...) and in_room("baby", "*bedroom*")'), 'say("a")', None),
    ],
)
def test_where_not_all_is_tried_nobody_says_so(
    policies: Policies, body: str, world: SemanticMap | None
) -> None:
    found = verify(source_of(body), DOMAIN, world, policies)
    assert found.accepted
    assert not found.exhaustive


def test_the_story_tells_what_was_supposed() -> None:
    (violation,) = verdict(KNIFE, 'go_to("kitchen")\npick("knife")').violations
    assert violation.counterexample is not None
    assert violation.counterexample.steps == (
        "Line 2: go_to('kitchen').",
        "Line 3: pick('knife').",
        "Suppose the child is in the kitchen.",
        "Line 3: This breaks the policy 'no knife near a child': a knife is never carried where a "
        "child is.",
    )
    again = replay(
        source_of('go_to("kitchen")\npick("knife")'), violation.counterexample, DOMAIN, HOME, KNIFE
    )
    assert [(v.code, v.line) for v in again] == [(violation.code, violation.line)]


def test_a_rule_that_is_switched_off_changes_nothing() -> None:
    body = 'go_to("main bedroom")\npick("knife")'
    plain = verify(source_of(body), DOMAIN, HOME).model_dump(exclude={"duration"})
    assert verdict(SHIPPED, body).model_dump(exclude={"duration"}) == plain


# The monitors against the definitions of the operators, on random traces.

A, B = Now(lambda moment: moment[0]), Now(lambda moment: moment[1])
FORMULAS = st.recursive(
    st.sampled_from([A, B]),
    lambda inner: st.one_of(
        inner.map(Opposite),
        st.tuples(inner, inner).map(lambda pair: AllOf(*pair)),
        inner.map(Earlier),
        st.tuples(inner, inner).map(lambda pair: Earlier(*pair)),
        st.tuples(st.integers(0, 3), inner).map(lambda pair: MoreThan(*pair)),
        st.tuples(st.integers(1, 3), inner).map(lambda pair: Reached(*pair)),
    ),
    max_leaves=6,
)
TRACES = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=8)


def holds(formula: Formula, trace: list[tuple[bool, bool]], at: int) -> bool:
    """The definition, looking at the whole past every time."""
    if isinstance(formula, Now):
        return formula.atom(trace[at])
    if isinstance(formula, Opposite):
        return not holds(formula.inner, trace, at)
    if isinstance(formula, AllOf):
        return holds(formula.left, trace, at) and holds(formula.right, trace, at)
    if isinstance(formula, MoreThan):
        counted = [holds(formula.counted, trace, i) for i in range(at + 1)]
        return counted[-1] and sum(counted) > formula.limit
    if isinstance(formula, Reached):
        return sum(holds(formula.counted, trace, i) for i in range(at + 1)) >= formula.limit
    return any(
        holds(formula.held, trace, i)
        and not any(
            formula.unless is not None and holds(formula.unless, trace, j) for j in range(i + 1, at)
        )
        for i in range(at)
    )


@given(FORMULAS, TRACES)
def test_a_monitor_agrees_with_the_definition(
    formula: Formula, trace: list[tuple[bool, bool]]
) -> None:
    memory: dict[int, Any] = {}
    for at, moment in enumerate(trace):
        assert formula.step(moment, memory) == holds(formula, trace, at)
