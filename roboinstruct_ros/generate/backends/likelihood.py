"""The likelihood that llama.cpp assigns to drawn or given tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np


def log_likelihood(llama: Any, token: int, row: int = -1) -> float:
    """Natural logarithm of the probability of a token, before any sampling.

    Args:
        llama: A `llama_cpp.Llama`.
        row: Row in the last evaluated batch from whose logits the token was drawn.
    """
    import llama_cpp

    place = llama_cpp.llama_get_logits_ith(llama.ctx, row)
    logits = np.ctypeslib.as_array(place, shape=(llama.n_vocab(),))
    most = logits.max()
    return float(logits[token] - most - np.log(np.exp(logits - most).sum()))


def mean_log_likelihood(llama: Any, tokens: Sequence[int]) -> float:
    """Mean over tokens that follow the last evaluated ones; evaluates all of them but the last."""
    found = [log_likelihood(llama, tokens[0])]
    for before, token in pairwise(tokens):
        llama.eval([before])
        found.append(log_likelihood(llama, token))
    return float(np.mean(found))
