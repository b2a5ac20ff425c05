"""Repairs: what was rejected, the verifier's own words, and the program that is right."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.learn.families.repairs import CORRUPTIONS, Repair, make_repair
from roboinstruct_ros.verify.verifier import verify

pytestmark = pytest.mark.computes

DOMAIN = load_domain()


@pytest.fixture(scope="module")
def repairs() -> list[Repair]:
    return [found for index in range(900) if (found := make_repair(5, index, DOMAIN)) is not None]


def test_the_same_number_gives_the_same_repair() -> None:
    one = [make_repair(3, index, DOMAIN) for index in range(40)]
    assert one == [make_repair(3, index, DOMAIN) for index in range(40)]


def test_every_corruption_occurs(repairs: list[Repair]) -> None:
    assert {repair.kind for repair in repairs} == set(CORRUPTIONS)


def test_the_verifier_rejects_the_one_and_accepts_the_other(repairs: list[Repair]) -> None:
    for repair in repairs[:200]:
        assert verify(repair.program, DOMAIN).accepted, repair
        assert repair.findings
        if repair.kind != "wrong_room" and not any("on the map" in f for f in repair.findings):
            found = verify(repair.broken, DOMAIN).violations
            assert repair.findings == tuple(f"line {v.line}: {v.message}" for v in found), repair


def test_a_room_that_is_not_on_the_map_is_among_the_findings(repairs: list[Repair]) -> None:
    found = [f for repair in repairs if repair.kind == "wrong_room" for f in repair.findings]
    assert any("There is no room" in finding and "on the map" in finding for finding in found)


def test_the_prompt_is_the_contract_of_the_task_dialogue_format() -> None:
    repair = Repair(
        "misspelt_skill",
        "Go to the kitchen.",
        'def task_program():\n    goto("kitchen")\n',
        ("line 2: there is no skill or function 'goto'; did you mean 'go_to'?",),
        'def task_program():\n    go_to("kitchen")\n',
    )
    assert repair.prompt == (
        "# Instruction: Go to the kitchen.\n"
        "def task_program():\n"
        '    goto("kitchen")\n'
        "# Errors:\n"
        "# line 2: there is no skill or function 'goto'; did you mean 'go_to'?\n"
        "# Instruction: Go to the kitchen.\n"
        "def task_program():\n"
    )
    assert repair.completion == '    go_to("kitchen")\n'
