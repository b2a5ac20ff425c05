"""What is read is what llama.cpp serves, what is written is served as it was trained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from llama_cpp import Llama
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict
from tokenizers.processors import TemplateProcessing
from transformers import (
    GPT2Config,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
)

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.generate.backends.open_backend import check_model
from roboinstruct_ros.learn.training.base import read_base
from roboinstruct_ros.learn.training.examples import IGNORED, Text
from roboinstruct_ros.learn.training.export import Asked, export
from roboinstruct_ros.learn.training.gguf_base import GgufBase, GgufFile, NotABase
from roboinstruct_ros.learn.training.reinforced import first_words
from roboinstruct_ros.learn.training.tensor_names import MATRICES
from roboinstruct_ros.learn.training.to_gguf import (
    F32,
    About,
    NotAnAdapter,
    adapter_from_gguf,
    write_adapter,
    write_model,
)

SHIPPED = shared_file("models/roboinstruct-small.gguf")
GO = "# Instruction: Go to the kitchen, it's 12 o'clock.\ndef task_program():\n    go_to"
ABOUT = About("it", "For a test.", "Apache-2.0", "robot_task")
SIZES = {
    "hidden_size": 128, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 256,
}  # fmt: skip


def served(path: Path, lora: Path | None = None) -> torch.Tensor:
    """What llama.cpp scores at every place of the text."""
    llama = Llama(
        str(path), lora_path=lora and str(lora), n_ctx=128, logits_all=True, verbose=False
    )
    ids = llama.tokenize(GO.encode())
    llama.eval(ids)
    return torch.tensor(llama.scores[: len(ids)])


@torch.no_grad()
def scored(model: torch.nn.Module, path: Path) -> torch.Tensor:
    """What the model that is trained scores there."""
    base = read_base(path)
    ids = base.encode(Text(GO, "")).input_ids[:-1]
    return model.eval()(input_ids=torch.tensor([ids])).logits[0].float()


def alike(ours: torch.Tensor, theirs: torch.Tensor, share: float) -> bool:
    """But for the number formats of llama.cpp's products."""
    return bool((ours - theirs).abs().mean() < share * theirs.abs().mean())


def made(kind: str, folder: Path) -> tuple[torch.nn.Module, Path]:
    """A model of two layers that says something of its own, and its file."""
    words = GgufBase(SHIPPED).vocabulary()
    torch.manual_seed(3)
    of = {"llama": (LlamaConfig, LlamaForCausalLM), "qwen2": (Qwen2Config, Qwen2ForCausalLM)}[kind]
    model = of[1](of[0](vocab_size=len(words.tokens), tie_word_embeddings=kind == "llama", **SIZES))
    for name, weight in model.named_parameters():
        if "norm" not in name:
            torch.nn.init.normal_(weight, std=0.2)
    path = folder / f"{kind}.gguf"
    write_model(model.state_dict(), model.config, words, ABOUT, path, F32)
    return model, path


def adapted(model: torch.nn.Module, rank: int) -> torch.nn.Module:
    torch.manual_seed(5)
    changed = get_peft_model(
        model, LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=list(MATRICES))
    )
    for name, weight in changed.named_parameters():
        if ".lora_B." in name:
            torch.nn.init.normal_(weight, std=0.2)
    return changed


def test_the_shipped_model_is_read_as_it_is_served() -> None:
    ours, theirs = scored(read_base(SHIPPED).load(torch.float32), SHIPPED), served(SHIPPED)
    assert alike(ours, theirs, 0.02)


@pytest.mark.parametrize("kind", ["llama", "qwen2"])
def test_a_model_is_served_as_it_was_trained_and_read_back(tmp_path: Path, kind: str) -> None:
    model, path = made(kind, tmp_path)
    assert alike(scored(model, path), served(path), 0.005)
    again = read_base(path).load(torch.float32).state_dict()
    assert all(torch.equal(rows, again[name]) for name, rows in model.state_dict().items())


@pytest.mark.parametrize("rank", [4, 32])
@pytest.mark.parametrize("kind", ["llama", "qwen2"])
def test_an_adapter_is_served_as_it_was_trained(tmp_path: Path, kind: str, rank: int) -> None:
    model, path = made(kind, tmp_path)
    plain = served(path)
    changed, lora = adapted(model, rank), tmp_path / "lora.gguf"
    halves = get_peft_model_state_dict(changed)
    write_adapter(halves, 2 * rank, model.config, ABOUT, lora)
    ours, theirs = scored(changed, path), served(path, lora)
    assert (ours - theirs).abs().mean() < 0.05 * (plain - theirs).abs().mean()
    again = adapter_from_gguf(GgufFile(lora).tensors(torch.float32), model.config)
    assert again.keys() == halves.keys()
    assert all(torch.allclose(again[name], halves[name], atol=0.02) for name in again)


def test_only_the_completion_is_scored() -> None:
    base = read_base(SHIPPED)
    one = base.encode(Text("# Instruction: hello\n", '    say("hi")\n'))
    prompt = one.labels.count(IGNORED)
    words = base.tokenizer
    assert words.decode(one.input_ids[:prompt]) == "<|begin|># Instruction: hello\n"
    assert words.decode(one.labels[prompt:]) == '    say("hi")<|end|>'


def test_a_file_that_is_cut_off_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "half.gguf").write_bytes(SHIPPED.read_bytes()[:5000])
    with pytest.raises(NotABase, match=r"half\.gguf: cannot be read as GGUF"):
        read_base(tmp_path / "half.gguf")


def folder_of(model: torch.nn.Module, path: Path) -> Path:
    """The same in the format of Hugging Face; its tokenizer begins every text by itself."""
    words = GgufBase(SHIPPED).vocabulary()
    tokens = words.tokenizer()
    begin = words.tokens[words.begin or 0]
    tokens.post_processor = TemplateProcessing(
        single=f"{begin} $A", special_tokens=[(begin, words.begin)]
    )
    end = words.tokens[words.end]
    PreTrainedTokenizerFast(
        tokenizer_object=tokens, bos_token=begin, eos_token=end
    ).save_pretrained(path)
    model.save_pretrained(path)
    return path


@pytest.mark.parametrize("kind", ["llama", "qwen2"])
def test_an_adapter_of_a_folder_is_served_with_its_gguf_and_in_it(
    tmp_path: Path, kind: str
) -> None:
    model, gguf = made(kind, tmp_path)
    plain, folder = served(gguf), folder_of(model, tmp_path / "base")
    run = tmp_path / "run"
    changed = adapted(read_base(folder).load(torch.float32), 4)
    changed.save_pretrained(run / "adapter")
    (run / "result.json").write_text('{"base_sha256": ""}')
    lora, merged = tmp_path / "lora.gguf", tmp_path / "merged.gguf"
    export(Asked(run, folder, None, False, lora), replace(ABOUT, domain="arm"))
    export(Asked(run, folder, gguf, True, merged), replace(ABOUT, domain="arm"))
    ours = scored(changed, gguf)
    for theirs in (served(gguf, lora), served(merged)):
        assert (ours - theirs).abs().mean() < 0.05 * (plain - theirs).abs().mean()
    check_model(str(gguf), str(lora))
    assert {GgufFile(one).value("roboinstruct.domain") for one in (lora, merged)} == {"arm"}
    assert GgufFile(merged).value("tokenizer.ggml.tokens") == GgufFile(gguf).value(
        "tokenizer.ggml.tokens"
    )


def test_an_adapter_is_not_merged_into_another_base(tmp_path: Path) -> None:
    model, _ = made("llama", tmp_path)
    run = tmp_path / "run"
    adapted(model, 4).save_pretrained(run / "adapter")
    (run / "result.json").write_text('{"base_sha256": ""}')
    folder = folder_of(made("llama", tmp_path)[0], tmp_path / "base")
    asked = Asked(run, folder, SHIPPED, True, tmp_path / "merged.gguf")
    with pytest.raises(NotAnAdapter, match=r"roboinstruct-small\.gguf: is not the base of the"):
        export(asked, ABOUT)
    assert not asked.target.exists()


def test_a_folder_of_another_kind_of_model_is_one_line(tmp_path: Path) -> None:
    GPT2Config(n_layer=1, n_head=1, n_embd=8).save_pretrained(tmp_path)
    folder_of(made("llama", tmp_path)[0], tmp_path / "words")
    for one in (tmp_path / "words").glob("token*"):
        one.rename(tmp_path / one.name)
    with pytest.raises(InputError, match=r"is gpt2; llama and qwen2 are trained"):
        read_base(tmp_path)


@pytest.mark.parametrize("of", ["a GGUF", "a folder"])
def test_drawn_programs_are_asked_for_as_the_examples_are(tmp_path: Path, of: str) -> None:
    model, gguf = made("llama", tmp_path)
    base = read_base(gguf if of == "a GGUF" else folder_of(model, tmp_path / "base"))
    text = "# Instruction: hello\n"
    asked = base.tokenizer(first_words(base) + text)["input_ids"]
    assert asked == base.encode(Text(text, "x")).input_ids[: len(asked)]
    assert asked.count(base.begin) == 1
