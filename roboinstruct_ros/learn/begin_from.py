"""What a training run begins with: tokenizer, shape and weights out of a GGUF.

The other direction of `export_gguf`. Q8_0 weights are read as floats: 8 bits with a scale for each
32 of them, so the model begins within rounding of where the file stands.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import gguf
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor

from roboinstruct_ros.learn.model import ModelShape


class NotOurs(ValueError):
    """The file is no GGUF that this training could have written."""


class GgufFile:
    """Keys and tensors of a GGUF.

    Raises:
        NotOurs: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._reader = gguf.GGUFReader(str(path))
        except (OSError, ValueError) as error:
            raise NotOurs(f"{path}: cannot be read as GGUF: {error}") from error

    @property
    def sha256(self) -> str:
        """Checksum of the file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    def tensors(self) -> dict[str, Tensor]:
        """Every tensor by its name, as 32-bit floats."""
        return {
            tensor.name: torch.from_numpy(
                gguf.quants.dequantize(tensor.data, tensor.tensor_type).copy()
            ).float()
            for tensor in self._reader.tensors
        }

    def value(self, key: str) -> Any:
        """What stands under a key; `NotOurs` when there is none."""
        field = self._reader.get_field(key)
        if field is None:
            raise NotOurs(f"{self.path}: has no key {key}")
        return field.contents()


class AdapterFile(GgufFile):
    """An adapter as `export_gguf` writes it.

    Raises:
        NotOurs: it is none, or one for another base.
    """

    def __init__(self, path: Path, base: ModelFile) -> None:
        super().__init__(path)
        wanted = str(self.value("roboinstruct.base_sha256"))
        if wanted != base.sha256:
            raise NotOurs(f"{path}: belongs to the base with SHA-256 {wanted}, not to {base.path}")
        self.rank = int(self.value("adapter.lora.alpha"))


class ModelFile(GgufFile):
    """A GGUF of a llama with a GPT-2 tokenizer.

    Raises:
        NotOurs: another architecture or another kind of tokenizer.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        kind = self.value("general.architecture"), self.value("tokenizer.ggml.model")
        if kind != ("llama", "gpt2"):
            raise NotOurs(f"{path}: is {kind[0]} with tokenizer {kind[1]}, not llama with gpt2")

    def tokenizer(self) -> Tokenizer:
        """The byte-level BPE of the file."""
        tokens: list[str] = self.value("tokenizer.ggml.tokens")
        merges: list[str] = self.value("tokenizer.ggml.merges")
        kinds: list[int] = self.value("tokenizer.ggml.token_type")
        pieces = [tuple(merge.split(" ", 1)) for merge in merges]
        vocab = {token: number for number, token in enumerate(tokens)}
        tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=pieces))
        control = gguf.TokenType.CONTROL
        tokenizer.add_special_tokens(
            [token for token, kind in zip(tokens, kinds, strict=True) if kind == control]
        )
        words = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
        digits = [pre_tokenizers.Digits(individual_digits=True)]
        single = digits if self.value("tokenizer.ggml.pre") == "smollm" else []
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*single, words])
        tokenizer.decoder = decoders.ByteLevel()
        return tokenizer

    def shape(self, rank: int = 0) -> ModelShape:
        """Sizes of the decoder, or of an adapter on it."""
        return ModelShape(
            vocab=int(self.value("llama.vocab_size")),
            width=int(self.value("llama.embedding_length")),
            layers=int(self.value("llama.block_count")),
            heads=int(self.value("llama.attention.head_count")),
            kv_heads=int(self.value("llama.attention.head_count_kv")),
            feed_forward=int(self.value("llama.feed_forward_length")),
            context=int(self.value("llama.context_length")),
            rope_base=float(self.value("llama.rope.freq_base")),
            norm_epsilon=float(self.value("llama.attention.layer_norm_rms_epsilon")),
            rank=rank,
        )
