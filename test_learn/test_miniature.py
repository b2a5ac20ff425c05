"""Everything from words to a served model, in miniature: 20 tasks, 10 steps, the model of 6 MB.

`make miniature` runs it: the stack's own environment, and the one with PyTorch for the training.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import as_process

CONFIG = """name: miniature
map: home
seed: 1
writer: roboinstruct-small
base: roboinstruct-small
tasks: {count: 20}
programs: {resamplings: 1}
alignment: {judge: false, score: false}
cleaning: {held_out: 0.2}
training: {steps: 10, batch: 2, rank: 4, look_every: 5, save_every: 5, longest: 512}
evaluation: {most: 4}
"""


@pytest.mark.timeout(1800)
def test_a_run_makes_a_model_that_writes_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOINSTRUCT_MODELS", str(tmp_path / "models"))
    (tmp_path / "miniature.yaml").write_text(CONFIG)
    run = tmp_path / "run"
    done = as_process("learn", str(tmp_path / "miniature.yaml"), "--to", str(run), limit=1500)
    assert done.returncode == 0, done.stderr

    manifest = json.loads((run / "manifest.json").read_text())
    assert {one["state"] for one in manifest["steps"].values()} == {"done"}
    assert manifest["licences"] == {"roboinstruct-small": "Apache-2.0"}
    assert manifest["steps"]["programs"]["tokens_written"] > 0
    curve = [json.loads(line) for line in (run / "training/curve.jsonl").read_text().splitlines()]
    assert [one["step"] for one in curve if "loss" in one][-1] == 10
    for side in ("before", "after"):
        assert (run / "evaluation" / side / "records.jsonl").read_text().count("\n") == 4

    page = Path(as_process("learn", "show", str(run)).stdout.strip()).read_text()
    assert "Before (A) and after (B)" in page and "Loss, by the step of training" in page
    assert as_process("models", "check", "miniature").returncode == 0
    written = as_process("generate", "Go to the kitchen.", "--model", "miniature", limit=300)
    assert 'go_to("kitchen")' in written.stdout, written.stderr
    again = as_process("learn", str(run), limit=300)
    assert again.returncode == 0 and "begins" not in again.stderr
