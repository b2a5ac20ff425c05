"""Parts that refer to the previous part: "there", "it", "her", "the same", "if she is not"."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.deeds import brought, fetched
from roboinstruct_ros.learn.pairs.flow import (
    Branch,
    go_to,
    here,
    pick,
    place,
    say,
    wait_for,
)
from roboinstruct_ros.learn.pairs.parts.errands import look_there
from roboinstruct_ros.learn.pairs.parts.moving import named
from roboinstruct_ros.learn.pairs.parts.people import act_on
from roboinstruct_ros.learn.pairs.parts.talking import tell
from roboinstruct_ros.learn.pairs.story import Story, on_map


@part("then_there", 4.0)
def then_there(story: Story) -> Clause:
    """Continues in the room where the previous part ended: "there"."""
    draw, room = story.draw, story.at
    if room is None:
        raise DoesNotFit
    roll = draw.rng.random()
    if roll < 0.3:
        return look_there(story, room)
    if roll < 0.5:
        words = spoken.statement(story)
        text = draw.phrase(
            ("[say|announce] there that {m}", "tell everyone there that {m}"), m=words
        )
        return Clause(text, (say(words),), room)
    if roll < 0.65:
        who = story.person()
        text = draw.phrase(("wait there [for {p}|until {p} comes]",), p=who.who)
        waiting = wait_for(who.name)
        return Clause(text, (waiting,), room)
    thing = story.thing()
    if roll < 0.85:
        text = draw.phrase(
            ("[bring|get] me {t} from there", "[take|get] {t} from there and bring {it} to me",
             "come back with {t} from there"), t=thing.a, it=thing.it,
        )  # fmt: skip
        return Clause(text, brought(thing))
    target = story.room()
    text = draw.phrase(("[take|bring|carry] {t} from there to {r}",), t=thing.a, r=target.the)
    return Clause(text, brought(thing, target), target)


@part("then_it", 2.5)
def then_it(story: Story) -> Clause:
    """Continues with the thing that the previous part put down: "it"."""
    draw, room, thing = story.draw, story.at, story.it
    if room is None or thing is None:
        raise DoesNotFit
    roll = draw.rng.random()
    if roll < 0.3:
        other, source = story.thing(), story.room()
        text = draw.phrase(
            (
                "[get|fetch|take] {t} from {s} and [bring|take] {it} there[| too| as well]",
                "[bring|take] {t} from {s} there[| too| as well]",
            ),
            t=named(draw, other),
            s=source.the,
            it=other.it,
        )
        more = fetched(other, source, room)
        return Clause(text, more, room, other)
    if roll < 0.65:
        reach = story.reach(0.3)
        if reach.room is None and not story.final:
            raise DoesNotFit
        text = draw.phrase(
            ("[tell {p}|let {p} know] [that |]{be} there", "tell {p} where {they}"),
            p=reach.who,
            be=thing.they,
            they=thing.they,
        )
        news = f"{thing.the} {thing.be} in {on_map(room)}"
        return Clause(text, reach.steps((tell(reach.person, news),)), reach.room)
    if roll < 0.75:
        minutes = draw.rng.choice((2, 5, 10))
        text = f"wait {minutes} minutes, then bring {thing.it} back to me"
        return Clause(text, (f"time.sleep({60 * minutes})", *brought(thing)))
    target = story.room()
    text = draw.phrase(
        ("[bring|take|carry] {it} from there to {r}", "take {it} on to {r}"),
        it=thing.it,
        r=target.the,
    )
    return Clause(text, brought(thing, target), target, thing)


@part("then_them", 2.0, joint=Joint.SENTENCE)
def then_them(story: Story) -> Clause:
    """Continues with the person whom the previous part met: "her"."""
    if story.them is None:
        raise DoesNotFit
    return act_on(story, story.them)


@part("the_same", 4.0, joint=Joint.SENTENCE)
def the_same(story: Story) -> Clause:
    """An order for one room or person, and the same for another."""
    draw, thing = story.draw, story.thing(count=True)
    first, second = story.rooms(2)
    again = draw.phrase(
        (
            "[, then| and|. Then|, and then] do the same in {r}",
            "[. The same in|. Same in|. Do that in] {r}[| too| as well]",
            "[ and| and then|, then] in {r}[| too| as well]",
        ),
        r=second.the,
    )
    if draw.chance(0.3):
        source = story.room()
        text = f"{draw.one(('put', 'leave'))} {thing.a} from {source.the} in {first.the}"
        both = [fetched(thing, source, room)
                for room in (first, second)]  # fmt: skip
        return Clause(text + again, (*both[0], *both[1]), second)
    chore = spoken.chore(story, spoken.SOMEBODY)
    words, asks = spoken.utterance(story), draw.chance(0.35)
    said = f"please {chore.spoken}" if asks else words
    text = draw.phrase(
        ("[tell|ask] [everyone|everybody|the people] in {r} to {c}",)
        if asks
        else ("[go to {r} and say|say] {m}", "[go to {r}, say|announce] {m}"),
        r=first.the,
        c=chore.reported,
        m=f'"{words}"' if draw.chance(0.3) else words,
    )
    text += "" if first.the in text else f" in {first.the}"
    both_said = (go_to(first.name), say(said), go_to(second.name), say(said))
    return Clause(text + again, both_said, second)


@part("or_elsewhere", 6.0, joint=Joint.SENTENCE)
def or_elsewhere(story: Story) -> Clause:
    """A thing for somebody who is there, or else to another room."""
    draw, thing, reach = story.draw, story.thing(), story.reach(0.9)
    source, other = story.rooms(2)
    who = reach.person
    if reach.room is None or who.he == "they":
        raise DoesNotFit
    text = (
        draw.phrase(
            (
                "[take|bring] {t} from {s} to {p}[ and|, and|, but|.] if {he} [isn't|is not] there"
                "[,|] [bring|take|leave] {it} {to} instead",
                "[take|bring] {t} from {s} to {p}. If {he} [isn't|is not] there, [put|leave] {it} "
                "{into}",
                "[get|fetch] {t} from {s}. If {n} is in {r}, give {it} to {him}, otherwise "
                "[bring|take] {it} to {o}",
            ),
            t=thing.the,
            s=source.the,
            p=reach.who,
            n=who.who,
            r=reach.room.the,
            he=who.he,
            him=who.him,
            it=thing.it,
            o=other.the,
            to=f"to {other.the}",
            into=f"in {other.the}",
        )
        .replace("leave it to", "leave it in")
        .replace("leave them to", "leave them in")
    )
    put, away = (place(thing),), (go_to(other.name), place(thing))
    there = Branch(here(who.name), put, away)
    return Clause(text, (go_to(source.name), pick(thing), go_to(reach.room.name), there))
