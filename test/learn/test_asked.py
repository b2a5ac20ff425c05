"""What determines the records of a step, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.learn.pipeline.asked import asked_of, differences
from roboinstruct_ros.learn.pipeline.config import read_config
from roboinstruct_ros.learn.pipeline.step import Step


@pytest.mark.parametrize(
    ("step", "options", "told"),
    [
        (Step.TRAINING, "{longest: 512}", "training.longest"),
        (Step.TRAINING, "{grpo: {longest: 99}}", "training.grpo.longest"),
        (Step.TASKS, "{tries: 9}", "tasks.tries"),
        (Step.TASKS, "{writer: {tries: 9, longest: 60}}", ""),
        (Step.ALIGNMENT, "{scorer: {at_once: 2}}", ""),
    ],
)
def test_only_how_a_writer_is_asked_does_not_count(
    tmp_path: Path, step: Step, options: str, told: str
) -> None:
    def asked(text: str) -> dict[str, object]:
        (tmp_path / "mine.yaml").write_text(f"name: mine\n{text}")
        return asked_of(step, read_config(tmp_path / "mine.yaml"), tmp_path)

    found = list(differences(asked(""), asked(f"{step.value}: {options}\n")))
    assert [one.partition(" ")[0] for one in found] == ([told] if told else [])
