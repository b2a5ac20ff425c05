"""Parts with several actions in which "it", "him", "there" and "the same" refer back."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.deeds import searched
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
from roboinstruct_ros.learn.pairs.parts.asking_many import Report, kept
from roboinstruct_ros.learn.pairs.parts.moving import named
from roboinstruct_ros.learn.pairs.parts.people import GUIDE, act_on
from roboinstruct_ros.learn.pairs.parts.talking import ask, asking, tell, what_they_said
from roboinstruct_ros.learn.pairs.story import Reach, Story, on_map
from roboinstruct_ros.learn.pairs.talk import Question

_BACK = (", then come back", " and come back", ". Then come back to me", ", and come back here")
_THEN = (" and ", ", then ", " and then ", ". Then ", ", ")


@part("left_and_told", 8.0, joint=Joint.SENTENCE)
def left_and_told(story: Story) -> Clause:
    """Bring a thing to a room, and tell somebody that it is there."""
    draw, thing, target, reach = story.draw, story.thing(), story.room(), story.reach(0.35)
    source = story.room() if draw.chance(0.55) else None
    text = draw.phrase(
        (
            "[take|bring|carry] {t}{s} to {r}{then}{news}",
            "[put|leave] {t}{s} in {r}{then}{news}",
            "[get|fetch] {t}{s}, [put|leave] {it} in {r}{then}{news}",
        ),
        t=named(draw, thing),
        s=f" from {source.the}" if source else "",
        r=target.the,
        it=thing.it,
        then=draw.one(_THEN),
        news=draw.phrase(
            (
                "tell {p} [that |][{they}|{short}] there",
                "let {p} know [that |]{they} there",
                "tell {p} where {they}",
            ),
            p=reach.who,
            they=thing.they,
            short=thing.they.replace(" is", "'s").replace(" are", "'re"),
        ),
    )
    got: Steps = (pick(thing), go_to(target.name), place(thing))
    deed: Steps = (go_to(source.name), *got) if source else searched(thing, got, vital=True)
    told = (tell(reach.person, f"{thing.the} {thing.be} in {on_map(target)}"),)
    if not draw.chance(0.4):
        return Clause(text, (*deed, *reach.steps(told)), reach.room)
    return Clause(text + draw.one(_BACK), (*deed, *reach.steps(told, vital=True), HOME))


@part("lent", 6.0, joint=Joint.SENTENCE)
def lent(story: Story) -> Clause:
    """A thing is brought to somebody, who is asked or told something, and goes back."""
    draw, thing, source, reach = story.draw, story.thing(), story.room(), story.reach(0.7)
    who = reach.person
    if reach.room is None and not story.final:
        raise DoesNotFit
    chore = spoken.chore(story, who)
    other = story.room() if draw.chance(0.25) else None
    goal = draw.phrase(
        ("to {r}",) if other else ("to {r}", "there", "to where you got {it}"),
        r=(other or source).the,
        it=thing.it,
    )
    back = f"{draw.one(('bring', 'take'))} {thing.it} {'' if other else 'back '}{goal}"
    text = draw.phrase(
        (
            "[get|take|fetch|pick up] {t} from {s}, [take|bring] {it} to {p}, {a}{then}{b}",
            "[take|bring] {t} from {s} to {p}, {a}{then}{b}",
            "[take|bring] {t} from {s} to {p} and {a}. [Then|After that|Afterwards] {b}",
        ),
        t=named(draw, thing),
        s=source.the,
        it=thing.it,
        p=reach.who,
        a=f"ask {who.him} to {chore.reported}",
        then=draw.one((" and then ", ", then ", ". Then ", " and ")),
        b=back,
    )
    there = (other or source).name
    shown: Steps = (place(thing), tell(who, f"please {chore.spoken}"), pick(thing))
    end: Steps = (go_to(there), place(thing))
    steps = reach.steps((*shown, *end), (place(thing),))
    return Clause(text, (go_to(source.name), pick(thing), *steps), other or source)


@part("met_and_led", 7.0, joint=Joint.SENTENCE)
def met_and_led(story: Story) -> Clause:
    """Two deeds with somebody who may have to be looked for first: "tell her ..., bring her"."""
    draw, reach = story.draw, story.reach(0.4)
    who = reach.person
    first, second = act_on(story, who), act_on(story, who)
    if first.steps[0] == GUIDE or HOME in first.steps:
        raise DoesNotFit
    verb = "go to" if reach.room else draw.one(("find", "look for", "go and find", "find"))
    text = f"{verb} {reach.who}{draw.one((', ', ', ', ' and '))}{first.text}"
    text += draw.one((", then ", " and then ", ". Then ", " and ")) + second.text
    return Clause(text, reach.steps((*first.steps, *second.steps)))


@part("has_it", 8.0, joint=Joint.SENTENCE)
def has_it(story: Story) -> Clause:
    """Ask somebody whether they have a thing; if so, it is brought to me, a room or another one."""
    draw, thing, reach = story.draw, story.thing(), story.reach(0.5)
    who = reach.person
    they = who.he == "they"
    have, done = ("have", "are done with") if they else ("has", "is done with")
    need, want = ("need", "want") if they else ("needs", "wants")
    shown = draw.one((thing.the, thing.the, thing.a, f"my {thing.name}"))
    clause, spoken_ = draw.one(
        (
            (f"{have} {shown}", f"Do you have {shown}?"),
            (f"{have} {shown}", f"Do you have {shown}?"),
            (f"{done} {thing.the}", f"Are you done with {thing.the}?"),
            (f"still {need} {thing.the}", f"Do you still need {thing.the}?"),
            (f"still {want} {thing.the}", f"Do you still want {thing.the}?"),
        )
    )
    yes = "still" not in clause
    question = Question(f"{draw.one(('if', 'if', 'whether'))} {who.he} {clause}", spoken_)
    goal, put = _goal(story, thing.it)
    does = f"{who.he} {'do' if they else 'does'}"
    says = f"{who.he} {'say' if they else 'says'}"
    if_ = draw.phrase(
        ("[. If so|. If {s} yes| and if so| and if {d}|, and if {d}|. If {d}|; if yes], ",)
        if yes
        else ("[. If not|. If {d} not|. If {s} no| and if not|, and if {d} not|; if not], ",),
        d=does,
        s=says,
    )
    if "done" in clause:
        if_ = if_.replace(does, f"{who.he} {'are' if they else 'is'}")
    text = asking(story, reach, question) + if_ + goal
    body: Steps = (
        f"answer = {ask(who, question)}",
        Branch(f'answer == "{"Yes" if yes else "No"}"', (pick(thing), *put, place(thing))),
    )
    return Clause(text, reach.steps(body))


def _goal(story: Story, it: str) -> tuple[str, Steps]:
    """Where the thing in the hand goes: "bring it to me"."""
    draw, roll = story.draw, story.draw.rng.random()
    if roll < 0.5:
        return draw.phrase(("bring {i} [to me|here|back|to me]", "[get|fetch] {i}"), i=it), (HOME,)
    room = story.room() if roll < 0.8 else None
    reach = None if room else story.reach(0.5)
    target = room or (reach.room if reach else None)
    if target is None:
        raise DoesNotFit
    verb = draw.one(("bring", "take"))
    return f"{verb} {it} to {reach.who if reach else target.the}", (go_to(target.name),)


@part("guests_wait", 4.0, joint=Joint.SENTENCE)
def guests_wait(story: Story) -> Clause:
    """News of somebody who waits in a room, and the hearer is led there."""
    draw, room, reach = story.draw, story.room(), story.reach(0.35)
    who = reach.person
    guest = draw.one(
        ("visitor", "guest", "mother", "appointment", "ride", "friend", "boss", "student", "doctor")
    )
    be = "is" if guest in ("ride", "appointment") else draw.one(("is", "is waiting"))
    text = draw.phrase(
        (
            "tell {p} [that |]{his} {g} {be} in {r} and [take|bring|lead|guide] {h} there",
            "tell {p} [that |]{his} {g} {be} in {r}[, then|. Then| and then] [take|lead] {h} there",
            "let {p} know that {his} {g} {be} in {r} and bring {h} there",
        ),
        p=reach.who,
        his=who.his,
        g=guest,
        be=be,
        r=room.the,
        h=who.him,
    )
    news = tell(who, f"your {guest} {be} in {room.the}")
    return Clause(text, reach.steps((news, GUIDE, go_to(room.name))), room if reach.room else None)


@part("same_question", 5.0, joint=Joint.SENTENCE)
def same_question(story: Story) -> Clause:
    """Two people are asked the same, one after the other; a third one or I hear what they said."""
    draw, people = story.draw, story.people(2)
    first, second = (
        Reach(who, who.who, story.own_room(who) or (story.room() if rooms else None))
        for who, rooms in ((who, draw.chance(0.2)) for who in people)
    )
    who = people[0]
    question = spoken.choice(story, who) if draw.chance(0.4) else spoken.yes_no(story, who)
    shown = [
        one.who
        if one.room is None or story.own_room(one.person)
        else f"{one.who} in {one.room.the}"
        for one in (first, second)
    ]
    again = draw.phrase(
        (
            "[, then|, then| and then|. Then] [do the same with|ask the same of|ask] {b}",
            "[, then|. Then] ask {b}[ too| as well| the same]",
        ),
        b=shown[1],
    )
    text = f"{draw.one(('ask', 'go and ask', 'go ask'))} {shown[0]} {question.reported}{again}"
    other = story.reach(0.5) if draw.chance(0.5) else None
    end = what_they_said(draw, spoken.SOMEBODY)
    text += draw.one((" and ", ", then ", ". Then ")) + f"tell {other.who if other else 'me'} {end}"
    steps: Steps = ("found = []",)
    if first.room is None and second.room is None:
        keep = kept(question, Report.ANSWERS)[1]
        names = names_list([one.name for one in people])
        steps += (Loop(f"for name in {names}:", (Search("is_in_room(name)", keep),)),)
    else:
        for one in (first, second):
            said = f"{quoted(f'{one.person.name} said: ')} + {ask(one.person, question)}"
            steps += one.steps((f"found.append({said})",))
    report: Steps = (
        Branch("found", ('say(", ".join(found))',), (say("I could not find anybody"),)),
    )
    return Clause(text, (*steps, *(other.steps(report) if other else (HOME, *report))))


@part("until_empty", 2.5, joint=Joint.SENTENCE)
def until_empty(story: Story) -> Clause:
    """Wait in a room until nobody is there, perhaps after words to those who are."""
    draw, room = story.draw, story.room()
    words = spoken.statement(story)
    tell_ = draw.chance(0.5)
    order = draw.phrase(
        (
            "tell [whoever is|everyone|the people] in {r} that {m}[, then|. Then| and then] wait "
            "there until [it's empty|it is empty|nobody is there|they are gone|everybody has left]",
        )
        if tell_
        else (
            "wait in {r} until [it is empty|nobody is there|everybody has left|it's free]",
            "[go to {r} and wait|wait] until {r} is [empty|free]",
        ),
        r=room.the,
        m=words,
    )
    wait: Steps = (Loop(f"while {here('person')}:", ("time.sleep(1)",)),)
    return Clause(order, (go_to(room.name), *((say(words),) if tell_ else ()), *wait), room)


@part("taken_on", 4.0, joint=Joint.SENTENCE)
def taken_on(story: Story) -> Clause:
    """A thing is looked for in one room and, if it is there, goes to somebody: "take it to her"."""
    draw, thing, room, reach = story.draw, story.thing(), story.room(), story.reach(0.5)
    who = reach.person
    if who.he == "they" or (reach.room is None and not story.final):
        raise DoesNotFit
    need = draw.phrase(
        ("{p} [needs|is looking for|wants|forgot|asked for] {t}",), p=reach.who, t=thing.the
    )
    text = draw.phrase(
        (
            "{n}, {they} in {r}. [Take|Bring] {it} to {h}",
            "{n}. [Get|Fetch] {it} from {r} and [take|bring|give] {it} to {h}",
            "{n}, go to {r}, [get|fetch] {it} and [take|bring] {it} to {h}",
            "{n}. [Check|Look] if {they} in {r} and if so [take|bring] {it} to {h}",
        ),
        n=need,
        they=thing.they,
        it=thing.it,
        h=who.him,
        r=room.the,
    )
    give: Steps = (pick(thing), *reach.steps((place(thing),), (place(thing),)))
    checked = "if so" in text
    deed: Steps = (Branch(here(thing.name), give),) if checked else give
    return Clause(text, (go_to(room.name), *deed), None if checked else reach.room)
