"""The evaluation counts what it says, on cases that are what they say."""

from __future__ import annotations

from itertools import combinations, islice

import pytest

from roboinstruct_ros.learn.evaluate_model import SETS, cases, evaluate, table
from roboinstruct_ros.learn.near_duplicates import MOST_SIMILAR, pattern_of, similarity


@pytest.mark.parametrize("name", SETS)
def test_no_two_cases_of_a_family_are_alike(name: str) -> None:
    drawn = list(islice(cases(name, 3), 60))
    for one, other in combinations(drawn, 2):
        if one.family == other.family:
            patterns = (pattern_of(case.text, case.program) for case in (one, other))
            assert similarity(*patterns) < MOST_SIMILAR, (one, other)


def test_a_model_that_knows_all_has_everything_right() -> None:
    held = list(islice(cases("train", 3), 30))
    right = {case.prompt: case.program for case in held}
    last = table(evaluate(right.__getitem__, held)).splitlines()[-1]
    assert last == "| **all** | 30 | 100.0 % | 100.0 % | 100.0 % |"


def test_other_text_with_the_same_calls_is_no_miss_and_another_room_is_one() -> None:
    case = next(case for case in cases("train", 3) if case.program.count("\n") == 2)
    in_other_words = case.program.replace("():\n", "():\n    # as asked\n")
    same = evaluate(lambda _: in_other_words, [case])[case.family]
    assert (same.exact, same.accepted, same.same) == (0, 1, 1)
    wrong = evaluate(lambda _: 'def task_program():\n    go_to("nowhere")\n', [case])[case.family]
    assert (wrong.exact, wrong.accepted, wrong.same) == (0, 1, 0)
