"""`generate --follow` and `tasks`: a task that is changed, looked at and forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import cli, one_line

BRING = "Go to the kitchen and if there is an apple, bring it to the living room"


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "library.sqlite")


@pytest.fixture
def changed(place: str) -> str:
    """The id of a task with two versions."""
    assert cli("generate", BRING, "--library", place).returncode == 0
    words = "the banana instead of the apple"
    result = cli("generate", words, "--follow", "last", "--library", place, "--json")
    told = json.loads(result.stdout)
    assert told["accepted"] and told["steering"] == "tweak" and told["version"] == 2
    assert len(told["parent_sha256"]) == 64 and 'pick("banana")' in told["program"]
    return str(told["task"])


def test_a_follow_up_changes_the_task_and_all_of_it_can_be_seen(changed: str, place: str) -> None:
    listed = json.loads(cli("tasks", "list", "--library", place, "--json").stdout)
    (task,) = listed["tasks"]
    assert (task["task_id"], task["versions"]) == (changed, 2) and "banana" in task["words"]
    told = json.loads(cli("tasks", "versions", changed, "--library", place, "--json").stdout)
    assert [(one["number"], one["parent"]) for one in told["versions"]] == [(1, 0), (2, 1)]
    shown = cli("tasks", "show", changed, "--library", place).stdout
    assert '-     if is_in_room("apple"):' in shown and '+     if is_in_room("banana"):' in shown
    assert "tweak of 1" in shown and "said:  the banana instead of the apple" in shown
    first = json.loads(cli("tasks", "show", f"{changed}/1", "--library", place, "--json").stdout)
    assert first["words"] == BRING and first["diff"] == []
    tables = [cli("tasks", *what, "--library", place) for what in (("list",), ("versions", "last"))]
    assert all(changed[:12] in tables[0].stdout for _ in tables) and "tweak" in tables[1].stdout


def test_a_return_needs_no_model(changed: str, place: str) -> None:
    words = "go back to the version with the apple"
    options = ("--library", place, "--model", "none.gguf", "--json")
    told = json.loads(cli("generate", words, "--follow", changed, *options).stdout)
    refused = cli("generate", "also go to the study", "--follow", changed, *options)
    assert refused.returncode == 2 and "none.gguf" in refused.stderr
    assert told["steering"] == "return" and told["generated_tokens"] == 0
    assert told["version"] == 1 and told["notes"] == ["This is version 1 again."]


def test_a_forgotten_task_is_gone(changed: str, place: str) -> None:
    assert cli("tasks", "forget", changed, "--library", place).stdout.strip().endswith("forgotten")
    assert "No task is kept" in cli("tasks", "list", "--library", place).stdout
    assert f"no task '{changed}'" in one_line(cli("tasks", "show", changed, "--library", place))
    refused = cli("generate", "also go", "--follow", changed, "--library", place)
    assert f"no task '{changed}'" in one_line(refused)


def test_a_file_that_is_no_library_costs_no_program(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary\n")
    assert "no task library" in one_line(cli("tasks", "list", "--library", str(diary)))
    result = cli("generate", "Go to the kitchen", "--library", str(diary))
    assert result.returncode == 0 and "warning: " in result.stderr
    assert diary.read_text() == "Dear diary\n"


def test_nothing_is_kept_where_nobody_wants_it(tmp_path: Path) -> None:
    assert cli("generate", "Go to the kitchen", "--library", "none").returncode == 0
    assert "library is empty" in one_line(cli("generate", "x", "--follow", "last", "--library",
                                              "none"))  # fmt: skip


def test_what_does_not_go_together_is_one_line() -> None:
    assert "--jsonl" in one_line(cli("generate", "--jsonl", "--follow", "last"))
    assert "--program" in one_line(cli("run", "--program", "x.py", "--follow", "last"))
