"""A training run that goes on from a model file: tokenizer, shape and weights out of a GGUF.

The other direction of `export_gguf`. Q8_0 weights are read as floats: 8 bits with a scale for each
32 of them, so the model begins within rounding of where the file stands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor

from roboinstruct_ros.learn.model import ModelShape
from roboinstruct_ros.learn.tokenizer import BOS, EOS


class NotOurs(ValueError):
    """The file is no GGUF that this training could have written."""


class ModelFile:
    """A GGUF of the shipped kind.

    Raises:
        NotOurs: another architecture or another kind of tokenizer.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._reader = gguf.GGUFReader(str(path))
        except (OSError, ValueError) as error:
            raise NotOurs(f"{path}: cannot be read as GGUF: {error}") from error
        kind = self._value("general.architecture"), self._value("tokenizer.ggml.model")
        if kind != ("llama", "gpt2"):
            raise NotOurs(f"{path}: is {kind[0]} with tokenizer {kind[1]}, not llama with gpt2")

    def tokenizer(self) -> Tokenizer:
        """The byte-level BPE of the file."""
        tokens: list[str] = self._value("tokenizer.ggml.tokens")
        merges: list[str] = self._value("tokenizer.ggml.merges")
        pieces = [tuple(merge.split(" ", 1)) for merge in merges]
        vocab = {token: number for number, token in enumerate(tokens)}
        tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=pieces))
        tokenizer.add_special_tokens([BOS, EOS])
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
        tokenizer.decoder = decoders.ByteLevel()
        return tokenizer

    def shape(self) -> ModelShape:
        """Sizes of the decoder."""
        return ModelShape(
            vocab=int(self._value("llama.vocab_size")),
            width=int(self._value("llama.embedding_length")),
            layers=int(self._value("llama.block_count")),
            heads=int(self._value("llama.attention.head_count")),
            feed_forward=int(self._value("llama.feed_forward_length")),
            context=int(self._value("llama.context_length")),
            rope_base=float(self._value("llama.rope.freq_base")),
            norm_epsilon=float(self._value("llama.attention.layer_norm_rms_epsilon")),
        )

    def weights(self) -> dict[str, Tensor]:
        """Every tensor by its name, as 32-bit floats."""
        return {
            tensor.name: torch.from_numpy(
                gguf.quants.dequantize(tensor.data, tensor.tensor_type).copy()
            ).float()
            for tensor in self._reader.tensors
        }

    def _value(self, key: str) -> Any:
        field = self._reader.get_field(key)
        if field is None:
            raise NotOurs(f"the GGUF has no key {key}")
        return field.contents()


def begin_from(path: Path, out: Path) -> ModelShape:
    """Put tokenizer and weights of a GGUF into the folder of a new run; returns its shape.

    Raises:
        NotOurs: the file is no GGUF of this kind.
    """
    file = ModelFile(path)
    file.tokenizer().save(str(out / "tokenizer.json"))
    torch.save(file.weights(), out / "begin.pt")
    return file.shape()
