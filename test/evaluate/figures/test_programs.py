"""What becomes of programs is counted as its names say."""

from __future__ import annotations

import pytest
from made_up import record

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.figures.programs import (
    executability,
    goals_reached,
    invalid,
    wrong_of_accepted,
)
from roboinstruct_ros.evaluate.runs.record import WorldRecord
from roboinstruct_ros.evaluate.suite.judge import Outcome

NOTHING = {"outcome": Outcome.NOTHING, "answer": None}


def test_invalid_programs_are_told_by_cause_before_and_after_repair() -> None:
    mended = record("a", attempts=2, first_codes=("hand_full", "hand_full", "object_absent"))
    never = record("b", attempts=3, first_codes=("hand_full",), codes=("slot_taken",), **NOTHING)
    in_words = record("d", attempts=0, answer=AnswerKind.CANNOT, outcome=Outcome.ANSWERED)
    found = invalid([mended, never, record("c"), in_words])
    assert (found.first.value, found.last.value) == pytest.approx((2 / 3, 1 / 3))
    causes = {"hand_full": (2, 0), "object_absent": (1, 0), "slot_taken": (0, 1)}
    assert list(found.causes.items()) == list(causes.items())


def test_a_program_is_executable_when_it_ends_in_all_worlds_right_or_wrong() -> None:
    ends, faulty = WorldRecord(why="it waits"), WorldRecord(fault="python_error")
    records = [
        record("a", worlds=(ends, ends)),
        record("b", worlds=(ends, faulty)),
        record("c", **NOTHING),
    ]
    assert (executability(records).value, executability(records).count) == (0.5, 2)


def test_recall_counts_goals_success_counts_runs_and_no_program_reaches_none() -> None:
    all_of_them, half, no_goals = (WorldRecord(goals=goals) for goals in ((2, 2), (1, 2), (0, 0)))
    records = [
        record("a", worlds=(all_of_them, half, no_goals)),
        record("b", worlds=(all_of_them,)),
        record("a", phrasing=1, **NOTHING),
        record("without goals", worlds=(no_goals,)),
        record("without goals", phrasing=1, **NOTHING),
        record("no task", wanted=(AnswerKind.CANNOT,)),
    ]
    recall, success = goals_reached(records)
    assert recall.value == pytest.approx((0.75 + 1 + 0) / 3)
    assert success.value == pytest.approx((0.5 + 1 + 0) / 3)
    assert recall.count == success.count == 3
    assert goals_reached(records[3:])[0].value is None


def test_what_is_accepted_and_wrong_is_told_of_what_is_accepted() -> None:
    wrong = record("b", outcome=Outcome.WRONG), record("c", outcome=Outcome.NOTED)
    asked = record("e", answer=AnswerKind.QUESTION, outcome=Outcome.OFFERED)
    one = wrong_of_accepted([record("a"), *wrong, record("d", **NOTHING), asked])
    assert (one.value, one.count) == (pytest.approx(2 / 3), 3)
