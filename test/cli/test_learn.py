"""`roboinstruct learn`: a run of a file, one step of it, and one line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import cli, one_line

TASKS = """name: small
map: home
seed: 3
steps: [tasks]
tasks: {count: 8, composed: 8}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(TASKS)
    return path


def lines(folder: Path) -> list[str]:
    return (folder / "tasks/records.jsonl").read_text().splitlines()


def test_a_file_is_run_then_reused_and_shown(tmp_path: Path, config: Path) -> None:
    folder = tmp_path / "run"
    done = cli("learn", str(config), "--to", str(folder))
    assert done.returncode == 0, done.stderr
    assert len(lines(folder)) == 8 and "tasks: done" in done.stderr
    again = cli("learn", f"{folder}/")
    assert again.returncode == 0 and "begins" not in again.stderr
    plan = cli("learn", str(config), "--to", str(folder), "--dry-run")
    assert "reused, 8 kept" in plan.stdout
    shown = cli("learn", "show", str(folder))
    assert Path(shown.stdout.strip()).read_text().startswith("<!doctype html>")


def test_a_folder_that_is_there_needs_no_slash(
    tmp_path: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("learn", str(config), "--to", "mine").returncode == 0
    assert "all done" in cli("learn", "mine").stdout
    assert "no such command" in cli("learn", "yours").stderr


def test_one_step_is_a_command(tmp_path: Path, config: Path) -> None:
    folder = tmp_path / "run"
    text = config.read_text().replace("[tasks]", "[tasks, programs]")
    config.write_text(text)
    assert cli("learn", "tasks", str(config), "--to", str(folder)).returncode == 0
    assert lines(folder) and not (folder / "programs").exists()
    assert list(json.loads((folder / "manifest.json").read_text())["steps"]) == ["tasks"]


def test_it_says_what_is_wrong_in_one_line(tmp_path: Path, config: Path) -> None:
    folder, text = tmp_path / "run", config.read_text()
    assert cli("learn", str(config), "--to", str(folder)).returncode == 0
    before = lines(folder)
    for changed, told in (
        ("seed: 4", "seed 3, now 4; --redo puts it aside"),
        ("sead: 3", "sead: unknown field; did you mean 'seed'?"),
        ("seed: three", "expected a whole number, got 'three'"),
    ):
        config.write_text(text.replace("seed: 3", changed))
        assert told in one_line(cli("learn", str(config), "--to", str(folder)))
    assert "no such file" in one_line(cli("learn", str(tmp_path / "none.yaml")))
    assert "holds no run" in one_line(cli("learn", str(tmp_path)))
    assert "--to makes a new run" in one_line(cli("learn", str(folder), "--to", "x"))
    assert lines(folder) == before
    for what, told in ((tmp_path, "holds no run"), (folder, "steps: ablations need all of them")):
        assert told in one_line(cli("learn", "ablate", str(what)))
