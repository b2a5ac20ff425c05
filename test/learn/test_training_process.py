"""What the process of a training says at its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.learn.pipeline.work import LearnError
from roboinstruct_ros.learn.training.environment import VARIABLE, run_module


@pytest.mark.parametrize(
    ("end", "told"),
    [("kill -9 $$", "training: its process was killed .signal 9."), ("exit 1", "cannot train: no")],
)
def test_a_training_that_is_killed_is_told_as_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, told: str
) -> None:
    python = tmp_path / "python"
    last = '0.25 {"loss": 1.5}' if "kill" in end else "cannot train: no"
    python.write_text(f"#!/bin/sh\necho '{last}'\n{end}\n")
    python.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(python))
    with pytest.raises(LearnError, match=f"^{told}"):
        run_module("training", [], lambda line: None)
