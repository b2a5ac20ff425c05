"""Parts in which what is seen or said decides where a thing goes, or how long the robot waits."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import article, listed
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, an_order, part
from roboinstruct_ros.learn.pairs.deeds import brought, lost
from roboinstruct_ros.learn.pairs.flow import (
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
    say,
)
from roboinstruct_ros.learn.pairs.names import the_room
from roboinstruct_ros.learn.pairs.parts.moving import named
from roboinstruct_ros.learn.pairs.parts.talking import ask, tell
from roboinstruct_ros.learn.pairs.story import Story
from roboinstruct_ros.learn.pairs.talk import Question

_STATES = (("full", "empty"), ("clean", "dirty"), ("new", "old"), ("broken", "fine"),
           ("finished", "unfinished"), ("warm", "cold"), ("still good", "bad"))  # fmt: skip


@part("fetch_in_turn", 12.0, joint=Joint.SENTENCE)
def fetch_in_turn(story: Story) -> Clause:
    """A thing is in one of several rooms: bring it, or do something else if it is in none."""
    draw, thing = story.draw, story.thing()
    rooms = story.rooms(draw.rng.choice((2, 2, 3)))
    to = story.reaches(1)[0] if draw.chance(0.35) else None
    target = to.room if to else story.room() if draw.chance(0.3) else None
    where = f"to {to.who}" if to else f"to {target.the}" if target else "to me"
    places = [room.the for room in rooms]
    text = draw.phrase(
        (
            "[get|fetch|take] {t} from {a} and bring {it} {to}. If {it_is} not there, "
            "[try|look in|get {it} from] {rest}",
            "[look in|check|try|search] {all} for {t} and [bring|take] {it} {to}",
            "{t_the} {be} [somewhere|] in {any}. [Find {it}|Look for {it}] and "
            "[bring|take] {it} {to}",
            "[look for|find] {t}: [first|] in {then}. [Bring|Take] {it} {to}[ as soon as you have "
            "{it}|]",
            "[bring|take] {t} {to}, {it_is} [either |]in {any}",
            "look for {t} in {all} and [bring|take] {it} {to}",
            "if {t} {be} in {a} [bring|take] {it} {to}, or [else|] if {it_is} in {rest} "
            "[take|get] {it} from there",
        ),
        t=named(draw, thing), t_the=thing.the, it=thing.it, it_is=thing.they, be=thing.be,
        a=places[0], rest=", then ".join(places[1:]), to=where,
        any=listed(places, "or"), all=listed(places), then=", then in ".join(places),
    )  # fmt: skip
    found: Steps = brought(thing, target)
    missing: Steps = (HOME, lost(thing))
    if draw.chance(0.5):
        none = "in neither" if len(rooms) == 2 else "in none of them"
        sign = draw.phrase(
            (". If {it_is} {none}[,|] ", ". If you [can't|cannot|don't] find {it}[,|] ",
             ", and if you can't find {it} "),
            it_is=thing.they, it=thing.it, none=none,
        )  # fmt: skip
        text += sign
        if draw.chance(0.6):
            text += draw.one(("tell me", "just tell me", "come back and tell me", "let me know"))
        else:
            order = an_order(story)
            text, missing = text + order.text, order.steps
    header = f"for room in {names_list([room.name for room in rooms])}:"
    return Clause(text, (Search(here(thing.name), found, missing, header=header),))


@part("place_by_answer", 5.0, joint=Joint.SENTENCE)
def place_by_answer(story: Story) -> Clause:
    """Somebody says where a thing goes, or in what state it is, which decides the same."""
    draw, thing, who = story.draw, story.thing(count=True), story.reaches(1)[0]
    source, first, second = story.rooms(3)
    if draw.chance(0.5):
        one, other = draw.one(_STATES)
        said = f"Is {thing.the} {one} or {other}?"
        question = Question("", said, (one, other))
        text = draw.phrase(
            (
                "ask {p} [if|whether] {t} in {s} is {a} or {b}. {A} goes to {x}, {B} "
                "to {y}",
                "ask {p} [if|whether] {t} in {s} is {a} or {b}. If it's {a}[,|] [take|bring] it to "
                "{x}, if it's {b}[,|] to {y}",
                "is {t} in {s} {a} or {b}? Ask {p}. If it is {a} [take|bring|move] it to {x}, "
                "otherwise to {y}",
            ),
            p=who.who, t=thing.the, s=source.the, a=one, b=other, x=first.the, y=second.the,
            A=article(f"{one} one").capitalize(), B=article(f"{other} one"),
        )  # fmt: skip
        put: Steps = (Branch(f'answer == "{one}"', (go_to(first.name), place(thing)),
                      (go_to(second.name), place(thing))),)  # fmt: skip
    else:
        options = first.name, second.name
        said = f"Which room should get {thing.the}?"
        reported = f"which room should get {thing.the}, {first.the} or {second.the}"
        if draw.chance(0.6):
            said = f"Where should {thing.the} go?"
            reported = f"where {thing.the} should go, {first.the} or {second.the}"
        question = Question(reported, said, options)
        text = draw.phrase(
            (
                "ask {p} {q}, and [take|bring] {it} there from {s}",
                "ask {p} {q}. [Take|Bring] {it} there from {s}",
                "{t} in {s} [goes|should go] to {x} or to {y}. Ask {p} where {it_is} needed and "
                "take {it} there",
            ),
            p=who.who, q=reported, it=thing.it, t=thing.the, s=source.the, x=first.the,
            y=second.the, it_is=thing.they,
        )  # fmt: skip
        put = ("go_to(answer)", place(thing))
    asked = f"answer = {ask(who.person, question)}"
    return Clause(text, (who.back, asked, go_to(source.name), pick(thing), *put))


@part("one_for_each", 3.0, joint=Joint.SENTENCE)
def one_for_each(story: Story) -> Clause:
    """Somebody takes one of two things, and the other one goes elsewhere."""
    draw, who, source = story.draw, story.reaches(1)[0], story.room()
    first, second = story.thing(count=True), story.thing(count=True)
    to = story.reaches(1)[0] if draw.chance(0.6) else None
    target = to.room if to else story.room()
    if target is None:
        raise DoesNotFit
    verb = draw.one(("wants", "would like", "prefers"))
    text = draw.phrase(
        (
            "ask {p} which one {he} {v}, {a} or {b}. [They are both|Both are] in {s}. [Bring|Take] "
            "{him} that one, and the other one goes to {to}",
            "ask {p} [if|whether] {he} {v} {a} or {b} from {s}. [Bring|Take|Get] {him} what {he} "
            "{v} and [take|bring] the other one to {to}",
        ),
        p=who.who, he=who.person.he, him=who.person.him, v=verb, a=first.the, b=second.the,
        s=source.the, to=to.who if to else target.the,
    )  # fmt: skip
    you = {"wants": "do you want", "would like": "would you like", "prefers": "do you prefer"}[verb]
    question = Question("", f"Which one {you}?", (first.name, second.name))
    rest = [(pick(one), go_to(target.name), place(one)) for one in (second, first)]
    return Clause(
        text,
        (
            who.back, f"answer = {ask(who.person, question)}",
            go_to(source.name), "pick(answer)", who.back, "place(answer)",
            go_to(source.name), Branch(f"answer == {quoted(first.name)}", *rest),
        ),
    )  # fmt: skip


@part("back_if_missing", 4.0, joint=Joint.SENTENCE)
def back_if_missing(story: Story) -> Clause:
    """Something for somebody, which goes back, or elsewhere, where they are not there."""
    draw, thing, who = story.draw, story.thing(), story.reaches(1)[0]
    source = story.room()
    elsewhere = story.room() if draw.chance(0.4) else None
    back = f"take {thing.it} back"
    if elsewhere:
        back = f"{draw.one(('leave', 'put'))} {thing.it} in {elsewhere.the}"
    elif draw.chance(0.5):
        back = f"put {thing.it} back"
    text = draw.phrase(
        (
            "[take|bring] {t} from {s} to {p}. If {he} isn't there[,|] {back}",
            "[take|bring] {t} from {s} to {p}, and if {he} is not there[,|] {back}",
            "[take|bring|deliver] {t} from {s} to {p} unless {he} isn't there, then {back}",
        ),
        t=thing.the, s=source.the, p=who.who, he=who.person.he, back=back,
    )  # fmt: skip
    missing: Steps = (go_to((elsewhere or source).name), place(thing))
    if draw.chance(0.5) and who.room is not None:
        text += draw.one((" and tell me", " and let me know", ", then come back and tell me"))
        away = f"{who.person.name} is not in {the_room(who.room.name)}"
        missing = (*missing, HOME, say(away))
    steps: Steps = (go_to(source.name), pick(thing), who.back)
    return Clause(text, (*steps, Branch(here(who.person.name), (place(thing),), missing)))


@part("unless_occupied", 3.0, joint=Joint.SENTENCE)
def unless_occupied(story: Story) -> Clause:
    """Something for a room, which goes elsewhere if somebody, or nobody, is in there."""
    draw, thing = story.draw, story.thing()
    source, target = story.rooms(2)
    elsewhere = story.room() if draw.chance(0.5) else None
    drive = go_to(elsewhere.name) if elsewhere else HOME
    where = f"in {elsewhere.the}" if elsewhere else "here"
    free = draw.chance(0.5)
    text = draw.phrase(
        (
            "[take|bring] {t} from {s} to {r}. If [somebody|someone] is in there[,|] [leave|put] "
            "{it} {w}",
            "{t} {have} to go from {s} to {r}. If that's occupied[,|] just leave {it} {w}",
        )
        if free
        else (
            "[take|bring] {t} from {s} to whoever is in {r}. If [nobody|no one] is there[,|] "
            "[bring|put] {it} {w}",
            "{t} from {s} for whoever is in {r}. And if [no one's|nobody is] there [bring|put] "
            "{it} {w} instead",
        ),
        t=thing.the, it=thing.it, s=source.the, r=target.the, w=where,
        have="have" if thing.is_plural else "has",
    )  # fmt: skip
    away: Steps = (drive, place(thing))
    ways = (away, (place(thing),)) if free else ((place(thing),), away)
    steps: Steps = (go_to(source.name), pick(thing), go_to(target.name))
    return Clause(text, (*steps, Branch(here("person"), *ways)))


_IN_WORDS = {1: "a minute", 2: "two minutes", 3: "three minutes", 5: "five minutes",
             10: "ten minutes"}  # fmt: skip


@part("wait_at_most", 4.0, joint=Joint.SENTENCE)
def wait_at_most(story: Story) -> Clause:
    """Wait for somebody for some minutes; what is done when they come, and when they do not."""
    draw = story.draw
    if not story.final:
        raise DoesNotFit
    room, minutes = story.room(), draw.one((1, 2, 3, 5, 5, 10))
    long = draw.one((f"{minutes} minutes" if minutes > 1 else "1 minute", _IN_WORDS[minutes]))
    who = story.person() if draw.chance(0.75) else spoken.SOMEBODY
    message = spoken.message(story, who)
    greeting = spoken.greeting(story)
    met = draw.one(
        (
            (f"tell {who.him} that {message.reported}", tell(who, message.spoken)),
            (f"say {greeting}", say(greeting)),
        )
    )
    late = (HOME, say(f"{who.name} did not come" if who.name else "Nobody came"))
    other = Clause(draw.one(("tell me", "come back and tell me", "let me know")), late)
    other = an_order(story) if draw.chance(0.3) else other
    text = draw.phrase(
        (
            "wait for {p} in {r}[ for|,] at most {n}. [If|When] {he} [comes|shows up], {m}. If "
            "[not|{he} doesn't come], {o}",
            "wait in {r} for {p}, but [only {n}|{n} at most|no longer than {n}]. If {he} [comes|"
            "arrives], {m}, [otherwise|if not] {o}",
            "wait up to {n} in {r} for {p}. When {he} comes {m}. If {he} doesn't[ come|], {o}",
            "go to {r} and wait [at most|up to] {n} for {p}. [If|When] {he} comes {m}"
            "[, and if|. If] not[,|] {o}",
        ),
        p=who.who, r=room.the, n=long, he=who.he, m=met[0], o=other.text,
    )  # fmt: skip
    look = here(who.name or "person")
    loop = Loop(
        f"for _ in range({60 * minutes}):", (Branch(look, (met[1], "return")), "time.sleep(1)")
    )
    return Clause(text, (go_to(room.name), loop, *other.steps))
