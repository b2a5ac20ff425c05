"""Parts about what somebody would like: wide words, needs, a first and a second choice."""

from __future__ import annotations

import re

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import Room, Thing, listed
from roboinstruct_ros.learn.pairs import scenes
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.deeds import searched
from roboinstruct_ros.learn.pairs.flow import (
    ALL,
    HOME,
    ITEM,
    Branch,
    Loop,
    Search,
    Steps,
    go_to,
    names_list,
    pick,
    place,
    say,
)
from roboinstruct_ros.learn.pairs.names import some
from roboinstruct_ros.learn.pairs.story import Reach, Story, on_map


def _gone(said: str, source: Room | None) -> Steps:
    """Comes back and says that nothing of that was found."""
    said = re.sub(r"^some ", "any ", said.replace("something ", "anything ", 1))
    said = re.sub(r"\bme\b", "you", re.sub(r"\bmy\b", "your", said))
    return (HOME, say(f"I could not find {said}{f' in {on_map(source)}' if source else ''}"))


def _found_anywhere(names: list[str], found: Steps, gone: Steps, vital: bool = False) -> Search:
    """Search all rooms for one of the names, `item`, and then continue with the program."""
    # only three names: the verification time grows with each if another search follows
    look = Loop(f"for item in {names_list(names[:3])}:", (Branch(ITEM, ("found = item", "break")),))
    return Search("found", found, gone, steps=("go_to(room)", 'found = ""', look), vital=vital)


def _brought(names: list[str], gone: Steps, goal: str, source: Room | None, last: bool) -> Steps:
    """Bring one of the names, from a room or from wherever it is, to where `goal` drives."""
    header = f"for item in {names_list(names)}:"
    found: Steps = ("pick(item)", goal, "place(item)")
    if source:
        return (go_to(source.name), Search(ITEM, found, gone, header=header, steps=()))
    if last:
        each = Loop(header, (Branch(ITEM, (*found, "return")),))
        return (Loop(ALL, ("go_to(room)", each)), *gone)
    return (_found_anywhere(names, ("pick(found)", goal, "place(found)"), gone),)


def _brought_to(
    story: Story, names: list[str], gone: Steps, reach: Reach | None, source: Room | None
) -> Steps:
    """As `_brought`, to a person, who may have to be looked for; without a person to the start."""
    if reach is None or reach.room is not None:
        goal = go_to(reach.room.name) if reach and reach.room else HOME
        return _brought(names, gone, goal, source, story.final)
    item = "item" if source else "found"
    give: Steps = (f"place({item})",)
    take: Steps = (f"pick({item})",)
    if not source:
        return (_found_anywhere(names, take, gone, vital=True), *reach.steps(give, give))
    header = f"for item in {names_list(names)}:"
    first = Search(ITEM, take, gone, header=header, steps=(), vital=True)
    return (go_to(source.name), first, *reach.steps(give, give))


def _needs_a_map(story: Story) -> None:
    """Most wide words need a map in the prompt, because the things on the map are tried first."""
    chance = 0.7 if not story.scene.told else 0.75 if not story.scene.things else 0
    if story.draw.chance(chance):
        raise DoesNotFit


def _wide_word(story: Story, who: Reach | None) -> tuple[str, list[str]]:
    said, names = scenes.a_wide_word(story.draw, story.scene)
    return _theirs(said, who), story.claim(names)


def _theirs(said: str, who: Reach | None) -> str:
    """The wide word about that person: "something for her headache"."""
    if who is None:
        return said
    if "myself" in said:
        raise DoesNotFit
    him, his = who.person.him, who.person.his
    return re.sub(r"\bme\b", him, re.sub(r"\bmy\b", his, said))


@part("wide", 12.0)
def wide(story: Story) -> Clause:
    """Something of a class to me or to somebody, from a room or from wherever it is."""
    draw = story.draw
    _needs_a_map(story)
    to = story.reach(0.4) if draw.chance(0.4) else None
    said, names = _wide_word(story, to)
    source = story.room() if draw.chance(0.3) else None
    it = "them" if said.endswith("s") and not said.startswith(("something", "a ", "any")) else "it"
    text = draw.phrase(
        (
            "[bring|bring|get|fetch|find] {w} {x}{f}",
            "[bring|bring|take|give] {x}{f} to {w}",
            "[find|look for|get|fetch] {x}{s} and [bring|give] {it} to {w}",
            "{w} [would like|needs|wants] {x}{f}"
            if to
            else "I [would like|need|want|could use] {x}{f}",
            "go to {g} and [bring|get|fetch] {w} {x}" if source else "[bring|give] {w} {x}",
        ),
        w=to.who if to else "me",
        x=said,
        it=it,
        f=f" from {source.the}" if source else "",
        s=f" in {source.the}" if source else "",
        g=source.the if source else "",
    )
    return Clause(text, _brought_to(story, names, _gone(said, source), to, source))


_IS = {
    "thirsty": "something to drink, a drink, something to drink, something cold to drink",
    "hungry": "something to eat, a snack, something to eat, food, a quick bite",
    "starving": "something to eat, food",
    "cold": "something to keep me warm, something warm to wear",
    "freezing": "something to keep me warm, something hot to drink",
    "bored": "something to read, something to play with, a game",
    "bleeding": "something for a cut",
}
_HAS = {
    "a headache": "something for my headache, a painkiller",
    "a cough": "something for my cough",
    "a runny nose": "something to blow my nose",
    "wet hands": "something to dry my hands",
    "to write something down": "something to write with",
    "a sweet tooth": "something sweet",
}
_CLEAR = ("thirsty", "hungry", "starving", "cold", "freezing", "a headache", "a cough")
"""What somebody is or has that says by itself what to bring."""


@part("in_need", 8.0, joint=Joint.SENTENCE)
def in_need(story: Story) -> Clause:
    """Somebody is thirsty or cold: what would do follows from that."""
    draw = story.draw
    _needs_a_map(story)
    to = story.reach(0.35) if draw.chance(0.6) else None
    state: str = draw.one((*_IS, "thirsty", "hungry", "cold", *_HAS))
    is_ = state in _IS
    key = draw.one((_IS if is_ else _HAS)[state].split(", "))
    said, names = _theirs(key, to), story.claim(scenes.called_widely(key, story.scene))
    so = draw.phrase(
        ("{w} {is} {s}",), w=to.who if to else "I", s=state,
        **{"is": "is" if to and is_ else "has" if to else "am" if is_ else "have"},
    ).replace("I am ", draw.one(("I'm ", "I'm ", "I am ", "im ")))  # fmt: skip
    source = story.room() if draw.chance(0.2) else None
    vague = state in _CLEAR and draw.chance(0.3)
    text = draw.phrase(
        (
            "{so}, [bring|bring|get|fetch|find] {h} {x}",
            "{so}, [bring|get|fetch|find] {h} {x}",
            "{so}. [Bring|Get|Fetch|Find] {h} {x}",
            "{so}, so [bring|get|fetch] {h} {x}",
            "{so} and [needs|wants|would like] {x}" if to else "{so} and [need|want] {x}",
            "{so}, [can you|could you|please] [bring|get] {h} {x}",
        ),
        so=so,
        h=to.person.him if to else "me",
        x=("something" if vague else said) + (f" from {source.the}" if source else ""),
    )
    if vague and source is None and story.final and story.is_first and draw.chance(0.3):
        text = so
    return Clause(text, _brought_to(story, names, _gone(said, source), to, source))


_COMMON = (
    "something to read", "something to drink", "a snack", "a fruit", "something to write with",
    "something to eat",
)  # fmt: skip


@part("wide_and_more", 7.0, joint=Joint.THEN)
def wide_and_more(story: Story) -> Clause:
    """Two things at once, one or both by a wide word: "something to read and a cup of tea"."""
    draw = story.draw
    _needs_a_map(story)
    to = story.reach(1.0) if draw.chance(0.35) else None
    if to is not None and to.room is None:
        raise DoesNotFit
    goal = go_to(to.room.name) if to and to.room else HOME
    source = story.room() if draw.chance(0.3) else None
    if draw.chance(0.35):
        wides = ["something to eat", "something to drink"]
    else:
        wides = [draw.one(_COMMON) if to else scenes.a_wide_word(draw, story.scene)[0]]
    order: list[str | Thing] = [*wides, *([story.thing()] if len(wides) == 1 else [])]
    draw.rng.shuffle(order)
    said = [each if isinstance(each, str) else draw.one((each.a, each.the)) for each in order]
    steps: Steps = ()
    for number, each in enumerate(order):
        if isinstance(each, str):
            last = story.final and number == len(order) - 1
            names = story.claim(scenes.called_widely(each, story.scene))
            steps += _brought(names, _gone(each, source), goal, source, last)
        elif source:
            steps += (go_to(source.name), pick(each), goal, place(each))
        else:
            found = (pick(each), goal, place(each))
            steps += searched(each, found)
    text = draw.phrase(
        (
            "[bring|get|fetch] {w} {x}{f}",
            "[bring|take] {x}{f} to {w}",
            "{w} [needs|wants] {x}{f}" if to else "I [need|want|would like] {x}{f}",
        ),
        w=to.who if to else "me",
        x=" and ".join(said),
        f=f" from {source.the}" if source else "",
    )
    return Clause(text, steps)


_FIRST_OR = (
    "{w} {x}, or if there is none {y}",
    "{w} {x}, or else {y}",
    "{w} {x}, if not {y}",
    "{w} {x} or, if there {be} no {n}, {y}",
    "{w} {x}. If there {be} no {n}, [bring|get|take] {y}",
    "{w} {x}, if there is none[, then|,] [bring|get] {y} instead",
    "{w} preferably {x}, otherwise {y}",
    "{w} {x}, otherwise {y}",
    "{w} {x}, and if you can't find [it|one] {y}",
    "{w} {x} or {y}, preferably {x}",
)
_ANY_OR = (
    "{w} {x} or {y}, whatever you find",
    "{w} {x} or {y}, whichever you find first",
    "{w} either {x} or {y}",
    "{w} {x} or {y}",
    "{w} {x} or {y}, I don't care which",
)


@part("second_choice", 8.0, joint=Joint.SENTENCE)
def second_choice(story: Story) -> Clause:
    """The first thing that is there of two or three; one after the other, or whichever."""
    draw = story.draw
    things = [story.thing() for _ in range(draw.rng.choice((2, 2, 2, 3)))]
    source = story.room() if draw.chance(0.4) else None
    if source is None and not story.final:
        raise DoesNotFit
    to = story.reach(1.0) if draw.chance(0.25) else None
    if to is not None and to.room is None:
        raise DoesNotFit
    goal = go_to(to.room.name) if to and to.room else HOME
    strict = draw.chance(0.65)
    who = to.who if to else "me"
    wish: tuple[str, ...] = ("[bring|get|fetch|bring] {w}", "[bring|give|find] {w}")
    wish += () if to else ("I'd like", "I would like", "I want")
    if source:
        wish = ("go to {s} and [bring|get|fetch] {w}", "from {s}, [bring|get] {w}")
    named = [draw.one((each.a, each.a, each.the)) for each in things]
    pattern: str = draw.one(_FIRST_OR if strict else _ANY_OR)
    text = draw.expand(
        pattern.replace("{w}", draw.phrase(wish, w=who, s=source.the if source else "")),
        x=named[0],
        y=listed(named[1:], "or"),
        n=things[0].name,
        be=things[0].be,
    )
    names = [each.name for each in things]
    none = listed([some(each) for each in things], "or")
    gone: Steps = (HOME, say(f"I could not find {none}{f' in {on_map(source)}' if source else ''}"))
    if source or not strict:
        return Clause(text, _brought(names, gone, goal, source, story.final))
    found: Steps = ("pick(item)", goal, "place(item)", "return")
    rooms = Loop(ALL, ("go_to(room)", Branch(ITEM, found)))
    return Clause(text, (Loop(f"for item in {names_list(names)}:", (rooms,)), *gone))
