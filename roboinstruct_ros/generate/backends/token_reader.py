"""Evaluates tokens with a transformers model, and caches the result for the next prompt."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from roboinstruct_ros.generate.backends.backend import StopSignal

PART_ON_CPU, PART_ON_GPU = 32, 512
"""Tokens of a prompt per forward pass; few on a CPU, so that no layer takes long there."""


class Stopped(Exception):
    """The stop signal was set while the model was evaluating a prompt."""


class TokenReader:
    """The KV cache of one text at a time.

    A cancel has to interrupt a forward pass, so each module of the network checks the signal before
    it runs. One module of a 7B network processes 32 tokens on two cores in well under 100 ms.

    Args:
        model: A causal language model of transformers, in evaluation mode.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._cache: Any = None
        self._read: list[int] = []
        self._logits: Any = None
        self._stop: StopSignal | None = None
        for part in model.modules():
            if not list(part.children()):
                part.register_forward_pre_hook(self._look)

    def shared(self, tokens: Sequence[int]) -> int:
        """Number of cached tokens at the beginning; the last token is never counted."""
        pairs = zip(self._read, tokens[:-1], strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    def forget(self) -> None:
        """Clear the cache."""
        self._cache = self._logits = None
        self._read = []

    def read(self, tokens: Sequence[int], stop: StopSignal) -> Any:
        """Logits after `tokens`, a tensor of the vocabulary's size.

        Raises:
            Stopped: `stop` was set; the cache is cleared.
        """
        import torch

        if not tokens:
            return None
        self._stop = stop
        self._keep(self.shared(tokens))
        part = PART_ON_GPU if self._model.device.type == "cuda" else PART_ON_CPU
        try:
            with torch.inference_mode():
                for start in range(len(self._read), len(tokens), part):
                    self._go_on(torch, list(tokens[start : start + part]))
        except BaseException:  # the layers have not all processed the same tokens
            self.forget()
            raise
        finally:
            self._stop = None
        return self._logits

    def _keep(self, count: int) -> None:
        """Truncate the cache to its first `count` tokens."""
        surplus = len(self._read) - count
        if not surplus:
            return
        try:
            if count:
                self._cache.crop(-surplus)
                del self._read[count:]
                return
        except (RuntimeError, ValueError, AttributeError, NotImplementedError):
            pass  # sliding windows and recurrent states cannot be truncated
        self.forget()

    def _go_on(self, torch: Any, tokens: list[int]) -> None:
        given = torch.tensor([tokens], device=self._model.device)
        out = self._model(
            input_ids=given, past_key_values=self._cache, use_cache=True, logits_to_keep=1
        )
        self._cache = out.past_key_values
        self._logits = out.logits[0, -1]
        self._read += tokens

    def _look(self, *_: Any) -> None:
        if self._stop is not None and self._stop.is_set():
            raise Stopped
