"""Pairs for the tests that look at many: drawing one takes 20 to 50 ms, so they are drawn once."""

from __future__ import annotations

from functools import cache

from roboinstruct_ros.domain.answer import answer_in
from roboinstruct_ros.learn.draw import Split
from roboinstruct_ros.learn.pairs.draw_pair import make_pair
from roboinstruct_ros.learn.pairs.pair import Pair


def drawn_pairs(count: int, source: str = "", split: Split = Split.TRAIN) -> list[Pair]:
    """The first `count` pairs of a source and split."""
    return [_pair(number, source, split) for number in range(count)]


def drawn_programs(count: int, source: str = "", split: Split = Split.TRAIN) -> list[Pair]:
    """Those of them whose completion is a program and no answer in words."""
    pairs = drawn_pairs(count, source, split)
    return [pair for pair in pairs if answer_in(pair.completion) is None]


@cache
def _pair(number: int, source: str, split: Split) -> Pair:
    return make_pair(4321, number, split, source)
