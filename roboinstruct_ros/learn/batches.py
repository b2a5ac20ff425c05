"""Training examples as batches of ids; which batch a step sees follows from its number alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Protocol

import torch
from tokenizers import Tokenizer
from torch import Tensor

from roboinstruct_ros.learn.examples import PAIRS, Example
from roboinstruct_ros.learn.tokenizer import ends

Encoded = tuple[list[int], int]
IGNORED = -100
GROUP = 8
"""Batches whose examples are drawn together and sorted by length, to waste little on padding."""

_MOST_DRAWS = 1_000_000
# Longest ids of an example that is always taken, of one that is taken every other time, and of one
# that is taken every fourth time.
_ALWAYS, _HALVED, LONGEST = 340, 400, 512


def encoded(example: Example, tokenizer: Tokenizer) -> Encoded:
    """Ids of the whole example and how many of them are the prompt."""
    begin, end = ends(tokenizer)
    prompt = [*begin, *tokenizer.encode(example.prompt).ids]
    body = tokenizer.encode(example.completion.rstrip("\n")).ids
    return [*prompt, *body, end], len(prompt)


def kept(example: Encoded) -> bool:
    """Long examples are thinned out: most of their tokens are learned early and cost time."""
    ids, _ = example
    if len(ids) <= _ALWAYS:
        return True
    return len(ids) <= LONGEST and sum(ids) % (2 if len(ids) <= _HALVED else 4) == 0


class Source(Protocol):
    """Where examples come from."""

    def share(self, number: int, size: int) -> list[Encoded]:
        """The examples of share `number` of this size; the same ones each time."""
        ...

    def held_out(self, size: int) -> list[Encoded]:
        """Examples that no share has, `size` at most."""
        ...


class Drawn:
    """Examples of a kind of pairs, without end, the long ones thinned out."""

    def __init__(self, kind: str, seed: int, tokenizer: Tokenizer) -> None:
        self._kind, self._seed, self._tokenizer = kind, seed, tokenizer

    def share(self, number: int, size: int) -> list[Encoded]:
        """See `Source`."""
        found: list[Encoded] = []
        for index in count(number * _MOST_DRAWS):
            if len(found) == size:
                break
            ids = encoded(PAIRS[self._kind](self._seed, index), self._tokenizer)
            if kept(ids):
                found.append(ids)
        return found

    def held_out(self, size: int) -> list[Encoded]:
        """See `Source`; of another seed."""
        return Drawn(self._kind, -1 - self._seed, self._tokenizer).share(0, size)


@dataclass(frozen=True)
class Line:
    """A prompt and its completion out of a file."""

    prompt: str
    completion: str


class FromFile:
    """The examples of a JSONL file with "prompt" and "completion", over and over, shuffled anew.

    One in fifty is held out.

    Raises:
        ValueError: a line is no such object, or no example is short enough.
    """

    def __init__(self, path: Path, seed: int, tokenizer: Tokenizer) -> None:
        self._seed = seed
        lines = enumerate(path.read_text().splitlines(), 1)
        found = [encoded(_line(path, number, text), tokenizer) for number, text in lines]
        short = [ids for ids in found if len(ids[0]) <= LONGEST]
        self._held_out = short[49::50]
        self._all = [ids for place, ids in enumerate(short) if place % 50 != 49]
        if not self._all:
            raise ValueError(f"{path}: has no example of at most {LONGEST} tokens")

    def share(self, number: int, size: int) -> list[Encoded]:
        """See `Source`."""
        places = (divmod(at, len(self._all)) for at in range(number * size, (number + 1) * size))
        return [self._all[self._order(time)[place]] for time, place in places]

    def held_out(self, size: int) -> list[Encoded]:
        """See `Source`."""
        return self._held_out[:size]

    @lru_cache(2)  # noqa: B019 - one source lives as long as the training
    def _order(self, time: int) -> list[int]:
        order = list(range(len(self._all)))
        random.Random(f"{self._seed}/{time}").shuffle(order)
        return order


def _line(path: Path, number: int, text: str) -> Line:
    try:
        value = json.loads(text)
        return Line(str(value["prompt"]), str(value["completion"]))
    except (ValueError, KeyError, TypeError) as error:
        wanted = '{"prompt": ..., "completion": ...}'
        raise ValueError(f"{path}, line {number}: is not {wanted}") from error


class Batches:
    """The batches of one rank, of `size` examples each."""

    def __init__(self, source: Source, rank: int, ranks: int, size: int) -> None:
        self._source, self._rank, self._ranks, self._size = source, rank, ranks, size

    def since(self, step: int) -> Iterator[tuple[Tensor, Tensor]]:
        """Inputs and targets of step `step` and all that follow."""
        group, skip = divmod(step, GROUP)
        while True:
            yield from (batch_of(batch) for batch in self._group(group)[skip:])
            group, skip = group + 1, 0

    def _group(self, number: int) -> list[list[Encoded]]:
        found = self._source.share(number * self._ranks + self._rank, self._size * GROUP)
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
