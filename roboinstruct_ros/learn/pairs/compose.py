"""Tasks put together from parts, a sentence beside a program.

A part is a function that draws a clause for a story. To add one, write it in a file `parts_*.py`:

    @part("greet", 1.0)
    def greet(story: Story) -> Clause: ...
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Room, Thing
from roboinstruct_ros.learn.pairs.flow import HOME, Steps
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.story import DoesNotFit, Story


@dataclass(frozen=True)
class Clause:
    """A piece of an instruction and what is done for it.

    Attributes:
        text: An order ("bring the cup to Anna"); of a part with `order=False` anything.
        room: Where the robot is afterwards; None when that cannot be told.
        thing: What "it" then means: put down in `room`.
        opens: Whether a question mark or a full stop ends the text already.
    """

    text: str
    steps: Steps
    room: Room | None = None
    thing: Thing | None = None


Make = Callable[[Story], Clause]


@dataclass(frozen=True)
class Part:
    """A kind of clause.

    Attributes:
        share: How often it is drawn, against the others.
        order: One plain order that may stand after "if", "then" and "and".
        alone: Only as a whole instruction.
    """

    name: str
    make: Make
    share: float
    order: bool = False
    alone: bool = False


@dataclass(frozen=True)
class Composed:
    """A whole task.

    Attributes:
        parts: Names of the parts in it.
        text: The instruction without capitals and last mark.
        messages: Words in it that have to stay as they are.
    """

    parts: tuple[str, ...]
    text: str
    steps: Steps
    messages: tuple[str, ...]


PARTS: dict[str, Part] = {}


def part(
    name: str, share: float, order: bool = False, alone: bool = False
) -> Callable[[Make], Make]:
    """Registers a function as a part of tasks."""

    def register(make: Make) -> Make:
        if name in PARTS:
            raise ValueError(f"the part {name!r} is registered twice")
        PARTS[name] = Part(name, make, share, order, alone)
        return make

    return register


def pick_part(rng: random.Random, fits: Callable[[Part], bool]) -> Part:
    """A part that fits, by the shares."""
    parts = [one for one in PARTS.values() if fits(one)]
    return rng.choices(parts, [one.share for one in parts])[0]


def an_order(story: Story) -> Clause:
    """A plain order, to stand after a condition."""
    return pick_part(story.draw.rng, lambda one: one.order).make(story)


_THEN = (
    ", then ", ", then ", " and then ", " and then ", ", and then ", ". Then ", ". Then ", " and ", " and ",
    ". After that, ", ", after that ", ". Afterwards ", ". When you are done, ", ". Also ", "; then ",
    ". Next, ", ", and after that ", " then ",
)  # fmt: skip
_LAST = (", and finally ", ". Finally, ", ". At the end, ", *_THEN)


def joined(draw: Draw, texts: list[str]) -> str:
    """Several orders as one instruction."""
    text = texts[0]
    if len(texts) > 1 and draw.chance(0.12) and "." not in text:
        text = f"first {text}" if draw.chance(0.7) else f"first of all {text}"
    for number, following in enumerate(texts[1:], 2):
        sign = draw.one(_LAST if number == len(texts) > 2 else _THEN)
        if (" and " in text and sign == " and ") or "otherwise" in text or "if not" in text:
            sign = draw.one(
                (". Then ", ". After that, ", ". When you are done, ", ". In any case, ")
            )
        if text.endswith(("?", ".")):
            text, sign = (
                text[:-1] + text[-1:].replace(".", ""),
                draw.one((". Then ", ". After that, ")),
            )
            sign = sign[1:] if text.endswith("?") else sign
        text += sign + following
    return text


def composed(draw: Draw, scene: Scene, count: int) -> Composed:
    """A task of `count` parts.

    Raises:
        DoesNotFit: The scene has too few rooms for anything that was tried.
    """
    for _ in range(200):
        try:
            return _composed(draw, scene, count)
        except DoesNotFit:
            continue
    raise DoesNotFit


def _composed(draw: Draw, scene: Scene, count: int) -> Composed:
    story = Story(draw, scene)
    names: list[str] = []
    texts: list[str] = []
    steps: Steps = ()
    for number in range(count):
        story.final = number == count - 1
        chosen = pick_part(draw.rng, lambda one: not one.alone or count == 1)
        clause = chosen.make(story)
        names.append(chosen.name)
        texts.append(clause.text)
        steps += clause.steps
        story.last_left = clause.steps[-1] != HOME and "start_loc" not in str(clause.steps)
    return Composed(tuple(names), joined(draw, texts), steps, tuple(story.messages))
