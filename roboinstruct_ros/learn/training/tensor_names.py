"""Maps weights between GGUF and transformers: their names, and the order of their rows.

Source: llama.cpp's `convert_hf_to_gguf.py`. In a GGUF of the architecture llama the rows of a query
or key head are in neighbouring pairs, as llama.cpp rotates them; in transformers a pair is one row
of the head's lower half and one of the upper half. In a GGUF of qwen2 the order is that of
transformers.
"""

from __future__ import annotations

import re
from typing import Protocol

from torch import Tensor

IN_BLOCK = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}
OUTSIDE = {
    "token_embd": "model.embed_tokens",
    "output": "lm_head",
    "output_norm": "model.norm",
}
MATRICES = tuple(name.rpartition(".")[2] for name in IN_BLOCK.values() if name.endswith("_proj"))
"""The matrices of a layer, by their names in `peft`."""

_IN_GGUF = re.compile(r"blk\.(\d+)\.(\w+)\.(weight|bias)")
_IN_MODEL = re.compile(r"model\.layers\.(\d+)\.([\w.]+)\.(weight|bias)")
_PARTS = {model: gguf for gguf, model in IN_BLOCK.items()}
_OUTSIDE_PARTS = {model: gguf for gguf, model in OUTSIDE.items()}


class UnknownTensor(ValueError):
    """A weight unknown in this architecture; `str()` is its name."""


class Heads(Protocol):
    """The part of a model's configuration that determines the order of rows."""

    model_type: str
    num_attention_heads: int
    num_key_value_heads: int


def name_in_model(name: str) -> str:
    """The name in transformers of a GGUF's tensor.

    Raises:
        UnknownTensor: there is none.
    """
    if (found := _IN_GGUF.fullmatch(name)) and found[2] in IN_BLOCK:
        return f"model.layers.{found[1]}.{IN_BLOCK[found[2]]}.{found[3]}"
    part, _, kind = name.rpartition(".")
    if part not in OUTSIDE:
        raise UnknownTensor(name)
    return f"{OUTSIDE[part]}.{kind}"


def name_in_gguf(name: str) -> str:
    """The name in a GGUF of a model's weight.

    Raises:
        UnknownTensor: there is none.
    """
    if (found := _IN_MODEL.fullmatch(name)) and found[2] in _PARTS:
        return f"blk.{found[1]}.{_PARTS[found[2]]}.{found[3]}"
    part, _, kind = name.rpartition(".")
    if part not in _OUTSIDE_PARTS:
        raise UnknownTensor(name)
    return f"{_OUTSIDE_PARTS[part]}.{kind}"


def from_gguf(rows: Tensor, name: str, heads: Heads) -> Tensor:
    """The rows of the GGUF's tensor `name` in the order of transformers."""
    count = _turned_heads(name, heads)
    return _exchanged(rows, count, rows.shape[0] // count // 2, 2) if count else rows


def to_gguf(rows: Tensor, name: str, heads: Heads) -> Tensor:
    """The rows of a weight in the order of the GGUF's tensor `name`; the inverse of `from_gguf`."""
    count = _turned_heads(name, heads)
    return _exchanged(rows, count, 2, rows.shape[0] // count // 2) if count else rows


def _turned_heads(name: str, heads: Heads) -> int:
    """The number of heads whose rows must be reordered; 0 for other weights."""
    if heads.model_type != "llama":
        return 0
    part = name.split(".")[2] if name.startswith("blk.") else ""
    counts = {"attn_q": heads.num_attention_heads, "attn_k": heads.num_key_value_heads}
    return counts.get(part, 0)


def _exchanged(rows: Tensor, heads: int, outer: int, inner: int) -> Tensor:
    apart = rows.reshape(heads, outer, inner, *rows.shape[1:])
    return apart.transpose(1, 2).reshape(rows.shape).contiguous()
