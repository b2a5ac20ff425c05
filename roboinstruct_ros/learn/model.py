"""A small llama-architecture decoder that llama.cpp runs without permuting a weight.

Rotary embedding turns neighbouring pairs of a head (llama.cpp's "normal" rope for `llama`), norms
are RMS, the feed-forward is SwiGLU, and the output shares the token embedding.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class ModelShape:
    """Sizes of the decoder."""

    vocab: int
    width: int = 256
    layers: int = 6
    heads: int = 8
    feed_forward: int = 768
    context: int = 1024
    rope_base: float = 10000.0
    norm_epsilon: float = 1e-5


class Norm(nn.Module):  # type: ignore[misc]
    """RMS norm with a gain."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), self.epsilon)


def rope_tables(shape: ModelShape) -> tuple[Tensor, Tensor]:
    """Cosine and sine by position and pair."""
    size = shape.width // shape.heads
    rates = shape.rope_base ** (-torch.arange(0, size, 2).float() / size)
    angles = torch.arange(shape.context).float()[:, None] * rates[None, :]
    return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Neighbouring pairs of the last axis turned by the angle of their position."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


class Block(nn.Module):  # type: ignore[misc]
    """Attention and feed-forward, each behind a norm."""

    def __init__(self, shape: ModelShape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.attn_norm = Norm(width, shape.norm_epsilon)
        self.attn_q = nn.Linear(width, width, bias=False)
        self.attn_k = nn.Linear(width, width, bias=False)
        self.attn_v = nn.Linear(width, width, bias=False)
        self.attn_output = nn.Linear(width, width, bias=False)
        self.ffn_norm = Norm(width, shape.norm_epsilon)
        self.ffn_gate = nn.Linear(width, shape.feed_forward, bias=False)
        self.ffn_up = nn.Linear(width, shape.feed_forward, bias=False)
        self.ffn_down = nn.Linear(shape.feed_forward, width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor) -> Tensor:
        batch, length, width = x.shape
        split = (batch, length, self.heads, width // self.heads)
        h = self.attn_norm(x)
        q = rotate(self.attn_q(h).view(split).transpose(1, 2), cos, sin)
        k = rotate(self.attn_k(h).view(split).transpose(1, 2), cos, sin)
        v = self.attn_v(h).view(split).transpose(1, 2)
        # Written out: on a CPU the fused kernel's backward pass is many times slower in bfloat16.
        scores = (q @ k.transpose(2, 3)) * (q.shape[-1] ** -0.5) + mask
        attended = scores.softmax(-1).to(v.dtype) @ v
        x = x + self.attn_output(attended.transpose(1, 2).reshape(batch, length, width))
        h = self.ffn_norm(x)
        fed: Tensor = self.ffn_down(functional.silu(self.ffn_gate(h)) * self.ffn_up(h))
        return x + fed


class Decoder(nn.Module):  # type: ignore[misc]
    """Token ids to hidden states; `logits` shares the embedding."""

    def __init__(self, shape: ModelShape) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(shape.vocab, shape.width)
        self.blk = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.output_norm = Norm(shape.width, shape.norm_epsilon)
        cos, sin = rope_tables(shape)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        self._initialise()

    def _initialise(self) -> None:
        nn.init.normal_(self.token_embd.weight, std=0.02)
        for name, weight in self.named_parameters():
            if weight.ndim == 2 and "embd" not in name:
                nn.init.normal_(weight, std=self.shape.width**-0.5 * 0.6)
            if name.endswith(("attn_output.weight", "ffn_down.weight")):
                nn.init.zeros_(weight)

    def forward(self, ids: Tensor) -> Tensor:
        """Hidden states (batch, length, width) after the last norm."""
        length = ids.shape[1]
        x = self.token_embd(ids)
        if torch.is_autocast_enabled("cpu"):
            x = x.to(torch.bfloat16)
        cos, sin = self.cos[:length].to(x.dtype), self.sin[:length].to(x.dtype)
        mask = torch.full((length, length), -1e9, dtype=x.dtype).triu(1)
        for block in self.blk:
            x = block(x, cos, sin, mask)
        return self.output_norm(x)

    def logits(self, hidden: Tensor) -> Tensor:
        """Scores over the vocabulary."""
        return functional.linear(hidden, self.token_embd.weight)
