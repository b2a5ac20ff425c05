"""Going on from a model file, and writing one, are each other's opposite."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import torch

from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.learn.batches import Batches, batch_of, encoded
from roboinstruct_ros.learn.begin_from import ModelFile, begin_from
from roboinstruct_ros.learn.export_gguf import export
from roboinstruct_ros.learn.families import Pair
from roboinstruct_ros.learn.model import Decoder

SHIPPED = shared_file("models/roboinstruct-small.gguf")
GO = Pair("tour", "Go to the kitchen.", 'def task_program():\n    go_to("kitchen")\n')


def test_the_shipped_model_goes_on_writing_what_it_wrote() -> None:
    file = ModelFile(SHIPPED)
    model = Decoder(file.shape())
    model.load_state_dict(file.weights())
    inputs, targets = batch_of([encoded(GO, file.tokenizer())])
    guesses = model.logits(model(inputs)).argmax(-1)
    scored = targets >= 0
    assert scored.sum() > 8
    assert (guesses[scored] == targets[scored]).all()


def test_what_is_exported_is_read_back(tmp_path: Path) -> None:
    shape = begin_from(SHIPPED, tmp_path)
    (tmp_path / "shape.json").write_text(json.dumps(dataclasses.asdict(shape)))
    weights = torch.load(tmp_path / "begin.pt", weights_only=True)
    torch.save({"model": weights, "step": 3}, tmp_path / "checkpoint.pt")
    export(tmp_path, tmp_path / "again.gguf", half=False, prompt_format="task_dialogue")
    again = ModelFile(tmp_path / "again.gguf")
    assert again.shape() == shape
    assert again.tokenizer().get_vocab() == ModelFile(SHIPPED).tokenizer().get_vocab()
    assert all(torch.equal(tensor, weights[name]) for name, tensor in again.weights().items())


def test_a_step_sees_the_same_batch_however_it_was_reached() -> None:
    tokenizer = ModelFile(SHIPPED).tokenizer()
    straight = Batches(tokenizer, seed=1, rank=0, size=3).since(0)
    seen = [next(straight) for _ in range(12)]
    later = Batches(tokenizer, seed=1, rank=0, size=3).since(10)
    for before in seen[10:]:
        after = next(later)
        assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))
