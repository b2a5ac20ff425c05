"""Writes the result of a training as one GGUF file that llama.cpp and llama-cpp-python load.

    python -m roboinstruct_ros.learn.export_gguf --run train_out --to models/roboinstruct-small.gguf

Of a run from nothing it is the model (F16). Its prompt needs the begin token in front; the file
says so (tokenizer.ggml.add_bos_token), and llama.cpp then adds it by itself. Of a run with `--base`
it is the adapter alone, with the checksum of its base: in Q8_0, which is half as large as F16 and
writes a third faster.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import gguf
import torch

from roboinstruct_ros.learn.model import ModelShape, by_tensor
from roboinstruct_ros.learn.tokenizer import BOS, EOS

DESCRIPTION = (
    "Small decoder that writes RoboInstruct task programs for service mobile robots; "
    "trained from nothing on instruction/program pairs made by the project's own grammar."
)
ADAPTER = (
    "Adapter with which SmolLM2-135M-Instruct writes RoboInstruct task programs for service mobile "
    "robots; trained on instruction/program pairs made by the project's own grammar."
)
PROMPT_FORMATS = ("instruction_comment", "instruction_repairs", "task_dialogue", "robot_task")
"""What the model was trained on: instructions only, repairs and follow-ups too, or with a scene."""

_BLOCK = 32  # values of a row that share a scale in Q8_0


def export(run: Path, target: Path, half: bool = True, prompt_format: str | None = None) -> None:
    """The checkpoint of a training run as a GGUF file: a model, or an adapter for its base.

    Args:
        run: folder of the run (checkpoint.pt, shape.json, tokenizer.json, base.sha256).
        target: file to write; its folder is made when missing.
        half: matrices in 16 bits, or 8 of an adapter, else in 32 (to compare logits).
        prompt_format: how the generator is to ask it (`generate/prompts/prompt.py`); unless told,
            `robot_task` of an adapter and `instruction_comment` of a model.
    """
    shape = ModelShape(**json.loads((run / "shape.json").read_text()))
    state = torch.load(run / "checkpoint.pt", weights_only=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(".part")
    writer = gguf.GGUFWriter(str(unfinished), "llama")
    writer.add_license("Apache-2.0")
    writer.add_version(f"step-{state['step']}")
    if shape.rank:
        _write_adapter(writer, shape, (run / "base.sha256").read_text())
    else:
        _write_metadata(writer, shape, half)
        _write_tokenizer(writer, json.loads((run / "tokenizer.json").read_text()))
    usual = PROMPT_FORMATS[-1 if shape.rank else 0]
    writer.add_string("roboinstruct.prompt_format", prompt_format or usual)
    kind = _kind(shape, half)
    for name, tensor in by_tensor(state["model"], shape).items():
        values = tensor.detach().float().contiguous().numpy()
        if values.ndim == 1:
            writer.add_tensor(name, values)
        else:
            writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    unfinished.replace(target)


def _kind(shape: ModelShape, half: bool) -> gguf.GGMLQuantizationType:
    if not half:
        return gguf.GGMLQuantizationType.F32
    in_blocks = bool(shape.rank) and shape.rank % _BLOCK == 0
    return gguf.GGMLQuantizationType.Q8_0 if in_blocks else gguf.GGMLQuantizationType.F16


def _write_adapter(writer: gguf.GGUFWriter, shape: ModelShape, base: str) -> None:
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_name("roboinstruct-smollm2-lora")
    writer.add_description(ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    # llama.cpp multiplies by alpha / rank; the training does not.
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, shape.rank)
    writer.add_string("roboinstruct.base_sha256", base)


def _write_metadata(writer: gguf.GGUFWriter, shape: ModelShape, half: bool) -> None:
    writer.add_name("roboinstruct-small")
    writer.add_description(DESCRIPTION)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.feed_forward)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_rope_dimension_count(shape.head_size)
    writer.add_rope_freq_base(shape.rope_base)
    writer.add_layer_norm_rms_eps(shape.norm_epsilon)
    writer.add_vocab_size(shape.vocab)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16 if half else gguf.LlamaFileType.ALL_F32)


def _write_tokenizer(writer: gguf.GGUFWriter, tokenizer: dict[str, dict[str, object]]) -> None:
    model = tokenizer["model"]
    vocab: dict[str, int] = model["vocab"]  # type: ignore[assignment]
    merges: list[list[str]] = model["merges"]  # type: ignore[assignment]
    tokens = sorted(vocab, key=vocab.__getitem__)
    normal, control = gguf.TokenType.NORMAL, gguf.TokenType.CONTROL
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([control if token in (BOS, EOS) else normal for token in tokens])
    writer.add_token_merges([" ".join(merge) for merge in merges])
    writer.add_bos_token_id(vocab[BOS])
    writer.add_eos_token_id(vocab[EOS])
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)


def main() -> None:
    """Command line of the export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, default=Path("train_out"))
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--prompt-format", choices=PROMPT_FORMATS)
    parser.add_argument("--float", action="store_true", help="32-bit floats, to compare")
    arguments = parser.parse_args()
    export(arguments.run, arguments.to, not arguments.float, arguments.prompt_format)
    print(f"{arguments.to}: {arguments.to.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
