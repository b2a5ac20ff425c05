"""Examples as token ids, in an order that depends on the seed alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from roboinstruct_ros.domain.configuration import InputError

IGNORED = -100
GROUP = 8
"""Batches whose examples are sorted by length together, to reduce padding."""


@dataclass(frozen=True)
class Text:
    """A prompt and its completion."""

    prompt: str
    completion: str


@dataclass(frozen=True)
class Encoded:
    """An example for `trl`: tokens that are not scored are IGNORED in `labels`."""

    input_ids: list[int]
    labels: list[int]


def read_texts(path: Path) -> list[Text]:
    """The lines `{"prompt": ..., "completion": ...}` of a file; other fields are ignored.

    Raises:
        InputError: it cannot be read, is empty, or has an invalid line; names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    if not lines:
        raise InputError(f"{path}: is empty; a line for each example was expected")
    return [_text(path, number, line) for number, line in enumerate(lines, 1)]


def _text(path: Path, number: int, line: str) -> Text:
    try:
        value = json.loads(line)
        return Text(str(value["prompt"]), str(value["completion"]))
    except (ValueError, KeyError, TypeError):
        wanted = '{"prompt": ..., "completion": ...}'
        raise InputError(f"{path}, line {number}: is not {wanted}") from None


def order_of(lengths: Sequence[int], batch: int, epochs: float, seed: int) -> list[int]:
    """The order of the examples: reshuffled in each epoch, similar lengths in one batch.

    Args:
        batch: examples per step, over all processes.
    """
    wanted = round(len(lengths) * epochs)
    places = list(_shuffled(len(lengths), wanted, seed))
    found: list[int] = []
    for at in range(0, wanted, batch * GROUP):
        group = sorted(places[at : at + batch * GROUP], key=lengths.__getitem__)
        batches = [group[begin : begin + batch] for begin in range(0, len(group), batch)]
        random.Random(f"{seed}/group/{at}").shuffle(batches)
        found += (place for one in batches for place in one)
    return found


def _shuffled(count: int, wanted: int, seed: int) -> Iterator[int]:
    for epoch in range(-(-wanted // count)):
        places = list(range(count))
        random.Random(f"{seed}/epoch/{epoch}").shuffle(places)
        yield from places[: wanted - epoch * count]
