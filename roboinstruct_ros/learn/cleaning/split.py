"""Selects the held-out pairs: those with certain combinations of parts, or certain names."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import Enum
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


class HeldOut(str, Enum):
    """Why a pair is held out: its combination of parts, or a name."""

    COMBINATION = "combination"
    VOCABULARY = "vocabulary"


def held_out(
    parts: Sequence[tuple[str, ...]], names: Sequence[frozenset[str]], share: float, seed: int
) -> list[HeldOut | None]:
    """For each pair, whether it is held out.

    About half of the share has combinations that no other pair has, and half has names that no
    other pair has. The selection depends on the seed and the set of pairs, not on their order.

    Args:
        parts, names: of each pair.
        share: of all pairs, 0 to 1.
    """
    most = share * len(parts) / 2
    combinations = _some(Counter(parts), most, seed)
    rest = [names[at] for at, one in enumerate(parts) if one not in combinations]
    words = _some_names(rest, most, seed)
    return [
        HeldOut.COMBINATION
        if combination in combinations
        else HeldOut.VOCABULARY
        if named & words
        else None
        for combination, named in zip(parts, names, strict=True)
    ]


def _some(counts: Mapping[Key, int], most: float, seed: int) -> set[Key]:
    """Random keys that together cover at most `most` pairs."""
    chosen: set[Key] = set()
    for key in _by_lot(counts, seed):
        if counts[key] <= most:
            chosen.add(key)
            most -= counts[key]
    return chosen


def _some_names(named: Sequence[frozenset[str]], most: float, seed: int) -> set[str]:
    """Random names such that at most `most` pairs contain any of them."""
    where: dict[str, set[int]] = {}
    for at, names in enumerate(named):
        for name in names:
            where.setdefault(name, set()).add(at)
    chosen: set[str] = set()
    taken: set[int] = set()
    for name in _by_lot(where, seed):
        if len(taken | where[name]) <= most:
            chosen.add(name)
            taken |= where[name]
    return chosen


def _by_lot(keys: Iterable[Key], seed: int) -> list[Key]:
    return sorted(keys, key=lambda key: hashlib.sha256(f"{seed}/{key}".encode()).digest())
