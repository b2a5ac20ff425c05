"""Each program of the table gets its verdict, at its line, with a story that replays."""

from __future__ import annotations

import pytest
from accepted_programs import PYTHON
from impossible_programs import ABSENT, ENDLESS, MISUSED, PYTHON_ERRORS, WRONG_HANDS
from programs import ACCEPTED, PAPER_ERRORS, PAPER_LONG_TASKS, SEED_EXAMPLES, Case
from rejected_programs import REJECTED, WRONG_ARGUMENTS, WRONG_KINDS, WRONG_PLACES, WRONG_TEXTS
from task_programs import TASKS
from world_programs import ROOMS, WAITS, WORLDS
from wrong_task_programs import WRONG_TASKS

from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.semantic_map import SemanticMap, load_semantic_map
from roboinstruct_ros.domain.skills import Domain, load_domain
from roboinstruct_ros.program.violation import ViolationCode
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.verdict import Status, Verdict, WarningCode
from roboinstruct_ros.verify.verifier import replay, verify

pytestmark = pytest.mark.computes

ALL = [
    *SEED_EXAMPLES, *PAPER_ERRORS, *PAPER_LONG_TASKS, *ACCEPTED, *REJECTED,
    *PYTHON, *WORLDS, *ROOMS, *WAITS, *TASKS, *WRONG_TASKS,
    *WRONG_TEXTS, *WRONG_ARGUMENTS, *WRONG_KINDS, *WRONG_PLACES,
    *WRONG_HANDS, *ABSENT, *ENDLESS, *PYTHON_ERRORS, *MISUSED,
]  # fmt: skip
DOMAIN: Domain = load_domain()
HOME: SemanticMap = load_semantic_map(find_world("home"))
PATIENT = Budget(seconds=30.0)

INEXHAUSTIBLE = {
    "time.time": "line {here}: a clock may show any time",
    "len(room)": "line {here}: more is asked of a room's name than made-up names can answer",
    "+ room)": "line {here}: a text with a room's name in it is not only told",
    "== len(get_all_rooms())": "line {here}: numbers of rooms are compared",
    "get_current_location() != room": "line {next}: some other rooms may lead here",
}
"""Texts of programs with more worlds than are tried, and what the verdict says of their lines."""


def verdict_on(case: Case) -> Verdict:
    return verify(case.source, DOMAIN, HOME if case.closed else None, budget=PATIENT)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_a_program_gets_its_verdict(case: Case) -> None:
    verdict = verdict_on(case)
    found = [(violation.code.value, violation.line) for violation in verdict.violations]
    if not case.code:
        assert verdict.status is Status.ACCEPTED, found
        expected = _left_out(case.source)
        assert verdict.exhaustive == (not expected)
        told = {w.message for w in verdict.warnings if w.code is WarningCode.NOT_EXHAUSTIVE}
        assert told >= {f"Not every world was tried: {reason}." for reason in expected}
        return
    assert verdict.status is Status.REJECTED
    assert case.code in [code for code, _ in found], found
    if case.line:
        assert (case.code, case.line) in found


def test_a_match_is_one_violation_in_the_words_of_its_author() -> None:
    source = (
        'def task_program():\n    match "1":\n        case "1":\n            say("a")\n'
        '        case _:\n            say("b")\n'
    )
    (violation,) = verify(source, DOMAIN, HOME).violations
    assert violation.line == 2
    assert violation.message.startswith("'match' is not part of the task language")


def _left_out(source: str) -> list[str]:
    return [
        reason.format(here=line, next=line + 1)
        for line, text in enumerate(source.splitlines(), 1)
        for part, reason in INEXHAUSTIBLE.items()
        if part in text and "say(" not in text
    ]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_every_counterexample_replays(case: Case) -> None:
    for violation in verdict_on(case).violations:
        if violation.counterexample is None:
            continue
        again = replay(case.source, violation.counterexample, DOMAIN, HOME if case.closed else None)
        assert [(v.code, v.line, v.message) for v in again] == [
            (violation.code, violation.line, violation.message)
        ]


@pytest.mark.parametrize("case", ALL[::5], ids=lambda case: case.name)
def test_two_verifications_agree(case: Case) -> None:
    first, second = verdict_on(case), verdict_on(case)
    assert first.model_copy(update={"duration": 0}) == second.model_copy(update={"duration": 0})


def test_a_verdict_is_bound_to_its_text() -> None:
    one, other = verify("def task_program():\n    pass\n", DOMAIN), verdict_on(SEED_EXAMPLES[0])
    assert one.program_sha256 != other.program_sha256


def test_the_story_names_what_was_supposed() -> None:
    source = (
        'def task_program():\n    if not is_in_room("Jack"):\n        ask("Jack", "?", ["a"])\n'
    )
    (violation,) = verify(source, DOMAIN).violations
    assert violation.counterexample is not None
    story = " ".join(violation.counterexample.steps)
    assert "Jack is not in" in story
    assert violation.message == "Jack cannot be asked: Jack is not in the hallway."


def test_nearest_room_is_named() -> None:
    (violation,) = verify('def task_program():\n    go_to("kitchn")\n', DOMAIN, HOME).violations
    assert violation.code is ViolationCode.UNKNOWN_LOCATION
    assert "'kitchen'" in violation.message


def test_waiting_is_noted() -> None:
    case = next(case for case in ACCEPTED if case.name == "may wait for ever")
    assert any("wait for ever" in str(warning) for warning in verdict_on(case).warnings)


@pytest.mark.parametrize(
    "body",
    [
        'while is_in_room("A") != is_in_room("B"):\n        time.sleep(1)',
        "while random.randint(1, 6) != 4:\n        pass",
        'while ask("", "Stop?", ["Yes", "No", "Later"]) != "Yes":\n        pass',
    ],
)
def test_a_wait_that_comes_back_to_a_state_is_tried_in_every_way(body: str) -> None:
    verdict = verify(f"def task_program():\n    {body}\n", DOMAIN, budget=PATIENT)
    assert verdict.accepted
    assert verdict.exhaustive
    assert verdict.warnings[-1].code.value == "may_wait_for_ever"


@pytest.mark.parametrize(
    "body",
    [
        'for _ in range(999):\n        time.sleep(1)\n        is_in_room("x")',
        'n = 0\n    while not is_in_room("x"):\n        n += 1',
        'n = []\n    while not is_in_room("x"):\n        n.append(ask("", "?", ["Y", "N"]))',
    ],
)
def test_a_wait_with_too_many_worlds_is_sampled(body: str) -> None:
    verdict = verify(f"def task_program():\n    {body}\n", DOMAIN, budget=PATIENT)
    assert verdict.accepted
    assert not verdict.exhaustive
    assert verdict.paths <= PATIENT.paths + PATIENT.samples


def test_a_wait_that_nothing_ends_is_told_though_other_worlds_end() -> None:
    source = """def task_program():
    if is_in_room("x"):
        while True:
            ask("", "Stop?", ["Yes", "No"])
    """
    (violation,) = verify(source, DOMAIN).violations
    assert (violation.code.value, violation.line) == ("non_termination", 3)
    assert violation.counterexample is not None
    again = replay(source, violation.counterexample, DOMAIN)
    assert [(found.code, found.line) for found in again] == [(violation.code, violation.line)]


def test_beyond_the_budget_the_verdict_says_so() -> None:
    lines = "".join(f'    seen_{n} = is_in_room("thing {n}")\n' for n in range(20))
    lines += f"    say(str([{', '.join(f'seen_{n}' for n in range(20))}]))\n"
    verdict = verify(f"def task_program():\n{lines}", DOMAIN, budget=Budget(paths=50, samples=10))
    assert verdict.accepted
    assert not verdict.exhaustive
    assert verdict.paths == 60


def test_all_violations_of_one_round_come_together() -> None:
    source = 'def task_program():\n    fly()\n    go_to()\n    say("")\n'
    assert [violation.line for violation in verify(source, DOMAIN).violations] == [2, 3, 4]


def test_the_paper_is_covered() -> None:
    assert [len(group) for group in (SEED_EXAMPLES, PAPER_ERRORS, PAPER_LONG_TASKS)] == [6, 4, 2]
    assert len({case.name for case in ALL}) == len(ALL) >= 380


def test_the_story_of_an_endless_loop_can_be_read() -> None:
    source = 'def task_program():\n    while True:\n        go_to("a")\n'
    (violation,) = verify(source, DOMAIN).violations
    assert violation.counterexample is not None
    steps = violation.counterexample.steps
    assert len(steps) == 25
    assert steps[12].endswith("steps more ...")
    assert steps[-1].endswith("does not come to an end from here.")
