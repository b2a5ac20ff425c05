"""Properties of the verifier over generated programs.

What a program means is said a second time in `named_world`, without any code of the verifier;
`brute_force` tries every world of a small program there.
"""

from __future__ import annotations

import random
import re

import pytest
from brute_force import endings
from hypothesis import HealthCheck, assume, event, given, reject, settings
from hypothesis import strategies as st
from named_world import House
from plain_execution import Told, endings_of_story
from program_expressions import Language
from program_strategies import task_programs
from read_programs import rooms_said

from roboinstruct_ros.domain.policies import NO_POLICIES
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.skills import Domain, load_domain
from roboinstruct_ros.program.violation import Violation
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.verifier import read_text, replay, verify, verify_text

pytestmark = pytest.mark.computes

DOMAIN = load_domain()
NAMES = ("kitchen", "office", "lab")
FLAT = SemanticMap(tuple(Room(name, (), Pose(0.0, 0.0, 0.0)) for name in NAMES))
FLAT_HOUSE = House(NAMES, NAMES)
OTHER_ROOMS = ("kitchen", "office", "kit", "old kitchen", "kit 2", "elsewhere", "X9", "lounge")
OPEN_HOUSE = House(("elsewhere", "kitchen", "office", "kit"))
WORLDS = pytest.mark.parametrize(
    ("semantic_map", "house"), [(None, OPEN_HOUSE), (FLAT, FLAT_HOUSE)], ids=["open", "closed"]
)

QUICK = Budget(paths=150, samples=10, lines=3000, seconds=60.0)
THOROUGH = Budget(paths=4000, samples=1, seconds=60.0)
LOOPLESS = Language(statements=8, depth=2, waits=False, clock=False)
WAITING = Language(statements=7, depth=2, clock=False, chance=False)
EVERYTHING = Language(slips=True)
NAMES_ONLY = Language(spelling=False)

_ENDLESS = ("non_termination", "step_budget")
_MOST_CALLS = 200  # a longer story is told without its beginning


def some(examples: int) -> settings:
    return settings(
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )


# counterexamples ---------------------------------------------------------------------------------


@WORLDS
@given(source=task_programs())
@some(120)
def test_a_counterexample_replays(
    semantic_map: SemanticMap | None, house: House, source: str
) -> None:
    for violation in verify(source, DOMAIN, semantic_map, budget=QUICK).violations:
        if violation.counterexample is not None:
            again = replay(source, violation.counterexample, DOMAIN, semantic_map, budget=QUICK)
            assert [_said(found) for found in again] == [_said(violation)]


@WORLDS
@given(source=task_programs())
@some(120)
def test_plain_execution_of_a_counterexample_fails_there_too(
    semantic_map: SemanticMap | None, house: House, source: str
) -> None:
    for violation in verify(source, DOMAIN, semantic_map, budget=QUICK).violations:
        story = violation.counterexample
        if story is None or violation.code in _ENDLESS or len(story.calls) == _MOST_CALLS:
            continue
        event(violation.code)
        calls: list[Told] = [
            (c.skill, c.arguments, c.result, c.line, c.failed) for c in story.calls
        ]
        where = _starting_where_told(house, story.steps)
        found = endings_of_story(source, calls, where, fickle="while " in source)
        assert [
            ending
            for ending in found
            if (ending.code, ending.line) == _place(violation) and ending.error in violation.message
        ], (story.steps, found)


def _said(violation: Violation) -> tuple[str, int, str]:
    return violation.code, violation.line, violation.message


def _place(violation: Violation) -> tuple[str, int]:
    code = violation.code.value
    return ("python_error" if code == "misused_result" else code), violation.line


def _starting_where_told(house: House, steps: tuple[str, ...]) -> House:
    told = [re.fullmatch(r"Suppose the robot starts in (?:the )?(.+)\.", step) for step in steps]
    starts = tuple(match[1] for match in told if match)
    return House(starts or house.starts, house.rooms)


# verdicts ----------------------------------------------------------------------------------------


@WORLDS
@given(data=st.data())
@some(250)
def test_the_violations_are_those_of_brute_force(
    semantic_map: SemanticMap | None, house: House, data: st.DataObject
) -> None:
    # how many rooms an open world has is beyond brute force
    language = Language(**{**vars(LOOPLESS), "all_rooms": semantic_map is not None})
    source = data.draw(task_programs(language))
    verdict = verify(source, DOMAIN, semantic_map, budget=THOROUGH)
    assume(verdict.exhaustive and verdict.paths)
    event(verdict.status)
    try:
        failing = {(ending.code, ending.line) for ending in endings(source, house) if ending.code}
    except OverflowError:
        reject()  # its worlds are too many to be tried without any of the verifier's thrift
    assert {_place(violation) for violation in verdict.violations} == failing


@given(source=task_programs(LOOPLESS), data=st.data())
@some(200)
def test_no_list_of_rooms_fails_an_accepted_program(source: str, data: st.DataObject) -> None:
    verdict = verify(source, DOMAIN, budget=THOROUGH)
    if not (verdict.exhaustive and verdict.accepted and "get_all_rooms" in source):
        return  # nothing is said of its worlds
    others = data.draw(st.sets(st.sampled_from(OTHER_ROOMS), min_size=1, max_size=4))
    rooms = tuple(data.draw(st.permutations(sorted({*others, *rooms_said(source)}))))
    found = endings(source, House(rooms), rooms)
    assert not [ending for ending in found if ending.code], rooms


@WORLDS
@given(data=st.data())
@some(80)
def test_no_short_run_fails_a_program_that_waits_and_is_accepted(
    semantic_map: SemanticMap | None, house: House, data: st.DataObject
) -> None:
    language = Language(**{**vars(WAITING), "all_rooms": semantic_map is not None})
    source = data.draw(task_programs(language))
    verdict = verify(source, DOMAIN, semantic_map, budget=QUICK)
    if not (verdict.exhaustive and verdict.accepted):
        return  # nothing is said of its worlds
    event("waits" if "while" in source else "does not wait")
    try:
        found = endings(source, house, most=1500, longest=10)
    except OverflowError:
        reject()
    assert not [ending for ending in found if ending.code]


@given(source=task_programs(EVERYTHING), seed=st.integers(0, 99))
@some(60)
def test_the_order_of_skills_and_predicates_does_not_matter(source: str, seed: int) -> None:
    shuffled = DOMAIN.model_dump(mode="json", by_alias=True)
    for part in ("skills", "predicates", "anybody"):
        random.Random(seed).shuffle(shuffled[part])
    other = Domain.model_validate(shuffled)
    assert timeless(verify(source, other, budget=QUICK)) == timeless(
        verify(source, DOMAIN, budget=QUICK)
    )


@WORLDS
@given(source=task_programs(EVERYTHING))
@some(60)
def test_a_text_that_was_looked_at_before_gets_the_same_verdict(
    semantic_map: SemanticMap | None, house: House, source: str
) -> None:
    text = read_text(source, DOMAIN, semantic_map)
    first, second = (timeless(verify_text(text, NO_POLICIES, QUICK)) for _ in range(2))
    assert first == second


def timeless(verdict: Verdict) -> dict[str, object]:
    """As a process sends it, without the name of the rules that only a process gives it."""
    same = {"duration": 0.0, "rules_sha256": ""}
    return verdict.model_copy(update=same).model_dump(mode="json")


# programs that mean the same ---------------------------------------------------------------------

RENAMED = {
    "apple": "Zebra", "cup": "red marker", "Jack": "Oluwaseun", "Eve": "Dr. Li",
    "kitchen": "hallway", "office": "study", "kit": "hal",
}  # fmt: skip


@WORLDS
@given(source=task_programs(NAMES_ONLY))
@some(80)
def test_renaming_keeps_the_verdict(
    semantic_map: SemanticMap | None, house: House, source: str
) -> None:
    renamed = re.sub(r"\b(" + "|".join(RENAMED) + r")\b", lambda m: RENAMED[m[1]], source)
    other_map = semantic_map and SemanticMap(
        tuple(Room(RENAMED.get(r.name, r.name), (), r.pose) for r in semantic_map.rooms)
    )
    before = verify(source, DOMAIN, semantic_map, budget=QUICK)
    after = verify(renamed, DOMAIN, other_map, budget=QUICK)
    # how many worlds there are is another matter: rooms are told apart by their letters
    assert _found(after) == _found(before)
    assert after.status == before.status


@given(source=task_programs(), data=st.data())
@some(80)
def test_comments_only_move_lines(source: str, data: st.DataObject) -> None:
    spaced, moved = [], {0: 0}
    for number, line in enumerate(source.splitlines(), 1):
        spaced += data.draw(st.lists(st.sampled_from(["", "# a note", "   # another"]), max_size=2))
        spaced.append(line)
        moved[number] = len(spaced)
    before = verify(source, DOMAIN, budget=QUICK)
    after = verify("\n".join(spaced), DOMAIN, budget=QUICK)
    status, exhaustive, paths, found = _outline(before)
    expected = [(code, moved[line]) for code, line in found]
    assert _outline(after) == (status, exhaustive, paths, expected)


@given(source=task_programs())
@some(80)
def test_a_body_in_a_function_of_its_own_keeps_the_verdict(source: str) -> None:
    before, entry, body = source.partition("def task_program():\n")
    wrapped = f"{before}def all_of_it():\n{body}\n{entry}    all_of_it()\n"
    plain = verify(source, DOMAIN, budget=QUICK)
    assume(plain.exhaustive)  # long worlds are cut after a number of lines, which differs by one
    assert _outline(verify(wrapped, DOMAIN, budget=QUICK)) == _outline(plain)


def _outline(verdict: Verdict) -> tuple[str, bool, int, list[tuple[str, int]]]:
    return verdict.status.value, verdict.exhaustive, verdict.paths, _found(verdict)


def _found(verdict: Verdict) -> list[tuple[str, int]]:
    return [(violation.code.value, violation.line) for violation in verdict.violations]


# any text ----------------------------------------------------------------------------------------


@given(text=st.text())
@some(100)
def test_any_text_gets_a_verdict(text: str) -> None:
    assert verify(text, DOMAIN, budget=QUICK).violations


@given(source=task_programs(), data=st.data())
@some(80)
def test_a_cut_program_gets_a_verdict(source: str, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(source)))
    assert verify(source[:end], DOMAIN, budget=QUICK).status


@given(source=task_programs(EVERYTHING), data=st.data())
@some(120)
def test_shuffled_tokens_get_a_verdict(source: str, data: st.DataObject) -> None:
    tokens = re.findall(r'\w+|"[^"]*"|\s+|[^\w\s]', source)
    chosen = data.draw(st.lists(st.sampled_from(tokens), max_size=30))
    at = data.draw(st.integers(0, len(tokens)))
    soups = ["".join(chosen), "".join([*tokens[:at], *chosen[:3], *tokens[at:]])]
    for soup in (*soups, "def task_program():\n    " + " ".join(chosen)):
        assert verify(soup, DOMAIN, FLAT, budget=QUICK).status
