"""Rounds of a long wait that are all alike are tried once, and nothing is lost by that."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from looping_programs import looping_programs
from programs import source_of

from roboinstruct_ros.domain.policies import NO_POLICIES, Policies, Policy
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.explore import bounded_waits
from roboinstruct_ros.verify.explore.tree import NodeKind
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import read_text, replay, tree_of, verify

pytestmark = pytest.mark.computes

DOMAIN = load_domain()
SMALL = SemanticMap(
    tuple(Room(name, (), Pose(0.0, 0.0, 0.0)) for name in ("kitchen", "office", "lab"))
)
EXAMPLES = 200
QUICK = Budget(paths=200, samples=0, work=100_000, seconds=60.0)


@contextmanager
def skipping(least: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounded_waits, "LEAST", least)
        yield


def found(verdict: Verdict) -> list[tuple[str, int]]:
    return [(violation.code.value, violation.line) for violation in verdict.violations]


WAITS = {
    "for somebody": """
        go_to("kitchen")
        for _ in range(600):
            if is_in_room("Jack"):
                say("hello")
                return
            time.sleep(1)
        say("He did not come")
    """,
    "until a flag is set": """
        arrived = False
        for _ in range(3600):
            if is_in_room("Jack"):
                arrived = True
                break
            time.sleep(1)
        say("hello" if arrived else "He did not come")
    """,
    "with an else": """
        for _ in range(100):
            answer = ask("", "Ready?", ["yes", "no", "wait"])
            if answer == "yes":
                break
            time.sleep(30 if answer == "wait" else 5)
        else:
            say("I give up")
    """,
    "in a function": """
        def wait(who):
            for _ in range(60):
                if is_in_room(who):
                    return True
                time.sleep(10)
            return False
        go_to("kitchen")
        for who in ["Jack", "Jill"]:
            say(f"{who} is here" if wait(who) else f"no {who}")
    """,
    "in every room": """
        for room in get_all_rooms():
            go_to(room)
            for _ in range(60):
                if is_in_room("Jack"):
                    say("hello")
                    break
                time.sleep(1)
    """,
    "one inside the other": """
        for _ in range(50):
            for _ in range(60):
                if is_in_room("Jack"):
                    return
                time.sleep(1)
            say("still waiting")
    """,
    "of which the first round is different": """
        for _ in range(600):
            go_to("office")
            if is_in_room("Jack"):
                return
            time.sleep(1)
    """,
}


@pytest.mark.parametrize("name", WAITS)
def test_a_wait_that_gives_up_is_exhausted_in_a_few_worlds(name: str) -> None:
    verdict = verify(source_of(WAITS[name]), DOMAIN, SMALL)
    assert verdict.accepted and verdict.exhaustive and not verdict.warnings
    assert verdict.paths < 60
    assert verdict.coverage.lines_reached == verdict.coverage.lines


COUNTING = {
    "how often": ("python_error", 8, """
        times = 0
        for _ in range(12):
            if is_in_room("Jack"):
                times += 1
            time.sleep(1)
        if times == 7:
            raise ValueError
    """),
    "since when": ("python_error", 9, """
        since = 0
        for _ in range(12):
            if since or is_in_room("Jack"):
                since += 1
            time.sleep(1)
        say(str(since))
        if since == 5:
            raise ValueError
    """),
    "in a list": ("hand_empty", 8, """
        seen = []
        for _ in range(12):
            if is_in_room("Jack"):
                seen.append("Jack")
            time.sleep(1)
        if len(seen) == 6:
            place("cup")
    """),
    "in a list that the loop takes from": ("python_error", 4, """
        left = ["a", "b", "c"] * 3
        for _ in range(12):
            say(left.pop())
    """),
    "as the number of the round": ("hand_empty", 7, """
        for number in range(12):
            if is_in_room("Jack"):
                break
            time.sleep(1)
        if number == 6:
            place("cup")
    """),
    "in the hand": ("hand_full", 5, """
        for _ in range(12):
            if is_in_room("Jack"):
                if is_in_room("cup"):
                    pick("cup")
            time.sleep(1)
    """),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTING)
def test_a_loop_whose_rounds_count_is_tried_in_full(name: str) -> None:
    code, line, body = COUNTING[name]
    budget = Budget(paths=20_000, work=50_000_000, seconds=60.0)
    verdict = verify(source_of(body), DOMAIN, SMALL, budget=budget)
    assert found(verdict) == [(code, line)]
    (violation,) = verdict.violations
    assert violation.counterexample is not None
    again = replay(source_of(body), violation.counterexample, DOMAIN, SMALL)
    assert [(one.code.value, one.line) for one in again] == [(code, line)]


GIVES_UP = """
go_to("kitchen")
for _ in range(600):
    if is_in_room("Jack"):
        return
    time.sleep(1)
place("cup")
"""


def test_a_counterexample_tells_of_the_rounds_that_it_skips_and_replays() -> None:
    (violation,) = verify(source_of(GIVES_UP), DOMAIN, SMALL).violations
    story = violation.counterexample
    assert story is not None and story.length < 10
    assert any("597 more rounds like the last one" in step for step in story.steps)
    (again,) = replay(source_of(GIVES_UP), story, DOMAIN, SMALL)
    assert again == violation


@pytest.mark.parametrize("looks", [1, 300, 598, 600])
def test_a_wait_is_verified_from_any_of_its_rounds(looks: int) -> None:
    went = SkillCall(index=0, skill="go_to", arguments=("kitchen",), line=2)
    looked = [
        SkillCall(index=n, skill="is_in_room", arguments=("Jack",), line=4, result=False)
        for n in range(1, looks + 1)
    ]
    verdict = verify(source_of(GIVES_UP), DOMAIN, SMALL, calls=[went, *looked])
    assert verdict.exhaustive and verdict.paths < 10
    assert found(verdict) == [("hand_empty", 7)]


def test_the_tree_of_worlds_shows_the_rounds_that_are_skipped() -> None:
    tree = tree_of(read_text(source_of(GIVES_UP), DOMAIN, SMALL), NO_POLICIES, None, 200)
    assert tree is not None
    assert sum("more rounds" in node.text for node in tree.nodes) == 1


def test_after_rounds_that_are_skipped_the_tree_still_leads_back_to_an_earlier_step() -> None:
    body = f"{GIVES_UP.replace('place', 'say')}while not is_in_room('cup'):\n    time.sleep(5)"
    tree = tree_of(read_text(source_of(body), DOMAIN, SMALL), NO_POLICIES, None, 200)
    assert tree is not None
    (back,) = (node.target for node in tree.nodes if node.kind is NodeKind.AGAIN)
    assert back is not None and "is_in_room('cup') answers False" in tree.nodes[back].text


SINCE_IT_WAS_SAID = """
since = 0
for _ in range(12):
    if since or ask("", "Now?", ["no", "yes"]) == "yes":
        since += 1
    time.sleep(1)
if since == 5:
    raise ValueError
for thing in ["cup", "mug", "jug", "pot", "pan"]:
    is_in_room(thing)
if not since:
    place("cup")
"""
COUNTED, NEVER = ("python_error", 8), ("hand_empty", 12)


@pytest.mark.parametrize("paths", [1, 3, 10_000])
def test_a_count_is_found_from_where_a_budget_ended(paths: int) -> None:
    budget = Budget(paths=paths, samples=0, work=50_000_000, seconds=60.0)
    begin: tuple[int, ...] | None = ()
    seen, parts = set(), 0
    while begin is not None:
        verdict = verify(source_of(SINCE_IT_WAS_SAID), DOMAIN, SMALL, budget=budget, begin=begin)
        begin, parts = verdict.frontier, parts + 1
        seen.update(found(verdict))
        assert parts < 500, begin
    assert seen == {COUNTED, NEVER}


def test_what_a_loop_counted_replays_with_all_of_its_rounds() -> None:
    source = source_of(SINCE_IT_WAS_SAID)
    budget = Budget(paths=10_000, work=50_000_000, seconds=60.0)
    verdict = verify(source, DOMAIN, SMALL, budget=budget)
    assert found(verdict) == [COUNTED, NEVER]
    for violation in verdict.violations:
        assert violation.counterexample is not None
        (again,) = replay(source, violation.counterexample, DOMAIN, SMALL)
        assert again == violation


def test_a_rule_that_counts_what_a_round_does_is_kept() -> None:
    source = source_of("""
        for _ in range(40):
            if is_in_room("Jack"):
                return
            say("beep")
            time.sleep(1)
    """)
    assert verify(source, DOMAIN, SMALL).exhaustive
    rule = Policies(policies=(Policy(name="beeps", at_most=30, of="say(...)"),))
    assert found(verify(source, DOMAIN, SMALL, rule)) == [("policy_broken", 5)]


def test_what_a_wait_prints_counts_for_each_round() -> None:
    verdict = verify(
        source_of("""
            for _ in range(90_000):
                print("waiting")
                if is_in_room("Jack"):
                    return
                time.sleep(1)
        """),
        DOMAIN,
        SMALL,
    )
    assert not verdict.exhaustive
    assert any("print" in warning.message for warning in verdict.warnings)


@pytest.mark.parametrize(("rounds", "fits"), [(9_990, True), (10_010, False)])
def test_the_calls_of_a_wait_count_for_each_round(rounds: int, fits: bool) -> None:
    verdict = verify(
        source_of(f"""
            for _ in range({rounds}):
                if is_in_room("Jack"):
                    return
                time.sleep(1)
        """),
        DOMAIN,
        SMALL,
    )
    assert verdict.accepted and verdict.exhaustive is fits
    assert any("more calls" in warning.message for warning in verdict.warnings) is not fits


def test_a_loop_that_computes_for_too_long_is_no_wait() -> None:
    source = source_of("for _ in range(90_000):\n    pass")
    assert found(verify(source, DOMAIN, SMALL)) == [("step_budget", 2)]


IN_A_ROUND = (
    'if is_in_room("Jack"):\n    {}',
    'if is_in_room("person"):\n    {}',
    'if is_in_room("Jack"):\n    seen = True',
    "if seen:\n    times += 1",
    "if seen:\n    times += 1",
    'if ask("", "q", ["y", "n"]) == "y":\n    {}',
    "if seen:\n    {}",
    "if times == 2:\n    {}",
    "{}",
    "time.sleep(5)",
    "time.sleep(5)",
    'go_to("office")',
)
DONE = (
    "break", "break", "return", "continue", "seen = True", "seen = not seen", "times += 1",
    "times = 0", "times = max(times, 1)", 'names.append("x")', "names.clear()", 'say("x")',
    'pick("cup")', "last = here",
)  # fmt: skip
AFTER = (
    'if times == {}:\n    place("cup")',
    'if len(names) == {}:\n    place("cup")',
    'if seen:\n    place("plate")',
    'if is_in_room("Jack"):\n    place("bowl")',
    'if last:\n    go_to(last)\n    place("jug")',
    "",
)


@st.composite
def waiting_programs(draw: st.DrawFn) -> str:
    """Programs that count in some of the rounds of a loop, and look at the count after it."""
    rounds = draw(st.lists(st.sampled_from(IN_A_ROUND), min_size=1, max_size=4))
    body = [one.format(draw(st.sampled_from(DONE))) for one in rounds]
    lines = ["for _ in range(5):", *(textwrap.indent(one, "    ") for one in body)]
    lines += [one.format(draw(st.integers(1, 5))) for one in draw(st.lists(
        st.sampled_from(AFTER), min_size=1, max_size=2))]  # fmt: skip
    around = draw(st.sampled_from(["", "", 'for here in ["office", "kitchen"]:', "if seen:"]))
    first = draw(st.sampled_from(["", 'go_to("kitchen")', 'seen = is_in_room("cup")']))
    inner = "\n".join(filter(None, lines))
    inner = f"{around}\n{textwrap.indent(inner, '    ')}" if around else inner
    return source_of(
        "seen, times, names, here, last = False, 0, [], '', ''\n" + f"{first}\n{inner}"
    )


@given(
    source=st.one_of(waiting_programs(), looping_programs(waits=False, rounds=4)),
    closed=st.booleans(),
)
@settings(
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_skipping_rounds_changes_no_verdict(source: str, closed: bool) -> None:
    assume("in range(" in source)
    semantic_map = SMALL if closed else None
    with skipping(1):
        few = verify(source, DOMAIN, semantic_map, budget=QUICK)
    assume(few.exhaustive)
    with skipping(10**6):
        every = verify(source, DOMAIN, semantic_map, budget=QUICK)
    assume(every.exhaustive)
    event("skipped" if few.paths != every.paths else "as many worlds")
    assert (few.status, found(few), few.coverage) == (every.status, found(every), every.coverage)
    for violation in few.violations:
        if violation.counterexample is not None:
            with skipping(1):
                again = replay(source, violation.counterexample, DOMAIN, semantic_map)
            assert [(one.code, one.line) for one in again] == [(violation.code, violation.line)]
