"""The vocabulary of a new model: a byte-level BPE whose merges keep words copyable.

Two restrictions turn copying a name from instruction to program into copying tokens: no merge joins
a space with the letter after it (so " kitchen" and "(\\"kitchen" share the tokens of "kitchen"),
and digits stay single. Both hold in any GPT-2 style tokenizer with these merges, so llama.cpp needs
nothing special.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

from roboinstruct_ros.learn.training.vocabulary import CONTROL, NORMAL, Vocabulary

BEGIN, END = "<|begin|>", "<|end|>"

_GPT2_WORDS = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def train_vocabulary(texts: Iterable[str], size: int) -> Vocabulary:
    """At most `size` tokens, from sample texts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_GPT2_WORDS), "isolated"),
            pre_tokenizers.Split(Regex(r"^ (?=[\p{L}\p{N}])|\p{N}"), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[BEGIN, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    tokens = tuple(sorted(model["vocab"], key=model["vocab"].__getitem__))
    kinds = tuple(CONTROL if token in (BEGIN, END) else NORMAL for token in tokens)
    merges = tuple(" ".join(merge) for merge in model["merges"])
    begin, end = tokens.index(BEGIN), tokens.index(END)
    return Vocabulary(tokens, merges, kinds, "gpt-2", begin, end)
