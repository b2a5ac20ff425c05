"""Training examples as batches of ids; which batch a step sees follows from its number alone."""

from __future__ import annotations

import random
from collections.abc import Iterator

import torch
from tokenizers import Tokenizer
from torch import Tensor

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.learn.examples import Example, Kind, make_example
from roboinstruct_ros.learn.tokenizer import BOS, EOS

Encoded = tuple[list[int], int]
IGNORED = -100
GROUP = 8
"""Batches whose examples are drawn together and sorted by length, to waste little on padding."""

_MOST_DRAWS = 1_000_000
# Longest ids of an example that is always taken, of one that is taken every other time, and of one
# that is taken every fourth time.
_LENGTHS = {Kind.FIRST: (180, 260, 512), Kind.CHANGE: (240, 260, 420), Kind.REPAIR: (260, 300, 420)}


def encoded(example: Example, tokenizer: Tokenizer) -> Encoded:
    """Ids of the whole example and how many of them are the prompt."""
    prompt = [tokenizer.token_to_id(BOS), *tokenizer.encode(example.prompt).ids]
    body = tokenizer.encode(example.completion.rstrip("\n")).ids
    return [*prompt, *body, tokenizer.token_to_id(EOS)], len(prompt)


def kept(kind: Kind, example: Encoded) -> bool:
    """Long examples are thinned out: most of their tokens are learned early and cost time."""
    ids, _ = example
    always, halved, longest = _LENGTHS[kind]
    if len(ids) <= always:
        return True
    return len(ids) <= longest and sum(ids) % (2 if len(ids) <= halved else 4) == 0


class Batches:
    """The batches of one rank.

    Args:
        seed: of the whole run; the ranks draw different examples from it.
        size: examples of a batch.
    """

    def __init__(self, tokenizer: Tokenizer, seed: int, rank: int, size: int) -> None:
        self._tokenizer = tokenizer
        self._seed = seed + 1000 * rank
        self._size = size
        self._domain = load_domain()

    def since(self, step: int) -> Iterator[tuple[Tensor, Tensor]]:
        """Inputs and targets of step `step` and all that follow."""
        group, skip = divmod(step, GROUP)
        while True:
            yield from (batch_of(batch) for batch in self._group(group)[skip:])
            group, skip = group + 1, 0

    def _group(self, number: int) -> list[list[Encoded]]:
        found: list[Encoded] = []
        index = number * _MOST_DRAWS
        while len(found) < self._size * GROUP:
            kind, example = make_example(self._seed, index, self._domain)
            ids = encoded(example, self._tokenizer)
            if kept(kind, ids):
                found.append(ids)
            index += 1
        found.sort(key=lambda example: len(example[0]))
        batches = [found[at : at + self._size] for at in range(0, len(found), self._size)]
        # The same order in every rank: ranks wait for each other, and so for the longest batch.
        random.Random(number).shuffle(batches)
        return batches


def batch_of(examples: list[Encoded]) -> tuple[Tensor, Tensor]:
    """Inputs and targets, padded on the right; prompt and padding are not scored."""
    # Few different shapes: the CPU kernels keep a plan, and memory, for each shape they meet.
    width = rounded_up(max(len(ids) for ids, _ in examples) - 1, 16)
    inputs = torch.zeros(len(examples), width, dtype=torch.long)
    targets = torch.full((len(examples), width), IGNORED)
    for row, (ids, prompt) in enumerate(examples):
        inputs[row, : len(ids) - 1] = torch.tensor(ids[:-1])
        targets[row, prompt - 1 : len(ids) - 1] = torch.tensor(ids[prompt:])
    return inputs, targets


def rounded_up(count: int, step: int) -> int:
    """The next multiple of `step`."""
    return -(-count // step) * step
