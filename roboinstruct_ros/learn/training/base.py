"""The base of a training: a GGUF, a folder in the Hugging Face format, or a new model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerBase,
    PreTrainedTokenizerFast,
)

from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.learn.training.examples import IGNORED, Encoded, Text
from roboinstruct_ros.learn.training.gguf_base import ARCHITECTURES, GgufBase
from roboinstruct_ros.learn.training.new_vocabulary import BEGIN, END, train_vocabulary
from roboinstruct_ros.learn.training.options import NewModel
from roboinstruct_ros.learn.training.vocabulary import Vocabulary


@dataclass(frozen=True)
class Base:
    """The model to train.

    Attributes:
        config: sizes, as a transformers configuration.
        tokenizer: adds no tokens by itself.
        begin: token in front of every prompt, if there is one.
        end: token that ends a program.
        load: loads the weights in a number format; passes further arguments to transformers.
        sha256: of the file to which an adapter will belong; "" for none.
        words: vocabulary for a GGUF of the complete model; None if that cannot be written.
    """

    config: Any
    tokenizer: PreTrainedTokenizerBase
    begin: int | None
    end: int
    load: Callable[..., Any]
    sha256: str = ""
    words: Vocabulary | None = None

    def encode(self, text: Text) -> Encoded:
        """An example in which only the completion is scored."""
        begin = [] if self.begin is None else [self.begin]
        prompt = begin + self._ids(text.prompt)
        body = [*self._ids(text.completion.rstrip("\n")), self.end]
        return Encoded(prompt + body, [IGNORED] * len(prompt) + body)

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text, add_special_tokens=False))


def read_base(path: Path) -> Base:
    """The base in this file or folder; its weights are read later.

    Raises:
        InputError: it cannot be trained.
    """
    return _from_folder(path) if path.is_dir() else _from_gguf(path)


def new_base(sizes: NewModel, texts: Sequence[Text], seed: int) -> Base:
    """A new model, with a tokenizer trained on these texts."""
    words = train_vocabulary([part for t in texts for part in (t.prompt, t.completion)],
                             sizes.vocabulary)  # fmt: skip
    config = LlamaConfig(
        vocab_size=len(words.tokens),
        hidden_size=sizes.width,
        intermediate_size=sizes.feed_forward,
        num_hidden_layers=sizes.layers,
        num_attention_heads=sizes.heads,
        max_position_embeddings=sizes.context,
        rms_norm_eps=1e-5,
        tie_word_embeddings=True,
        bos_token_id=words.tokens.index(BEGIN),
        eos_token_id=words.tokens.index(END),
    )

    def load(dtype: torch.dtype, **_: Any) -> Any:
        torch.manual_seed(seed)
        return LlamaForCausalLM(config).to(dtype)

    return Base(config, _fast(words), words.begin, words.end, load, "", words)


def _from_gguf(path: Path) -> Base:
    file = GgufBase(path)
    words = file.vocabulary()

    def load(dtype: torch.dtype, quantization_config: Any = None, **_: Any) -> Any:
        model = file.model(dtype)
        if quantization_config is None:
            return model
        # Loading in 4 bits requires a folder.
        raise InputError(f"{path}: 4 bits need the base as a folder in the format of Hugging Face")

    return Base(file.config(), _fast(words), words.begin, words.end, load, file.sha256, words)


def _from_folder(path: Path) -> Base:
    try:
        config = AutoConfig.from_pretrained(path)
        tokenizer = AutoTokenizer.from_pretrained(path)
    except (OSError, ValueError, KeyError) as error:
        fault = str(error).splitlines()[0]
        raise InputError(f"{path}: is no model in the format of Hugging Face: {fault}") from None
    if config.model_type not in ARCHITECTURES:
        known = " and ".join(ARCHITECTURES)
        raise InputError(f"{path}: is {config.model_type}; {known} are trained")
    if tokenizer.eos_token_id is None:
        raise InputError(f"{path}: its tokenizer names no token that ends a text")
    with_begin = tokenizer("a", add_special_tokens=True)["input_ids"]
    adds = tokenizer.bos_token_id is not None and with_begin[:1] == [tokenizer.bos_token_id]

    def load(dtype: torch.dtype, **more: Any) -> Any:
        return AutoModelForCausalLM.from_pretrained(path, dtype=dtype, **more)

    begin = tokenizer.bos_token_id if adds else None
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    return Base(config, tokenizer, begin, tokenizer.eos_token_id, load)


def _fast(words: Vocabulary) -> PreTrainedTokenizerFast:
    tokenizer: Tokenizer = words.tokenizer()
    end = words.tokens[words.end]
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=end, pad_token=end)
