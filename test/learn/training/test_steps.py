"""What is cleaned is trained on, exported, evaluated before and after, and served by its name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from steps import Config, run_step

from roboinstruct_ros.generate.models.model_file import read_model_file
from roboinstruct_ros.generate.models.model_store import stored_models
from roboinstruct_ros.learn.evaluation.step import EvaluationOptions
from roboinstruct_ros.learn.export.step import ExportOptions
from roboinstruct_ros.learn.pairs.draw_pair import make_pair
from roboinstruct_ros.learn.pipeline.manifest import Manifest, write_manifest
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.training.memory import check_memory, training_memory
from roboinstruct_ros.learn.training.options import TrainingOptions


class Trained(Config):
    """With the steps after the data."""

    training: TrainingOptions = TrainingOptions()
    export: ExportOptions = ExportOptions()
    evaluation: EvaluationOptions = EvaluationOptions()


def cleaned(run: Path) -> None:
    folder = run / "cleaning"
    folder.mkdir(parents=True)
    drawn = [make_pair(7, number) for number in range(24)]
    rows = [json.dumps({"prompt": p.prompt, "completion": p.completion}) for p in drawn]
    (folder / "train.jsonl").write_text("\n".join(rows[4:]) + "\n")
    (folder / "held_out.jsonl").write_text("\n".join(rows[:4]) + "\n")
    write_manifest(run, Manifest(config={}, licences={"roboinstruct-small": "Apache-2.0"}))


def test_a_run_ends_with_a_model_that_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOINSTRUCT_MODELS", str(tmp_path / "models"))
    run = tmp_path / "run"
    cleaned(run)
    config = Trained.model_validate(
        {
            "name": "mine", "base": "roboinstruct-small", "seed": 3,
            "training": {"steps": 4, "rank": 4, "batch": 2, "look_every": 2, "threads": 1},
            "evaluation": {"most": 2},
        }
    )  # fmt: skip
    told = run_step(run, Step.TRAINING, config)
    assert told.done == told.of == 100
    assert any("eval_loss" in note for note in told.notes)
    run_step(run, Step.EXPORT, config)
    told = run_step(run, Step.EVALUATION, config)
    assert told.done == told.of == 4
    assert read_model_file(stored_models()["mine"]).prompt_format == "robot_task"
    card = (run / "evaluation/README.md").read_text()
    result = json.loads((run / "training/result.json").read_text())
    assert "| licence of the base | Apache-2.0 |" in card
    assert f"{result['steps']} steps of 2 examples" in card
    assert "## Before and after" in card
    assert (run / "evaluation/compare.html").exists()


def test_what_is_too_large_is_a_sum_and_what_would_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import LlamaConfig

    from roboinstruct_ros.domain.configuration import InputError
    from roboinstruct_ros.generate.models.gpu_memory import GpuMemory
    from roboinstruct_ros.learn.training import memory

    seven = LlamaConfig(intermediate_size=11008, tie_word_embeddings=False)
    card = GpuMemory(24_000_000_000, 23_000_000_000)
    monkeypatch.setattr(memory, "gpu_memory", lambda: card)
    need = training_memory(seven, TrainingOptions(), 2048, True)
    assert 13e9 < need.weights < 14e9
    with pytest.raises(InputError, match=r"too large for the GPU: weights 13\.5 GB .* batch: \d"):
        check_memory(seven, TrainingOptions(), 2048)
    with pytest.raises(InputError, match=r"rank: 32 \(an adapter\) fits"):
        check_memory(seven, TrainingOptions(rank=0, batch=1), 256)
    check_memory(seven, TrainingOptions(batch=1, bits=4), 512)
