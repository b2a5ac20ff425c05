"""Programs that are there already are read, matched with the suite, and judged like written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from small_suite import INVALID, RIGHT, TEXTS, WRONG, write_programs, write_suite

from roboinstruct_ros.commands.evaluations.running import Where, evaluate_into
from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.reports.write import HTML, JSON, write_reports
from roboinstruct_ros.evaluate.runs.asked import Asked
from roboinstruct_ros.evaluate.runs.evaluator import Evaluator
from roboinstruct_ros.evaluate.runs.folder import NO_PROGRAM, Folder
from roboinstruct_ros.evaluate.runs.given_programs import (
    Given,
    ProgramsError,
    items_given,
    read_programs,
)
from roboinstruct_ros.evaluate.runs.items import items_of
from roboinstruct_ros.evaluate.runs.prepared import prepare
from roboinstruct_ros.evaluate.runs.record import Key, Record
from roboinstruct_ros.evaluate.suite.open_suite import open_suite
from roboinstruct_ros.evaluate.suite.outcome import Outcome
from roboinstruct_ros.generate.writing_options import WritingOptions


@pytest.fixture
def suite(tmp_path: Path) -> str:
    return str(write_suite(tmp_path))


def judged(suite: str, given: Given, verify: bool = True) -> Record:
    asked = Asked(suite, programs="given", writing=WritingOptions(verify=verify))
    with closing(Evaluator(asked)) as evaluate:
        return evaluate(items_of(open_suite(suite))[0], given)


def test_lines_and_records_and_files_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("fetch.py", "fetch.1.py", "fetch.1.2.py"):
        (folder / name).write_text(RIGHT)
    keys = [(key.task, key.phrasing, key.sample) for key in read_programs(folder)]
    assert sorted(keys) == [("fetch", 0, 0), ("fetch", 1, 0), ("fetch", 1, 2)]
    lines = tmp_path / "lines.jsonl"
    flat = {"task": "fetch", "program": RIGHT}
    record = {"key": {"task": "greet", "phrasing": 3}, "program": "", "answer": "cannot"}
    lines.write_text(f"{json.dumps(flat)}\n\n{json.dumps(record)}\n")
    assert read_programs(lines) == {
        Key(task="fetch"): Given(program=RIGHT),
        Key(task="greet", phrasing=3): Given(answer=AnswerKind.CANNOT),
    }


def faults(folder: Path) -> Iterator[tuple[Path, str]]:
    bad = folder / "bad.jsonl"
    bad.write_text('{"task": "a", "program": "x"}\n{"task": 3}\n')
    yield bad, "line 2: expected {"
    (folder / "empty").mkdir()
    yield folder / "empty", "no program in it"
    (folder / "named").mkdir()
    (folder / "named" / "a.b.py").touch()
    yield folder / "named", "is not named TASK.py"
    yield folder / "nothing", "cannot be read: No such file"
    twice = folder / "twice.jsonl"
    a, b, again = '{"task": "a"', '{"task": "b"', '{"task": "a", "phrasing": 0, "sample": 0'
    twice.write_text("\n\n".join(f'{one}, "program": "x"}}' for one in (a, b, again)))
    yield twice, "a, phrasing 0, sample 0 is given twice: line 1 and line 5"
    (folder / "one").mkdir()
    for name in ("a.py", "a.0.py"):
        (folder / "one" / name).touch()
    yield folder / "one", "a, phrasing 0, sample 0 is given twice: a.0.py and a.py"


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    for place, fault in faults(tmp_path):
        with pytest.raises(ProgramsError) as raised:
            read_programs(place)
        assert fault in str(raised.value) and str(place) in str(raised.value)
        assert "\n" not in str(raised.value)


def test_a_program_for_another_suite_is_refused(tmp_path: Path, suite: str) -> None:
    items = items_of(open_suite(suite))
    given = read_programs(write_programs(tmp_path, 2))
    keys = [item.key for item in items_given(items, given, "p")]
    assert keys == [Key(task=text, sample=sample) for text in TEXTS for sample in (0, 1)]
    with pytest.raises(ProgramsError, match=r"p: the suite has no phrasing 7 of a task 'Fly.'"):
        items_given(items, {Key(task="Fly.", phrasing=7): Given(program=RIGHT)}, "p")


def test_right_wrong_and_invalid_programs_are_told_apart(suite: str) -> None:
    assert judged(suite, Given(program=RIGHT)).outcome is Outcome.RIGHT
    wrong = judged(suite, Given(program=WRONG))
    assert (wrong.outcome, wrong.codes) == (Outcome.WRONG, ()) and "study" in wrong.why
    invalid = judged(suite, Given(program=INVALID))
    assert (invalid.outcome, invalid.answer) == (Outcome.NOTHING, None)
    assert invalid.program == INVALID and invalid.first_codes == invalid.codes != ()


def test_an_invalid_program_runs_where_nobody_verifies(suite: str) -> None:
    record = judged(suite, Given(program=INVALID), verify=False)
    assert (record.outcome, record.answer) == (Outcome.WRONG, AnswerKind.PROGRAM)
    assert record.codes


def test_words_are_judged_too(suite: str) -> None:
    record = judged(suite, Given(answer=AnswerKind.CANNOT, said="I cannot."))
    assert (record.outcome, record.said) == (Outcome.ANSWERED, "I cannot.")
    offering = Given(answer=AnswerKind.QUESTION, said="Which?", offers=(WRONG, RIGHT))
    record = judged(suite, offering)
    assert record.outcome is Outcome.OFFERED and "study" in record.why
    assert Given.model_validate(record.model_dump()) == offering


def test_of_programs_only_those_of_what_is_asked_for_are_taken(tmp_path: Path, suite: str) -> None:
    programs = str(write_programs(tmp_path, 2))
    some = prepare(Asked(suite, programs=programs, most=1)).items
    assert [item.key.sample for item in some] == [0, 1]
    one = tmp_path / "one.jsonl"
    one.write_text(json.dumps({"task": some[0].key.task, "program": RIGHT}))
    other = next(text for text in TEXTS if text != some[0].key.task)
    with pytest.raises(ProgramsError, match="has no program for what is asked"):
        prepare(Asked(suite, programs=str(one), tasks=other))


def test_items_without_a_program_are_told(
    tmp_path: Path, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = write_programs(tmp_path, 2)
    assert prepare(Asked(suite, programs=str(programs))).manifest.left_out == {}
    programs.write_text("".join(programs.read_text().splitlines(keepends=True)[1:]))
    prepared = prepare(Asked(suite, programs=str(programs)))
    assert len(prepared.items) == 5 and prepared.manifest.left_out == {NO_PROGRAM: 1}
    folder = Folder.make(tmp_path / "found", prepared.manifest)
    evaluate_into(folder, prepared, "found", Where(jobs=1), "eval --resume found")
    assert "no program for 1 of 6 items, not counted" in capsys.readouterr().err
    write_reports(folder.path)
    assert "without a program, not counted: 1." in (folder.path / HTML).read_text()
    assert json.loads((folder.path / JSON).read_text())["left_out"] == {NO_PROGRAM: 1}
    one = prepare(Asked(suite, programs=str(programs), tasks="fetching"))
    assert one.manifest.left_out == {}
