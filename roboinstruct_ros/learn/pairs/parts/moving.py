"""Parts that drive and carry: go, fetch, bring to a room, to a person or to me, put, supply."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Room, Thing, listed
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.compose import Clause, part
from roboinstruct_ros.learn.pairs.deeds import carried, fetched, lost, searched
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Loop,
    Search,
    Steps,
    go_to,
    names_list,
    pick,
    place,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.story import DoesNotFit, Story

NUMBERS = ("two", "three", "four", "five", "six")


def named(draw: Draw, thing: Thing) -> str:
    """The thing as a person names it: "a cup", "the cup", "my cup", "Anna's cup"."""
    if draw.chance(0.04):
        return f"{draw.one(draw.one((words.SHE, words.HE)).of(draw))}'s {thing.name}"
    return draw.one((thing.a, thing.a, thing.the, thing.the, thing.the, f"my {thing.name}"))


@part("go", 4.0, order=True)
def go(story: Story) -> Clause:
    room = story.room()
    return Clause(go_text(story.draw, room), (go_to(room.name),), room)


def go_text(draw: Draw, room: Room) -> str:
    """ "go to the kitchen"."""
    return draw.phrase(
        (
            "[go|go|go|go|go|drive|head|move|walk|navigate|get|come|run] to {r}",
            "[go|head|drive|get] [over|back|down|straight|quickly] to {r}",
            "[go|drive|head|roll|move] [into|to|over to] {r}",
            "[visit|enter|go and visit|find your way to|proceed to|make your way to] {r}",
            "[stop by|drop by|swing by|pop into|pass by] {r}",
        ),
        r=room.the,
    )


@part("come_back", 2.2, order=True)
def come_back(story: Story) -> Clause:
    if not story.last_left:
        raise DoesNotFit
    text = story.draw.phrase(
        (
            "[come|come|go|get|drive] back[ to me| here| here|]",
            "[return|return to me|return here|come back to where you are now|come home]",
            "[go back to where you started|return to your starting point|drive back to the start]",
        )
    )
    if story.draw.chance(0.3):
        text += story.draw.phrase((" and [tell me|say|let me know] [it is done|you are done]",))
        return Clause(text, (HOME, say("I am done")))
    return Clause(text, (HOME,))


@part("tour", 1.2, order=True)
def tour(story: Story) -> Clause:
    rooms = story.rooms(story.draw.rng.choice((2, 2, 3)))
    names = [room.the for room in rooms]
    text = story.draw.phrase(
        (
            "[go|drive|go] to {then}",
            "visit {and}[| in this order| one after the other]",
            "[do|make] a tour of {and}",
            "[stop at|go through|patrol|pass through|drive through|inspect] {and}",
            "go to {last} [via|by way of] {first}",
            "go to {last}, but [first stop at|stop at|visit] {first}[ first| on the way|]",
        ),
        **{
            "then": ", then ".join(names),
            "and": listed(names),
            "last": names[-1],
            "first": listed(names[:-1]),
        },
    )
    text = text.replace(" first first", " first").replace("first stop at {first} on", "stop at")
    return Clause(text, tuple(go_to(room.name) for room in rooms), rooms[-1])


@part("bring_me", 5.0, order=True)
def bring_me(story: Story) -> Clause:
    draw, room, thing = story.draw, story.room(), story.thing()
    text = draw.phrase(
        (
            "[bring|bring|get|fetch|grab] me {t} from {r}",
            "[get|fetch|bring|grab|pick up] {t} [from|from|in] {r} and [bring {it} to "
            "me|bring {it} here|come back with {it}]",
            "[get|fetch|bring|grab|take|pick up] {t} from {r}[ for me|]",
            "go to {r} and [take|grab|get|pick up|fetch] {t}",
            "bring {t} from {r} to me",
            "go to {r}[,| and] [get|grab|take|pick up|fetch] {t}[,| and] bring {it} [to "
            "me|here|back]",
            "[go|drive] to {r} and [bring|get|fetch] me {t}",
            "bring me {t}, {it_is} in {r}",
            "[go to|look in] {r}, [find|locate|look for] {t} and bring {it} to me",
        ),
        t=named(draw, thing),
        r=room.the,
        it=thing.it,
        it_is=thing.they,
    )
    return Clause(text, fetched(thing, room))


@part("need", 1.6)
def need(story: Story) -> Clause:
    """A wish or a place that is told before what has to be done."""
    draw, room, thing = story.draw, story.room(), story.thing()
    if draw.chance(0.2):
        text = draw.phrase(
            ("I [need|want|would like] {t}", "[could I have|can I have|may I have] {t}?"), t=thing.a
        )
        return Clause(text, carried(thing))
    text = draw.phrase(
        (
            "I [need|want|would like] {t} from {r}",
            "[could I have|can I have|may I have|can I get] {t} from {r}?",
            "I [left|forgot] my {n} in {r}. [Bring {it} to me|Get {it}|Fetch {it} for me|Can "
            "you bring {it} to me?]",
            "there {be} {t} in {r}. [Bring {it} to me|Get {it} for me|Fetch {it}]",
            "my {n} [{be}|must be|should be] in {r}. [Get {it} for me|Please bring {it} "
            "here|Fetch {it}]",
            "I'm [thirsty|hungry|cold|busy|stuck here], [bring|get] me {t} from {r}",
        ),
        t=thing.a,
        n=thing.name,
        r=room.the,
        it=thing.it,
        be=thing.be,
    )
    return Clause(text, fetched(thing, room))


@part("carry", 5.0, order=True)
def carry(story: Story) -> Clause:
    draw = story.draw
    source, target = story.rooms(2)
    thing = story.thing()
    text = draw.phrase(
        (
            "[bring|take|take|carry|move|deliver|transport] {t} from {s} to {r}",
            "[get|fetch|take|grab|pick up] {t} [from|from|in] {s} and [put|place|leave|drop] "
            "{it} in {r}",
            "[get|fetch|take|grab|pick up] {t} from {s} and [bring|take|carry|deliver] {it} to {r}",
            "go to {s}[,| and] [get|take|grab|pick up] {t} and [bring|take|carry] {it} to {r}",
            "go to {s}[,| and] [find|locate|look for] {t}[,| and|, and] [put|place] {it} in {r}",
            "go to {s}[,| and] [find|locate|look for] {t} and [bring|take] {it} to {r}",
            "[find|locate|look for] {t} in {s} and [put {it} in|bring {it} to|take {it} to] {r}",
            "[put|place|leave] {t} from {s} in {r}",
            "move {t} [in|that is in] {s} to {r}",
            "[bring|take] {t} to {r}, {it_is} in {s}",
        ),
        t=named(draw, thing),
        s=source.the,
        r=target.the,
        it=thing.it,
        it_is=thing.they,
    )
    return Clause(text, fetched(thing, source, target), target, thing)


@part("belongs", 1.0)
def belongs(story: Story) -> Clause:
    """A state of things that is told for what has to be done."""
    draw = story.draw
    source, target = story.rooms(2)
    thing = story.thing()
    text = draw.phrase(
        (
            "the {n} in {s} [belong{s3} in|belong{s3} to|must go to|should be in|need{s3} to "
            "go to] {r}",
            "{r} needs {a}, [there {be} one|you will find {it}|get {it}] in {s}"
            if not thing.is_plural and thing.a.startswith("a")
            else "{r} needs {a}, [you will find {it}|get {it}] in {s}",
            "there {be} {a} in {s}. [Take|Bring|Move] {it} to {r}",
            "somebody left {the} in {s}. [Take|Bring|Carry] {it} [back |]to {r}",
            "I need {a} in {r}. [Get {it}|Take one] from {s}"
            if thing.a.startswith("a")
            else "I need {a} in {r}. Get {it} from {s}",
        ),
        n=thing.name,
        a=thing.a,
        the=thing.the,
        s=source.the,
        r=target.the,
        be=thing.be,
        it=thing.it,
        s3="" if thing.is_plural else "s",
    )
    return Clause(text, fetched(thing, source, target), target, thing)


@part("bring_person", 4.5, order=True)
def bring_person(story: Story) -> Clause:
    draw, source, thing, reach = story.draw, story.room(), story.thing(), story.reach(0.45)
    text = draw.phrase(
        (
            "[bring|take|deliver|carry] {t} from {s} to {p}",
            "[bring|get|fetch] {p} {t} from {s}",
            "[get|fetch|take|grab] {t} from {s} and [give|bring|hand|take|deliver] {it} to {p}",
            "go to {s}[,| and] [get|pick up|take] {t} and [bring|give|hand|take] {it} to {p}",
            "go to {s}[,| and] [find|locate|look for] {t}[,| and|, and] [bring|give|deliver] {it} "
            "to {p}",
            "[find|locate|look for] {t} in {s} and [bring|give|take] {it} to {p}",
            "[give|hand|bring] {p} {t} from {s}",
            "[bring|get] {t} from {s} for {p}",
        ),
        t=named(draw, thing),
        s=source.the,
        p=reach.who,
        it=thing.it,
        him=reach.person.him,
    )
    then = reach.steps((place(thing),), (place(thing),))
    return Clause(text, (go_to(source.name), pick(thing), *then), reach.room, thing, reach.met)


@part("find_and_bring", 7.0, order=True)
def find_and_bring(story: Story) -> Clause:
    """A thing whose place is not said, to me."""
    draw, thing = story.draw, story.thing()
    text = draw.phrase(
        (
            "[bring|bring|get|fetch|find] me {t}",
            "[find|look for|search for|locate|go and find] {t} and bring {it} [to me|here|back]",
            "[get|fetch] {t}[ for me|]",
            "[get|fetch|find] {t} for me",
            "[go|go and] [get|fetch] {t}[ for me|]",
            "[grab|take|pick up|collect|get] {t}",
            "[give|deliver|bring|hand] {t} to me",
            "[look|search] [everywhere|in all rooms|in every room|in the whole building] for "
            "{t} and bring {it} to me",
            "[pass|hand|give] me {t}",
        ),
        t=named(draw, thing),
        it=thing.it,
    )
    if draw.chance(0.4):
        return Clause(text, carried(thing))
    target = story.room()
    text = draw.phrase(
        (
            "[find|look for|search for|locate] {t} and [put|place|leave] {it} in {r}",
            "[find|look for|search for|locate] {t} and [take|bring|carry] {it} to {r}",
            "[bring|take|carry] {t} to {r}",
            "[put|put|place|leave|lay] {t} in {r}",
            "[put|put|place|leave] {t} in {r}",
            "[put {t} into|deliver {t} to|return {t} to] {r}",
            "[take|grab|pick up] {t} and [bring {it} to|take {it} to|put {it} in] {r}",
            "[get|fetch] {t} and [bring|take] {it} to {r}",
        ),
        t=named(draw, thing),
        it=thing.it,
        r=target.the,
    )
    return Clause(text, carried(thing, target))


@part("find_for_person", 4.5)
def find_for_person(story: Story) -> Clause:
    """A thing whose place is not said, to somebody."""
    draw, thing = story.draw, story.thing()
    reach = story.reach(0.3)
    if reach.room is None and not story.final:
        raise DoesNotFit
    text = draw.phrase(
        (
            "[bring|take|deliver|give|hand] {t} to {p}",
            "[find|look for|get|fetch] {t} and [bring|take|give|hand] {it} to {p}",
            "[bring|give|get] {p} {t}",
            "{p} [needs|wants|would like|asked for] {a}",
            "{p} [needs|wants|would like] {a}, [bring|get|find] {him} {one}",
        ),
        t=named(draw, thing),
        a=thing.a,
        it=thing.it,
        one="one" if not thing.is_plural and thing.a.startswith("a") else "some",
        p=reach.who,
        him=reach.person.him,
    )
    if reach.room is not None:
        return Clause(text, carried(thing, reach.room))
    find = searched(thing, (pick(thing),), vital=True)
    return Clause(text, (*find, *reach.steps((place(thing),), (place(thing),))))


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
    """They are looked for one by one, for a room, for somebody, or for me."""
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
