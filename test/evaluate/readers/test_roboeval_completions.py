"""Stored programs are read in each form that a checkout has them in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roboinstruct_ros.evaluate.readers.roboeval.completions import read_stored
from roboinstruct_ros.evaluate.worlds.roboeval_world import whole_program


def told(path: Path) -> list[tuple[str, int, int, str]]:
    return [(one.task, one.phrasing, one.sample, one.program) for one in read_stored(path)]


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_completions_are_samples_of_the_task_and_phrasing_in_their_name(tmp_path: Path) -> None:
    rows = [{"name": "Lend_2", "completions": ["a", "b"]}, {"name": "T1_0", "completions": ["c"]}]
    wanted = [("Lend", 2, 0, "a"), ("Lend", 2, 1, "b"), ("T1", 0, 0, "c")]
    assert told(written(tmp_path, "all.json", json.dumps(rows))) == wanted
    lines = "\n".join(map(json.dumps, rows))
    assert told(written(tmp_path, "all.jsonl", lines)) == wanted


def test_a_line_separator_in_a_program_ends_no_line(tmp_path: Path) -> None:
    program = "say('a\u2028b')\n"
    row = json.dumps({"name": "Lend_2", "completions": [program]}, ensure_ascii=False)
    assert told(written(tmp_path, "all.jsonl", f"{row}\n")) == [("Lend", 2, 0, program)]
    assert whole_program(program) == f"def task_program():\n    {program}"


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    for name in ("B_0", "A_0"):
        text = json.dumps({"name": name, "completions": [name]})
        written(tmp_path, f"{name}.json", text)
    written(tmp_path, "README.md", "nothing")
    assert [one[0] for one in told(tmp_path)] == ["A", "B"]


def test_evaluations_in_csv_tell_how_they_were_judged(tmp_path: Path) -> None:
    text = (
        "name,program_text,is_sat,error_message\n"
        'Lend_2,"say(""a"")\nsay(""b"")",True,\n'
        'Lend_2,"x",False,PythonError\n'
    )
    first, second = read_stored(written(tmp_path, "all.csv", text))
    assert (first.task, first.phrasing, first.sample) == ("Lend", 2, 0)
    assert first.program == 'say("a")\nsay("b")' and first.is_sat is True and first.error == ""
    assert (second.sample, second.is_sat, second.error) == (1, False, "PythonError")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Lend_2.py", 'program_0 = "a"\nprogram_1 = """b"""\n'),
        ("any.py", 'program_Lend_2_0 = "a"\nprogram_Lend_2_1 = "b"\n'),
        ("any.py", 'runs = [{"program_Lend_2": "a"}, {"program_Lend_2": "b"}]\n'),
        ("Lend_2.csv", "program_0,program_1\na,b\n"),
        ("Lend.json", '[{"program_2": "a"}, {"program_2": "b"}]'),
        ("any.py", 'runs = {"Lend_2": {"program_0": "a", "program_1": "b", "is_sat": 1}}\n'),
    ],
)
def test_the_key_or_the_file_says_whose_a_program_is(tmp_path: Path, name: str, text: str) -> None:
    found = told(written(tmp_path, name, text))
    assert found == [("Lend", 2, 0, "a"), ("Lend", 2, 1, "b")]


def test_python_is_read_and_never_run(tmp_path: Path) -> None:
    text = 'open("ran", "w")\nrest = open("ran", "w")\nprogram_Lend_0 = "a"\n'
    assert told(written(tmp_path, "x.py", text)) == [("Lend", 0, 0, "a")]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("x.json", "{", r"x\.json: Expecting"),
        ("x.json", "[]", r"x\.json: it has no `completions`"),
        ("x.py", "program_text = 'a'", "program_text of 'x' names no task"),
        ("x.py", "def", r"x\.py: invalid syntax"),
        ("x.txt", "", "give a file that ends in one of"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        told(written(tmp_path, name, text))
