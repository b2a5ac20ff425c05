"""A training whose weights are lost ends, and says so."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.training.clock import Clock, Curve
from roboinstruct_ros.learn.training.options import TrainingOptions


def test_a_gradient_that_is_no_number_ends_it(tmp_path: Path) -> None:
    curve = Curve(tmp_path / "curve.jsonl", Clock(TrainingOptions(), 9))

    def log(gradient: float) -> None:
        logs = [{"step": 3, "loss": 0.0, "grad_norm": gradient}]
        curve.on_log(
            None,
            SimpleNamespace(is_world_process_zero=True, global_step=3, log_history=logs),
            None,
        )

    log(0.5)
    with pytest.raises(InputError, match="step 3: the gradient is not a number"):
        log(float("nan"))
    assert len((tmp_path / "curve.jsonl").read_text().splitlines()) == 2
