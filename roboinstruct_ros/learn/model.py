"""A llama-architecture decoder, trained on a CPU: all its weights, or a LoRA adapter on them.

Norms are RMS, the feed-forward is SwiGLU, query heads may share key heads, and the output shares
the token embedding. Products with the same input are one: query, key and value; gate and up. An
adapter's product rides along in the frozen one, as a few columns more of its matrix: `[W | B]` on
`[x | A x]`.

llama.cpp turns neighbouring pairs of a head, which no vector instruction likes; here a pair is one
number of the lower half of a head and one of the upper half. `weights` has the rows in this order,
`by_tensor` puts them back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

PARTS = {
    "attn_qkv": ("attn_q", "attn_k", "attn_v"),
    "attn_output": ("attn_output",),
    "ffn_gate_up": ("ffn_gate", "ffn_up"),
    "ffn_down": ("ffn_down",),
}
"""Tensors of a GGUF by the product that computes them together."""


@dataclass(frozen=True)
class ModelShape:
    """Sizes of the decoder; `rank` 0 trains every weight, any other an adapter of this rank."""

    vocab: int
    width: int = 256
    layers: int = 6
    heads: int = 8
    kv_heads: int = 8
    feed_forward: int = 768
    context: int = 1024
    rope_base: float = 10000.0
    norm_epsilon: float = 1e-5
    rank: int = 0

    @property
    def head_size(self) -> int:
        """Numbers of one head."""
        return self.width // self.heads

    def rows(self, tensor: str) -> int:
        """Rows of a block's matrix."""
        kv = self.kv_heads * self.head_size
        sizes = {"attn_k": kv, "attn_v": kv, "ffn_gate": self.feed_forward}
        return {**sizes, "ffn_up": self.feed_forward}.get(tensor, self.width)


def halved(rows: Tensor, tensor: str, size: int, back: bool = False) -> Tensor:
    """Rows of a query or key matrix with pairs apart by half a head, or `back` to neighbours."""
    if tensor not in ("attn_q", "attn_k"):
        return rows
    pairs = (2, size // 2) if back else (size // 2, 2)
    return rows.reshape(-1, *pairs, rows.shape[1]).transpose(1, 2).reshape(rows.shape)


class Norm(nn.Module):  # type: ignore[misc]
    """RMS norm with a gain."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), self.epsilon)


class Widened(torch.autograd.Function):  # type: ignore[misc]
    """`[W | B]` times `[x | A x]`; gradients for x, A and B."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, a: Tensor, b: Tensor, both: Tensor) -> Tensor:
        a = a.to(x.dtype)
        wide = torch.cat((x, x @ a.t()), -1)
        ctx.save_for_backward(wide, a, both)
        return wide @ both.t()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        wide, a, both = ctx.saved_tensors
        width = a.shape[1]
        back = grad @ both
        x, low = wide[:, :width], wide[:, width:]
        for_a = back[:, width:].t() @ x
        for_b = grad.t() @ low
        return torch.addmm(back[:, :width], back[:, width:], a), for_a.float(), for_b.float(), None


class Product(nn.Module):  # type: ignore[misc]
    """A trained matrix, or a frozen one with an adapter of `rank`."""

    def __init__(self, inputs: int, outputs: int, rank: int) -> None:
        super().__init__()
        self.rank = rank
        if rank:
            both = torch.zeros(outputs, inputs + rank, dtype=torch.bfloat16)
            self.register_buffer("both", both, persistent=False)
            self.a = nn.Parameter(torch.randn(rank, inputs) * inputs**-0.5)
            self.b = nn.Parameter(torch.zeros(outputs, rank))
        else:
            self.weight = nn.Parameter(torch.randn(outputs, inputs) * 0.6 * inputs**-0.5)

    def take(self, rows: Tensor) -> None:
        """Go on from these weights."""
        (self.both[:, : -self.rank] if self.rank else self.weight).copy_(rows)

    def renew(self) -> None:
        """Take over the trained B."""
        if self.rank:
            self.both[:, -self.rank :] = self.b.detach()

    def forward(self, x: Tensor) -> Tensor:
        if self.rank:
            return Widened.apply(x, self.a, self.b, self.both)
        return functional.linear(x, self.weight)


def rope_tables(shape: ModelShape) -> tuple[Tensor, Tensor]:
    """Cosine and signed sine by place, for both halves of a head."""
    size = shape.head_size
    rates = shape.rope_base ** (-torch.arange(0, size, 2).float() / size)
    angles = torch.arange(shape.context).float()[:, None] * rates[None, :]
    sin = angles.sin()
    return torch.cat((angles.cos(), angles.cos()), 1), torch.cat((-sin, sin), 1)


class Turned(torch.autograd.Function):  # type: ignore[misc]
    """Pairs of the two halves of the last axis turned by their angle; back, by its negative."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        ctx.save_for_backward(cos, sin)
        return torch.addcmul(x * cos, x.roll(x.shape[-1] // 2, -1), sin)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        cos, sin = ctx.saved_tensors
        return torch.addcmul(grad * cos, grad.roll(grad.shape[-1] // 2, -1), -sin), None, None


class Gated(torch.autograd.Function):  # type: ignore[misc]
    """SwiGLU of the two halves of the last axis; its own gradient, to write both halves once."""

    @staticmethod
    def forward(ctx: Any, both: Tensor) -> Tensor:
        ctx.save_for_backward(both)
        gate, up = both.chunk(2, -1)
        return functional.silu(gate).mul_(up)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (both,) = ctx.saved_tensors
        gate, up = both.chunk(2, -1)
        back = torch.empty_like(both)
        for_gate, for_up = back.chunk(2, -1)
        torch.mul(functional.silu(gate), grad, out=for_up)
        for_gate.copy_(torch.ops.aten.silu_backward(grad * up, gate))
        return back


class Block(nn.Module):  # type: ignore[misc]
    """Attention and feed-forward, each behind a norm."""

    def __init__(self, shape: ModelShape) -> None:
        super().__init__()
        self.shape = shape
        width, rank = shape.width, shape.rank
        self.attn_norm = Norm(width, shape.norm_epsilon)
        self.ffn_norm = Norm(width, shape.norm_epsilon)
        for name, tensors in PARTS.items():
            inputs = shape.feed_forward if name == "ffn_down" else width
            setattr(self, name, Product(inputs, sum(map(shape.rows, tensors)), rank))

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor) -> Tensor:
        x = x + self.attn_output(self.attended(self.attn_qkv(self.attn_norm(x)), cos, sin, mask))
        fed: Tensor = self.ffn_down(Gated.apply(self.ffn_gate_up(self.ffn_norm(x))))
        return x + fed

    def attended(self, qkv: Tensor, cos: Tensor, sin: Tensor, mask: Tensor) -> Tensor:
        """Attention of every sequence on itself; `qkv` has the sequences one after the other."""
        length, size, kv = mask.shape[1], self.shape.head_size, self.shape.kv_heads
        each = self.shape.heads // kv
        heads = qkv.view(-1, length, self.shape.heads + 2 * kv, size)
        qk, v = heads.split((self.shape.heads + kv, kv), 2)
        turned = Turned.apply(qk, cos, sin).transpose(1, 2)
        q, k = turned.split((self.shape.heads, kv), 1)
        q, k = q.reshape(-1, each * length, size), k.reshape(-1, length, size)
        v = v.transpose(1, 2).reshape(-1, length, size)
        # Written out: on a CPU the fused kernel's backward pass is many times slower in bfloat16.
        scores = torch.baddbmm(mask, q, k.transpose(1, 2), alpha=size**-0.5)
        found = scores.softmax(-1).to(v.dtype) @ v
        found = found.view(-1, self.shape.heads, length, size).transpose(1, 2)
        return found.reshape(qkv.shape[0], -1)


class Decoder(nn.Module):  # type: ignore[misc]
    """Token ids to hidden states; `logits` shares the embedding."""

    def __init__(self, shape: ModelShape) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(shape.vocab, shape.width)
        nn.init.normal_(self.token_embd.weight, std=0.02)
        self.blk = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.output_norm = Norm(shape.width, shape.norm_epsilon)
        if shape.rank:
            self.token_embd.to(torch.bfloat16)
        for name, weight in self.named_parameters():
            weight.requires_grad_(not shape.rank or name.endswith((".a", ".b")))
            if name.endswith(("attn_output.weight", "ffn_down.weight")):
                nn.init.zeros_(weight)
        cos, sin = rope_tables(shape)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)

    def trained(self) -> dict[str, Tensor]:
        """What training changes, by name."""
        return {name: w for name, w in self.named_parameters() if w.requires_grad}

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def take(self, tensors: Mapping[str, Tensor]) -> None:
        """Go on from the tensors of a GGUF."""
        self.token_embd.weight.copy_(tensors["token_embd.weight"])
        self.output_norm.weight.copy_(tensors["output_norm.weight"])
        for number, block in enumerate(self.blk):
            for name in ("attn_norm", "ffn_norm"):
                getattr(block, name).weight.copy_(tensors[f"blk.{number}.{name}.weight"])
            for name, parts in PARTS.items():
                rows = (
                    halved(tensors[f"blk.{number}.{part}.weight"], part, self.shape.head_size)
                    for part in parts
                )
                getattr(block, name).take(torch.cat(list(rows)))

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def take_adapter(self, tensors: Mapping[str, Tensor]) -> None:
        """Go on from the tensors of an adapter, as `by_tensor` names them."""
        for number, block in enumerate(self.blk):
            for name, parts in PARTS.items():
                stems = [f"blk.{number}.{part}.weight.lora_" for part in parts]
                rows = (
                    halved(tensors[stem + "b"], part, self.shape.head_size)
                    for stem, part in zip(stems, parts, strict=True)
                )
                product = getattr(block, name)
                product.a.copy_(tensors[stems[0] + "a"])
                product.b.copy_(torch.cat(list(rows)))

    def renew(self) -> None:
        """Let the products of an adapter follow its parameters, after these were changed."""
        for block in self.blk:
            for name in PARTS:
                getattr(block, name).renew()

    def forward(self, ids: Tensor) -> Tensor:
        """Hidden states (batch x length, width) after the last norm."""
        length = ids.shape[1]
        x = self.token_embd(ids.flatten())
        if torch.is_autocast_enabled("cpu"):
            x = x.to(torch.bfloat16)
        cos, sin = (table[:length, None].to(x.dtype) for table in (self.cos, self.sin))
        mask = torch.full((length, length), -1e9, dtype=x.dtype).triu(1)
        mask = mask.repeat(self.shape.heads // self.shape.kv_heads, 1)
        for block in self.blk:
            x = block(x, cos, sin, mask)
        return self.output_norm(x)

    def logits(self, hidden: Tensor) -> Tensor:
        """Scores over the vocabulary."""
        return functional.linear(hidden, self.token_embd.weight)


def by_tensor(state: Mapping[str, Tensor], shape: ModelShape) -> dict[str, Tensor]:
    """A state of the decoder under the names of a GGUF, every tensor for itself.

    Those of an adapter end in `.weight.lora_a` and `.weight.lora_b`; what is multiplied together
    has the same A.
    """
    found: dict[str, Tensor] = {}
    for name, value in state.items():
        stem, _, kind = name.rpartition(".")
        place, _, product = stem.rpartition(".")
        parts = PARTS.get(product)
        if parts is None:
            found[name] = value
        elif kind == "a":
            found |= {f"{place}.{part}.weight.lora_a": value for part in parts}
        else:
            ending = "weight.lora_b" if kind == "b" else "weight"
            each = value.split([shape.rows(part) for part in parts])
            for part, rows in zip(parts, each, strict=True):
                back = halved(rows, part, shape.head_size, back=True)
                found[f"{place}.{part}.{ending}"] = back
    return found
