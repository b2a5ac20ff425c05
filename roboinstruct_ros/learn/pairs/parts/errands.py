"""Parts with several connected actions: "it", "there", what was seen first and reported last."""

from __future__ import annotations

import re

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import Room, Thing
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, an_order, part
from roboinstruct_ros.learn.pairs.deeds import brought, carried
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Branch,
    Search,
    Steps,
    go_to,
    here,
    pick,
    place,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.names import bare
from roboinstruct_ros.learn.pairs.parts.looking import any_of
from roboinstruct_ros.learn.pairs.parts.moving import go_text, named
from roboinstruct_ros.learn.pairs.parts.rooms import some_rooms
from roboinstruct_ros.learn.pairs.parts.talking import ask, tell
from roboinstruct_ros.learn.pairs.story import Story, on_map

_SIGNS: tuple[str, ...] = (
    ", ", " and ", ", then ", " and then ", ". Then ", ", and then ", ". After that, ", "; ",
)  # fmt: skip
_AFTER_WORDS = (", then ", ". Then ", ". After that, ", " and then ", ". Afterwards ", ". Next, ")
_LAST = (", and finally ", ". Finally, ")


def _row(story: Story, pieces: list[Clause]) -> Clause:
    """The pieces one after the other, such that nothing is read as part of a spoken message."""
    draw, text, steps = story.draw, pieces[0].text, pieces[0].steps
    for number, piece in enumerate(pieces[1:], 1):
        last = number == len(pieces) - 1
        signs = _SIGNS[1:] if last else _SIGNS
        if pieces[number - 1].text.startswith(("tell", "say")):
            signs = _AFTER_WORDS
        sign = draw.one(_LAST if last and draw.chance(0.12) else signs)
        text, steps = text + sign + piece.text, steps + piece.steps
    return Clause(text, steps)


@part("trip", 9.0, joint=Joint.SENTENCE)
def trip(story: Story) -> Clause:
    """To one room for a thing, to another with it, and there or on the way back something more."""
    draw, thing = story.draw, story.thing()
    source, target = story.rooms(2)
    pieces: list[Clause] = []
    if draw.chance(0.65):
        pieces.append(Clause(go_text(draw, source), (go_to(source.name),)))
        if draw.chance(0.25):
            pieces.append(_word(story))
        verb = draw.one(("pick up", "take", "get", "grab"))
        pieces.append(Clause(f"{verb} {named(draw, thing)}", (pick(thing),)))
    else:
        text = f"{draw.one(('get', 'fetch', 'pick up', 'take'))} {named(draw, thing)}"
        pieces.append(Clause(f"{text} from {source.the}", (go_to(source.name), pick(thing))))
    pieces.append(_put(story, thing, target))
    more = draw.some(("look", "word", "back"), draw.rng.choice((1, 1, 2)))
    if "look" in more:
        pieces.append(look_there(story, target))
    elif "word" in more:
        pieces.append(_word(story))
    if "back" in more and "look" not in more:
        pieces.append(_back(story))
    return _row(story, pieces)


def _put(story: Story, thing: Thing, target: Room) -> Clause:
    text = story.draw.phrase(
        (
            "[bring|take|carry] {it} to {r}",
            "[put|leave|place] {it} in {r}",
            "[go|drive] to {r}[,| and] [put {it} down there|leave {it} there|drop {it} off]",
        ),
        it=thing.it,
        r=target.the,
    )
    return Clause(text, (go_to(target.name), place(thing)), target, thing)


def _word(story: Story) -> Clause:
    """Words to whoever is where the robot is."""
    draw = story.draw
    if draw.chance(0.3):
        words = spoken.greeting(story)
        return Clause(f"say {words}", (say(words),))
    words = spoken.statement(story)
    who = draw.one(("everyone there", "the people there", "everybody there"))
    return Clause(f"tell {who} that {words}", (say(words),))


def look_there(story: Story, room: Room) -> Clause:
    """A look for something or somebody where the robot is, told at the start."""
    draw = story.draw
    if draw.chance(0.6):
        what = story.thing()
        yes, no = f"{what.there_is} in {on_map(room)}", f"{what.there_is_no} in {on_map(room)}"
        shown, name, be = any_of(what), what.name, what.be
        seen = f"there {be} {shown} there"
    else:
        who = story.person()
        yes = f"{who.name} is in {on_map(room)}"
        no = yes.replace(" is in ", " is not in ")
        name, seen = who.name, f"{who.who} is there"
    text = draw.phrase(
        (
            "[check|look|see] [if|whether] {x} and [tell me|come back and tell me|report back]",
            "[look|check] [if|whether] {x}, then come back and tell me",
        ),
        x=seen,
    )
    there = Branch(here(name), (HOME, say(yes)), (HOME, say(no)))
    return Clause(text, (there,))


def _back(story: Story) -> Clause:
    draw = story.draw
    if draw.chance(0.6):
        words = ("come back", "come back to me", "return", "return to me", "come back here")
        return Clause(draw.one(words), (HOME,))
    text = draw.one(
        ("come back and tell me that it is done", "come back and say that you are done",
         "report back to me when you are done")
    )  # fmt: skip
    return Clause(text, (HOME, say("I am done")))


@part("two_reports", 5.0, joint=Joint.SENTENCE)
def two_reports(story: Story) -> Clause:
    """Two looks in two rooms, and both are told at the start."""
    draw = story.draw
    looks = [_one_look(story, number) for number in (1, 2)]
    end = draw.one(
        (" and tell me both", ". Tell me both", ", then come back and report both", " and tell me",
         ". Come back and tell me", ", then report back", " and come back and report")
    )  # fmt: skip
    verb = draw.one(("check", "look", "see", "find out", "check"))
    if_ = draw.one(("if", "whether"))
    sign = draw.one((" and ", ", and ", " and also ", ", then check ", ". Also check "))
    text = f"{verb} {if_} {looks[0].text}{sign}{if_} {looks[1].text}{end}"
    return Clause(text, (*looks[0].steps[:2], *looks[1].steps[:2], HOME, looks[0].steps[2],
                         looks[1].steps[2]))  # fmt: skip


def _one_look(story: Story, number: int) -> Clause:
    draw, room = story.draw, story.room()
    seen, there = ("first", "second")[number - 1], on_map(room)
    roll = draw.rng.random()
    if roll < 0.5:
        what = story.thing()
        name, text = what.name, f"there {what.be} {any_of(what)} in {room.the}"
        yes, no = f"{what.there_is} in {there}", f"{what.there_is_no} in {there}"
    elif roll < 0.8:
        who = story.person()
        name, text = who.name, f"{who.who} is in {room.the}"
        yes, no = f"{who.name} is in {there}", f"{who.name} is not in {there}"
    else:
        name, text = "person", f"{draw.one(('somebody', 'anyone', 'someone'))} is in {room.the}"
        yes, no = f"Someone is in {there}", f"Nobody is in {there}"
    told = Branch(seen, (say(yes),), (say(no),))
    return Clause(text, (go_to(room.name), f"{seen} = {here(name)}", told))


@part("branch_of_two", 10.0, joint=Joint.SENTENCE)
def branch_of_two(story: Story) -> Clause:
    """A condition after which two deeds are done, and perhaps others where it does not hold."""
    draw, room = story.draw, story.room()
    nobody, thing, it = draw.chance(0.3), story.thing(), ""
    if nobody:
        test, seen = f"not {here('person')}", draw.one(("nobody is", "no one is"))
        first = an_order(story)
    elif draw.chance(0.6):
        test, seen, it = here(thing.name), f"there {thing.be} {any_of(thing)}", thing.it
        first = _taken(story, thing)
    else:
        who = story.person()
        test, seen = here(who.name), f"{who.who} is"
        first = act_there(story, who.name, who.him)
    second = an_order(story)
    signs: tuple[str, ...] = (" and ", ", then ", " and then ", " and also ")
    if re.match("tell|ask|say|announce|let|inform|remind", first.text) or " that " in first.text:
        signs = signs[1:3]
    text = draw.phrase(
        (
            "if {x} in {r}, {a}{s}{b}",
            "[go to {r}. If|go to {r} and if] {x} there, {a}{s}{b}",
            "[check|see|look] [if|whether] {x} in {r}[. If so, |. If yes, | and if so, ]{a}{s}{b}",
        ),
        x=seen,
        r=room.the,
        a=first.text,
        b=second.text,
        s=draw.one(signs),
    )
    if ". " in first.text or ". " in second.text or "?" in text or (it and '"' in first.text):
        raise DoesNotFit
    no: Steps = ()
    if draw.chance(0.5):
        other = an_order(story)
        also = an_order(story) if draw.chance(0.35) else Clause("", ())
        text += draw.one((". Otherwise ", ". Otherwise, ", ", otherwise ", ". If not, "))
        text += other.text + (draw.one((" and ", " and then ")) + also.text if also.text else "")
        no = (*other.steps, *also.steps)
    return Clause(text, (go_to(room.name), Branch(test, (*first.steps, *second.steps), no)))


def _taken(story: Story, thing: Thing) -> Clause:
    draw = story.draw
    if draw.chance(0.45):
        text = draw.phrase(("bring {it} [to me|here]", "fetch {it}"), it=thing.it)
        return Clause(text, brought(thing))
    room = story.room()
    text = draw.phrase(("[bring|take] {it} to {r}", "put {it} in {r}"), it=thing.it, r=room.the)
    return Clause(text, brought(thing, room))


def act_there(story: Story, name: str, him: str) -> Clause:
    """Words or a request to somebody who is there."""
    draw = story.draw
    if draw.chance(0.6):
        words = spoken.statement(story)
        return Clause(f"tell {him} that {words}", (say(f"{name}, {words}"),))
    chore = spoken.chore(story, spoken.SOMEBODY)
    return Clause(f"ask {him} to {chore.spoken}".replace(" your ", " their "),
                  (say(f"{name}, please {chore.spoken}"),))  # fmt: skip


@part("loop_of_two", 5.0, joint=Joint.SENTENCE)
def loop_of_two(story: Story) -> Clause:
    """Two deeds in each of several rooms."""
    draw, rooms, words = story.draw, some_rooms(story), spoken.statement(story)
    thing = story.thing()
    go = draw.phrase(("[go to|visit|drive to|go through] {e}", "in {e}"), e=rooms.each)
    sign = ", " if go.startswith("in ") else draw.one((", ", " and ", ", "))
    roll = draw.rng.random()
    if roll < 0.5:
        say_it = draw.one((f"say that {words}", f"tell everyone that {words}"))
        look = draw.phrase(
            ("[check|look] [if|whether] there {be} {a}", "look for {a}"), be=thing.be,
            a=any_of(thing) if thing.a.startswith("some") else thing.a,
        )  # fmt: skip
        end = draw.one((". Tell me which have ", ". Then come back and tell me which rooms have "))
        text = f"{go}{sign}{say_it} and {look}{end}{'one' if thing.a[:1] == 'a' else 'some'}"
        found: Steps = (Branch(here(thing.name), ("found.append(room)",)),)
        body: Steps = ("go_to(room)", say(words), *found)
        said = f'say({quoted(f"I found {bare(thing)} in: ")} + ", ".join(found))'
        none = say(f"None of them has {thing.a.replace('some ', 'any ')}")
        return Clause(
            text, ("found = []", rooms.loop(body), HOME, Branch("found", (said,), (none,)))
        )
    question = spoken.yes_no(story, spoken.SOMEBODY)
    text = (
        f"{go}{sign}"
        + draw.phrase(
            (
                "tell [everyone|the people] [there |]that {m} and ask them {q}",
                "say that {m} and ask [everyone|the people there] {q}",
            ),
            m=words,
            q=question.reported,
        )
        + draw.one((". Tell me how many said yes", ", then tell me how many say yes"))
    )
    asked = f'ask("", {quoted(question.spoken)}, ["Yes", "No"]) == "Yes"'
    met = Branch(here("person"), (say(words), Branch(asked, ("count += 1",))))
    steps: Steps = ("count = 0", rooms.loop(("go_to(room)", met)), HOME)
    return Clause(text, (*steps, 'say(str(count) + " people said yes")'))


@part("tell_and_ask", 3.0, joint=Joint.SENTENCE)
def tell_and_ask(story: Story) -> Clause:
    """One person, three deeds: a thing, words, a question; "him" and "it"."""
    draw, thing, reach = story.draw, story.thing(), story.reach(0.7)
    who, source = reach.person, story.room()
    if reach.room is None:
        raise DoesNotFit
    message, question = spoken.message(story, who), spoken.yes_no(story, who)
    text = draw.phrase(
        (
            "[take|bring] {t} from {s} to {p}, tell {him} that {m} and ask {him} {q}",
            "get {t} from {s}, [bring|give] {it} to {p}, tell {him} that {m}, then ask {him} {q}",
            "[take|bring] {t} from {s} to {p}. Tell {him} that {m} and ask {him} {q}",
        ),
        t=named(draw, thing),
        s=source.the,
        p=reach.who,
        him=who.him,
        it=thing.it,
        m=message.reported,
        q=question.reported,
    ) + draw.one((". Bring me the answer", ". Then tell me the answer", ", then report back to me"))
    said = f"say({quoted(f'{who.name} said: ')} + answer)"
    there: Steps = (place(thing), tell(who, message.spoken), f"answer = {ask(who, question)}")
    return Clause(text, (go_to(source.name), pick(thing), *reach.steps((*there, HOME, said))))


@part("or_else_tell", 6.0, joint=Joint.SENTENCE)
def or_else_tell(story: Story) -> Clause:
    """Look for a thing and bring it; where it is nowhere, something else is done or brought."""
    draw, thing, other = story.draw, story.thing(), story.thing()
    if not story.final:
        raise DoesNotFit
    text = draw.phrase(
        (
            "[find|look for|search for] {t} and bring {it} to me",
            "[bring|get|fetch] me {t}",
            "look everywhere for {t} and bring {it} here",
        ),
        t=named(draw, thing),
        it=thing.it,
    )
    sign = draw.phrase(
        (
            ". If you [can't|cannot|don't] find {it}, ",
            ", but if you [don't|can't] find {it}, ",
            ". If there {be} none, ",
        ),
        it=thing.it,
        be=thing.be,
    )
    found = brought(thing)
    if draw.chance(0.45):
        text += sign + draw.phrase(("[bring|get|fetch] me {o} instead", "bring {o}"), o=other.a)
        return Clause(text, (Search(here(thing.name), found, carried(other)),))
    order = an_order(story)
    return Clause(text + sign + order.text, (Search(here(thing.name), found, order.steps),))
