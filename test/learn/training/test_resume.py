"""A run that is killed and started again ends with the same weights."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from roboinstruct_ros.domain.shared_files import shared_file

STEPS = 7


def start(out: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "roboinstruct_ros.learn.train", "--out", str(out)]
    begin = ["--from", str(shared_file("models/roboinstruct-small.gguf"))]
    small = ["--steps", str(STEPS), "--batch", "2", "--save-every", "2"]
    return subprocess.Popen([*command, *begin, *small, *more])


def weights(out: Path) -> dict[str, torch.Tensor]:
    state = torch.load(out / "checkpoint.pt", weights_only=True)
    assert state["step"] == STEPS
    return dict(state["model"])


@pytest.mark.timeout(400)
@pytest.mark.parametrize("ranks", ["1", "2"])
def test_killed_and_started_again_it_ends_the_same(tmp_path: Path, ranks: str) -> None:
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    assert start(straight, "--ranks", ranks).wait() == 0
    run = start(broken, "--ranks", ranks)
    while not (broken / "checkpoint.pt").exists():
        assert run.poll() is None
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert start(broken, "--ranks", ranks).wait() == 0
    one, other = weights(straight), weights(broken)
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_file_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "notes.gguf").write_text("buy milk")
    done = subprocess.run(
        [
            *[sys.executable, "-m", "roboinstruct_ros.learn.train", "--out", str(tmp_path / "out")],
            *["--from", str(tmp_path / "notes.gguf"), "--ranks", "1", "--steps", "1"],
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("--from: ")
