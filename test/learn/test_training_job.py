"""A training goes on in its folder with the same settings only."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.training.job import TrainingJob, take
from roboinstruct_ros.learn.training.options import TrainingOptions


def test_another_training_does_not_go_on_from_the_checkpoints_of_the_first(tmp_path: Path) -> None:
    examples, out = tmp_path / "pairs.jsonl", tmp_path / "out"
    examples.write_text("{}\n")
    out.mkdir()

    def taken(**options: object) -> None:
        made = TrainingOptions.model_validate(options)
        take(TrainingJob(out=out, examples=examples, options=made))

    taken()
    taken(rate=0.1)  # nothing was made with the first ones
    (out / "checkpoint-50").mkdir()
    taken(rate=0.1, threads=2)
    with pytest.raises(InputError, match=r"was begun otherwise: rate 0.1, now 3e-05; give"):
        taken()
    examples.write_text("{}\n{}\n")
    with pytest.raises(InputError, match="examples changed; give another --out"):
        taken(rate=0.1)
