"""A run that is killed and started again ends with the same weights."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from roboinstruct_ros.domain.shared_files import shared_file

STEPS = 7
SMALL = str(shared_file("models/roboinstruct-small.gguf"))
BEGIN = {"model": ("--from", SMALL), "adapter": ("--base", SMALL, "--lora", "4")}


def start(out: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "roboinstruct_ros.learn.train", "--out", str(out)]
    small = ["--steps", str(STEPS), "--batch", "2", "--save-every", "2"]
    return subprocess.Popen([*command, *small, *more], stderr=subprocess.PIPE)


def refusal(out: Path, *more: str) -> str:
    run = start(out, *more, "--ranks", "1")
    line = run.communicate()[1].decode()
    assert run.returncode == 1
    assert line.count("\n") == 1
    return line


def weights(out: Path) -> dict[str, torch.Tensor]:
    state = torch.load(out / "checkpoint.pt", weights_only=True)
    assert state["step"] == STEPS
    return dict(state["model"])


@pytest.mark.timeout(400)
@pytest.mark.parametrize("ranks", ["1", "2"])
@pytest.mark.parametrize("kind", list(BEGIN))
def test_killed_and_started_again_it_ends_the_same(tmp_path: Path, kind: str, ranks: str) -> None:
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    more = (*BEGIN[kind], "--ranks", ranks)
    straight_run = start(straight, *more)
    straight_run.communicate()
    assert straight_run.returncode == 0
    run = start(broken, *more)
    while not (broken / "checkpoint.pt").exists():
        assert run.poll() is None
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    run = start(broken, *more)
    run.communicate()
    assert run.returncode == 0
    one, other = weights(straight), weights(broken)
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_file_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "notes.gguf").write_text("buy milk")
    line = refusal(tmp_path / "out", "--from", str(tmp_path / "notes.gguf"))
    assert line.startswith("cannot train: ")
    assert "notes.gguf: cannot be read as GGUF" in line


def test_a_run_goes_on_with_its_own_base_only(tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(Path(SMALL).read_bytes() + b"\0")
    start(tmp_path / "out", *BEGIN["adapter"], "--ranks", "1", "--steps", "1").communicate()
    assert "another base" in refusal(tmp_path / "out", "--base", str(other))
    assert "another base" in refusal(tmp_path / "out", "--from", SMALL)


@pytest.mark.parametrize("line", ['{"prompt": "a"}', "[]", "go to the kitchen"])
def test_a_line_of_a_file_that_is_no_pair_is_told_by_its_number(tmp_path: Path, line: str) -> None:
    (tmp_path / "pairs.jsonl").write_text(
        json.dumps({"prompt": "a", "completion": "b"}) + f"\n{line}\n"
    )
    data = ("--data", str(tmp_path / "pairs.jsonl"))
    assert "pairs.jsonl, line 2: is not" in refusal(tmp_path, *BEGIN["adapter"], *data)
