"""Pairs by number: each is a pure function of (seed, split, index)."""

from __future__ import annotations

import random

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.pairs import (  # noqa: F401 - parts register themselves
    parts_conditions,
    parts_looking,
    parts_moving,
    parts_people,
    parts_rooms,
    parts_talking,
    places,
)
from roboinstruct_ros.learn.pairs.compose import composed
from roboinstruct_ros.learn.pairs.flow import program_of
from roboinstruct_ros.learn.pairs.pair import Pair
from roboinstruct_ros.learn.phrasing import finish


def make_pair(seed: int, index: int, split: Split = Split.TRAIN) -> Pair:
    """The pair with this number; the same arguments always give the same pair."""
    rng = random.Random(f"pairs/{seed}/{split.value}/{index}")
    draw = Draw(rng, split)
    draw.lower = False
    return composed_pair(draw)


def composed_pair(draw: Draw) -> Pair:
    """A task put together from one to three parts."""
    scene = places.draw_scene(draw)
    count = draw.rng.choices((1, 2, 3), (0.6, 0.3, 0.1))[0]
    names, text, steps = composed(draw, scene, count)
    return Pair("+".join(names), scene, finish(draw, text), program_of(steps))
