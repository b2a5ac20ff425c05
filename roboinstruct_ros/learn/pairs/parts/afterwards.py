"""Parts in which the words give late what is needed early: the source, a second thing, a doubt."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import Room, Thing, listed
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.deeds import brought, lost, taken
from roboinstruct_ros.learn.pairs.flow import (
    ALL,
    HOME,
    Branch,
    Loop,
    Search,
    Steps,
    go_to,
    here,
    names_list,
    pick,
    place,
    quoted,
)
from roboinstruct_ros.learn.pairs.names import the_room
from roboinstruct_ros.learn.pairs.parts.talking import ask, tell
from roboinstruct_ros.learn.pairs.story import Story
from roboinstruct_ros.learn.pairs.talk import Question


@part("put_from", 10.0, joint=Joint.SENTENCE)
def put_from(story: Story) -> Clause:
    """Where a thing goes, and only then where it is; perhaps on a condition at the target."""
    draw, thing = story.draw, story.thing()
    target, source = story.rooms(2)
    text = draw.phrase(
        (
            "[put|bring|take|carry|move] {t} [to|into] {r}. {they} {be} in {s}",
            "{t} [belongs in|should be in|is missing in|goes to] {r}. [It is|It's] in {s}",
            "{t} is needed in {r}. [Get|Fetch] it from {s}",
            "there should be {a} in {r}. Get {it} from {s}",
            "we're out of {b} in {r}. [Could you bring|Bring|Please bring] some [over |]from {s}",
            "{r} needs {a}, [take|get] {it} from {s}",
            "{r} is out of {b}, [there is some|there's more] in {s}, bring [it|some] over",
        )
        if not (thing.is_plural or thing.it == "them")
        else (
            "[put|bring|take|carry|move] {t} [to|into] {r}. They are in {s}",
            "{t} [belong in|should be in|are missing in|go to] {r}. [They are|They're] in {s}",
            "{t} are needed in {r}. [Get|Fetch] them from {s}",
            "there should be {a} in {r}. Get them from {s}",
            "we're out of {b} in {r}. [Could you bring|Bring|Please bring] some [over |]from {s}",
        ),
        t=thing.the, a=thing.a, it=thing.it, be=thing.be, r=target.the, s=source.the,
        b=thing.plural, they=thing.they.capitalize() if " " not in thing.they else "It",
    )  # fmt: skip
    carry: Steps = (go_to(source.name), *brought(thing, target))
    if draw.chance(0.4) and text.startswith(("put", "bring", "take", "carry", "move")):
        head, _, tail = text.partition(". ")
        who = story.person() if draw.chance(0.4) else spoken.SOMEBODY
        name, test = who.name or "person", here(who.name or "person")
        shown = who.who if who.name else draw.one(("somebody", "someone", "anybody"))
        if draw.chance(0.5):
            sign = draw.one((" unless {w} is in there", ", but not if {w} is in there"))
            test = f"not {here(name)}"
            shown = "somebody" if shown == "anybody" else shown
        else:
            sign = draw.one((" only if {w} is in there", " if {w} is in there"))
        text = f"{head}{sign.replace('{w}', shown)}. {tail}"
        return Clause(text, (go_to(target.name), Branch(test, carry)))
    return Clause(text, carry)


@part("which_room", 4.0, joint=Joint.SENTENCE)
def which_room(story: Story) -> Clause:
    """In which of two rooms something is."""
    draw, thing = story.draw, story.thing()
    first, second = story.rooms(2)
    be = "are" if thing.is_plural else "is"
    text = draw.phrase(
        (
            "{be} {t} in {a} or [in |]{b}?",
            "{t} [must|should|ought to] be in {a} or [in |]{b}. Which one is it?",
            "which room {be} {t} in, {a} or {b}?",
            "{be} {t} still in {a} or has [someone|somebody] moved {it} to {b}?",
            "tell me [if|whether] {t} {be} in {a} or in {b}",
            "find out [if|whether] {t} {be} in {a} or {b}",
        ),
        t=thing.the, a=first.the, b=second.the, be=be, it=thing.it,
    )  # fmt: skip
    news = f"say({quoted(f'{thing.there_is} in ')} + room)"
    header = f"for room in {names_list([first.name, second.name])}:"
    search = Search(here(thing.name), (HOME, news), (HOME, lost(thing)), header=header)
    return Clause(text, (search,))


@part("tell_apart", 4.0, joint=Joint.SENTENCE)
def tell_apart(story: Story) -> Clause:
    """Several people in several rooms hear the same, or two hear something of each other."""
    draw = story.draw
    told = story.reaches(draw.rng.choice((2, 2, 2, 3)))
    steps: Steps = ()
    if len(told) == 2 and draw.chance(0.25):
        one, other = told
        words = draw.one(("says hi", "says hello", "is sorry", "says thank you", "sends greetings"))
        text = f"tell {one.who} that {other.person.who} {words}"
        text += draw.one((" and tell ", ", then tell ", ". Then tell "))
        text += f"{other.who} that {one.person.who} {words}"
        for hearer, sender in ((one, other), (other, one)):
            heard = tell(hearer.person, f"{sender.person.who} {words}")
            steps += (hearer.back, heard)
        return Clause(text, steps)
    words = spoken.statement(story)
    text = draw.phrase(
        (
            "tell {n} [that |]{m}", "tell {n} that {m}", "let {n} know that {m}",
            "{n} [should know|need to know] that {m}", "go [round|around] and tell {n} that {m}",
        ),
        n=listed([one.who for one in told]), m=words,
    )  # fmt: skip
    for one in told:
        steps += (one.back, tell(one.person, words))
    return Clause(text, steps)


@part("take_by_answer", 6.0, joint=Joint.SENTENCE)
def take_by_answer(story: Story) -> Clause:
    """Somebody is asked about a thing, which is then taken from them or brought to them."""
    draw, thing = story.draw, story.thing(count=True)
    who, other = story.reaches(1)[0], story.room()
    he, him, his = who.person.he, who.person.him, who.person.his
    if he == "they":
        raise DoesNotFit
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
            p=who.who, he=he, him=him, a=thing.a, o=other.the, his=his,
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
        return Clause(text, (*_from(source, first, target), *_from(source, second, target)))
    people = story.reaches(2)
    one, other = people
    same = draw.chance(0.35)
    if same:
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
    return Clause(text, (*_from(source, first, one.room), *_from(source, second, other.room)))


def _from(source: Room, thing: Thing, target: Room | None) -> Steps:
    return (go_to(source.name), *brought(thing, target))


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
            "{t} [has no business|does not belong] here{w}. [Take|Bring] {it} to {r}",
            "{t} here{w} [goes|belongs] [to|in] {r}",
            "[take|bring] {t} that {be} here to {r}",
            "[take|bring] {t} to {r}, {they} right here",
            "{t} {be} right here{w}. [Take|Bring] {it} to {r}",
        ),
        t=thing.the, it=thing.it, be=thing.be, r=target.the, w=where,
        they="they are" if thing.it == "them" else "it is",
    )  # fmt: skip
    if thing.it == "them":
        for wrong, right in ((" has no", " have no"), (" does not", " do not"), (" goes", " go"),
                             (" belongs", " belong")):  # fmt: skip
            text = text.replace(wrong, right)
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
            "[bring|take|get] {t} from {a} {to}. If {it} [is gone|isn't there|is not there][,|] "
            "[take|bring] {u} from {b} instead",
            "{t} from {a} should come {to}. If somebody has taken {it}, {u} from {b} will do",
            "[bring|take] {t} from {a} {to}, or {u} from {b} if {it} isn't there",
        ),
        t=first.the, u=second.the, a=a.the, b=b.the, to=to, it=first.it,
    )  # fmt: skip
    if first.it == "them":
        text = text.replace("them is", "they are").replace("them isn't", "they aren't")
    other = _from(b, second, target)
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
        steps += (go_to(source.name), *brought(thing, target))
    return Clause(text, steps)
