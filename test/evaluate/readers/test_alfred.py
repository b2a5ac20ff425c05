"""Goal sentences become cases where they say no more, and nothing else, than was done."""

from __future__ import annotations

import json

import pytest
from cases_found import case_that

from roboinstruct_ros.evaluate.readers import alfred
from roboinstruct_ros.evaluate.suite.case import REFUSAL, Suite
from roboinstruct_ros.evaluate.suite.judge import program_fault
from roboinstruct_ros.evaluate.worlds.trials import Trials

CARRYING = [
    "Store a soup ladle on the couch.",
    "move a ladle from the tub to the sofa",
    "Grab the ladle, put it on the sofa.",
    "Store a ladle in the safe.",
    "Store a spoon on the sofa.",
    "Store a hot ladle on the sofa.",
    "Store a ladle on the sofa next to the lamp.",
    "Move a ladle from the sofa to the couch.",
]
WASHING = ["Rinse a ladle and store it on the sofa.", "Store a spotless ladle on the sofa."]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    root = tmp_path_factory.mktemp("alfred")
    parts = (("pick_and_place_simple", CARRYING), ("pick_clean_then_place_in_recep", WASHING))
    for task, texts in parts:
        told = {
            "task_type": task,
            "pddl_params": {"object_target": "SoupLadle", "parent_target": "Sofa"},
            "turk_annotations": {"anns": [{"task_desc": text} for text in texts]},
        }
        folder = root / alfred.FOLDER / "valid_unseen" / task / "trial_1"
        folder.mkdir(parents=True)
        (folder / "traj_data.json").write_text(json.dumps(told))
    return alfred.read(root)


SEARCH = """\
def task_program():
    for room in get_all_rooms():
        go_to(room)
        if is_in_room("ladle"):
            pick("ladle")
            go_to("GOAL")
            place("ladle")
            return
"""
FROM_THE_TUB = """\
def task_program():
    go_to("tub")
    pick("ladle")
    go_to("sofa")
    place("ladle")
"""


@pytest.mark.parametrize("words", ["Store a soup ladle on", "Grab the ladle"])
def test_the_thing_is_found_and_carried_to_the_goal(
    found: Suite, trials: Trials, words: str
) -> None:
    case = case_that(found, words)
    assert not program_fault(case, SEARCH.replace("GOAL", "couch"), trials)
    assert program_fault(case, SEARCH.replace("GOAL", "bed"), trials)
    assert program_fault(case, FROM_THE_TUB.replace('    go_to("tub")\n', ""), trials)


def test_where_it_is_may_be_said(found: Suite, trials: Trials) -> None:
    case = case_that(found, "move a ladle from the tub")
    assert not program_fault(case, FROM_THE_TUB, trials)
    assert program_fault(case, SEARCH.replace("GOAL", "couch"), trials)


def test_what_begins_beyond_the_skills_wants_a_refusal(found: Suite) -> None:
    assert case_that(found, "Rinse").wanted == REFUSAL


def test_what_says_more_or_something_else_is_left_out(found: Suite) -> None:
    assert len(found.cases) == 4
    assert found.left_out == {
        "more than thing, place and goal": 1,
        "another thing than the task's": 2,
        "another goal than the task's": 2,
        "task pick_clean_then_place_in_recep": 1,
    }
