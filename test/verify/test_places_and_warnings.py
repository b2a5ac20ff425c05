"""Of programs of the table: the column that a violation names, and what acceptance warns of."""

from __future__ import annotations

import pytest
from test_verdicts import ALL, verdict_on

BY_NAME = {case.name: case for case in ALL}

COLUMNS = {
    "an f-string that opens a file": 11,
    "an unknown function in a lambda": 16,
    "a name of a helper's own": 15,
    "options are numbers": 25,
    "an argument twice": 21,
    "a loop variable hides a skill": 8,
    "an option that is no room": 4,
    "only in a far branch": 8,
    "in a comprehension": 5,
    "compares an answer with a number": 7,
    "adds to an answer": 8,
    "the kitchen of all rooms": 14,
    "a truth value in a sentence": 8,
    "the mean of nothing": 12,
    "asks whom it just missed": 8,
    "a helper's error at its own line": 15,
}

WARNINGS = {
    "an answer that is not offered never comes": [("unreachable_line", 3), ("unreachable_line", 4)],
    "nothing after a return": [("unreachable_line", 5)],
    "an unknown room that is never gone to": [("unreachable_line", 3)],
    "the hand is looked after by a flag": [("ends_holding", 0), ("ends_holding", 0)],
    "waits for somebody and asks": [("answer_unused", 5), ("may_wait_for_ever", 0)],
    "asks until the answer is yes": [("may_wait_for_ever", 0)],
    "gives up after three tries": [],
    "a countdown": [],
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_violation_names_the_column_of_what_fails(name: str) -> None:
    case = BY_NAME[name]
    columns = [v.column for v in verdict_on(case).violations if v.line == case.line]
    assert columns == [COLUMNS[name]]


@pytest.mark.parametrize("name", WARNINGS)
def test_an_accepted_program_says_what_is_odd(name: str) -> None:
    warnings = [
        (warning.code.value, warning.line) for warning in verdict_on(BY_NAME[name]).warnings
    ]
    assert warnings == WARNINGS[name]
