"""Tasks put together from parts, a sentence beside a program.

A part is a function that draws a clause for a story. To add one, write it in a file of `parts/`:

    @part("greet", 1.0)
    def greet(story: Story) -> Clause: ...
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import accumulate

from roboinstruct_ros.learn.draw import DoesNotFit, Draw, until
from roboinstruct_ros.learn.entities import Person, Room, Thing
from roboinstruct_ros.learn.pairs.flow import ALL, HOME, Branch, Search, Steps, here
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.story import Story


@dataclass(frozen=True)
class Clause:
    """A piece of an instruction and the steps that carry it out.

    Attributes:
        text: An order ("bring the cup to Anna"); for a part with `order=False`, any text.
        room: Where the robot is afterwards; None if that cannot be known.
        thing: What "it" then means: put down in `room`.
        who: Whom "her" then means: met in `room`.
        opens: Whether a question mark or a full stop already ends the text.
    """

    text: str
    steps: Steps
    room: Room | None = None
    thing: Thing | None = None
    who: Person | None = None


Make = Callable[[Story], Clause]


class Joint(Enum):
    """How the next part may be joined: by "and" too, by "then" too, or as a new sentence only."""

    ANY = "any"
    THEN = "then"
    SENTENCE = "sentence"


@dataclass(frozen=True)
class Part:
    """A kind of clause.

    Attributes:
        share: Its relative frequency.
        order: One plain order that may follow "if", "then" and "and".
        alone: Only as a complete instruction.
        joint: What may join it to the next part without their being read as one.
    """

    name: str
    make: Make
    share: float
    order: bool = False
    alone: bool = False
    joint: Joint = Joint.ANY


@dataclass(frozen=True)
class Composed:
    """A complete task.

    Attributes:
        parts: Names of the parts in it.
        text: The instruction without capitals and final punctuation.
        messages: Words in it that must not be changed.
    """

    parts: tuple[str, ...]
    text: str
    steps: Steps
    messages: tuple[str, ...]


PARTS: dict[str, Part] = {}


def part(
    name: str,
    share: float,
    order: bool = False,
    alone: bool = False,
    joint: Joint = Joint.ANY,
) -> Callable[[Make], Make]:
    """Registers a function as a part of tasks."""

    def register(make: Make) -> Make:
        if name in PARTS:
            raise ValueError(f"the part {name!r} is registered twice")
        PARTS[name] = Part(name, make, share, order, alone, joint)
        return make

    return register


def pick_part(rng: random.Random, fits: Callable[[Part], bool]) -> Part:
    """A part that fits, by the shares."""
    parts, shares = _fitting(fits, len(PARTS))
    return rng.choices(parts, cum_weights=shares)[0]


@lru_cache(maxsize=16)
def _fitting(
    fits: Callable[[Part], bool], _registered: int
) -> tuple[tuple[Part, ...], tuple[float, ...]]:
    """The parts that fit, and the sum of the shares up to each."""
    parts = tuple(one for one in PARTS.values() if fits(one))
    return parts, tuple(accumulate(one.share for one in parts))


def an_order(story: Story) -> Clause:
    """A plain order, to stand after a condition."""
    return pick_part(story.draw.rng, _is_order).make(story)


_SENTENCE = (
    ". Then ", ". Then ", ". After that, ", ". After that ", ". Afterwards ", ". Next, ",
    ". When you are done, ", ". Also, ", ". Once that is done, ", ". When done, ", ". And then ",
    ". Oh, and ", ". Oh and ", ". And ", ". One more thing: ",
)  # fmt: skip
_THEN = (
    ", then ", ", then ", ", then ", " and then ", " and then ", ", and then ", ", after that ",
    ", and after that ", "; then ", ". Then ", ". Then ", ". After that, ", ". Next, ", ". ",
    " and after that ", ", when done ", ", and when you are done ", ", and afterwards ", ", next ",
)  # fmt: skip
_JOINTS = {
    Joint.ANY: (*_THEN, " and ", " and ", " and ", " and ", ", ", " and also ", ". Also "),
    Joint.THEN: _THEN,
    Joint.SENTENCE: _SENTENCE,
}
_ENDED = re.compile(r"(?<!Mr)(?<!Mrs)(?<!Ms)(?<!Dr)[.?] ")
"""The end of a sentence inside a part: what follows would be read as part of the last sentence."""
_LAST = (", and finally ", ". Finally, ", ". At the end, ", ", lastly ")
_REASONS = (
    "The guests come soon", "I need that for later", "I am in a hurry", "We have visitors today",
    "I cannot do that myself", "That is important", "Everybody is waiting", "It will not take long",
)  # fmt: skip
_SWAPPED = (
    "before you {b}, {a}", "{b}, but first {a}", "{b}, but before that {a}", "{b} after you {a}",
    "before you {b}, please {a}", "{b}, but {a} first",
)  # fmt: skip
"""Two orders; {a} is done first, even if it is said last."""
_PLAIN = (0.3, 0.45, 0.45)
"""Share of the plain orders among the parts of a task of one, two, and three and more."""
_TURNED = 0.5
"""Share of the swappable pairs of orders that are said in reverse order."""
_HOLDS_MORE = re.compile(r"[.?\"',;:]| (and|then|that|if|until|but|or|first)\b")


def joined(draw: Draw, parts: list[Part], texts: list[str]) -> str:
    """Several orders as one instruction."""
    text = texts[0]
    if len(texts) > 2 and draw.chance(0.06) and not any(_ENDED.search(each) for each in texts):
        return _numbered(draw, texts)
    if len(texts) > 1 and draw.chance(0.1) and "." not in text:
        text = draw.one(("first ", "first ", "first of all ", "first, ")) + text
    for number, following in enumerate(texts[1:], 1):
        joint = parts[number - 1].joint
        if _ENDED.search(texts[number - 1]) or text.endswith('"'):
            joint = Joint.SENTENCE
        signs = _JOINTS[joint]
        if joint is Joint.SENTENCE and re.search(r"\b(if|unless)\b", texts[number - 1]):
            signs = (*signs, ". In any case, ")
        if number == len(texts) - 1 > 1 and joint is not Joint.SENTENCE and draw.chance(0.3):
            signs = _LAST
        sign = draw.one(signs)
        if draw.chance(0.03) and not text.endswith(('"', "?", ".")):
            text += f". {draw.one(_REASONS)}"
            sign = draw.one((". Then ", ". After that, ", ". Also, "))
        if text.endswith(("?", ".")):
            sign = draw.one(_SENTENCE)[0 if text.endswith(".") else 1 :]
            text = text.removesuffix(".")
        if sign == ", " and number == len(texts) - 1:
            sign = ", then "
        text += sign + following
    return text


_LATER = {"come_back"}
"""Orders that cannot be said before the order that they continue."""


def _numbered(draw: Draw, texts: list[str]) -> str:
    """ "1. Go to the lab. 2. Take the cup.": a list as people write one."""
    sign = draw.one(("{n}. ", "{n}) ", "({n}) "))
    mark = draw.one((" ", ", ", "; "))
    return mark.join(sign.replace("{n}", str(n)) + text for n, text in enumerate(texts, 1))


def _going_on(story: Story, otherwise: Part) -> Part:
    """Sometimes a part that continues the previous one, otherwise the given part."""
    fits = [("come_back", 0.15 if story.final else 0.0, story.last_left)]
    fits += [("then_them", 0.4, story.them is not None), ("then_it", 0.4, story.it is not None)]
    fits += [("then_there", 0.2, story.at is not None)]
    for name, chance, can in fits:
        if can and not story.is_first and story.draw.chance(chance):
            return PARTS[name]
    return otherwise


def _said(clause: Clause) -> Room | None:
    """The room where the clause ends, if it names the room; otherwise nobody would say "there"."""
    return clause.room if clause.room is not None and clause.room.the in clause.text else None


def _has_left(steps: Steps, left: bool) -> bool:
    """Whether the robot ends elsewhere than it began; `left` is the state before these steps."""
    for step in steps:
        if isinstance(step, str):
            left = step != HOME if step.startswith("go_to(") else left
        elif isinstance(step, Search):
            left = _has_left((*step.steps, *step.found), left)
        else:
            left = _has_left(step.yes if isinstance(step, Branch) else step.body, left)
    return left


def _swapped(draw: Draw, texts: list[str]) -> str | None:
    """Two plain orders with the second one said first; None if that would be ambiguous."""
    if any(_HOLDS_MORE.search(text) or len(text.split()) > 9 for text in texts):
        return None
    frame: str = draw.one(_SWAPPED)
    return frame.replace("{a}", texts[0]).replace("{b}", texts[1])


def _is_order(part: Part) -> bool:
    return part.order


def _can_be_joined(part: Part) -> bool:
    return not part.alone


def _is_any(part: Part) -> bool:
    return True


def _can_lead_alone(part: Part) -> bool:
    return not part.order


def _can_lead(part: Part) -> bool:
    return not part.order and not part.alone


def is_held_out(parts: tuple[str, ...]) -> bool:
    """Whether only evaluation uses these parts in this order (a fifth of three or more)."""
    return len(parts) > 2 and zlib.crc32("+".join(parts).encode()) % 5 == 0


def a_lead(draw: Draw, count: int) -> Part:
    """The part around which a task of `count` parts is built; the others are mostly plain orders.

    It is drawn by the shares before anything can fail to fit. Otherwise the parts that fit any
    scene, "go to the lab", would crowd out all others.
    """
    return pick_part(draw.rng, _can_lead_alone if count == 1 else _can_lead)


def composed(draw: Draw, scene: Scene, count: int, lead: Part | None = None) -> Composed:
    """A task of `count` parts, the `lead` among them.

    Raises:
        DoesNotFit: The scene has too few rooms for anything that was tried.
    """
    return until(lambda: _composed(draw, scene, count, lead), tries=20 if lead else 200)


def _composed(draw: Draw, scene: Scene, count: int, lead: Part | None) -> Composed:
    story = Story(draw, scene)
    led = draw.rng.randrange(count) if lead else -1
    parts: list[Part] = []
    texts: list[str] = []
    steps: Steps = ()
    for number in range(count):
        story.final, story.is_first = number == count - 1, number == 0
        plain = draw.chance(_PLAIN[min(count, 3) - 1])
        fits = _is_order if plain else _is_any if count == 1 else _can_be_joined
        in_hand = scene.told and scene.holding and count == 1 and draw.chance(0.25)
        if lead and number == led:
            chosen = lead
        else:
            chosen = PARTS["held"] if in_hand else pick_part(draw.rng, fits)
            chosen = _going_on(story, chosen)
        clause = chosen.make(story)
        if not story.final and ALL in str(clause.steps) and here("person") in str(clause.steps):
            raise DoesNotFit  # if nobody was met in any room, nobody can be asked afterwards
        parts.append(chosen)
        texts.append(clause.text)
        steps += clause.steps
        story.at, story.it, story.them = _said(clause), clause.thing, clause.who
        story.last_left = _has_left(clause.steps, story.last_left)
    names = tuple(one.name for one in parts)
    turned = None
    orders = all(one.order for one in parts) and not _LATER.intersection(names)
    if count == 2 and orders and draw.chance(_TURNED):
        turned = _swapped(draw, texts)
    return Composed(names, turned or joined(draw, parts, texts), steps, tuple(story.messages))
