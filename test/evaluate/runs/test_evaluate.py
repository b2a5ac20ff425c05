"""The figures of a set are what its cases came to."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from roboinstruct_ros.evaluate.runs.evaluate import evaluate_sets, measured

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.evaluate.figures.reliability import reliability
from roboinstruct_ros.evaluate.figures.scores import table, told
from roboinstruct_ros.evaluate.suite.case import IN_WORDS, Case, Place, Suite, Trial
from roboinstruct_ros.evaluate.suite.judge import Written

PLACE = Place.of_names(["hall", "shed"], "hall")
GO = Case("Go to the shed.", "driving", PLACE, (Trial([["go_to shed"]]),))
FLY = Case("Fly to the shed.", "flying", PLACE, (), IN_WORDS)
TO_SHED = Written(AnswerKind.PROGRAM, 'def task_program():\n    go_to("shed")\n', ("Look twice.",))


def test_the_table_tells_tasks_and_the_rest_apart() -> None:
    results = list(measured(lambda _: TO_SHED, Suite((GO, FLY))))
    lines = table("made up", results).splitlines()
    assert lines[2].startswith("| driving | 1 | 100 % (21 to 100) | 0 %")
    assert lines[3].startswith("| flying | 1 | 0 % (0 to 79) | 0 % (0 to 79) | 100 % (21 to 100) |")
    assert lines[4].startswith("| **no tasks** | 1 |")
    assert lines[5].startswith("| **tasks** | 1 |")
    assert "come with a note all the same: 100 % (21 to 100)" in lines[-1]


def test_a_question_about_two_programs_is_told_apart_from_a_false_refusal() -> None:
    home = TO_SHED.text.replace("shed", "hall")
    asked = Written(AnswerKind.QUESTION, "Which?", choices=("a", "b"), confidence=0.3)
    for offers, outcome, good in (
        ((TO_SHED.text, home), "offered", True),
        ((home, TO_SHED.text), "offered", False),
        ((home, home), "answered", False),
    ):
        written = replace(asked, offers=offers)
        (result,) = measured(lambda _, written=written: written, Suite((GO,)))  # type: ignore[misc]
        assert result.judgement.outcome == outcome and told([result]) == [(0.3, good)]
    written = replace(asked, offers=(home, TO_SHED.text))
    (result,) = measured(lambda _: written, Suite((FLY,)))
    assert result.judgement.outcome == "answered"


def test_the_calibration_error_is_what_confidence_is_off_by() -> None:
    lines = reliability([(0.95, True)] * 3 + [(0.95, False)] + [(0.1, False)]).splitlines()
    assert lines[2:4] == [
        "| 0.0 to 0.2 | 1 | 10 % | 0 % (0 to 79) |",
        "| 0.9 to 1.0 | 4 | 95 % | 75 % (30 to 95) |",
    ]
    assert lines[-1] == "Expected calibration error: 18 %, 5 cases."


def test_a_model_is_asked_as_the_robot_asks_it_and_every_case_is_kept(tmp_path: Path) -> None:
    rows, kept = tmp_path / "rows.yaml", tmp_path / "cases.jsonl"
    rows.write_text(
        """\
- {text: "Bring me the remote control from the living room.", world: home,
   here: {living room: [remote control]},
   ways: [[go_to living room, pick remote control, go_to hallway, place remote control]]}
- {text: "Could you drive to the kitchen, please?", world: home, ways: [[go_to study]]}
- {text: "x", world: home, answer: cannot}
"""
    )
    model = str(shared_file("models/roboinstruct-small.gguf"))
    figures, sure = evaluate_sets([str(rows)], 10, model, keep=kept)
    cases = {case["text"]: case for case in map(json.loads, kept.read_text().splitlines())}
    assert cases["Bring me the remote control from the living room."]["outcome"] == "right"
    drive = cases["Could you drive to the kitchen, please?"]
    assert (drive["outcome"], drive["why"]) == ("wrong", "['go_to kitchen']")
    assert "| **tasks** | 2 | 50 %" in figures
    assert 0 < drive["confidence"] <= 1 and "calibration error" in sure
