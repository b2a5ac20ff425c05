"""Builds GGUF files with random weights: real ones for llama.cpp, small enough for every test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import gguf
import numpy as np

WIDTH, HEADS, LAYERS, FEED_FORWARD, CONTEXT = 32, 2, 1, 64, 512


def write_tiny_gguf(
    path: Path, prompt_format: str = "instruction_comment", layers: int = LAYERS,
    width: int = WIDTH, context: int = CONTEXT, weights: str = "F32",
    name: str = "tiny random", chat_template: str = "", control: Sequence[str] = (),
    begin: str = "",
) -> Path:  # fmt: skip
    """Write a llama-architecture model with a byte vocabulary and return `path`.

    Its text is noise: random printable bytes that end only by chance. `weights` names the number
    format of the matrices, e.g. "Q8_0"; `control` are control tokens beside the end token;
    `begin` is the one of them that begins every text.
    """
    tokens = [*_byte_characters(), "<|end|>", *control]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(name)
    if prompt_format:
        writer.add_string("roboinstruct.prompt_format", prompt_format)
    if chat_template:
        writer.add_chat_template(chat_template)
    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(2 * width)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(width // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(
        [gguf.TokenType.NORMAL] * 256 + [gguf.TokenType.CONTROL] * (1 + len(control))
    )
    # llama.cpp wants at least one merge; this one never applies.
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(256)
    writer.add_add_bos_token(bool(begin))
    if begin:
        writer.add_bos_token_id(tokens.index(begin))
    _add_weights(writer, len(tokens), layers, width, gguf.GGMLQuantizationType[weights])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_weights(
    writer: gguf.GGUFWriter, vocabulary: int, layers: int, width: int,
    kind: gguf.GGMLQuantizationType,
) -> None:  # fmt: skip
    random = np.random.default_rng(7)

    def add_matrix(name: str, rows: int, columns: int) -> None:
        values = random.normal(0.0, 0.3, (rows, columns)).astype(np.float32)
        writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)

    add_matrix("token_embd.weight", vocabulary, width)
    for layer in range(layers):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add_matrix(f"blk.{layer}.{name}.weight", width, width)
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", np.ones(width, np.float32))
        for name in ("ffn_gate", "ffn_up"):
            add_matrix(f"blk.{layer}.{name}.weight", 2 * width, width)
        add_matrix(f"blk.{layer}.ffn_down.weight", width, 2 * width)
    writer.add_tensor("output_norm.weight", np.ones(width, np.float32))
    add_matrix("output.weight", vocabulary, width)


def _byte_characters() -> list[str]:
    """One printable character for each byte, as byte-level BPE vocabularies write them."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    names = {byte: chr(byte) for byte in plain}
    others = (byte for byte in range(256) if byte not in names)
    names.update({byte: chr(256 + index) for index, byte in enumerate(others)})
    return [names[byte] for byte in range(256)]


def write_tiny_adapter(
    path: Path, prompt_format: str = "", layers: int = LAYERS, width: int = WIDTH,
    architecture: str = "llama", ranks: tuple[int, int] = (4, 4), base_sha256: str = "",
    seed: int = 1,
) -> Path:  # fmt: skip
    """Write a LoRA adapter with random weights for the attention of a tiny GGUF; return `path`."""
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 2.0 * ranks[0])
    if prompt_format:
        writer.add_string("roboinstruct.prompt_format", prompt_format)
    if base_sha256:
        writer.add_string("roboinstruct.base_sha256", base_sha256)
    random = np.random.default_rng(seed)
    for layer in range(layers):
        for name in ("attn_q", "attn_v", "attn_output"):
            matrix = f"blk.{layer}.{name}.weight"
            for half, shape in (("a", (ranks[0], width)), ("b", (width, ranks[1]))):
                values = random.normal(0.0, 0.4, shape).astype(np.float16)
                writer.add_tensor(f"{matrix}.lora_{half}", values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
