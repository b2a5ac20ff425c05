"""Pairs for the tests that look at many: drawing one takes 20 to 50 ms, so they are drawn once."""

from __future__ import annotations

from functools import cache

from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.pairs.draw_pair import make_pair
from roboinstruct_ros.learn.pairs.pair import Pair


def drawn_pairs(count: int, source: str = "", split: Split = Split.TRAIN) -> list[Pair]:
    """The first `count` pairs of a source and split."""
    return [_pair(number, source, split) for number in range(count)]


@cache
def _pair(number: int, source: str, split: Split) -> Pair:
    return make_pair(4321, number, split, source)
