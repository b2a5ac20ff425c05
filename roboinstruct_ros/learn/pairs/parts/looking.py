"""Parts that look and tell: is it there, who is there, where is it, which of them, how many."""

from __future__ import annotations

import re

from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.entities import Thing, listed
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.compose import Clause, part
from roboinstruct_ros.learn.pairs.deeds import found_in, looked, looked_for, met_in
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    ITEM,
    Branch,
    Loop,
    Steps,
    go_to,
    here,
    names_list,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.names import thing_called
from roboinstruct_ros.learn.pairs.story import Story, on_map


def any_of(thing: Thing) -> str:
    """The thing in a question: "an apple", "any milk"."""
    if thing.is_plural or thing.a.startswith("some "):
        return f"any {thing.name}"
    return thing.a


_TELL = "[tell me|let me know|report|report back|come back and tell me|tell me]"


def told_where(draw: Draw, yes: str, no: str, story: Story) -> tuple[str, Steps, Steps]:
    """The receiver of a finding: the added words, and the steps for yes and no."""
    if draw.chance(0.8) or not story.final:
        return "", (HOME, say(yes)), (HOME, say(no))
    reach = story.reach(0.6)
    if reach.room is None:
        raise DoesNotFit
    go = go_to(reach.room.name)
    return reach.who, (go, say(yes)), (go, say(no))


@part("is_there", 4.0, order=True)
def is_there(story: Story) -> Clause:
    draw, room, thing = story.draw, story.room(), story.thing()
    yes, no = f"{thing.there_is} in {on_map(room)}", f"{thing.there_is_no} in {on_map(room)}"
    other, then, otherwise = told_where(draw, yes, no, story)
    tell = _TELL if not other else "[tell|inform] {p}"
    text = draw.phrase(
        (
            "[check|see|look|find out|go and see|go check|look and see] [if|if|whether] there "
            "{be} {a} in {r}[ and| and|, then] " + tell,
            "[go|drive] to {r} and [check|see|look] [if|whether] there {be} {a}[| there][ "
            "and|, then] " + tell,
            ("[tell me|let me know|report]" if not other else tell)
            + " [if|whether] there {be} {a} in {r}",
            "[check|search] {r} for {a}[ and|, then] " + tell,
            "[find|look for|search for|locate] {the} in {r}"
            if not other
            else "look for {a} in {r} and " + tell,
            "[go to|drive to|look in] {r}[ and|,] [find|look for|search for|locate] {the}"
            if not other
            else "check {r} for {a} and " + tell,
            "[check|see|look|find out|go and see] [if|whether] [someone|somebody|anybody] "
            "[left|forgot] {a} in {r} and " + tell,
            "look for {a} in {r} and "
            + tell
            + ("[ if it is there| what you find|]" if not thing.is_plural else ""),
        ),
        a=any_of(thing),
        the=draw.one((thing.the, thing.the, thing.a, f"my {thing.name}")),
        be=thing.be,
        r=room.the,
        p=other,
    )
    steps = (go_to(room.name), Branch(here(thing.name), then, otherwise))
    return Clause(text, steps)


@part("question", 3.5)
def question(story: Story) -> Clause:
    """A plain question, which the robot answers where it was asked."""
    draw, room = story.draw, story.room()
    if draw.chance(0.15):
        pet = thing_called(draw.one(words.PETS))
        text = f"is {draw.one(('the', 'my', 'our', 'the'))} {pet.name} [still |]in {room.the}?"
        return Clause(draw.expand(text), looked_for(pet, room))
    thing = story.thing()
    text = draw.phrase(
        (
            "[is|is|are] there {a} in {r}?".replace("[is|is|are]", thing.be),
            "{be} there {a} [left|] in {r}?",
            "do we [still |]have {a} in {r}?",
            "{be} {the} in {r}?",
            "{be} {my} in {r}?",
            "can you [see|check|look] if {a} {be} in {r}?",
            "do you know if there {be} {a} in {r}?",
            "did I leave my {n} in {r}?",
            "[did|has] [someone|somebody|anybody] [leave|forget] {a} in {r}?",
        ),
        a=any_of(thing),
        be=thing.be,
        the=thing.the,
        my=f"my {thing.name}",
        n=thing.name,
        r=room.the,
    )
    text = re.sub(r"^has (\w+) (?:leave|forget)", r"has \1 left", text)
    return Clause(text, looked_for(thing, room))


@part("anyone", 2.0, order=False)
def anyone(story: Story) -> Clause:
    """Is somebody in a room?"""
    draw, room = story.draw, story.room()
    text = draw.phrase(
        (
            "is [anyone|anybody|someone|somebody|there anyone|there anybody] in {r}?",
            "[check|see|look|find out|go and see] [if|whether] "
            "[anyone|anybody|someone|somebody] is in {r} and " + _TELL,
            "[tell me|let me know] [if|whether] [anyone|anybody|someone|somebody] is in {r}",
            "is {r} [empty|free|occupied|in use|taken]?",
            "[check|see|find out] [if|whether] {r} is [empty|free|occupied|in use] and " + _TELL,
            "[tell me|let me know] [if|whether] {r} is [empty|free|occupied|in use]",
            "is {r} [empty|free|occupied|in use|taken]?"
            if story.scene.people or not story.scene.told
            else "[who is|tell me who is|see who is|look who is] in {r}",
        ),
        r=room.the,
    )
    return Clause(text, looked("person", "Someone is", "Nobody is", room))


@part("is_person_in", 1.5)
def is_person_in(story: Story) -> Clause:
    draw, room, who = story.draw, story.room(), story.person()
    text = draw.phrase(
        (
            "is {p} in {r}?",
            "is {p} [still|already] in {r}?",
            "[check|see|look|find out|go and see] [if|whether] {p} is in {r} and " + _TELL,
            "[tell me|let me know] [if|whether] {p} is in {r}",
            "can you see [if|whether] {p} is in {r}?",
            "check on {p} and tell me [if|whether] {he} {be} in {r}",
            "I'm looking for {p}. Is {he_} in {r}?",
        ),
        p=who.who,
        he=who.he,
        be="are" if who.he == "they" else "is",
        he_=who.he,
        r=room.the,
    )
    return Clause(text, looked(who.name, f"{who.name} is", f"{who.name} is not", room))


@part("who_is_in", 1.2)
def who_is_in(story: Story) -> Clause:
    """Who of the known people is there; the map or the instruction names them."""
    draw, room = story.draw, story.room()
    if story.scene.told and len(story.scene.people) > 1 and draw.chance(0.7):
        names = list(story.scene.people)
        ask = (
            "[who is in {r}?|tell me who is in {r}|see who is in {r} and tell me|"
            "which people are in {r}?]"
        )
    else:
        names = [who.name for who in story.people(draw.rng.choice((2, 3)))]
        ask = (
            "[which of {n} is in {r}?|who of {n} is in {r}?|tell me who of {n} is in {r}|"
            "see which of {n} [is|are] in {r} and tell me]"
        )
    text = draw.phrase((ask,), r=room.the, n=listed(names))
    report = f'say(", ".join(found) + {quoted(f" is in {on_map(room)}")})'
    nobody = say(f"Nobody is in {on_map(room)}")
    found = collected("name", names, "is_in_room(name)", "found")
    return Clause(text, (go_to(room.name), *found, HOME, Branch("found", (report,), (nobody,))))


def collected(item: str, names: list[str], test: str, word: str) -> Steps:
    """Goes through names and keeps those for which the test holds."""
    keep = Branch(test, (f"{word}.append({item})",))
    return (f"{word} = []", Loop(f"for {item} in {names_list(names)}:", (keep,)))


@part("which_of", 2.0)
def which_of(story: Story) -> Clause:
    """Which of these things are there, or missing?"""
    draw, room = story.draw, story.room()
    things = [story.thing() for _ in range(draw.rng.choice((2, 3, 3)))]
    names, said = (
        [one.name for one in things],
        listed([one.the for one in things], draw.one(("and", "or"))),
    )
    missing = draw.chance(0.35)
    if missing:
        text = draw.phrase(
            (
                "[check|see|find out|look] which of {n} [is|are] missing in {r} and " + _TELL,
                "which of {n} is [missing in|not in] {r}?",
                "[tell me|report] which of {n} [is|are] not in {r}",
            ),
            n=said,
            r=room.the,
        )
        test, word, none, start = (
            "not is_in_room(item)",
            "missing",
            "Nothing is missing",
            "Missing: ",
        )
    else:
        text = draw.phrase(
            (
                "[check|see|find out|look] which of {n} [is|are] in {r} and " + _TELL,
                "which of {n} is in {r}?",
                "[tell me|report|let me know] which of {n} [is|are] in {r}",
                "look for {n} in {r} and tell me [what you find|which of them you find|what "
                "is there]",
            ),
            n=said,
            r=room.the,
        )
        test, word, none, start = ITEM, "found", "I found none of them", "I found: "
    report = f'say({quoted(start)} + ", ".join({word}))'
    found = collected("item", names, test, word)
    return Clause(text, (go_to(room.name), *found, HOME, Branch(word, (report,), (say(none),))))


@part("what_is_in", 1.0)
def what_is_in(story: Story) -> Clause:
    """What of all that the map knows is in a room."""
    draw, room, names = story.draw, story.room(), list(story.scene.things)
    if not story.scene.told or not 1 < len(names) < 7:
        raise DoesNotFit
    text = draw.phrase(
        (
            "what is in {r}?",
            "what do we have in {r}?",
            "[tell me|find out|look] what is in {r}",
            "which things are in {r}?",
            "go to {r} and [tell me|report] what [you see|you find|is there]",
        ),
        r=room.the,
    )
    found = collected("item", names, ITEM, "found")
    report, none = 'say("I found: " + ", ".join(found))', say("I found none of them")
    return Clause(text, (go_to(room.name), *found, HOME, Branch("found", (report,), (none,))))


@part("is_here", 1.0)
def is_here(story: Story) -> Clause:
    """Whether it is where the robot is."""
    draw = story.draw
    if not story.is_first:
        raise DoesNotFit
    if draw.chance(0.4):
        who = story.person()
        text = draw.phrase(("is {p} here?", "do you see {p}?", "is {p} in this room?"), p=who.who)
        name, yes, no = who.name, f"{who.name} is here", f"{who.name} is not here"
    else:
        thing = story.thing()
        text = draw.phrase(
            (
                "{be} there {a} here?",
                "do you see {a} here?",
                "can you see {a}?",
                "[look|check] if there {be} {a} here",
                "{be} there {a} in this room?",
            ),
            a=any_of(thing),
            be=thing.be,
        )
        name, yes, no = thing.name, f"{thing.there_is} here", f"{thing.there_is_no} here"
    return Clause(text, (Branch(here(name), (say(yes),), (say(no),)),))


@part("where_is", 3.0)
def where_is(story: Story) -> Clause:
    """Where a thing or a person is."""
    draw = story.draw
    if draw.chance(0.5):
        who = story.person()
        shown, it, be, steps = who.who, who.him, "is", met_in(who)
        they = f"{who.he} {'are' if who.he == 'they' else 'is'}"
        if draw.chance(0.3):
            text = draw.phrase(
                (
                    "is {p} [home|at home|in|around|there|in today|in the building]?",
                    "[check|see|tell me|find out] if {p} is [home|in|around|in the building]",
                    "is {p} anywhere?",
                ),
                p=shown,
            )
            return Clause(text, steps)
    else:
        thing = story.thing()
        it, be, they, steps = thing.it, thing.be, thing.they, found_in(thing)
        shown = draw.one((thing.the, thing.the, f"my {thing.name}", thing.a))
    text = draw.phrase(
        (
            "where {be} {t}?",
            "where {be} {t}?",
            "[find|look for|locate|search for|go and find|try to find] {t}",
            "[find|look for|locate|search for] {t} and [tell me|report|let me know] where {they}",
            "[find|look for|search for] {t} and [tell me|let me know] in which room {they}",
            "[tell me|find out|let me know] where {t} {be}",
            "in which room {be} {t}?",
            "[which|what] room {be} {t} in?",
            "has anyone seen {t}? [Find out|Tell me] where {they}",
            "I can't find {t}. [Where {are_they}?|Tell me where {they}|Look for {it} and tell "
            "me where {they}]",
            "[do you know|can you find out|can you tell me] where {t} {be}?",
        ),
        t=shown,
        be=be,
        it=it,
        they=they,
        are_they=" ".join(reversed(they.split(" "))),
    )
    return Clause(text, steps)
