"""Conditions and goals over the calls of a run, against their definitions over the whole run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboinstruct_ros.domain.condition import parse_condition
from roboinstruct_ros.evaluate.suite.case import Place
from roboinstruct_ros.evaluate.suite.conditions import Course, course_of
from roboinstruct_ros.evaluate.suite.schema import RunCondition
from roboinstruct_ros.evaluate.worlds.scripted import Facts, ScriptedWorld
from roboinstruct_ros.sandbox.namespace import SkillError

PLACE = Place.of_names({"hall": ["lobby"], "kitchen": [], "office": []}, "hall")
FACTS = Facts(
    {"hall": "hall", "lobby": "hall", "kitchen": "kitchen", "office": "office"},
    "hall",
    ("Ann", "Bob"),
    {"kitchen": ["cup|mug", "Ann"], "office": ["Bob@2"]},
    people_are_placed=True,
)
Call = tuple[Any, ...]


def world_after(calls: list[Call]) -> ScriptedWorld:
    world = ScriptedWorld(FACTS)
    for skill, *arguments in calls:
        try:
            getattr(world, skill)(*arguments)
        except SkillError:
            continue
    return world


def course(calls: list[Call], goals: tuple[str, ...] = (), **rule: Any) -> Course:
    made = world_after(calls).made
    rules = [RunCondition(**rule)] if rule else []
    return course_of(made, FACTS, PLACE.rooms, rules, [parse_condition(goal) for goal in goals])


FETCH: list[Call] = [
    ("go_to", "kitchen"), ("pick", "the mug"), ("go_to", "lobby"), ("place", "cup"),
    ("say", "Here is the cup"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ({"never": 'go_to("lobby")'}, "at call 3, go_to('lobby')"),
        ({"never": 'go_to("hall")'}, "at call 3, go_to('lobby')"),
        ({"never": 'holding("cup") and robot_at("lobby")'}, "at call 3, go_to('lobby')"),
        ({"never": 'pick("cup")'}, "at call 2, pick('the mug')"),
        ({"never": 'say("~here mug|cup")'}, "at call 5, say('Here is the cup')"),
        ({"never": 'say("/the c.p$/")'}, "at call 5, say('Here is the cup')"),
        ({"only": "say(...)", "when": 'in_room("Ann", here)'}, "at call 5"),
        ({"first": "pick(...)"}, "at call 1, go_to('kitchen')"),
        ({"at_least": 3, "of": "go_to(...)"}, "at the end, after 5 calls"),
        ({"exactly": 1, "of": "go_to(...)"}, "at call 3, go_to('lobby')"),
        ({"in_order": ["place(...)", "pick(...)"]}, "at the end, after 5 calls"),
        ({"at_end": 'robot_at("kitchen")'}, "at the end, after 5 calls"),
        ({"says": "cup NOT"}, "what it says is 'Here is the cup'"),
    ],
)
def test_a_broken_condition_is_told_with_its_call(rule: dict[str, Any], told: str) -> None:
    broken = course(FETCH, **rule).broken
    assert broken.startswith("it breaks '")
    assert RunCondition(**rule).text in broken
    assert told in broken


@pytest.mark.parametrize(
    "rule",
    [
        {"never": 'go_to("office")'},
        {"before": "say(...)", "require": 'pick("mug*")'},
        {"only": "pick(...)", "when": 'in_room("person", here)'},
        {"first": 'go_to("kitchen")'},
        {"exactly": 2, "of": "go_to(...)"},
        {"in_order": ['robot_at("kitchen")', 'holding("cup")', 'robot_at(start)', "say(...)"]},
        {"after": "place(...)", "until": "pick(...)", "never": "go_to(...)"},
        {"says": "here cup"},
        {"says": "!knife !NOT"},
    ],
)  # fmt: skip
def test_a_condition_that_is_kept(rule: dict[str, Any]) -> None:
    assert course(FETCH, **rule) == Course("", ())


def test_several_messages_together_have_the_words() -> None:
    calls: list[Call] = [("say", "Ann is here"), ("say", "Bob is not")]
    assert not course(calls, says="ann bob NOT").broken
    assert course(calls, says="ann eve").broken


def test_who_is_asked_by_any_word_is_asked() -> None:
    ask: list[Call] = [("go_to", "kitchen"), ("ask", "someone", "Tea?", ["yes"])]
    assert not course(ask, at_least=1, of='ask("Ann", ...)').broken
    assert course(ask, at_least=1, of='ask("Bob", ...)').broken


def test_a_call_that_fails_was_made() -> None:
    assert course([("pick", "cup")], never='pick("cup")').broken
    assert course([("say", "")], says="x").broken


def test_goals_hold_at_the_end_and_a_call_in_one_was_made() -> None:
    goals = ('in_room("mug", "lobby")', 'holding("cup")', 'pick("cup")', 'say("~cup NOT")')
    assert course(FETCH, goals).goals == (True, False, True, False)


def test_what_a_failed_program_has_still_to_do_is_not_held_against_it() -> None:
    made = world_after(FETCH[:2]).made
    rules = [RunCondition(at_end='robot_at("hall")'), RunCondition(says="cup")]
    goal = parse_condition('holding("cup")')
    found = course_of(made, FACTS, PLACE.rooms, rules, [goal], ended=False)
    assert found == Course("", (True,))


# The definitions, over the list of all moments.

CALLS = st.lists(
    st.one_of(
        st.tuples(st.just("go_to"), st.sampled_from(["hall", "kitchen", "office", "attic"])),
        st.tuples(st.sampled_from(["pick", "place"]), st.sampled_from(["cup", "mug"])),
        st.tuples(st.just("say"), st.sampled_from(["tea", "no tea"])),
        st.tuples(st.just("is_in_room"), st.sampled_from(["Bob", "cup"])),
        st.tuples(st.just("sleep"), st.just(1.0)),
    ),
    max_size=9,
)
TERMS = (
    'go_to("kitchen")', 'pick("cup")', "say(...)", 'say("~tea !no")', 'robot_at("kitchen")',
    "holding(...)", 'in_room("Bob", "office")', 'in_room("cup", here)',
)  # fmt: skip
TERM = st.sampled_from(TERMS)
COUNT = st.integers(1, 3)
RULES = st.one_of(
    st.fixed_dictionaries({"never": TERM}),
    st.fixed_dictionaries({"before": TERM, "require": TERM}),
    st.fixed_dictionaries({"after": TERM, "until": TERM, "never": TERM}),
    st.fixed_dictionaries({"at_most": COUNT, "of": TERM}),
    st.fixed_dictionaries({"at_least": COUNT, "of": TERM}),
    st.fixed_dictionaries({"exactly": COUNT, "of": TERM}),
    st.fixed_dictionaries({"only": TERM, "when": TERM}),
    st.fixed_dictionaries({"first": TERM}),
    st.fixed_dictionaries({"in_order": st.lists(TERM, min_size=2, max_size=3)}),
    st.fixed_dictionaries({"at_end": TERM}),
)
Shown = frozenset[str]
"""The terms that hold at a moment; "acts" where a call is about to be made that acts, "done ..."
where one has succeeded, and "end"."""


def shown(world: ScriptedWorld, call: Call | None, done: Call | None = None) -> Shown:
    """What holds, worked out by hand."""
    bob_came = any(thing.name == "Bob" for thing in world.things_in("office"))
    cup_here = any(thing.name == "cup" for thing in world.things_in(world.room))
    facts = {
        'robot_at("kitchen")': world.room == "kitchen",
        "holding(...)": world.hand is not None,
        'in_room("Bob", "office")': bob_came,
        'in_room("cup", here)': cup_here,
        **calls_shown(call),
        **{f"done {term}": holds for term, holds in calls_shown(done).items()},
        "acts": bool(call) and call[0] in ("go_to", "pick", "place", "say"),  # type: ignore[index]
    }
    return frozenset(name for name, holds in facts.items() if holds)


def calls_shown(call: Call | None) -> dict[str, bool]:
    return {
        'go_to("kitchen")': call == ("go_to", "kitchen"),
        'pick("cup")': call in (("pick", "cup"), ("pick", "mug")),
        "say(...)": bool(call) and call[0] == "say",  # type: ignore[index]
        'say("~tea !no")': call == ("say", "tea"),
    }


def moments(calls: list[Call]) -> list[Shown]:
    found = []
    for index, call in enumerate(calls):
        if call[0] != "sleep":
            found.append(shown(world_after(calls[:index]), call))
        after = world_after(calls[: index + 1])
        found.append(shown(after, None, call if succeeded(after, call) else None))
    return [*found, shown(world_after(calls), None) | {"end"}]


def succeeded(after: ScriptedWorld, call: Call) -> bool:
    return call[0] != "sleep" and not after.made[-1].error


def is_broken(rule: dict[str, Any], run: list[Shown]) -> bool:
    """The definition of each shape, looking at the whole run."""

    def at(term: str) -> list[int]:
        return [index for index, moment in enumerate(run) if term in moment]

    def got(term: str) -> list[int]:
        return at(f"done {term}" if term in calls_shown(None) else term)

    match RunCondition(**rule).shape:
        case ("never",):
            return bool(at(rule["never"]))
        case ("before", "require"):
            return any(not any(d < c for d in got(rule["require"])) for c in at(rule["before"]))
        case ("after", "until", "never"):
            return any(
                a < e and not any(a < u < e for u in got(rule["until"]))
                for e in at(rule["never"])
                for a in at(rule["after"])
            )
        case ("only", "when"):
            return not set(at(rule["only"])) <= set(at(rule["when"]))
        case ("first",):
            acting = at("acts")
            return not acting or acting[0] not in at(rule["first"])
        case ("in_order",):
            after = -1
            for term in rule["in_order"]:
                after = next((index for index in got(term) if index > after), len(run))
            return after >= len(run) - 1  # the end itself is no step
        case ("at_end",):
            return len(run) - 1 not in at(rule["at_end"])
    times = len(at(rule["of"]))
    if "at_most" in rule:
        return times > rule["at_most"]
    return times < rule["at_least"] if "at_least" in rule else times != rule["exactly"]


@settings(max_examples=400, deadline=None)
@given(RULES, CALLS)
def test_a_monitor_agrees_with_the_definition(rule: dict[str, Any], calls: list[Call]) -> None:
    assert bool(course(calls, **rule).broken) is is_broken(rule, moments(calls))
