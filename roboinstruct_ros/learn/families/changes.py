"""Follow-ups: an instruction with its program, the follow-up of a person, and the changed program.

There are two kinds. A tweak draws one task twice with one slot (a room, a thing, a person, a
message, a question) redrawn, so that the rest is equal by construction. An edit adds to a program
or removes from it: a stop at the end or at the beginning, the drive back, a condition, a count. The
verifier checks every changed program.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.entities import Person, Room, Thing
from roboinstruct_ros.learn.families.edits import ANYWHERE, EDITS
from roboinstruct_ros.learn.families.families import HEAD, Pair, drawn_pair, family_of, pair_number
from roboinstruct_ros.learn.families.questions import Question


@dataclass(frozen=True)
class Change:
    """The earlier request and program, the follow-up, and the program that does it.

    Attributes:
        kind: the slot or the edit.
    """

    kind: str
    instruction: str
    program: str
    follow_up: str
    changed: str

    @property
    def prompt(self) -> str:
        return (
            f"# Instruction: {self.instruction}\n{self.program}# Change: {self.follow_up}\n{HEAD}"
        )

    @property
    def completion(self) -> str:
        """The expected completion: the body of the function."""
        return self.changed.removeprefix(HEAD)


def make_change(seed: int, index: int, split: Split = Split.TRAIN) -> Change | None:
    """The follow-up with this number; None if none fits what was drawn."""
    rng = random.Random(f"change/{seed}/{split.value}/{index}")
    return _tweak(rng, split) if rng.random() < 0.5 else _edit(rng, split)


def _tweak(rng: random.Random, split: Split) -> Change | None:
    number, family = rng.getrandbits(60), family_of(rng, split)
    draw = Draw(pair_number(number), split)
    before = drawn_pair(family, draw)
    if not draw.slots:
        return None
    chosen = rng.randrange(len(draw.slots))
    again = Draw(pair_number(number), split, anew=(chosen, 1 + rng.getrandbits(30)))
    after = drawn_pair(family, again)
    old, new = draw.slots[chosen], again.slots[chosen]
    if not _only_words_differ(before.program, after.program):
        return None
    alone = [slot.kind for slot in draw.slots].count(old.kind) == 1
    say = _TWEAKS.get(old.kind)
    text = say(Draw(rng, split), old.value, new.value, alone) if say is not None else None
    if text is None:
        return None
    return Change(
        old.kind, before.instruction, before.program, _typed(rng, draw, text), after.program
    )


_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"')


def _only_words_differ(before: str, after: str) -> bool:
    """Whether two programs differ, but only in their quoted texts."""
    return before != after and _WORDS.sub('""', before) == _WORDS.sub('""', after)


def _room(draw: Draw, old: object, new: object, alone: bool) -> str | None:
    assert isinstance(old, Room) and isinstance(new, Room)
    return draw.phrase(
        (
            *_INSTEAD,
            "[go to|use|take] {n} instead of {o}",
            "it is {n}, not {o}",
            "I [meant|mean|said] {n}, not {o}",
            *(("[go to|use|make it|I meant|do it in|try] {n}[ instead|]",) if alone else ()),
        ),
        o=old.the,
        n=new.the,
    )


_INSTEAD = (
    "[use |take |make it |]{n} instead of {o}",
    "{n}, not {o}",
    "not {o}[, but|,| but] {n}",
    "[change|replace|swap] {o} [to|with|for|by] {n}",
    "[make that|make it] {n}, not {o}",
    "[no, |actually, |sorry, |wait, ]{n} instead of {o}",
)


def _thing(draw: Draw, old: object, new: object, alone: bool) -> str | None:
    assert isinstance(old, Thing) and isinstance(new, Thing)
    return draw.phrase(
        (
            *_INSTEAD,
            "[bring|get|look for|it should be] {n} instead of {o}",
            "I [need|want|meant] {n}, not {o}",
            *(("[make it|bring|take|I meant|look for] {n}[ instead|]",) if alone else ()),
        ),
        o=draw.one((old.a, old.the)),
        n=draw.one((new.a, new.the)),
    )


def _kind(draw: Draw, old: object, new: object, alone: bool) -> str | None:
    assert isinstance(old, Thing) and isinstance(new, Thing)
    return draw.phrase(
        (
            "the {n}, not the {o}",
            "[do |take |use |]the {n} instead of the {o}",
            "[not the {o}, but the {n}|only the {n}, not the {o}]",
        ),
        o=old.plural,
        n=new.plural,
    )


def _person(draw: Draw, old: object, new: object, alone: bool) -> str | None:
    assert isinstance(old, Person) and isinstance(new, Person)
    return draw.phrase(
        (
            *_INSTEAD,
            "[ask for|take|it is|I meant] {n}, not {o}",
            "{n} instead of {o}",
            *(("[make it|make that|I meant] {n}[ instead|]",) if alone else ()),
        ),
        o=old.who,
        n=new.who,
    )


def _message(draw: Draw, old: object, new: object, alone: bool) -> str | None:
    return draw.phrase(
        (
            '[say|make it|rather say] "{n}"[ instead|]',
            "say {n} instead",
            "[the message|the text] [should be|is]: {n}",
            "[not {o}, but|instead of {o}, say] {n}",
        ),
        o=str(old),
        n=str(new),
    )


def _chore(draw: Draw, old: object, new: object, alone: bool) -> str | None:
    return draw.phrase(
        ("to {n}, not to {o}", "[make it|I meant] {n}[ instead|, not {o}]", "{n} instead of {o}"),
        o=str(old),
        n=str(new),
    )


def _question(draw: Draw, old: object, new: object, alone: bool) -> str | None:
    assert isinstance(new, Question)
    return draw.phrase(
        ("[ask|rather ask|I want you to ask] {n}[ instead|]", "the question is {n}"),
        n=new.reported,
    )


_TWEAKS: dict[str, Callable[[Draw, object, object, bool], str | None]] = {
    "room": _room,
    "thing": _thing,
    "kind": _kind,
    "person": _person,
    "message": _message,
    "chore": _chore,
    "question": _question,
    "choice": _question,
}


def _edit(rng: random.Random, split: Split) -> Change | None:
    before = pair_for_edit(rng, split)
    lines = before.program.removeprefix(HEAD).rstrip("\n").split("\n")
    draw = Draw(rng, split)
    draw.lower = before.instruction.islower()
    kinds = rng.sample(tuple(EDITS), len(EDITS))
    if rng.random() < 0.6:
        kinds.sort(key=lambda kind: kind in ANYWHERE)
    for kind in kinds:
        edited = EDITS[kind](draw, [line[4:] for line in lines])
        if edited is not None:
            text, after = edited
            changed = HEAD + "".join(f"    {line}\n" for line in after)
            return Change(
                kind, before.instruction, before.program, _typed(rng, draw, text), changed
            )
    return None


_SHORT = ("fetch", "tour", "repeat", "conditional_move")


def pair_for_edit(rng: random.Random, split: Split) -> Pair:
    """The first task of a dialogue; short ones more often than elsewhere."""
    short = split is not Split.UNSEEN_SHAPES and rng.random() < 0.4
    family = rng.choice(_SHORT) if short else family_of(rng, split)
    return drawn_pair(family, Draw(pair_number(rng.getrandbits(60)), split))


def _typed(rng: random.Random, draw: Draw, text: str) -> str:
    """The follow-up as somebody types it."""
    text = re.sub(r"  +", " ", text)
    if rng.random() < 0.15:
        text = rng.choice(("please ", "no, ", "ok, but ", "and ", "now ", "hm, ", "sorry, ")) + text
    if draw.lower or rng.random() < 0.3:
        text = text.lower() if draw.lower else text
    else:
        text = text[0].upper() + text[1:]
    return text + rng.choice(("", "", ".", ".", ".", ", please.", "!"))
