"""The tables hold the figures, as people read them."""

from __future__ import annotations

from made_up import record
from made_up import records as made_up

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.figures.estimate import FEW, MANY
from roboinstruct_ros.evaluate.figures.figures import figures_of
from roboinstruct_ros.evaluate.reports.tables import markdown
from roboinstruct_ros.evaluate.suite.judge import Outcome


def test_a_set_of_single_sentences_is_told_by_kind_with_wilson_intervals() -> None:
    tasks = [record(str(number), outcome=Outcome.NOTED) for number in range(15)]
    tasks += [record(str(number), parts=2) for number in range(15, 20)]
    fly = record("fly", kind="a|b", wanted=(AnswerKind.CANNOT,), outcome=Outcome.WRONG)
    lines = markdown(figures_of([*tasks, fly])).splitlines()
    assert "| fetching | 20 | 25 % (11 to 47) | 0 % (0 to 16) | 75 % (53 to 89) |" in _begun(lines)
    assert "| **two parts** | 5 | 100 % (57 to 100) | 0 % (0 to 43) | 0 % (0 to 43) |" in _begun(
        lines
    )
    assert any(line.startswith(r"| a\|b | 1 | 0 % (0 to 79) |") for line in lines)
    assert "| pass@1 | 23.8 % (10.6 to 45.1) | 21 |" in lines
    assert "| refused rightly, of no tasks | 0.0 % (0.0 to 79.3) | 1 |" in lines


def test_the_line_below_names_the_interval_of_few_tasks() -> None:
    told = markdown(figures_of(made_up(1, tasks=FEW - 1)))
    assert f"with fewer than {FEW} tasks (by Student's t), with more than {MANY}, and where" in told
    assert "all are alike, Wilson's for the effective number of items." in told


def test_what_there_is_nothing_of_has_no_line() -> None:
    told = markdown(figures_of([record("a"), record("b")]))
    for absent in ("pass@2", "refused rightly", "goals", "cause", "confidence", "Processes"):
        assert absent not in told


def test_samples_causes_confidence_and_times_are_told() -> None:
    told = markdown(figures_of(made_up(1)))
    for there in ("| pass@2 |", "| pass^2 |", "| cause | first draft | after repair |",
                  "Expected calibration error: ", "Brier score: ", "| seconds | "):  # fmt: skip
        assert there in told
    assert "Processes that died over an item: 3." in markdown(figures_of([record(lost=3)]))


def _begun(lines: list[str]) -> list[str]:
    """The first five cells of each row."""
    return ["|".join(line.split("|")[:6]) + "|" for line in lines]
