"""Draws of one part of the composed tasks, in a scene that the tests know."""

from __future__ import annotations

import random
from collections.abc import Iterator

from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.pairs import draw_pair  # noqa: F401 - parts register themselves
from roboinstruct_ros.learn.pairs.compose import PARTS, Clause
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.story import Story

HOME = Scene(
    rooms=(
        "kitchen",
        "study",
        "bedroom 1",
        "bedroom 2",
        "garage",
        "Bob's office",
        "Maria's office",
    ),
    people=("Bob", "Anna", "Carlos", "Maria"),
    things=("milk", "book", "apple"),
    here="study",
)


def clauses(name: str, count: int, scene: Scene = HOME) -> Iterator[Clause]:
    """Draws of one part in one scene."""
    found = 0
    for number in range(40 * count):
        try:
            yield PARTS[name].make(Story(Draw(random.Random(number)), scene))
        except DoesNotFit:
            continue
        found += 1
        if found == count:
            return
    raise AssertionError(f"{name} was drawn {found} times of {count}")
