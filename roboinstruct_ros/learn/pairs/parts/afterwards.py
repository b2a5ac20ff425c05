"""Parts in which the words give late what is needed early: the source, a second thing, a doubt."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import listed
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.deeds import brought, fetched, taken
from roboinstruct_ros.learn.pairs.flow import (
    ALL,
    Branch,
    Loop,
    Steps,
    go_to,
    here,
    names_list,
    pick,
    place,
    quoted,
)
from roboinstruct_ros.learn.pairs.names import the_room
from roboinstruct_ros.learn.pairs.parts.talking import ask
from roboinstruct_ros.learn.pairs.story import Story
from roboinstruct_ros.learn.pairs.talk import Question


@part("put_from", 10.0, joint=Joint.SENTENCE)
def put_from(story: Story) -> Clause:
    """Where a thing goes, and only then where it is; perhaps on a condition at the target."""
    draw, thing = story.draw, story.thing()
    target, source = story.rooms(2)
    s = "" if thing.is_plural else "s"
    text = draw.phrase(
        (
            "[put|bring|take|carry|move] {t} [to|into] {r}. {They} in {s}",
            "{t} [belong{end} in|should be in|{be} missing in|{go} to] {r}. {They} in {s}",
            "{t} {be} needed in {r}. [Get|Fetch] {it} from {s}",
            "there should be {a} in {r}. Get {it} from {s}",
            "we're out of {b} in {r}. [Could you bring|Bring|Please bring] some [over |]from {s}",
            "{r} needs {a}, [take|get] {it} from {s}",
            "{r} is out of {b}, [there is some|there's more] in {s}, bring some over",
        ),
        t=thing.the, a=thing.a, it=thing.it, be=thing.be, r=target.the, s=source.the,
        b=thing.plural, They=thing.they.capitalize(), end=s, go="go" if thing.is_plural else "goes",
    )  # fmt: skip
    carry = fetched(thing, source, target)
    if draw.chance(0.4) and text.startswith(("put", "bring", "take", "carry", "move")):
        head, _, tail = text.partition(". ")
        who = story.person() if draw.chance(0.4) else spoken.SOMEBODY
        shown, test = who.who, here(who.name or "person")
        if draw.chance(0.5):
            sign = draw.one((" unless {w} is in there", ", but not if {w} is in there"))
            test = f"not {test}"
        else:
            sign = draw.one((" only if {w} is in there", " if {w} is in there"))
        text = f"{head}{sign.replace('{w}', shown)}. {tail}"
        return Clause(text, (go_to(target.name), Branch(test, carry)))
    return Clause(text, carry)


@part("take_by_answer", 6.0, joint=Joint.SENTENCE)
def take_by_answer(story: Story) -> Clause:
    """Somebody is asked about a thing, which is then taken from them or brought to them."""
    draw, thing = story.draw, story.thing(count=True)
    who, other = story.reaches(1)[0], story.room()
    he, him = who.person.he, who.person.him
    if draw.chance(0.5):
        ask_for = f"Do you still need {thing.the}?"
        text = draw.phrase(
            (
                "ask {p} if {he} still needs {t}. If {he} doesn't[,|] [take|bring] it "
                "[back |]to {o}",
                "ask {p} if {he} still needs {t} [that's there|{he} has there]. If not, it goes "
                "[back |]to {o}",
                "{p} has {t}. Ask {him} if {he} still needs it, and if {he} doesn't[,|] take it to "
                "{o}",
                "ask {p} if {he} is done with {t}, and if {he} is, take it [back |]to {o}",
            ),
            p=who.who, he=he, him=him, t=thing.the, o=other.the,
        )  # fmt: skip
        test = "No"
        if "done with" in text:
            ask_for, test = f"Are you done with {thing.the}?", "Yes"
        deed = taken(thing, go_to(other.name))
    else:
        ask_for, test = f"Do you have {thing.a}?", "No"
        text = draw.phrase(
            (
                "ask {p} if {he} has {a}. If {he} doesn't[,|] [bring|get|take] {him} [one|the one] "
                "from {o}",
                "ask {p} if {he} has {a}; if not, [bring|get] {him} one from {o}",
                "ask {p} if {he} needs {a}. If {he} does[,|] [bring|get|take] {him} one from {o}",
                "does {p} need {a}? If {he} does[,|] [bring|get] {him} one from {o}",
            ),
            p=who.who, he=he, him=him, a=thing.a, o=other.the,
        )  # fmt: skip
        if " need" in text:
            ask_for, test = f"Do you need {thing.a}?", "Yes"
        deed = (go_to(other.name), *taken(thing, who.back))
    asked = ask(who.person, Question("", ask_for))
    return Clause(text, (who.back, f"answer = {asked}", Branch(f'answer == "{test}"', deed)))


@part("and_another", 8.0, joint=Joint.SENTENCE)
def and_another(story: Story) -> Clause:
    """A second thing or a second target, of which only what is new is said."""
    draw, source = story.draw, story.room()
    first, second = story.thing(), story.thing()
    if draw.chance(0.55):
        home = draw.chance(0.4)
        target = None if home else story.room()
        to = "to me" if target is None else f"to {target.the}"
        text = draw.phrase(
            (
                "[bring|take|carry] {t} from {s} {to}, and afterwards {u}",
                "[bring|take|carry] {t} from {s} {to} and {u} as well",
                "[bring|take|carry] {t} from {s} {to}. Oh and {u} too",
                "[bring|take|carry] {t} from {s} {to}, then {u}[ too|]",
                "{to_} {t} from {s}. And {u} [too|as well]",
            ),
            t=first.the, u=second.the, s=source.the, to=to,
            to_="bring me" if target is None else f"{target.the} needs",
        )  # fmt: skip
        return Clause(text, (*fetched(first, source, target), *fetched(second, source, target)))
    one, other = story.reaches(2)
    if draw.chance(0.35):
        first = second = story.thing(count=True)
        text = draw.phrase(
            (
                "{a} for {p} and one for {q}[ please|], they're in {s}",
                "take {a} from {s} to {p} and another one to {q}",
                "{p} and {q} each need {a} from {s}",
                "{p} and {q} both get {a} from {s}",
            ),
            a=first.a, p=one.who, q=other.who, s=source.the,
        )  # fmt: skip
    else:
        text = draw.phrase(
            (
                "[take|bring] {t} from {s} to {p} and {u} to {q}",
                "[take|bring] {t} to {p} and {u} to {q}, both are in {s}",
                "{t} in {s} is for {p}, {u} is for {q}. [Take|Bring] them over",
            ),
            t=first.the, u=second.the, p=one.who, q=other.who, s=source.the,
        )  # fmt: skip
    return Clause(text, (*fetched(first, source, one.room), *fetched(second, source, other.room)))


_SINGULAR, _PLURAL = ("has", "does", "goes"), ("have", "do", "go")


@part("off_from_here", 3.0, joint=Joint.SENTENCE)
def off_from_here(story: Story) -> Clause:
    """A thing where the robot is, which does not belong there."""
    draw, thing = story.draw, story.thing()
    if not story.is_first:
        raise DoesNotFit
    target = story.room((story.scene.here,))
    where = f" in {the_room(story.scene.here)}" if story.scene.told else ""
    text = draw.phrase(
        (
            "{t} [{has} no business|{do} not belong] here{w}. [Take|Bring] {it} to {r}",
            "{t} here{w} {go} to {r}",
            "[take|bring] {t} that {be} here to {r}",
            "[take|bring] {t} to {r}, {they} right here",
            "{t} {be} right here{w}. [Take|Bring] {it} to {r}",
        ),
        t=thing.the, it=thing.it, be=thing.be, r=target.the, w=where, they=thing.they,
        **dict(zip(("has", "do", "go"), _PLURAL if thing.is_plural else _SINGULAR, strict=True)),
    )  # fmt: skip
    return Clause(text, (pick(thing), go_to(target.name), place(thing)))


@part("supply_from", 5.0, joint=Joint.SENTENCE)
def supply_from(story: Story) -> Clause:
    """A thing for each of some rooms, and only then where the things are."""
    draw, thing = story.draw, story.thing(count=True)
    kind = story.kind() if draw.chance(0.5) else None
    supplied = [room for room in story.scene.rooms if kind and kind.name.lower() in room.lower()]
    source = story.room(tuple(supplied))
    rooms = [] if kind else story.rooms(draw.rng.choice((2, 2, 3)))
    text = draw.phrase(
        (
            "put {a} in {all}. [They're|They are|There are plenty] in {s}",
            "{all} {need} {a}. [Get|Fetch|Take] them from {s}",
            "there should be {a} in {all}. Get them from {s}",
        ),
        a=thing.a, s=source.the, need="needs" if kind else "each need",
        all=f"every {kind.name}" if kind else listed([room.the for room in rooms]),
    )  # fmt: skip
    body: Steps = (go_to(source.name), pick(thing), "go_to(room)", place(thing))
    if kind:
        return Clause(text, (Loop(ALL, (Branch(f"{quoted(kind.name)} in room", body),)),))
    return Clause(text, (Loop(f"for room in {names_list([r.name for r in rooms])}:", body),))


@part("instead_of", 4.0, joint=Joint.SENTENCE)
def instead_of(story: Story) -> Clause:
    """A thing from one room or, where it is not there, another one from another room."""
    draw, first, second = story.draw, story.thing(), story.thing()
    a, b = story.rooms(2)
    target = story.room() if draw.chance(0.5) else None
    to = f"to {target.the}" if target else draw.one(("to me", "here"))
    text = draw.phrase(
        (
            "[bring|take|get] {t} from {a} {to}. If {they} [gone|not there][,|] "
            "[take|bring] {u} from {b} instead",
            "{t} from {a} should come {to}. If somebody has taken {it}, {u} from {b} will do",
            "[bring|take] {t} from {a} {to}, or {u} from {b} if {they} not there",
        ),
        t=first.the, u=second.the, a=a.the, b=b.the, to=to, it=first.it,
        they=first.they,
    )  # fmt: skip
    other = fetched(second, b, target)
    return Clause(text, (go_to(a.name), Branch(here(first.name), brought(first, target), other)))


@part("gather", 4.0, joint=Joint.SENTENCE)
def gather(story: Story) -> Clause:
    """Things from several rooms are put together in one, or here."""
    draw, sources = story.draw, story.rooms(2)
    target = None if draw.chance(0.35) else story.room()
    two = [(story.thing(), sources[0]), (story.thing(), sources[1])]
    if draw.chance(0.6):
        two.append((story.thing(), draw.one(sources)))
    things = sorted(two, key=lambda one: sources.index(one[1]))
    said = []
    for source in sources:
        own = [draw.one((thing.a, thing.the)) for thing, at in things if at is source]
        said.append(f"{listed(own)} from {source.the}")
    text = draw.phrase(
        (
            "[bring|get|fetch] me {all}", "[collect|gather] {all} and bring them here",
            "I need a few things here: {all}",
        ) if target is None else (
            "[bring|take] {all} to {r}", "{all} [all|] go to {r}", "{all} all belong in {r}",
            "[collect|gather] some things in {r}: {all}", "{r} needs {all}",
        ),
        all=listed(said), r=target.the if target else "",
    )  # fmt: skip
    steps: Steps = ()
    for thing, source in things:
        steps += fetched(thing, source, target)
    return Clause(text, steps)
