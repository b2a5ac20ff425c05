"""A byte-level BPE as described in a GGUF, and a `tokenizers` tokenizer that splits text as
llama.cpp does."""

from __future__ import annotations

from dataclasses import dataclass

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

NORMAL, CONTROL, USER_DEFINED = 1, 3, 4  # of gguf.TokenType

_QWEN2 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_LLAMA_3 = _QWEN2.replace(r"|\p{N}|", r"|\p{N}{1,3}|")


class UnknownTokenizer(ValueError):
    """An unknown pre-tokenizer; `str()` names it."""


@dataclass(frozen=True)
class Vocabulary:
    """The tokens of a GGUF.

    Attributes:
        kinds: Of each token, in the numbering of `gguf.TokenType`.
        pre: The pre-tokenizer, by llama.cpp's name.
        begin: Token that llama.cpp puts in front of every prompt; None for none.
        end: Token that ends an answer.
    """

    tokens: tuple[str, ...]
    merges: tuple[str, ...]
    kinds: tuple[int, ...]
    pre: str
    begin: int | None
    end: int
    chat_template: str = ""

    def tokenizer(self) -> Tokenizer:
        """The tokenizer; it adds no token at the beginning.

        Raises:
            UnknownTokenizer: `pre` is not known here.
        """
        vocab = {token: number for number, token in enumerate(self.tokens)}
        pieces = [tuple(merge.split(" ", 1)) for merge in self.merges]
        tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=pieces))
        whole = (CONTROL, USER_DEFINED)
        special = [t for t, kind in zip(self.tokens, self.kinds, strict=True) if kind in whole]
        tokenizer.add_special_tokens(special)
        tokenizer.pre_tokenizer = _words(self.pre)
        tokenizer.decoder = decoders.ByteLevel()
        return tokenizer


def _words(pre: str) -> pre_tokenizers.PreTokenizer:
    by_regex = {"qwen2": _QWEN2, "deepseek-r1-qwen": _QWEN2, "llama-bpe": _LLAMA_3}
    if pre in by_regex:
        split = pre_tokenizers.Split(Regex(by_regex[pre]), "isolated")
        bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        return pre_tokenizers.Sequence([split, bytes_])
    gpt2 = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    if pre in ("smollm", "starcoder"):
        digits = pre_tokenizers.Digits(individual_digits=True)
        return pre_tokenizers.Sequence([digits, gpt2])
    if pre in ("gpt-2", "default", ""):
        return gpt2
    raise UnknownTokenizer(f"cuts text like '{pre}', which is not known here")
