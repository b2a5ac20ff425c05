"""Constrains llama.cpp's tokens to a grammar, usually with one check per token.

llama.cpp can filter its whole vocabulary by a grammar before each token, which costs more than the
token itself on a small model. Here a token is drawn first; only if the grammar forbids it is
another one drawn, from those that the grammar admits.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.backends.backend import BackendError

_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""`llama_token_data`."""


class GrammarError(BackendError):
    """llama.cpp cannot read the grammar; MODEL_FAILED."""

    def __init__(self) -> None:
        super().__init__(TaskErrorCode.MODEL_FAILED, "llama.cpp cannot read the grammar")


@contextmanager
def constrained(llama: Any, grammar: str, temperature: float, seed: int) -> Iterator[None]:
    """Context in which `llama.generate` follows the grammar, from the first new token on.

    Args:
        llama: A `llama_cpp.Llama`.
        grammar: GBNF with the rule `root`; "" constrains nothing.
        temperature: 0 takes the likeliest admitted token.
        seed: The same seed gives the same tokens.

    Raises:
        GrammarError: The grammar is not GBNF.
    """
    if not grammar:
        yield
        return
    keeper = GrammarKeeper(llama, grammar, temperature, seed)
    free = llama.sample
    llama.sample = lambda **options: keeper.admitted(free(**options))
    try:
        yield
    finally:
        del llama.sample  # restores the method of the class
        keeper.close()


def admits(llama: Any, grammar: str, text: str) -> bool:
    """Whether a complete text fits a grammar."""
    keeper = GrammarKeeper(llama, grammar, 0.0, 0)
    try:
        for token in llama.tokenize(text.encode(), add_bos=False, special=False):
            if not keeper.allows(token):
                return False
            keeper.accept(token)
        return keeper.may_end()
    finally:
        keeper.close()


class GrammarKeeper:
    """Keeps one text within a grammar.

    Args:
        llama: A `llama_cpp.Llama`.
        grammar: GBNF with the rule `root`.
        temperature: Of the second draw, after a forbidden first one; 0 takes the likeliest.
        seed: Of the second draw.

    Raises:
        GrammarError: The grammar is not GBNF.
    """

    def __init__(self, llama: Any, grammar: str, temperature: float, seed: int) -> None:
        import llama_cpp

        self._low = llama_cpp
        self._llama = llama
        self._vocabulary = llama._model.vocab
        self._temperature = temperature
        self._random = np.random.default_rng(seed)
        self._sampler = llama_cpp.llama_sampler_init_grammar(
            self._vocabulary, grammar.encode(), b"root"
        )
        self._line_break = llama.tokenize(b"\n", add_bos=False)[-1]
        if not self._sampler:
            raise GrammarError

    def admitted(self, token: int, row: int = -1) -> int:
        """The token, or another one if the grammar forbids it.

        Args:
            row: Row in the last evaluated batch from whose logits the token was drawn.
        """
        if self._low.llama_vocab_is_eog(self._vocabulary, token) and self.may_end():
            return token
        if not self.allows(token):
            token = self._drawn(self._admitted_logits(row))
        self.accept(token)
        return token

    def accept(self, token: int) -> None:
        """Append this token to the text."""
        self._low.llama_sampler_accept(self._sampler, token)

    def close(self) -> None:
        """Free llama.cpp's sampler."""
        self._low.llama_sampler_free(self._sampler)

    def may_end(self) -> bool:
        """Whether the text is complete; a model may omit its last line break."""
        if not self.allows(self._line_break):
            return False
        after = self._low.llama_sampler_clone(self._sampler)
        self._low.llama_sampler_accept(after, self._line_break)
        end = self._low.llama_vocab_eos(self._vocabulary)
        try:
            return self.allows(end, after)
        finally:
            self._low.llama_sampler_free(after)

    def allows(self, token: int, sampler: Any = None) -> bool:
        """Whether this token may come next."""
        alone = np.array([(token, 0.0, 0.0)], _CANDIDATE)
        return bool(np.isfinite(self._applied(alone, sampler)).all())

    def _admitted_logits(self, place: int) -> Any:
        """The logit of each token; -inf for those that the grammar forbids."""
        count = self._llama.n_vocab()
        candidates = np.zeros(count, _CANDIDATE)
        candidates["id"] = np.arange(count)
        row = self._low.llama_get_logits_ith(self._llama.ctx, place)
        candidates["logit"] = np.ctypeslib.as_array(row, shape=(count,))
        return self._applied(candidates)

    def _applied(self, candidates: Any, sampler: Any = None) -> Any:
        low = self._low
        array = low.llama_token_data_array(
            data=candidates.ctypes.data_as(low.llama_token_data_p),
            size=len(candidates),
            selected=-1,
            sorted=False,
        )
        low.llama_sampler_apply(sampler or self._sampler, ctypes.byref(array))
        return candidates["logit"]

    def _drawn(self, logits: Any) -> int:
        if not self._temperature:
            return int(logits.argmax())
        weights = np.exp((logits - logits.max()) / self._temperature)
        return int(self._random.choice(len(weights), p=weights / weights.sum()))
