"""The training examples: first attempts and repairs, each identified by its number.

Example `index` of a seed is always the same, so a killed run resumes with exactly the examples that
it would have seen.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import Enum
from functools import cache, partial
from typing import Protocol

from roboinstruct_ros.domain.skills import Domain, load_domain
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.families.families import make_pair
from roboinstruct_ros.learn.families.repairs import make_repair
from roboinstruct_ros.learn.pairs.draw_pair import make_pair as composed_pair


class Example(Protocol):
    """A prompt and its completion."""

    @property
    def prompt(self) -> str: ...

    @property
    def completion(self) -> str: ...


class Kind(str, Enum):
    """What an example asks the model for."""

    FIRST = "first"
    REPAIR = "repair"


SHARES = {Kind.FIRST: 0.8, Kind.REPAIR: 0.2}
"""Share of each kind among the examples drawn; long ones are then thinned out (`batches`)."""

_TRIES = 50


def make_example(seed: int, index: int, domain: Domain) -> tuple[Kind, Example]:
    """The training example with this number and its kind."""
    rng = random.Random(f"example/{seed}/{index}")
    kind = rng.choices(tuple(SHARES), tuple(SHARES.values()))[0]
    return kind, example_of(kind, seed, index, domain)


def example_of(
    kind: Kind, seed: int, index: int, domain: Domain, split: Split = Split.TRAIN
) -> Example:
    """An example of one kind; a number without a fitting draw gives the next one that fits.

    Raises:
        RuntimeError: nothing fitted in 50 draws.
    """
    if kind is Kind.FIRST:
        return make_pair(seed, index, split)
    for attempt in range(index * _TRIES, (index + 1) * _TRIES):
        found = make_repair(seed, attempt, domain, split)
        if found is not None:
            return found
    raise RuntimeError(f"no {kind.value} example fitted for number {index} of seed {seed}")


_domain = cache(load_domain)


def with_repairs(seed: int, index: int) -> Example:
    """First attempts and repairs in their shares."""
    return make_example(seed, index, _domain())[1]


PAIRS: dict[str, Callable[[int, int], Example]] = {
    "with_repairs": with_repairs,
    "robot_task": composed_pair,
    "answers": partial(composed_pair, source="answers"),
}
"""Kinds of pairs for training; each function takes a seed and a number."""
