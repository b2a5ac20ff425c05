"""The model's byte-level BPE: GPT-2's pre-tokenizer, with merges that keep words copyable.

Two restrictions make copying a name from instruction to program a plain copy of tokens: no merge
joins a space with the letter after it (so " kitchen" and "(\\"kitchen" share the tokens of
"kitchen"), and digits stay single. Both hold in any GPT-2 style tokenizer that is given these
merges, so llama.cpp needs nothing special.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

BOS = "<|begin|>"
EOS = "<|end|>"
BASE_EOS = "<|im_end|>"
"""How the program of an adapter ends; nothing stands before its prompt."""

_GPT2_WORDS = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def train_tokenizer(texts: Iterable[str], vocab_size: int) -> Tokenizer:
    """A tokenizer from sample texts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_GPT2_WORDS), "isolated"),
            pre_tokenizers.Split(Regex(r"^ (?=[\p{L}\p{N}])|\p{N}"), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=[BOS, EOS],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return _as_gpt2(tokenizer)


def load_tokenizer(path: Path) -> Tokenizer:
    """A tokenizer saved with `Tokenizer.save`."""
    return Tokenizer.from_file(str(path))


def _as_gpt2(tokenizer: Tokenizer) -> Tokenizer:
    """The same merges behind the pre-tokenizer that llama.cpp applies at run time."""
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def ends(tokenizer: Tokenizer) -> tuple[list[int], int]:
    """Ids that stand before every prompt, and the one that ends a program."""
    begin, end = tokenizer.token_to_id(BOS), tokenizer.token_to_id(EOS)
    return ([], tokenizer.token_to_id(BASE_EOS)) if begin is None else ([begin], end)
