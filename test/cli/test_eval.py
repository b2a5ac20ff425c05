"""`roboinstruct eval`: tables of a suite, gone on with after Ctrl-C, and one line for what is
wrong."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_suite import SLOW, write_programs, write_suite
from test_commands import cli, one_line
from waiting import until

from roboinstruct_ros.commands.evaluations import running
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.evaluate.runs.record import Record
from roboinstruct_ros.generate.backends.backend import BackendError


@pytest.fixture
def suite(tmp_path: Path) -> str:
    return str(write_suite(tmp_path))


def records(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]


def test_the_shipped_model_is_evaluated_into_a_folder(tmp_path: Path, suite: str) -> None:
    folder = tmp_path / "found"
    done = cli("eval", "--suite", suite, "--to", str(folder), "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert [record["outcome"] for record in records(folder)] == ["right"] * 3
    assert str(folder) in done.stdout and "3 of 3 evaluated, 3 of 3 right" in done.stderr
    assert "| **tasks** | 3 | 100 %" in done.stdout


def test_it_says_what_is_wrong_in_one_line(tmp_path: Path, suite: str) -> None:
    programs, nowhere = str(write_programs(tmp_path)), str(tmp_path / "nowhere")
    begun = tmp_path / "begun"
    begun.mkdir()
    (begun / "manifest.json").write_text("{}")
    for arguments, told in (
        ((), "--suite SUITE to begin, or --resume DIR"),
        (("--suite", "gpsx:here"), "no suite"),
        (("--suite", nowhere + ".yaml"), f"{nowhere}.yaml: No such file"),
        (("--suite", suite, "--model", "roboinstruct-tiny"), "roboinstruct-tiny"),
        (("--suite", suite, "--model", nowhere + ".gguf"), nowhere),
        (("--suite", suite, "--lora", nowhere), nowhere),
        (("--suite", suite, "--tasks", "cooking"), "cooking: fits no task"),
        (("--suite", suite, "--programs", nowhere), f"{nowhere}: cannot be read: No such file"),
        (("--suite", suite, "--programs", suite), "expected {"),
        (("--suite", suite, "--programs", programs, "--model", "x"), "not both"),
        (("--suite", suite, "--programs", programs, "-n", "1"), "leave -n out"),
        (("--suite", suite, "-n", "3", "--temperature", "0"), "give --temperature above 0"),
        (("--suite", suite, "--attempts", "0"), "max_attempts"),
        (("--suite", suite, "--to", str(begun)), f"go on with --resume {begun}"),
        (("--suite", suite, "--to", "/proc/x"), "/proc/x: cannot be written"),
        (("--suite", suite, "--ray", "127.0.0.1:1", "--to", nowhere), "--ray"),
        (("--resume", nowhere), f"{nowhere}: holds no evaluation"),
        (("--resume", str(begun)), "is not that of an evaluation"),
    ):
        result = cli("eval", *arguments)
        assert told in one_line(result), arguments
        assert not Path(nowhere).exists()


def test_an_error_says_how_to_go_on_if_there_is_what_to_go_on_with(
    tmp_path: Path, suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> Iterator[Record]:
        raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, "nothing listens there")
        yield

    monkeypatch.setattr(running, "run", gone)
    to = tmp_path / "found"
    for command, again in (
        ("ablate", f"; go on with: roboinstruct eval ablate --resume {to}"),
        ("", ""),
    ):
        line = one_line(cli("eval", *command.split(), "--suite", suite, "--to", str(to)))
        assert line == f"nothing listens there{again}"
        shutil.rmtree(to, ignore_errors=True)


def test_ctrl_c_ends_it_and_says_how_to_go_on(tmp_path: Path, suite: str) -> None:
    programs, folder = write_programs(tmp_path, 60, [SLOW]), tmp_path / "found"
    command = ("eval", "--suite", suite, "--programs", str(programs), "--to", str(folder))
    with subprocess.Popen(
        [sys.executable, "-m", "roboinstruct_ros.cli", *command, "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()  # it has begun
        begun = lambda: (folder / "records.jsonl").exists() and records(folder)  # noqa: E731
        until(lambda: process.poll() is not None or begun())
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        told = process.stderr.read()
        assert process.wait(60) == 130
    assert told.strip().splitlines()[-1].endswith(f"roboinstruct eval --resume {folder}")
    done = len(records(folder))
    assert 0 < done < 180 and f"stopped, {done} of 180 evaluated" in told
    refused = one_line(cli("eval", "--resume", str(folder), "--no-verify"))
    assert "was begun with verify true, not false" in refused
    assert cli("eval", "--resume", str(folder), "--jobs", "2").returncode == 0
    assert len(records(folder)) == 180


def test_each_part_of_the_writing_is_left_out_in_its_turn(tmp_path: Path, suite: str) -> None:
    folder = tmp_path / "found"
    settings = ("full", "no-verify", "feedback-naive")
    arguments = ("--only", ",".join(settings), "--to", str(folder))
    done = cli("eval", "ablate", "--suite", suite, *arguments)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in folder.iterdir()} == set(settings)
    for setting in settings:
        assert f"| {setting} | 3 | 100 % " in done.stdout
    manifest = json.loads((folder / "no-verify" / "manifest.json").read_text())
    assert manifest["asked"]["verify"] is False
    again = cli("eval", "ablate", "--resume", str(folder))
    assert again.stdout == done.stdout
    assert "full, no-verify" in one_line(cli("eval", "ablate", "--suite", suite, "--only", "x"))
