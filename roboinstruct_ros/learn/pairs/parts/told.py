"""Parts that mention a place besides the order: where things are kept, or in a message."""

from __future__ import annotations

import re

from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.entities import Person, Room, Thing, listed
from roboinstruct_ros.learn.pairs import furniture, scenes, words
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.deeds import fetched, lost
from roboinstruct_ros.learn.pairs.flow import (
    ALL,
    HOME,
    ITEM,
    Branch,
    Loop,
    Search,
    Step,
    Steps,
    go_to,
    here,
    names_list,
    pick,
    place,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.names import thing_called
from roboinstruct_ros.learn.pairs.parts.places import where
from roboinstruct_ros.learn.pairs.parts.talking import tell
from roboinstruct_ros.learn.pairs.story import Story, on_map


def _clause_about(draw: Draw, thing: Thing, at: str, source: str) -> str:
    """Where a thing is found: "they are in the pantry", "you'll find it in the study"."""
    mass = thing.a.startswith("some ") and not thing.is_plural
    all_ = thing.name if mass or thing.is_plural else thing.plural
    return draw.phrase(
        (
            "the {all} {are} [|kept|stored|always] {at}",
            "{they} [|kept |usually |]{at}",
            "{they} {at}",
            "you[ will|'ll| can] find {it} {at}",
            "{the} {be} {at}",
            "there {be} {a} {at}",
            "[get|take] {one} from {s}",
            "[we keep|I keep|they keep] [the |]{all} {at}",
            "{subject} should be {at}",
            "[look|check] {at}",
        ),
        all=all_,
        are="is" if mass else "are",
        they=thing.they,
        subject=thing.they.split()[0],
        it=thing.it,
        the=thing.the,
        be=thing.be,
        a=thing.a,
        one=thing.it if mass or thing.is_plural else "one",
        at=at,
        s=source,
    )


@part("kept_in", 5.0, joint=Joint.SENTENCE)
def kept_in(story: Story) -> Clause:
    """An order, and where what it takes is kept."""
    draw, thing = story.draw, story.thing()
    source = where(story, 0.8)
    clause = _clause_about(draw, thing, f"{source.on} {source.room.the}", source.room.the)
    text, there, room = _target(story, thing)
    fetch: Steps = (go_to(source.room.name), pick(thing), *there)
    return Clause(_beside(draw, text, clause), fetch, room)


def _beside(draw: Draw, text: str, clause: str) -> str:
    """The order and the clause, one after the other."""
    if draw.chance(0.4) and clause.startswith(("the ", "there ", "we ", "I ")):
        return f"{clause}. {text[:1].upper()}{text[1:]}"
    sign: str = draw.one((", ", ", ", ". ", ". ", " - ", "; "))
    return f"{text}{sign}{clause[:1].upper() + clause[1:] if sign == '. ' else clause}"


def _target(story: Story, thing: Thing) -> tuple[str, Steps, Room | None]:
    """An order to bring the thing somewhere, and what is done once it is in the hand."""
    draw, roll = story.draw, story.draw.rng.random()
    a = draw.one((thing.a, thing.a, thing.the))
    order: tuple[str, ...]
    if roll < 0.4:
        order = (
            "[bring|get|fetch] me {t}",
            "[bring|get|get|fetch] {t}",
            "I [need|want] {t}",
        )
        return draw.phrase(order, t=a), (HOME, place(thing)), None
    if roll < 0.7:
        to = where(story, 0.75)
        order = ("[bring|take|carry] {t} to {r}", "[put|place|leave] {t} {on} {r}")
        text = draw.phrase(order, t=a, r=to.room.the, on=to.on)
        return text, (go_to(to.room.name), place(thing)), to.room
    reach = story.reach(0.35)
    order = ("[bring|take|give|deliver] {t} to {p}", "[bring|get|give] {p} {t}", "{p} needs {t}")
    text = draw.phrase(order, t=a, p=reach.who)
    return text, reach.steps((place(thing),), (place(thing),)), reach.room


@part("kept_for_each", 2.0, joint=Joint.SENTENCE)
def kept_for_each(story: Story) -> Clause:
    """One of what is kept in a room into each room of a kind, or into some rooms."""
    draw, thing, source = story.draw, story.thing(count=True), story.room()
    many = Thing(thing.plural, f"some {thing.plural}", thing.plural, True)
    at = f"{furniture.preposition(source.name)} {source.the}"
    clause = _clause_about(draw, many, at, source.the)
    step: Step
    order: tuple[str, ...]
    fill: Steps = (go_to(source.name), pick(thing), "go_to(room)", place(thing))
    if draw.chance(0.5):
        rooms = story.rooms(2)
        all_ = listed([room.the for room in rooms])
        step = Loop(f"for room in {names_list([room.name for room in rooms])}:", fill)
        order = ("[bring|take] {a} to {e} each", "[put|place|leave] {a} in {e} each")
        order = tuple(each.replace(" each", "") for each in order) if draw.chance(0.3) else order
    else:
        kind = story.kind()
        if kind.name in source.name:
            raise DoesNotFit
        all_ = draw.one((f"every {kind.name}", f"each {kind.name}", f"all {kind.plural}"))
        step = Loop(ALL, (Branch(f"{quoted(kind.name)} in room", fill),))
        order = ("[bring|take] {a} to {e}", "[put|place|leave] {a} in {e}", "{e} needs {a}")
        order = order[:2] if all_.startswith("all") else order
    text = draw.phrase(order, a=draw.one((thing.a, thing.a, f"one {thing.name}")), e=all_)
    return Clause(_beside(draw, text, clause), (step,))


@part("whose_place", 2.5, joint=Joint.SENTENCE)
def whose_place(story: Story) -> Clause:
    """Bring somebody something, where the clause tells of the thing, of the person, or of both."""
    draw, thing, who, roll = story.draw, story.thing(), story.person(), story.draw.rng.random()
    is_, he = ("are" if who.he == "they" else "is"), who.he
    own = story.own_room(who)
    text = draw.phrase(
        ("[bring|take|give] {a} to {p}", "[bring|get|give] {p} {a}"), a=thing.a, p=who.who
    )
    pieces = furniture.pieces_of(story.scene)
    source = story.room(pieces) if roll < 0.65 else None
    target = story.room(pieces) if roll > 0.35 else None
    if who.he == "they" or (
        target is None and own is not None and own.name == (source and source.name)
    ):
        raise DoesNotFit
    clauses = []
    if source:
        clauses.append(f"{thing.they} in {source.the}")
    if target:
        clauses.append(f"{he} {is_} [|sitting |]in {target.the}")
    text = draw.expand(draw.one((", ", ". ", " - ")).join((text, " and ".join(clauses))))
    goal = target or own
    give: Steps = (place(thing),)
    if goal is not None:
        return Clause(text, fetched(thing, source, goal))
    assert source is not None
    gone = (HOME, place(thing), say(f"I could not find {who.name}"))
    return Clause(text, (go_to(source.name), pick(thing), Search(here(who.name), give, gone)))


_NEWS = (
    "[dinner|lunch|breakfast|coffee|the cake|tea] is [in|served in|waiting in] {r}",
    "the {e} [is|is now|takes place|has been moved to|was moved to|will be] {in}{r}",
    "the {e} starts in {r} [at {w}|in ten minutes|soon]",
    "I am [waiting |working |sitting |]in {r}",
    "we [meet|are meeting|will meet|are waiting] in {r}",
    "{n} is [waiting |]in {r}",
    "{t} {be} in {r}",
    "there is [a leak|a problem|a visitor|cake|nobody|water on the floor] in {r}",
    "{r} is [closed|locked|free now|being cleaned|out of order|occupied|ready]",
    "[everybody is|all of us are|the others are] in {r}",
    "somebody left {t} in {r}",
)
_CHORES = (
    "[come to|go to|wait in|stay out of|clean up|be in|meet me in|leave] {r}",
    "[come to|be in|meet {n} in] {r} at {w}",
    "[look for|leave|get|pick up|bring] {t} in {r}",
    "[bring|take] {t} to {r}",
)


def _filled(story: Story, patterns: tuple[str, ...]) -> str:
    """Words that name a room to which the robot is not sent."""
    draw, scene = story.draw, story.scene
    thing = scenes.a_thing(draw, scene)
    who = story.person()
    pattern: str = draw.one(patterns)
    text = draw.expand(pattern)
    there = "" if "moved to" in text else "in "
    text = draw.expand(
        text,
        r=story.room(furniture.pieces_of(scene)).the,
        n=who.who,
        e=draw.one(words.EVENTS.of(draw)),
        w=draw.one(words.TIMES.of(draw)),
        t=thing.the,
        be=thing.be,
        **{"in": there},
    )
    text = draw.case(text)
    story.messages.append(text)
    return text


def news_of_a_room(story: Story) -> str:
    """A piece of news that names a room to which the robot is not sent."""
    return _filled(story, _NEWS)


@part("room_in_message", 5.0, joint=Joint.SENTENCE)
def room_in_message(story: Story) -> Clause:
    """News or a request that names a room: somebody is told it, and nobody drives there."""
    draw, roll = story.draw, story.draw.rng.random()
    if roll < 0.2:
        news = _filled(story, _NEWS)
        text = draw.phrase(
            (
                "tell [everyone|everybody] [that |]{m}",
                "let [everyone|everybody] know [that |]{m}",
                "announce [everywhere|in all rooms] that {m}",
            ),
            m=news,
        )
        return Clause(text, (Loop(ALL, ("go_to(room)", say(news))),))
    if roll < 0.45:
        room = story.room(furniture.pieces_of(story.scene))
        news = _filled(story, _NEWS)
        text = draw.phrase(
            (
                "tell [everyone|everybody|the people] in {r} [that |]{m}",
                "[say|announce] in {r} that {m}",
                "[go to|drive to] {r} and [say|announce] that {m}",
                "let [everyone|the people] in {r} know that {m}",
            ),
            r=room.the,
            m=news,
        )
        return Clause(text, (go_to(room.name), say(news)), room)
    reach = story.reach(0.4)
    who: Person = reach.person
    if roll < 0.8:
        news = _filled(story, _NEWS)
        text = draw.phrase(
            ("tell {p} [that |]{m}", "let {p} know [that |]{m}", "inform {p} that {m}"),
            p=reach.who,
            m=news,
        )
        return Clause(text, reach.steps((tell(who, news),)), reach.room)
    chore = _filled(story, _CHORES)
    if roll < 0.9:
        text = f"{draw.one(('remind', 'remind', 'go and remind'))} {reach.who} to {chore}"
        return Clause(text, reach.steps((tell(who, f"remember to {chore}"),)), reach.room)
    text = f"{draw.one(('ask', 'tell'))} {reach.who} to {chore}"
    return Clause(text, reach.steps((tell(who, f"please {chore}"),)), reach.room)


@part("one_of_several", 10.0)
def one_of_several(story: Story) -> Clause:
    """A name that fits several numbered things of the map: any of them will do."""
    draw, scene = story.draw, story.scene
    same: dict[str, list[str]] = {}
    for name in scene.things:
        if match := re.fullmatch(r"(.+)[ _]\d+", name):
            same.setdefault(match[1], []).append(name)
    if not scene.told or not same:
        raise DoesNotFit
    said = draw.one(sorted(same))
    thing, names = thing_called(said), same[said]
    room = story.room() if draw.chance(0.4) else None
    from_ = f" from {room.the}" if room else ""
    target = story.room() if draw.chance(0.35) else None
    text = draw.phrase(
        (
            "[bring|take|carry] {t}{f} to {r}" if target else "[bring|get|fetch|give] me {t}{f}",
            "[get|take|grab] {t}{f} and [put {it} in|bring {it} to] {r}"
            if target
            else "[take|get|grab|fetch] {t}{f}",
        ),
        t=draw.one((thing.the, thing.the, thing.a, f"any {said}")),
        it=thing.it,
        f=from_,
        r=target.the if target else "",
    )
    there = go_to(target.name) if target else HOME
    found: Steps = ("pick(item)", there, "place(item)")
    header = f"for item in {names_list(names)}:"
    if room:
        gone = (HOME, say(f"I could not find {thing.a} in {on_map(room)}"))
        first = Search(ITEM, found, gone, header=header, steps=())
        return Clause(text, (go_to(room.name), first))
    if not story.final:
        raise DoesNotFit
    each = Loop(header, (Branch(ITEM, (*found, "return")),))
    return Clause(text, (Loop(ALL, ("go_to(room)", each)), HOME, lost(thing)))
