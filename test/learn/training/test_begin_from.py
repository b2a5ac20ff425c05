"""Going on from a file, and writing one, are each other's opposite; what is served was trained."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
import torch
from llama_cpp import Llama

from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.learn.batches import Batches, Drawn, batch_of, encoded
from roboinstruct_ros.learn.begin_from import AdapterFile, ModelFile, NotOurs
from roboinstruct_ros.learn.export_gguf import export
from roboinstruct_ros.learn.families.families import Pair
from roboinstruct_ros.learn.model import Decoder, ModelShape

SHIPPED = shared_file("models/roboinstruct-small.gguf")
GO = Pair("tour", "Go to the kitchen.", 'def task_program():\n    go_to("kitchen")\n')


def run_of(folder: Path, model: Decoder) -> Path:
    """A training run that ended with this model."""
    ModelFile(SHIPPED).tokenizer().save(str(folder / "tokenizer.json"))
    (folder / "shape.json").write_text(json.dumps(dataclasses.asdict(model.shape)))
    (folder / "base.sha256").write_text(ModelFile(SHIPPED).sha256)
    torch.save({"model": model.trained(), "step": 3}, folder / "checkpoint.pt")
    return folder


def adapter(strength: float = 0.4) -> Decoder:
    """An adapter of the shipped model that says something of its own."""
    torch.manual_seed(5)
    file = ModelFile(SHIPPED)
    model = Decoder(file.shape(rank=4))
    model.take(file.tensors())
    with torch.no_grad():
        for name, weight in model.trained().items():
            if name.endswith(".b"):
                weight.normal_(std=strength)
    model.renew()
    return model


def served(text: str, path: Path, lora: Path | None = None) -> torch.Tensor:
    """What llama.cpp scores at every place of a text."""
    llama = Llama(
        str(path), lora_path=lora and str(lora), n_ctx=128, logits_all=True, verbose=False
    )
    ids = llama.tokenize(text.encode())
    llama.eval(ids)
    return torch.tensor(llama.scores[: len(ids)])


@torch.no_grad()
def scored(text: str, model: Decoder) -> torch.Tensor:
    """What the training scores there."""
    begin = ModelFile(SHIPPED).tokenizer().encode(f"<|begin|>{text}").ids
    return model.logits(model(torch.tensor([begin]))).float()


def test_the_shipped_model_goes_on_writing_what_it_wrote() -> None:
    file = ModelFile(SHIPPED)
    model = Decoder(file.shape())
    model.take(file.tensors())
    inputs, targets = batch_of([encoded(GO, file.tokenizer())])
    guesses = model.logits(model(inputs)).argmax(-1)
    aims = targets.flatten()
    assert (aims >= 0).sum() > 8
    assert (guesses == aims)[aims >= 0].all()


def test_a_model_with_shared_key_heads_is_served_as_it_was_trained(tmp_path: Path) -> None:
    vocab = ModelFile(SHIPPED).tokenizer().get_vocab_size()
    shape = ModelShape(vocab, width=128, layers=2, heads=4, kv_heads=2, feed_forward=96)
    model = Decoder(shape)
    for weight in model.trained().values():
        torch.nn.init.normal_(weight, std=0.2)
    export(run_of(tmp_path, model), tmp_path / "it.gguf", half=False)
    text = GO.prompt
    assert torch.allclose(
        served(text, tmp_path / "it.gguf"), scored(text, model), rtol=0.01, atol=0.01
    )


def test_an_adapter_is_served_as_it_was_trained(tmp_path: Path) -> None:
    model = adapter()
    export(run_of(tmp_path, model), tmp_path / "lora.gguf")
    plain = served(GO.prompt, SHIPPED)
    ours, theirs = scored(GO.prompt, model), served(GO.prompt, SHIPPED, tmp_path / "lora.gguf")
    assert (ours - theirs).abs().mean() < 0.1 * (plain - theirs).abs().mean()


def test_an_exported_adapter_is_read_back(tmp_path: Path) -> None:
    model = adapter()
    export(run_of(tmp_path, model), tmp_path / "lora.gguf", half=False)
    file = AdapterFile(tmp_path / "lora.gguf", ModelFile(SHIPPED))
    again = Decoder(ModelFile(SHIPPED).shape(file.rank))
    again.take_adapter(file.tensors())
    assert all(torch.equal(w, model.trained()[name]) for name, w in again.trained().items())
    assert file.value("roboinstruct.prompt_format") == "robot_task"


def test_an_adapter_of_another_base_is_refused(tmp_path: Path) -> None:
    export(run_of(tmp_path, adapter()), tmp_path / "lora.gguf")
    (tmp_path / "other.gguf").write_bytes(SHIPPED.read_bytes() + b"\0")
    with pytest.raises(NotOurs, match="belongs to the base with SHA-256"):
        AdapterFile(tmp_path / "lora.gguf", ModelFile(tmp_path / "other.gguf"))


def test_what_is_exported_is_read_back(tmp_path: Path) -> None:
    file = ModelFile(SHIPPED)
    model = Decoder(file.shape())
    model.take(file.tensors())
    export(run_of(tmp_path, model), tmp_path / "again.gguf", half=False)
    again = ModelFile(tmp_path / "again.gguf")
    assert again.shape() == file.shape()
    assert again.tokenizer().get_vocab() == file.tokenizer().get_vocab()
    weights = file.tensors()
    assert all(torch.equal(tensor, weights[name]) for name, tensor in again.tensors().items())


def test_a_step_sees_the_same_batch_however_it_was_reached() -> None:
    source = Drawn("dialogue", 1, ModelFile(SHIPPED).tokenizer())
    straight = Batches(source, rank=0, ranks=1, size=3).since(0)
    seen = [next(straight) for _ in range(12)]
    later = Batches(source, rank=0, ranks=1, size=3).since(10)
    for before in seen[10:]:
        after = next(later)
        assert all(torch.equal(a, b) for a, b in zip(before, after, strict=True))
