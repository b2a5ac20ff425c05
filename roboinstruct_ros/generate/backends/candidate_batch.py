"""Draws several texts for one prompt in parallel, in one llama.cpp context.

The prompt is evaluated once and shared. Each step evaluates the last token of every candidate in
one batch, which on a GPU costs little more than one token. Source: ROBO-INSTRUCT, 2.1 (rejection
sampling).
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from roboinstruct_ros.generate.backends.backend import CandidateText, Draw
from roboinstruct_ros.generate.backends.constrained_decoding import GrammarKeeper
from roboinstruct_ros.generate.backends.likelihood import log_likelihood
from roboinstruct_ros.generate.writing_options import MOST_CANDIDATES

_NO_ROOM = 1  # llama_decode's code for a full cache


@dataclass
class _Candidate:
    """One text in progress.

    Attributes:
        index: 0-based; also its sequence in the cache.
        row: row of its logits in the last evaluated batch.
        token: drawn last.
        count: tokens drawn so far.
        log_p: of the last token, if it was drawn greedily.
    """

    index: int
    sampler: Any
    keeper: GrammarKeeper | None
    decoder: codecs.IncrementalDecoder
    likeliest: bool
    row: int = -1
    token: int = -1
    count: int = 0
    log_p: float | None = None

    def draw(self, llama: Any) -> int:
        token = int(self.sampler.sample(llama._ctx, self.row))
        self.token = self.keeper.admitted(token, self.row) if self.keeper else token
        self.count += 1
        if self.likeliest:
            self.log_p = log_likelihood(llama, self.token, self.row)
        return self.token

    def text(self, llama: Any) -> str:
        return self.decoder.decode(llama.detokenize([self.token]))

    def close(self) -> None:
        self.sampler.close()
        if self.keeper is not None:
            self.keeper.close()


class CandidateBatch:
    """Draws candidates in the context of a `llama_cpp.Llama`.

    Args:
        llama: Its context has room for `MOST_CANDIDATES` sequences in one cache.
    """

    def __init__(self, llama: Any) -> None:
        from llama_cpp._internals import LlamaBatch

        self._llama = llama
        self._batch: Any = LlamaBatch(n_tokens=MOST_CANDIDATES, embd=0, n_seq_max=1, verbose=False)

    def close(self) -> None:
        self._batch.close()

    def read(self, tokens: Sequence[int]) -> int:
        """Evaluate a prompt; returns how many of its tokens were cached.

        Raises:
            RuntimeError: llama.cpp failed; the text has its code.
        """
        llama = self._llama
        kept = shared_tokens(llama.input_ids[: llama.n_tokens], tokens)
        llama._ctx.kv_cache_seq_rm(0, kept, -1)
        llama.n_tokens = kept
        llama.eval(list(tokens[kept:]))
        return kept

    def draw(
        self, draws: Sequence[Draw], grammar: str, most: int, dropped: set[int]
    ) -> Iterator[CandidateText]:
        """Yield new text of every candidate, in turns, after `read`.

        A candidate ends with its end token, after `most` tokens, when its index is in `dropped`, or
        when the cache is full: then the last candidate is cut off to make room for the others.

        Raises:
            RuntimeError: llama.cpp could not evaluate.
        """
        alive = [self._candidate(number, draw, grammar) for number, draw in enumerate(draws)]
        begun, end = alive, self._llama.n_tokens
        try:
            for candidate in alive[1:]:
                self._llama._ctx.kv_cache_seq_cp(0, candidate.index, -1, -1)
            while alive:
                still = []
                for candidate in alive:
                    if candidate.index in dropped:
                        continue
                    if self._is_over(candidate, most):
                        yield CandidateText(candidate.index, "", True, log_p=candidate.log_p)
                        continue
                    still.append(candidate)
                    text = candidate.text(self._llama)
                    yield CandidateText(candidate.index, text, log_p=candidate.log_p)
                alive = [one for one in still if one.index not in dropped]
                yield from self._evaluate(alive, end)
        finally:
            self._forget(begun, end)

    def _is_over(self, candidate: _Candidate, most: int) -> bool:
        import llama_cpp

        if candidate.count >= most:
            return True
        token = candidate.draw(self._llama)
        return bool(llama_cpp.llama_vocab_is_eog(self._llama._model.vocab, token))

    def _evaluate(self, alive: list[_Candidate], start: int) -> Iterator[CandidateText]:
        """Evaluate one step of all candidates; yields those cut off because the cache is full,
        and removes them from `alive`."""
        import llama_cpp

        while alive:
            batch = self._batch.batch
            batch.n_tokens = len(alive)
            for row, candidate in enumerate(alive):
                candidate.row = row
                batch.token[row] = candidate.token
                batch.pos[row] = start + candidate.count - 1
                batch.n_seq_id[row] = 1
                batch.seq_id[row][0] = candidate.index
                batch.logits[row] = True
            code = llama_cpp.llama_decode(self._llama.ctx, batch)
            if code == 0:
                return
            if code != _NO_ROOM or len(alive) == 1:
                raise RuntimeError(f"llama_decode returned {code}")
            last = alive.pop()
            self._llama._ctx.kv_cache_seq_rm(last.index, start, -1)
            yield CandidateText(last.index, "", True, True)

    def _candidate(self, index: int, draw: Draw, grammar: str) -> _Candidate:
        self._llama.set_seed(draw.seed)
        keeper = (
            GrammarKeeper(self._llama, grammar, draw.temperature, draw.seed) if grammar else None
        )
        sampler = self._llama._init_sampler(temp=draw.temperature)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return _Candidate(index, sampler, keeper, decoder, draw.temperature == 0)

    def _forget(self, begun: Sequence[_Candidate], end: int) -> None:
        """Keep only the prompt in the cache."""
        for candidate in begun:
            candidate.close()
            start = 0 if candidate.index else end
            self._llama._ctx.kv_cache_seq_rm(candidate.index, start, -1)
        self._llama._requires_eval = True


def shared_tokens(before: Sequence[int], tokens: Sequence[int]) -> int:
    """Number of equal tokens at the beginning; the last token is always evaluated again."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, tokens[:-1], strict=False))
    return sum(1 for _ in same)
