"""Parts with several things: counted, listed, each to a place of its own."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import listed
from roboinstruct_ros.learn.pairs.compose import Clause, part
from roboinstruct_ros.learn.pairs.deeds import fetched, lost
from roboinstruct_ros.learn.pairs.flow import HOME, Loop, Search, Steps, go_to, names_list, quoted
from roboinstruct_ros.learn.pairs.parts.moving import NUMBERS, named
from roboinstruct_ros.learn.pairs.story import Story


@part("carry_several", 2.0, order=True)
def carry_several(story: Story) -> Clause:
    """Several things, one after the other."""
    draw = story.draw
    things = [story.thing() for _ in range(draw.rng.choice((2, 2, 3)))]
    names = listed([thing.the if draw.chance(0.7) else thing.a for thing in things])
    header = f"for item in {names_list([thing.name for thing in things])}:"
    gone = (HOME, 'say("I could not find " + item)')
    return _several(story, names, header, "item", gone)


@part("carry_count", 2.2, order=True)
def carry_count(story: Story) -> Clause:
    """A number of things of one name."""
    draw, thing = story.draw, story.thing(count=True)
    number = draw.rng.choice((2, 2, 2, 3, 3, 4, 5, 6))
    count = str(number) if draw.chance(0.3) else NUMBERS[number - 2]
    if number == 2 and draw.chance(0.2):
        count = draw.one(("a pair of", "a couple of", "both"))
    elif number == 6 and draw.chance(0.5):
        count = "half a dozen"
    names = f"{count} {thing.plural}"
    if draw.chance(0.08) and number in (2, 3, 4, 5):
        names = f"half of the {number * 2} {thing.plural}"
    header = f"for _ in range({number}):"
    return _several(story, names, header, quoted(thing.name), (HOME, lost(thing)))


def _several(story: Story, names: str, header: str, name: str, gone: Steps) -> Clause:
    draw = story.draw
    if draw.chance(0.35):
        return _several_from_anywhere(story, names, header, name, gone)
    source, home = story.room(), draw.chance(0.45)
    target = None if home else story.room()
    templates = (
        (
            "[bring|get|fetch] me {t} from {s}",
            "[get|fetch] {t} from {s}[ for me| and bring them here| and bring them to me|]",
            "bring {t} from {s}[ to me| here|]",
            "go to {s} and bring me {t}",
        )
        if home
        else (
            "[bring|take|move|carry] {t} from {s} to {r}",
            "[get|fetch|take] {t} from {s} and [put|place|leave] them in {r}",
            "[put|place] {t} from {s} in {r}",
            "go to {s}, [get|take] {t} and [bring|take] them to {r}",
        )
    )
    text = draw.phrase(templates, t=names, s=source.the, r=target.the if target else "")
    if draw.chance(0.15):
        text += draw.one((", one at a time", " one by one", ", one after the other"))
    there = go_to(target.name) if target else HOME
    body = (go_to(source.name), f"pick({name})", there, f"place({name})")
    return Clause(text, (Loop(header, body),), target)


def _several_from_anywhere(story: Story, names: str, header: str, name: str, gone: Steps) -> Clause:
    """The robot looks for the things one by one, for a room, for somebody, or for me."""
    draw, roll = story.draw, story.draw.rng.random()
    test, take, put = f"is_in_room({name})", f"pick({name})", f"place({name})"
    if roll < 0.25:
        text = draw.phrase(("[bring|get|fetch] me {t}", "[get|fetch|collect] {t}"), t=names)
        return Clause(text, (Loop(header, (Search(test, (take, HOME, put), gone),)),))
    reach = story.reach(0.5) if roll < 0.6 else None
    target = reach.room if reach else story.room()
    goal = reach.who if reach else target.the if target else ""
    order = ("[bring|take|carry] {t} to {g}", "[bring|get|give] {g} {t}" if reach else
             "[put|leave] {t} in {g}")  # fmt: skip
    text = draw.phrase(order, t=names, g=goal)
    if target is not None:
        body: Steps = (Search(test, (take, go_to(target.name), put), gone),)
    elif reach is None or not story.final:
        raise DoesNotFit
    else:
        body = (Search(test, (take,), gone, vital=True), *reach.steps((put,), (put,)))
    return Clause(text, (Loop(header, body),), target)


@part("each_to_its_place", 5.0, order=True)
def each_to_its_place(story: Story) -> Clause:
    """Two or three things, each to a place of its own; the verb is said once."""
    draw = story.draw
    source = story.room() if draw.chance(0.3) else None
    texts: list[str] = []
    steps: Steps = ()
    for number in range(draw.rng.choice((2, 2, 3))):
        thing, reach = story.thing(), story.reach(0.4) if draw.chance(0.3) else None
        room = reach.room if reach else story.room()
        if room is None:
            raise DoesNotFit
        goal = reach.who if reach else room.the
        texts.append(f"{named(draw, thing)}{f' from {source.the}' if source and not number else ''}"
                     f" to {goal}")  # fmt: skip
        steps += fetched(thing, source, room)
    verb = draw.one(("bring", "take", "carry", "take", "bring"))
    return Clause(f"{verb} {listed(texts)}", steps)
