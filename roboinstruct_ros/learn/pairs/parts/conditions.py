"""Parts with a condition: if it is there, unless, only if nobody is there, wait until."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import Room, Thing
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, an_order, part
from roboinstruct_ros.learn.pairs.deeds import brought, fetched
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Branch,
    Steps,
    go_to,
    here,
    say,
    wait_for,
)
from roboinstruct_ros.learn.pairs.parts.looking import any_of
from roboinstruct_ros.learn.pairs.parts.talking import ask
from roboinstruct_ros.learn.pairs.story import Story, on_map
from roboinstruct_ros.learn.pairs.then_or_else import ELSE, one_of, otherwise, take_it


@part("if_there", 10.0, joint=Joint.SENTENCE)
def if_there(story: Story) -> Clause:
    """If the thing is in the room, do something with it or something else."""
    draw, room, thing = story.draw, story.room(), story.thing()
    if draw.chance(0.2):
        return _see_and_take(story, thing, room)
    then = take_it(story, thing) if draw.chance(0.7) else an_order(story)
    more, no = otherwise(story, thing, room)
    text = draw.phrase(
        (
            "if there {be} {a} in {r}, {then}",
            "if you [see|find] {a} in {r}, {then}",
            "[check|see|look|look and see] [if|whether] there {be} {a} in {r}[ and if so, | "
            "and, if so, |. If so, |. If there {be}, ]{then}",
            "go to {r} and if [there {be} {a}|you see {a}|you find {a}|there {be} {a} there], "
            "{then}",
            "go to {r}[ and|,] look for {a}[ and if you find {it}, |. If you find {it}, |. If "
            "{they} there, ]{then}",
            "{then} if there {be} {a} in {r}"
            if not more
            and not then.text.startswith(("bring it", "take it", "come"))
            and thing.it not in then.text.split()
            else "if there {be} {a} in {r}, {then}",
        ),
        a=any_of(thing),
        be=thing.be,
        it=thing.it,
        they=thing.they,
        r=room.the,
        then=then.text,
    )
    if more and ". " in then.text:
        raise DoesNotFit
    steps = (go_to(room.name), Branch(here(thing.name), then.steps, no))
    return Clause(text + more, steps)


def _see_and_take(story: Story, thing: Thing, room: Room) -> Clause:
    """ "See if there is a cup in the kitchen and bring me one": the condition is only implied."""
    draw = story.draw
    then = take_it(story, thing, any_one=draw.chance(0.5))
    text = draw.phrase(
        (
            "[check|see|look|go and see|have a look] [if|whether] there {be} {a} in {r}[,|] and "
            "{then}",
            "[check|see] [if|whether] {r} has {a}[,|] and {then}",
        ),
        be=thing.be,
        a=any_of(thing),
        r=room.the,
        then=then.text,
    )
    return Clause(text, (go_to(room.name), Branch(here(thing.name), then.steps, ())))


@part("if_not_there", 7.0, joint=Joint.SENTENCE)
def if_not_there(story: Story) -> Clause:
    """If the thing is not in the room, get one there or do something else."""
    draw, room, thing = story.draw, story.room(), story.thing()
    one = one_of(thing)
    if draw.chance(0.6):
        source = story.room()
        then = Clause(
            draw.phrase(
                (
                    "[bring|get|fetch] {o} from {s}",
                    "[bring|take] {o} there from {s}",
                    "get {o} from {s}",
                ),
                o=one,
                s=source.the,
            ),
            fetched(thing, source, room),
            room,
        )
    else:
        then = an_order(story)
    text = draw.phrase(
        (
            "if there {be} no {n} in {r}, {then}",
            "if there {be_not} {any} in {r}, {then}",
            "[check|see|look] [if|whether] there {be} {a} in {r}[. If not, | and if not, | "
            "and if there {be_not}, ]{then}",
            "if you don't [find|see] {any} in {r}, {then}",
            "unless there {be} [already |]{a} in {r}, {then}",
            "if {r} has no {n}, {then}",
        ),
        a=thing.a,
        n=thing.name,
        any=f"any {thing.name}" if one == "some" else thing.a,
        be=thing.be,
        be_not="aren't" if thing.is_plural else "isn't",
        r=room.the,
        then=then.text,
    )
    return Clause(text, (go_to(room.name), Branch(f"not {here(thing.name)}", then.steps)), None)


@part("if_anyone", 6.0, joint=Joint.SENTENCE)
def if_anyone(story: Story) -> Clause:
    """If somebody (or nobody) is in the room, do something."""
    draw, room = story.draw, story.room()
    nobody = draw.chance(0.4)
    then = say_there(story) if not nobody and draw.chance(0.55) else an_order(story)
    who = "[nobody|no one] is" if nobody else "[someone|somebody|anyone|anybody] is"
    text = draw.phrase(
        (
            "if {w} in {r}, {then}",
            "go to {r} and if {w} there, {then}",
            "[check|see|look] [if|whether] [someone|somebody|anyone] is in {r}. If "
            "[not|nobody is there], {then}"
            if nobody
            else "[check|see|look] [if|whether] [someone|anyone] is in {r}"
            "[. If so, | and if so, ]{then}",
            "if {r} is [empty|free], {then}"
            if nobody
            else "if {r} is [occupied|not empty], {then}",
        ),
        r=room.the,
        then=then.text,
        w=draw.expand(who),
    )
    test = here("person")
    more: Steps = ()
    if draw.chance(0.3):
        other = an_order(story)
        text += draw.one(ELSE[:4]) + other.text
        more = other.steps
    test = f"not {test}" if nobody and not more else test
    yes, no = (more, then.steps) if nobody and more else (then.steps, more)
    return Clause(text, (go_to(room.name), Branch(test, yes, no)))


def say_there(story: Story) -> Clause:
    """Something to do with whoever is there."""
    draw = story.draw
    message = spoken.message(story, spoken.SOMEBODY)
    if draw.chance(0.5):
        text = draw.phrase(
            ("tell them [that |]{m}", "let them know that {m}", "tell them that {m}"),
            m=message.reported,
        )
        return Clause(text, (say(message.spoken),))
    if draw.chance(0.3):
        words = spoken.greeting(story)
        return Clause(f"say {words}", (say(words),))
    question = spoken.yes_no(story, spoken.SOMEBODY)
    text = f"ask them {question.reported}" + draw.one(
        (" and tell me what they said", " and tell me the answer", " and report back")
    )
    answer = f"answer = {ask(spoken.SOMEBODY, question)}"
    return Clause(text, (answer, HOME, 'say("They said: " + answer)'))


@part("only_if", 7.0, joint=Joint.SENTENCE)
def only_if(story: Story) -> Clause:
    """The condition as an afterthought: "..., but only if nobody is there"."""
    draw = story.draw
    room, target, thing = story.room(), story.room(), story.thing()
    roll = draw.rng.random()
    if roll < 0.35:
        text = draw.phrase(
            (
                "[take|bring|carry] {t} from {s} to {r}, but only if [nobody is|no one is] "
                "[there|in {r}]",
                "[take|bring] {t} from {s} to {r} unless [somebody|someone] is in {r}",
                "[take|bring] {t} from {s} to {r} if {r} is empty",
            ),
            t=thing.the,
            s=room.the,
            r=target.the,
        )
        if "there" in text and draw.chance(1):
            text = text.replace("is there", f"is in {target.the}")
        steps: Steps = fetched(thing, room, target)
        return Clause(text, (go_to(target.name), Branch(f"not {here('person')}", steps)))
    words = spoken.statement(story)
    test = draw.one(("anyone", "nobody", "thing"))
    if test == "thing":
        text = draw.phrase(
            (
                "[bring|get|fetch] me {t} from {r}, [but only if {they} really there|if there "
                "{be} {any}|if {they} there|if you can find {it} there]",
            ),
            t=thing.the if draw.chance(0.5) else thing.a,
            r=room.the,
            they=thing.they,
            be=thing.be,
            it=thing.it,
            any="any" if thing.is_plural or thing.a.startswith("some") else "one",
        )
        yes: Steps = brought(thing)
        return Clause(
            text,
            (
                go_to(room.name),
                Branch(
                    here(thing.name), yes, (HOME, say(f"{thing.there_is_no} in {on_map(room)}"))
                ),
            ),
        )
    if test == "anyone":
        text = draw.phrase(
            (
                "[say|announce] in {r} that {m}, [if|but only if] [anyone|somebody|someone] "
                "is there",
                "go to {r} and say that {m}, [if|but only if] [anyone|somebody|someone] is there",
            ),
            r=room.the,
            m=words,
        )
        return Clause(text, (go_to(room.name), Branch(here("person"), (say(words),))))
    text = draw.phrase(
        (
            "[put|leave|place] {t} from {s} in {r}, but not if [anyone|somebody|someone] is "
            "[there|in {r}]",
        ),
        t=thing.the,
        s=room.the,
        r=target.the,
    ).replace("is there", f"is in {target.the}")
    move: Steps = fetched(thing, room, target)
    return Clause(text, (go_to(target.name), Branch(f"not {here('person')}", move)))


@part("if_person", 6.0, joint=Joint.SENTENCE)
def if_person(story: Story) -> Clause:
    """If a certain person is in the room."""
    draw, room, who = story.draw, story.room(), story.person()
    message = spoken.message(story, who)
    tell = Clause(
        draw.phrase(
            ("tell {h} [that |]{m}", "let {h} know that {m}"), h=who.him, m=message.reported
        ),
        (say(f"{who.name}, {message.spoken}"),),
    )
    then = tell if draw.chance(0.6) else an_order(story)
    text = draw.phrase(
        (
            "if {p} is in {r}, {then}",
            "[check|see|look] [if|whether] {p} is in {r}[. If so, | and if so, |. If {he} is, "
            "]{then}",
            "go to {r} and if {p} is there, {then}",
            "if you [see|find|meet] {p} in {r}, {then}",
        ),
        p=who.who,
        r=room.the,
        he=who.he,
        then=then.text,
    )
    no: Steps = ()
    if draw.chance(0.45):
        more, no = otherwise(story, None, room)
        text += more
    return Clause(text, (go_to(room.name), Branch(here(who.name), then.steps, no)))


@part("wait", 2.2, joint=Joint.SENTENCE)
def wait(story: Story) -> Clause:
    """Wait for somebody, then tell or ask them."""
    draw, room = story.draw, story.room()
    certain = draw.chance(0.35)
    who = story.person() if certain else spoken.SOMEBODY
    name = who.name if certain else "person"
    him = who.him
    then = _told_when_there(story, who.name, him) if draw.chance(0.75) else an_order(story)
    shown = who.who if certain else draw.one(("someone", "somebody", "a person", "anyone"))
    he = who.he
    comes = "come" if he == "they" else "comes"
    text = draw.phrase(
        (
            "[go to {r} and wait|wait in {r}] [for {p}|until {p} comes|until {p} "
            "arrives|until {p} is there][, then| and then| and| and] {then}",
            "wait [for {p} in {r}|in {r} for {p}]. When {he} {comes}, {then}",
            "wait in {r} until {p} [shows up|comes in|arrives] and {then}",
            "when {p} [comes to|arrives in|enters] {r}, {then}",
        ),
        r=room.the,
        p=shown,
        he=he,
        comes=comes,
        then=then.text,
    )
    waiting = wait_for(name)
    return Clause(text, (go_to(room.name), waiting, *then.steps), then.room)


def _told_when_there(story: Story, name: str, him: str) -> Clause:
    draw = story.draw
    message = spoken.message(story, spoken.SOMEBODY) if not name else None
    roll = draw.rng.random()
    call = f"{name}, " if name else ""
    if roll < 0.4:
        words = message.spoken if message else spoken.statement(story)
        shown = message.reported if message else words
        return Clause(f"tell {him} {draw.one(('that ', ''))}{shown}", (say(call + words),))
    if roll < 0.6:
        chore = spoken.chore(story, spoken.SOMEBODY)
        return Clause(
            f"ask {him} to {chore.reported}",
            (say(f"{call}please {chore.spoken}" if call else f"Please {chore.spoken}"),),
        )
    if roll < 0.75:
        words = spoken.greeting(story)
        return Clause(f"say {words}", (say(words),))
    target = story.room()
    text = draw.phrase(("[bring|take|guide|lead|show|escort] {h} to {r}",), h=him, r=target.the)
    return Clause(text, (say("Please follow me"), go_to(target.name)), target)
