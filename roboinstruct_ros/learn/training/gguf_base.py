"""Reads a base model from a GGUF: its weights in a trainable format, and its tokenizer.

Quantized weights are read as floats, so an adapter is trained on what llama.cpp serves.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedModel, Qwen2Config
from transformers import Qwen2ForCausalLM as Qwen2

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.generate.models.model_store import sha256_of
from roboinstruct_ros.learn.training.tensor_names import UnknownTensor, from_gguf, name_in_model
from roboinstruct_ros.learn.training.vocabulary import UnknownTokenizer, Vocabulary

ARCHITECTURES = {"llama": (LlamaConfig, LlamaForCausalLM), "qwen2": (Qwen2Config, Qwen2)}


class NotABase(InputError):
    """A file that cannot be trained; `str()` is one line that begins with its path."""


class GgufFile:
    """Keys and tensors of a GGUF.

    Raises:
        NotABase: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.reader = gguf.GGUFReader(str(path))
        except (OSError, ValueError) as error:
            raise NotABase(f"{path}: cannot be read as GGUF: {error}") from error

    @property
    def sha256(self) -> str:
        """Checksum of the file."""
        return sha256_of(self.path)

    def tensors(self, dtype: torch.dtype) -> Iterator[tuple[str, Tensor]]:
        """Yield every tensor with its name.

        Raises:
            NotABase: unknown number format.
        """
        for tensor in self.reader.tensors:
            try:
                values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
            except NotImplementedError as error:
                form = tensor.tensor_type.name
                raise NotABase(
                    f"{self.path}: {form} weights cannot be read for training"
                ) from error
            yield tensor.name, torch.from_numpy(values.copy()).to(dtype)

    def value(self, key: str, default: Any = None) -> Any:
        """The value of a key, or `default`.

        Raises:
            NotABase: the key is missing, and there is no default.
        """
        if (field := self.reader.get_field(key)) is not None:
            return field.contents()
        if default is None:
            raise NotABase(f"{self.path}: has no key {key}")
        return default


class GgufBase(GgufFile):
    """A GGUF of an architecture that can be trained.

    Raises:
        NotABase: another architecture, or another kind of tokenizer.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.architecture = str(self.value("general.architecture"))
        known = " and ".join(ARCHITECTURES)
        elsewhere = "give the base as a folder in the format of Hugging Face"
        if self.architecture not in ARCHITECTURES:
            raise NotABase(f"{path}: is {self.architecture}; of GGUF files {known} are trained")
        if (kind := self.value("tokenizer.ggml.model")) != "gpt2":
            raise NotABase(f"{path}: has the tokenizer {kind}, not gpt2; {elsewhere}")
        if any(tensor.name.startswith("rope_") for tensor in self.reader.tensors):
            raise NotABase(
                f"{path}: scales its places (rope_freqs), which is not read; {elsewhere}"
            )

    def vocabulary(self) -> Vocabulary:
        """Its vocabulary.

        Raises:
            NotABase: unknown pre-tokenizer.
        """
        add_begin = self.value("tokenizer.ggml.add_bos_token", False)
        found = Vocabulary(
            tuple(self.value("tokenizer.ggml.tokens")),
            tuple(self.value("tokenizer.ggml.merges")),
            tuple(int(kind) for kind in self.value("tokenizer.ggml.token_type")),
            str(self.value("tokenizer.ggml.pre", "default")),
            int(self.value("tokenizer.ggml.bos_token_id")) if add_begin else None,
            int(self.value("tokenizer.ggml.eos_token_id")),
            str(self.value("tokenizer.chat_template", "")),
        )
        try:
            found.tokenizer()
        except UnknownTokenizer as error:
            raise NotABase(f"{self.path}: {error}") from error
        return found

    def config(self) -> LlamaConfig | Qwen2Config:
        """Its sizes."""
        kind, _ = ARCHITECTURES[self.architecture]
        heads = int(self._size("attention.head_count"))
        return kind(
            vocab_size=len(self.value("tokenizer.ggml.tokens")),
            hidden_size=int(self._size("embedding_length")),
            intermediate_size=int(self._size("feed_forward_length")),
            num_hidden_layers=int(self._size("block_count")),
            num_attention_heads=heads,
            num_key_value_heads=int(self._size("attention.head_count_kv", heads)),
            max_position_embeddings=int(self._size("context_length")),
            rms_norm_eps=float(self._size("attention.layer_norm_rms_epsilon")),
            rope_parameters={
                "rope_type": "default",
                "rope_theta": self._size("rope.freq_base", 1e4),
            },
            tie_word_embeddings="output.weight" not in {t.name for t in self.reader.tensors},
            bos_token_id=None,
            eos_token_id=int(self.value("tokenizer.ggml.eos_token_id")),
            pad_token_id=None,
        )

    def model(self, dtype: torch.dtype) -> PreTrainedModel:
        """The model, its weights in `dtype`.

        Raises:
            NotABase: a weight is missing or superfluous.
        """
        config = self.config()
        try:
            weights = {
                name_in_model(name): from_gguf(rows, name, config)
                for name, rows in self.tensors(dtype)
            }
        except UnknownTensor as error:
            raise NotABase(
                f"{self.path}: has {error}, which {self.architecture} has not"
            ) from error
        with torch.device("meta"):
            model = ARCHITECTURES[self.architecture][1](config)
        if config.tie_word_embeddings:
            weights["lm_head.weight"] = weights["model.embed_tokens.weight"]
        try:
            model.load_state_dict(weights, strict=True, assign=True)
        except RuntimeError as error:
            fault = str(error).splitlines()[-1].strip()
            raise NotABase(f"{self.path}: is no whole {self.architecture}: {fault}") from error
        model.tie_weights()
        # Computed buffers are not stored in the file, and "meta" did not compute them.
        model.model.rotary_emb = type(model.model.rotary_emb)(config)
        return model

    def _size(self, key: str, default: Any = None) -> Any:
        return self.value(f"{self.architecture}.{key}", default)
