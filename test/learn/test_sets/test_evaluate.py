"""The figures of a set are what its cases came to."""

from __future__ import annotations

import json
from pathlib import Path

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.learn.test_sets.case import IN_WORDS, Case, Place, TestSet, Trial
from roboinstruct_ros.learn.test_sets.evaluate import evaluate_sets, measured
from roboinstruct_ros.learn.test_sets.judge import Written
from roboinstruct_ros.learn.test_sets.scores import table

PLACE = Place.of_names(["hall", "shed"], "hall")
GO = Case("Go to the shed.", "driving", PLACE, (Trial([["go_to shed"]]),))
FLY = Case("Fly to the shed.", "flying", PLACE, (), IN_WORDS)
TO_SHED = Written(AnswerKind.PROGRAM, 'def task_program():\n    go_to("shed")\n', ("Look twice.",))


def test_the_table_tells_tasks_and_the_rest_apart() -> None:
    results = list(measured(lambda _: TO_SHED, TestSet((GO, FLY))))
    lines = table("made up", results).splitlines()
    assert lines[2].startswith("| driving | 1 | 100 % (21 to 100) | 0 %")
    assert lines[3].startswith("| flying | 1 | 0 % (0 to 79) | 0 % (0 to 79) | 100 % (21 to 100) |")
    assert lines[4].startswith("| **no tasks** | 1 |")
    assert lines[5].startswith("| **tasks** | 1 |")
    assert "come with a note all the same: 100 % (21 to 100)" in lines[-1]


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
    (told,) = evaluate_sets([str(rows)], 10, model, keep=kept)
    cases = {case["text"]: case for case in map(json.loads, kept.read_text().splitlines())}
    assert cases["Bring me the remote control from the living room."]["outcome"] == "right"
    drive = cases["Could you drive to the kitchen, please?"]
    assert (drive["outcome"], drive["why"]) == ("wrong", "['go_to kitchen']")
    assert "| **tasks** | 2 | 50 %" in told
