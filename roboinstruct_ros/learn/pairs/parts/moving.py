"""Parts that drive and carry: go, fetch, bring to a room, to a person or to me, put, supply."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.entities import Room, Thing, listed
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.compose import Clause, part
from roboinstruct_ros.learn.pairs.deeds import carried, fetched, searched
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    go_to,
    pick,
    place,
    say,
)
from roboinstruct_ros.learn.pairs.story import Story

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
    """A wish or a place that is mentioned before the task itself."""
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
    """A state of things that implies the task."""
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
    """Bring me a thing whose place is not said."""
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
    """Bring somebody a thing whose place is not said."""
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
