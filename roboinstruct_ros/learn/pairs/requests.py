"""How people put a request: the polite frames around an imperative, and the slots inside it."""

from __future__ import annotations

import re

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person, Thing
from roboinstruct_ros.learn.pairs.names import thing_called
from roboinstruct_ros.learn.pairs.surroundings import Spot

_FRAMES = (
    *("{x}.",) * 60,
    *("please {x}.", "can you {x}?", "could you {x}?", "{x}, please.") * 2,
    *("could you please {x}?", "can you please {x}?", "would you {x}?", "will you {x}?"),
    *("I need you to {x}.", "I want you to {x}.", "I'd like you to {x}.", "be so kind and {x}."),
    *("robot, {x}.", "hey robot, {x}.", "hey, can you {x}?", "hi, could you {x}?"),
    *("{x} now.", "{x}!", "go and {x}.", "you should {x}.", "you have to {x}.", "now {x}."),
    *("are you able to {x}?", "do you think you could {x}?", "is it possible for you to {x}?"),
    *("when you have time, {x}.", "as soon as you can, {x}.", "quickly {x}."),
    *("I am busy, so {x}.", "do me a favour and {x}.", "it would be nice if you could {x}."),
)  # fmt: skip
_HELD_FRAMES: tuple[str, ...] = (
    "might you {x}?",
    "would you be able to {x}?",
    "I'd be glad if you could {x}.",
)
_WHENS = (
    *("5 pm", "noon", "six o'clock", "half past seven", "8 am", "midnight", "9:30", "10 o'clock"),
    *("3 pm", "7 am", "quarter to four", "17:00"),
)


def asked(draw: Draw, imperative: str) -> str:
    """The imperative as somebody asks for it: a sentence with capital and mark."""
    frames = tuple(f for f in _FRAMES if not imperative.startswith("go") or "go and" not in f)
    held = _HELD_FRAMES
    if imperative.startswith("if "):  # no "can you if"
        frames, held = tuple(f for f in frames if f.startswith("{x}") and "?" not in f), ()
    return sentence(draw.template(frames, held).replace("{x}", imperative))


def sentence(text: str) -> str:
    """The text with capitals and a mark at its end."""
    text = re.sub(r"(^|[.?!] )([a-z])", lambda m: m[1] + m[2].upper(), " ".join(text.split()))
    return text + ("" if text[-1] in ".?!" else ".")


def chosen_in(draw: Draw, text: str, choice: str) -> str:
    """The instruction followed by the chosen answer, with or without its punctuation."""
    return f"{text.rstrip('.') if draw.chance(0.6) else text} ({choice})"


class Filling:
    """The names that stand in a request's slots, the same ones in its answer."""

    def __init__(self, spot: Spot, things: str = "") -> None:
        draw = spot.draw
        self.room = spot.room()
        fitting = thing_called(draw.one(things.split(", "))) if things else spot.thing()
        self.thing: Thing = fitting
        self.other: Thing = spot.thing(self.thing.name)
        self.person: Person = spot.person()
        self.when = draw.one(_WHENS)

    def fill(self, draw: Draw, text: str, it: bool = False) -> str:
        """The text with its brackets chosen and its slots filled; `it` for a thing named before."""
        while "{n}" in text:
            text = text.replace("{n}", str(draw.rng.randint(2, 30)), 1)
        what, who = self.thing, self.person
        return draw.expand(
            text,
            t=what.it if it else what.the,
            a=what.a,
            ts=what.plural,
            u=self.other.the,
            r=self.room.the,
            p=who.who,
            he=who.he,
            him=who.him,
            when=self.when,
            **{"is": what.be},
        )
