"""Parts that are chains: two things at one place or person, the same again, after a time."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, an_order, part
from roboinstruct_ros.learn.pairs.deeds import brought, fetched, lost, searched
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
    wait_for,
)
from roboinstruct_ros.learn.pairs.parts.looking import any_of
from roboinstruct_ros.learn.pairs.parts.moving import NUMBERS, go_text, named
from roboinstruct_ros.learn.pairs.parts.people import act_on
from roboinstruct_ros.learn.pairs.story import Story, on_map


@part("bring_and_talk", 5.0, joint=Joint.SENTENCE)
def bring_and_talk(story: Story) -> Clause:
    """Something for somebody, and words with them."""
    draw, thing, reach = story.draw, story.thing(), story.reach(0.6)
    source = story.room() if draw.chance(0.5) or not story.final else None
    act = act_on(story, reach.person)
    text = draw.phrase(
        (
            "[bring|take|deliver] {t}{s} to {p} and {a}",
            "[bring|get] {p} {t}{s} and {a}",
            "get {t}{s}, [bring|give|hand] {it} to {p} and {a}",
            "[bring|take] {t}{s} to {p}, then {a}",
        ),
        t=named(draw, thing),
        s=f" from {source.the}" if source else "",
        it=thing.it,
        p=reach.who,
        a=act.text,
    )
    steps = reach.steps((place(thing), *act.steps), (place(thing),))
    if source:
        return Clause(text, (go_to(source.name), pick(thing), *steps))
    found = searched(thing, (pick(thing),), vital=True)
    return Clause(text, (*found, *steps))


@part("errand", 2.5, joint=Joint.SENTENCE)
def errand(story: Story) -> Clause:
    """Two things to do in one room: "go to the kitchen, say hello and bring me an apple"."""
    draw, room = story.draw, story.room()
    first, then = _word_there(story), _deed_there(story)
    text = draw.phrase(
        ("{go}, {a} and {b}", "{go}, {a}, then {b}", "{go} and {a}, then {b}"),
        go=go_text(draw, room),
        a=first.text,
        b=then.text,
    )
    return Clause(text, (go_to(room.name), *first.steps, *then.steps))


def _word_there(story: Story) -> Clause:
    draw = story.draw
    if draw.chance(0.35):
        words = spoken.greeting(story)
        return Clause(f"say {words}", (say(words),))
    words = spoken.statement(story)
    who = draw.one(("everyone", "everybody", "the people there", "everyone there"))
    return Clause(f"tell {who} {draw.one(('that ', ''))}{words}", (say(words),))


def _deed_there(story: Story) -> Clause:
    draw, thing = story.draw, story.thing()
    roll = draw.rng.random()
    if roll < 0.5:
        text = draw.phrase(("[bring|get|fetch] me {t}", "come back with {t}"), t=named(draw, thing))
        return Clause(text, brought(thing))
    if roll < 0.75:
        room = story.room()
        text = draw.phrase(("[bring|take|carry] {t} to {r}",), t=named(draw, thing), r=room.the)
        return Clause(text, brought(thing, room))
    return Clause("come back", (HOME,))


@part("look_twice", 6.0, joint=Joint.SENTENCE)
def look_twice(story: Story) -> Clause:
    """In which of two rooms something is."""
    draw, thing = story.draw, story.thing()
    first, second = story.rooms(2)
    text = draw.phrase(
        (
            "[check|look in|search] {f} for {t}[, and| and|.] if {it_is} not there[, try|, look "
            "in|, check] {s}[, then report back| and tell me|, then come back and tell me]",
            "[check|see|look] if {t} {be} in {f}[ or|, otherwise in|, else in] {s} and [tell me|"
            "report back]",
            "look for {t} in {f} and in {s} and tell me where {it_is}",
            "{be} {the} in {f} or [in |]{s}?",
            "{the} [must|should|ought to] be in {f} or [in |]{s}. Which one is it?",
            "which room {be} {the} in, {f} or {s}?",
            "{be} {the} still in {f} or has [someone|somebody] moved {it} to {s}?",
            "[tell me|find out] [if|whether] {the} {be} in {f} or [in |]{s}",
        ),
        t=named(draw, thing), the=thing.the, f=first.the, s=second.the,
        it=thing.it, be=thing.be, it_is=thing.they,
    )  # fmt: skip
    news = f"say({quoted(f'{thing.there_is} in ')} + room)"
    header = f"for room in {names_list([first.name, second.name])}:"
    search = Search(here(thing.name), (HOME, news), (HOME, lost(thing)), header=header)
    return Clause(text, (search,))


@part("again", 1.2, joint=Joint.SENTENCE)
def again(story: Story) -> Clause:
    """The same several times."""
    draw = story.draw
    times = draw.rng.choice((2, 2, 3, 3, 4, 5))
    word = "twice" if times == 2 else f"{draw.one((NUMBERS[times - 2], str(times)))} times"
    roll = draw.rng.random()
    if roll < 0.5:
        rooms = story.rooms(2)
        text = draw.phrase(
            (
                "[patrol|drive through|go through|visit] {a} and {b} {n}",
                "[drive|go] back and forth between {a} and {b} {n}",
                "go from {a} to {b} {n}",
            ),
            a=rooms[0].the,
            b=rooms[1].the,
            n=word,
        )
        body: Steps = tuple(go_to(room.name) for room in rooms)
    else:
        words, room = spoken.utterance(story), story.room()
        text = draw.phrase(
            ('[go to {r} and say|say] "{m}" {n}', 'say "{m}" {n} in {r}'),
            m=words,
            n=word,
            r=room.the,
        )
        if room.the not in text:
            return Clause(text, (Loop(f"for _ in range({times}):", (say(words),)),))
        return Clause(text, (go_to(room.name), Loop(f"for _ in range({times}):", (say(words),))))
    return Clause(text, (Loop(f"for _ in range({times}):", body),))


_TIMES = (
    (30, ("30 seconds", "half a minute")),
    (60, ("a minute", "one minute", "60 seconds")),
    (120, ("two minutes", "2 minutes", "a couple of minutes")),
    (300, ("five minutes", "5 minutes")),
    (600, ("ten minutes", "10 minutes")),
    (10, ("10 seconds", "ten seconds")),
    (900, ("15 minutes", "a quarter of an hour")),
    (1800, ("half an hour", "30 minutes")),
)


@part("after_time", 1.5, joint=Joint.SENTENCE)
def after_time(story: Story) -> Clause:
    """Wait for a time, here or in a room, and go on."""
    draw = story.draw
    seconds, words = draw.one(_TIMES)
    time, pause = draw.one(words), f"time.sleep({seconds})"
    then = an_order(story)
    if draw.chance(0.5):
        text = draw.phrase(
            (
                "in {t}, {o}",
                "wait [here |]{t}[, then| and then] {o}",
                "wait [here |]for {t}[ and then|, then|, and then] {o}",
                "stay here for {t}, then {o}",
                "{o} in {t}",
            )
            if not then.text.endswith('"') and len(then.text.split()) < 7
            else ("in {t}, {o}", "wait {t}, then {o}", "wait [here |]for {t} and then {o}"),
            t=time,
            o=then.text,
        )
        return Clause(text, (pause, *then.steps))
    room = story.room()
    text = draw.phrase(
        (
            "go to {r}, wait [there |]for {t}[, then| and then] {o}",
            "wait {t} in {r}[, then| and then] {o}",
            "stay in {r} for {t}, then {o}",
        ),
        r=room.the,
        t=time,
        o=then.text,
    )
    return Clause(text, (go_to(room.name), pause, *then.steps))


@part("wait_thing", 1.0, joint=Joint.SENTENCE)
def wait_thing(story: Story) -> Clause:
    """Wait until a thing is there, then bring it or say so."""
    draw, room, thing = story.draw, story.room(), story.thing()
    start = draw.phrase(
        (
            "wait in {r} until there {be} {a}[ and|, then]",
            "go to {r} and wait [until|till] {the} {be} there[, then|. Then]",
            "as soon as there {be} {a} in {r},",
        ),
        r=room.the,
        a=thing.a,
        the=thing.the,
        be=thing.be,
    )
    if draw.chance(0.7):
        then = Clause(f"bring {thing.it} to me", brought(thing))
    else:
        then = Clause("come back and tell me", (HOME, say(f"{thing.there_is} in {on_map(room)}")))
    waiting = wait_for(thing.name)
    return Clause(f"{start} {then.text}", (go_to(room.name), waiting, *then.steps))


@part("swap", 0.8, joint=Joint.SENTENCE)
def swap(story: Story) -> Clause:
    """Take one thing there and bring another one back."""
    draw, room = story.draw, story.room()
    away, back = story.thing(), story.thing()
    source = story.room()
    text = draw.phrase(
        (
            "[take|bring] {a} from {s} to {r} and [bring|get] me {b} from there",
            "[take|bring] {a} from {s} to {r} and bring {b} back [with you|from there]",
        ),
        a=away.the,
        b=back.the,
        s=source.the,
        r=room.the,
    )
    steps: Steps = fetched(away, source, room)
    return Clause(text, (*steps, *brought(back)))


@part("if_both", 2.0, joint=Joint.SENTENCE)
def if_both(story: Story) -> Clause:
    """Two things to look for at once: both there, or one of them."""
    draw, room = story.draw, story.room()
    first, second = story.thing(count=True), story.thing(count=True)
    both = draw.chance(0.5)
    then = an_order(story)
    text = draw.phrase(
        (
            "if there is {x} in {r}, {o}",
            "[check|see] if there is {x} in {r}. If so, {o}",
            "go to {r} and if there is {x}, {o}",
        ),
        x=f"both {first.a} and {second.a}" if both else f"{first.a} or {second.a}",
        r=room.the,
        o=then.text,
    )
    test = f"{here(first.name)} {'and' if both else 'or'} {here(second.name)}"
    return Clause(text, (go_to(room.name), Branch(test, then.steps)))


@part("which_first", 1.0, joint=Joint.SENTENCE)
def which_first(story: Story) -> Clause:
    """One thing or, where that is missing, another one."""
    draw, room = story.draw, story.room()
    best, next_ = story.thing(), story.thing()
    text = draw.phrase(
        (
            "[bring|get|fetch] me {a} from {r}, or {b} if there {be} {none}",
            "[bring|get|fetch] me {a} from {r}. If there {be} {none}, bring {b}",
            "[bring|get] me {a} or, if there {be} {none}, {b} from {r}",
            "I'd like {a} from {r}, and if there {be} {none} then {b}",
        ),
        a=best.a,
        b=next_.a,
        be=best.be,
        none="none",
        r=room.the,
    )
    steps: Steps = (
        go_to(room.name),
        Branch(
            here(best.name),
            brought(best),
            brought(next_),
        ),
    )
    return Clause(text, steps)


@part("report_to", 1.2, joint=Joint.THEN)
def report_to(story: Story) -> Clause:
    """Count or collect, and tell somebody else."""
    draw, room, reach = story.draw, story.room(), story.reach(0.8)
    thing = story.thing()
    if reach.room is None:
        raise DoesNotFit
    text = draw.phrase(
        (
            "if there {be} no {n} in {r}, tell {p}",
            "[check|see|look] if there {be} {a} in {r} and tell {p} if there {be} none",
            "tell {p} if {r} has [no {n}|run out of {n}]",
        ),
        n=thing.name,
        a=any_of(thing),
        be=thing.be,
        r=room.the,
        p=reach.who,
    )
    tell: Steps = (go_to(reach.room.name), say(f"{thing.there_is_no} in {on_map(room)}"))
    return Clause(text, (go_to(room.name), Branch(f"not {here(thing.name)}", tell)))
