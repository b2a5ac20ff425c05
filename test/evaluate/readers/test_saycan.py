"""Requests with plans become cases where any of the plans is right."""

from __future__ import annotations

import pytest
from cases_found import case_that

from roboinstruct_ros.evaluate.readers import saycan
from roboinstruct_ros.evaluate.suite.case import Suite
from roboinstruct_ros.evaluate.suite.judge import program_fault
from roboinstruct_ros.evaluate.worlds.trials import Trials

BRING = "1. find a {0}, 2. pick up the {0}, 3. bring it to you, 4. put down the {0}"
ROWS = [
    ("INPUT", "OUTPUT"),
    ("Fetch something sour.", f"{BRING.format('lemon')}, 5. done"),
    ("Fetch something sour.", f"{BRING.format('lime')}, 5. done."),
    ("Fetch a fruit, but not a lime.", f"{BRING.format('plum')}, 5. done"),
    (
        "Trash the cola.",
        "1. find a cola can, 2. pick up the cola can, 3. go to the trash, 4. put down the cola can,"
        " 5. done",
    ),
    (
        "Lemon and lime on the table",
        "1. pick up the lemon, 2. go to the table, 3. put down the lemon, 4. pick up the lime,"
        " 5. go to the table, 6. put down the lime, 7. done",
    ),
    ("How would you go to the table?", "1. go to the table, 2. done"),
    ("Fetch a plum from the drawer.", "1. go to the drawer, 2. open the drawer, 3. done"),
    ("Shut it.", "1. close the lid, 2. done"),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    root = tmp_path_factory.mktemp("saycan")
    path = root / saycan.FILE
    path.parent.mkdir(parents=True)
    path.write_text("".join("\t".join(row) + "\n" for row in ROWS))
    return saycan.read(root)


def fetch(goal: str, *things: str) -> str:
    return f"""\
def task_program():
    for room in get_all_rooms():
        go_to(room)
        for thing in {list(things)}:
            if is_in_room(thing):
                pick(thing)
                go_to("{goal}")
                place(thing)
                return
"""


def test_any_thing_of_the_plans_is_right(found: Suite, trials: Trials) -> None:
    case = case_that(found, "Fetch something sour")
    assert case.kind == "by its use"
    for thing in ("lime", "lemon"):
        assert not program_fault(case, fetch("hallway", thing), trials)
    assert program_fault(case, fetch("hallway", "plum"), trials)


def test_what_the_sentence_says_no_to_lies_there_too(found: Suite, trials: Trials) -> None:
    case = case_that(found, "Fetch a fruit")
    assert not program_fault(case, fetch("hallway", "plum"), trials)
    assert program_fault(case, fetch("hallway", "lime", "plum"), trials)


def test_a_thing_goes_by_what_holds_it(found: Suite, trials: Trials) -> None:
    case = case_that(found, "Trash the cola")
    assert case.kind == "named"
    for name in ("cola", "cola can", "can of cola"):
        assert not program_fault(case, fetch("trash can", name), trials)


def test_several_things_come_in_any_order(found: Suite, trials: Trials) -> None:
    case = case_that(found, "Lemon and lime")
    both = fetch("table", "lemon").replace("task_program", "one")
    both += fetch("table", "lime").replace("task_program", "other")
    for order in ("one()\n    other()", "other()\n    one()"):
        assert not program_fault(case, f"{both}def task_program():\n    {order}\n", trials)
    assert program_fault(case, f"{both}def task_program():\n    one()\n", trials)


def test_what_cannot_be_judged_is_left_out(found: Suite) -> None:
    assert len(found.cases) == 4
    assert found.left_out == {
        "a question how, or all that is there": 1,
        "a place beyond the map: drawer": 1,
        "a step beyond the skills: close": 1,
    }
