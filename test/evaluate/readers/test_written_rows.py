"""The instructions written by hand are cases, judged by what a program does."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.evaluate.readers.written_rows import case_of, read
from roboinstruct_ros.evaluate.suite.case import Case
from roboinstruct_ros.evaluate.suite.judge import Written, judged, program_fault
from roboinstruct_ros.evaluate.suite.outcome import Outcome
from roboinstruct_ros.evaluate.worlds.trials import Trials
from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.verify.verifier import verify

INSTRUCTIONS = Path(__file__).parents[2] / "generate" / "instructions.yaml"
CASES = read(INSTRUCTIONS).cases

COUNT_PAPER = """\
def task_program():
    start = get_current_location()
    count = 0
    for room in get_all_rooms():
        if "printer room" not in room:
            continue
        go_to(room)
        if is_in_room("paper"):
            count += 1
    go_to(start)
    say(str(count) + " printer rooms have paper")
"""
WAIT_THEN_ASK = """\
def task_program():
    go_to("kitchen")
    while not is_in_room("person"):
        time.sleep(1)
    ask("", "Could you open the fridge?", ["Yes", "No"])
"""


def case_with(words: str) -> Case:
    (found,) = [case for case in CASES if words in case.text]
    return found


@pytest.mark.parametrize(
    ("words", "source"), [("How many printer", COUNT_PAPER), ("open the fridge", WAIT_THEN_ASK)]
)
def test_a_right_program_follows_a_way(words: str, source: str, trials: Trials) -> None:
    assert not program_fault(case_with(words), source, trials)
    assert verify(source, load_domain()).accepted


def test_a_program_that_does_something_else_is_wrong(trials: Trials) -> None:
    case = case_with("How many printer")
    other = Written(AnswerKind.PROGRAM, COUNT_PAPER.replace("count += 1", "count += 2"))
    judgement = judged(case, other, trials)
    assert judgement.outcome is Outcome.WRONG
    assert "4 printer rooms" in judgement.why
    noted = Written(AnswerKind.PROGRAM, other.text, ("Look twice.",))
    assert judged(case, noted, trials).outcome is Outcome.NOTED


def test_all_worlds_of_a_row_have_to_go_right(trials: Trials) -> None:
    row = {
        "text": "Bring me the apple, if there is one in the kitchen.",
        "world": "home",
        "here": {"kitchen": ["apple"]},
        "ways": [["go_to kitchen", "pick apple", "go_to hallway", "place apple"]],
        "also": [{"ways": [["go_to kitchen", "(go_to hallway)"]]}],
    }
    blind = 'go_to("kitchen")\npick("apple")\ngo_to("hallway")\nplace("apple")'
    body = blind.replace("\n", "\n    ")
    assert "pick" in program_fault(case_of(row), f"def task_program():\n    {body}\n", trials)
    looks = body.replace('pick("', 'if not is_in_room("apple"):\n        return\n    pick("')
    assert not program_fault(case_of(row), f"def task_program():\n    {looks}\n", trials)


def test_what_is_no_task_wants_an_answer_in_words(trials: Trials) -> None:
    case = case_of({"text": "Cook dinner.", "world": "home", "answer": "cannot"})
    said = {kind: judged(case, Written(kind, "words"), trials).outcome for kind in AnswerKind}
    assert said == {
        AnswerKind.PROGRAM: Outcome.WRONG,
        AnswerKind.CANNOT: Outcome.RIGHT,
        AnswerKind.QUESTION: Outcome.ANSWERED,
        AnswerKind.REPLY: Outcome.ANSWERED,
    }
    assert judged(case, Written(None, "no program"), trials).outcome is Outcome.NOTHING
    drive = case_with("drive to the kitchen")
    refused = judged(drive, Written(AnswerKind.CANNOT, "no"), trials)
    assert refused.outcome is Outcome.ANSWERED


def test_a_question_has_to_offer_what_may_be_meant(trials: Trials) -> None:
    row = {"text": "Go to the bedroom.", "world": "home", "answer": "question"}
    case = case_of({**row, "choices": ["main bedroom", "kids bedroom"]})
    all_of_them = ("kids bedroom", "guest bedroom", "main bedroom")
    for choices, outcome in ((all_of_them, Outcome.RIGHT), (all_of_them[:2], Outcome.ANSWERED)):
        written = Written(AnswerKind.QUESTION, "Which one?", choices=choices)
        assert judged(case, written, trials).outcome is outcome


def test_every_row_is_well_formed_and_new() -> None:
    rows = yaml.safe_load(INSTRUCTIONS.read_text())
    texts = [row["text"] for row in rows]
    assert len(set(texts)) == len(texts) == 40
    for row in rows:
        assert set(row) <= {"text", "world", "here", "answers", "ways", "shipped"}
        for call in (call for way in row["ways"] for call in way):
            assert call.split(" ")[0] in {"go_to", "pick", "place", "say", "ask"}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text[15:45])
def test_the_examples_shown_to_other_models_are_accepted(example: str) -> None:
    assert verify(example, load_domain()).accepted
