"""What a checkout of RoboEval has stored is evaluated in the place of a model's programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roboinstruct_ros.evaluate.runs.given_programs import ProgramsError, open_programs
from roboinstruct_ros.evaluate.runs.record import Key


def test_stored_completions_are_programs_by_their_keys(tmp_path: Path) -> None:
    file = tmp_path / "stored.json"
    file.write_text(json.dumps({"name": "Lend_2", "completions": ["    say('x')\n"]}))
    given = open_programs(f"roboeval:{file}")
    program = "def task_program():\n    say('x')\n"
    assert {key: one.program for key, one in given.items()} == {
        Key(task="Lend", phrasing=2): program
    }


def test_a_program_stored_twice_for_one_item_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "stored.jsonl"
    file.write_text("".join('{"program_Lend_2_7": "say(1)"}\n' for _ in range(2)))
    with pytest.raises(ProgramsError, match="Lend, phrasing 2, sample 7 is given twice: program 1"):
        open_programs(f"roboeval:{file}")


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ProgramsError, match=r"^roboeval:.*x\.json: cannot be read: "):
        open_programs(f"roboeval:{tmp_path / 'x.json'}")
