"""A training that is killed and started again ends with the same weights; what is wrong is told."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from safetensors.torch import load_file
from waiting import until

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.learn.pairs.draw_pair import make_pair

STEPS = 7
SMALL = str(shared_file("models/roboinstruct-small.gguf"))
COMMON = {"batch": 2, "rate": 1e-3, "schedule": "cosine", "save_every": 2, "threads": 1}
KINDS = {
    "adapter": (["--base", SMALL], {"rank": 4}),
    "two processes": (["--base", SMALL], {"rank": 4, "processes": 2}),
    "all weights": (["--base", SMALL], {"rank": 0}),
    "from nothing": ([], {"rank": 0, "new": {"vocabulary": 400, "width": 32, "heads": 2}}),
}


@pytest.fixture(scope="session")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    drawn = (make_pair(5, number) for number in range(40))
    lines = (json.dumps({"prompt": one.prompt, "completion": one.completion}) for one in drawn)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def start(
    folder: Path, pairs: Path, more: list[str], options: dict[str, object]
) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    (folder / "options.yaml").write_text(yaml.safe_dump({**COMMON, "steps": STEPS, **options}))
    command = [sys.executable, "-m", "roboinstruct_ros.learn.training", "--out", str(folder)]
    command += ["--examples", str(pairs), "--options", str(folder / "options.yaml"), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(run: subprocess.Popen[str]) -> str:
    out, err = run.communicate()
    assert run.returncode == 0, err
    return out


def weights(folder: Path) -> dict[str, object]:
    name = "adapter/adapter_model" if (folder / "adapter").exists() else "model/model"
    assert json.loads((folder / "result.json").read_text())["steps"] == STEPS
    return load_file(folder / f"{name}.safetensors")


@pytest.mark.parametrize("kind", list(KINDS))
def test_killed_and_started_again_it_ends_the_same(tmp_path: Path, pairs: Path, kind: str) -> None:
    more, options = KINDS[kind]
    more = [*more, "--held-out", str(pairs)]
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    finish(start(straight, pairs, more, options))
    run = start(broken, pairs, more, options)
    until(lambda: run.poll() is not None or list(broken.glob("checkpoint-*/trainer_state.json")))
    assert run.poll() is None
    run.send_signal(signal.SIGKILL)
    run.communicate()
    (broken / "checkpoint-90").mkdir()  # of a process that was killed while it wrote
    (broken / "checkpoint-90" / "trainer_state.json").write_text('{"epoch": 0.')
    finish(start(broken, pairs, more, options))
    one, other = weights(straight), weights(broken)
    assert one.keys() == other.keys()
    assert all((one[name] == other[name]).all() for name in one)
    curves = [(run / "curve.jsonl").read_text() for run in (straight, broken)]
    assert curves[0] == curves[1]


def refusal(folder: Path, pairs: Path, more: list[str], **options: object) -> str:
    run = start(folder, pairs, more, options)
    _, line = run.communicate()
    assert run.returncode == 1
    assert line.count("\n") == 1
    return line


def test_a_file_that_is_no_model_is_one_line(tmp_path: Path, pairs: Path) -> None:
    (tmp_path / "notes.gguf").write_text("buy milk")
    line = refusal(tmp_path / "out", pairs, ["--base", str(tmp_path / "notes.gguf")])
    assert line.startswith("cannot train: ")
    assert "notes.gguf: cannot be read as GGUF" in line


def test_what_this_machine_cannot_do_is_one_line(tmp_path: Path, pairs: Path) -> None:
    assert "4 needs an NVIDIA GPU" in refusal(tmp_path, pairs, ["--base", SMALL], bits=4)
    assert "FlashAttention" in refusal(tmp_path, pairs, ["--base", SMALL], packing=True)


@pytest.mark.parametrize("line", ['{"prompt": "a"}', "[]", "go to the kitchen"])
def test_a_line_of_a_file_that_is_no_pair_is_told_by_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({"prompt": "a", "completion": "b"}) + f"\n{line}\n")
    assert "pairs.jsonl, line 2: is not" in refusal(tmp_path, path, ["--base", SMALL])
