"""Parts over the whole building: everywhere but there, wherever somebody or something is."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import listed
from roboinstruct_ros.learn.pairs import spoken, words
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.deeds import brought, carried, lost
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
    say,
)
from roboinstruct_ros.learn.pairs.names import some, thing_called
from roboinstruct_ros.learn.pairs.parts.rooms import Rooms
from roboinstruct_ros.learn.pairs.story import Story

_TELL = "[tell me|let me know|report back|come back and tell me]"


@part("stay_out", 6.0, joint=Joint.SENTENCE)
def stay_out(story: Story) -> Clause:
    """A room that is not to be entered, and something in all the others."""
    draw, room = story.draw, story.room()
    if not story.final:
        raise DoesNotFit
    ban = draw.phrase(
        ("[do not|don't|don't] [go into|enter|go to|drive into] {r}",
         "[stay out of|keep out of|leave out|skip|avoid] {r}"), r=room.the,
    )  # fmt: skip
    first = draw.chance(0.6)
    others = ("all other rooms", "the other rooms", "every other room", "all the others")
    all_rooms = ("all rooms", "every room", "the whole house", "all the rooms")
    each = draw.one(others if first else all_rooms)
    deed = _in_them(story, Rooms(each, "", "", "room").but(room.name))
    if first:
        text = ban + draw.one((". ", ", but ", "; ", " but ", " and ")) + deed.text
    else:
        text = deed.text + draw.one((", but ", ". ", " but ", "; ")) + ban
    return Clause(text, deed.steps)


def _in_them(story: Story, rooms: Rooms) -> Clause:
    """Something in each of the rooms: "look for the cat in all other rooms"."""
    draw = story.draw
    roll = draw.rng.random()
    if roll < 0.25:
        said = spoken.statement(story)
        text = draw.phrase(
            ("[say|announce] in {o} that {m}", "tell everyone in {o} that {m}"),
            o=rooms.each,
            m=said,
        )
        return Clause(text, (rooms.loop(("go_to(room)", say(said))),))
    if roll < 0.35:
        text = draw.phrase(("[visit|go to|patrol|go through|drive through] {o}",), o=rooms.each)
        return Clause(text, (rooms.loop(("go_to(room)",)),))
    pet = draw.chance(0.2)
    thing = thing_called(draw.one(words.PETS)) if pet else story.thing()
    slots = {"o": rooms.each, "t": draw.one((thing.the, f"my {thing.name}")), "it": thing.it}
    slots["they"] = thing.they
    if roll < 0.75 or pet:
        templates: tuple[str, ...] = (
            "[look|search] for {t} in {o}[| and " + _TELL + " where {they}]",
            "[check|search|look in|go through] {o} for {t}[| and " + _TELL + "]",
        )
        what = f"I found {thing.a} in "
        found: Steps = (HOME, f"say({quoted(what)} + room)")
    else:
        templates = (
            "[look|search] for {t} in {o} and bring {it} [to me|here]",
            "[check|search] {o} for {t} and [bring|get] {it} to me",
        )
        found = brought(thing)
    text = draw.phrase(templates, **slots).replace("get it to me", "get it for me")
    inner = ("go_to(room)", Branch(here(thing.name), (*found, "return")))
    return Clause(text, (rooms.loop(inner), HOME, lost(thing)))


@part("go_where", 6.0, joint=Joint.SENTENCE)
def go_where(story: Story) -> Clause:
    """To a person, pet or thing, and to stay there."""
    draw, roll = story.draw, story.draw.rng.random()
    if roll < 0.6:
        who = story.person()
        own = story.own_room(who)
        name, shown, missing = who.name, who.who, say(f"I could not find {who.name}")
        if own is not None and draw.chance(0.6):
            text = draw.phrase(("[go|drive|come|go over] to {p}", "go and see {p}"), p=shown)
            return Clause(text, (go_to(own.name),), own)
        if own is not None:
            shown = f"{shown}, wherever {who.he} {'are' if who.he == 'they' else 'is'}"
            text = draw.phrase(("[go|drive] to {p}",), p=shown)
            return Clause(text, (Search(here(name), (), (HOME, missing)),))
    else:
        pet = draw.chance(0.3)
        what = thing_called(draw.one(words.PETS)) if pet else story.thing()
        name, shown, missing = what.name, what.the, lost(what)
    text = draw.phrase(
        (
            "[go|drive|come] [to where|wherever|where] {p} is",
            "[go|drive] to the room [where|in which] {p} is",
            "[find|look for|search for] {p} and [stay|wait|remain] [there|with {him}]",
            "[go|drive] to {p}",
            "go and [find|join] {p} and stay there",
        ),
        p=shown,
        him=who.him if roll < 0.6 else "it",
    )
    if roll >= 0.6 and not pet:
        text = text.replace(f"{shown} is", f"{shown} {what.be}").replace("with it", "there")
        text = text.replace("join", "find")
    return Clause(text, (Search(here(name), (), (HOME, missing)),))


@part("rooms_counted", 1.5, alone=True)
def rooms_counted(story: Story) -> Clause:
    """How many rooms of a kind the map has."""
    draw, kind = story.draw, story.kind()
    text = draw.phrase(
        (
            "how many {p} [are there|do we have|do I have|do you know|are on your map]?",
            "[count|tell me the number of] the {p}",
            "[tell me|say] how many {p} [there are|we have|you know]",
        ),
        p=kind.plural,
    )
    count = Loop(ALL, (Branch(f"{quoted(kind.name)} in room", ("count += 1",)),))
    return Clause(text, ("count = 0", count, f"say(str(count) + {quoted(f' {kind.plural}')})"))


@part("who_is_around", 3.0, joint=Joint.SENTENCE)
def who_is_around(story: Story) -> Clause:
    """Who of those whom the map knows is in any of the rooms: told, or greeted one by one."""
    draw, names = story.draw, list(story.scene.people)
    if not 1 < len(names) < 5:
        raise DoesNotFit
    around = draw.one(("home", "here", "around", "in the building", "at home", "there"))
    loop = f"for name in {names_list(names)}:"
    if draw.chance(0.35):
        said = draw.one(("hello", "good morning", "good evening", "goodbye"))
        text = draw.phrase(
            ("find out who is {a} and say {m} to each of them",
             "[say|wish] {m} to everybody [by name|who is {a}, by name]",
             "[go and |]greet everyone you know[| by name]"), a=around, m=said,
        )  # fmt: skip
        word = "Hello" if "greet" in text else said.capitalize()
        greet = f"say({quoted(f'{word}, ')} + name)"
        return Clause(text, (Loop(loop, (Search("is_in_room(name)", (greet,)),)),))
    text = draw.phrase(
        ("[see|check|look|find out] who is {a} and [tell me|report|let me know]",
         "who is {a}[ today| right now|]?", "[tell me|find out] who is {a}"), a=around,
    )  # fmt: skip
    keep = Search("is_in_room(name)", ("found.append(name)",))
    told = Branch("found", ('say(", ".join(found) + " is here")',), (say("Nobody is here"),))
    return Clause(text, ("found = []", Loop(loop, (keep,)), HOME, told))


@part("unless_here", 2.5, joint=Joint.SENTENCE)
def unless_here(story: Story) -> Clause:
    """Something is brought only if there is none where it is wanted."""
    draw, thing = story.draw, story.thing(count=True)
    if not (story.is_first and story.final):
        raise DoesNotFit
    text = draw.phrase(
        (
            "[bring|get|fetch] me {a}, unless there is [already one|one already|one] here",
            "[bring|get|fetch] me {a} [if there is none here|if you don't see one here]",
            "if there is no {n} here, [bring|get|fetch] [one|me one]",
            "[is there {a} here|do you see {a} here]? If not, [bring|get|fetch] me one",
        ),
        a=thing.a,
        n=thing.name,
    )
    return Clause(text, (Branch(f"not {here(thing.name)}", carried(thing)),))


@part("where_it_is", 3.0, joint=Joint.SENTENCE)
def where_it_is(story: Story) -> Clause:
    """Words in every room where a thing is, or is not."""
    draw, thing, said = story.draw, story.thing(), spoken.statement(story)
    lacks = draw.chance(0.3)
    text = draw.phrase(
        (
            "in [every|each] room [that has|with] {t}, [say|announce] that {m}"
            if not lacks
            else "in [every|each] room [that has no|without] {n}, [say|announce] that {m}",
            "[go through|check] all rooms and [wherever|in each where] there {be} {no}{t_}, "
            "[say|announce] that {m}",
        ),
        t=some(thing),
        n=thing.name,
        t_=thing.name if lacks else some(thing),
        no="no " if lacks else "",
        be=thing.be,
        m=said,
    )
    test = here(thing.name)
    body: Steps = ("go_to(room)", Branch(f"not {test}" if lacks else test, (say(said),)))
    return Clause(text, (Loop(ALL, body),))


@part("by_turns", 2.5, joint=Joint.SENTENCE)
def by_turns(story: Story) -> Clause:
    """The same thing to two people, wherever they are: one to each."""
    draw, thing, source = story.draw, story.thing(count=True), story.room()
    people = story.people(2)
    if not story.final or any(story.own_room(who) for who in people):
        raise DoesNotFit
    text = draw.phrase(
        (
            "[bring|take] {a} from {s} to {p} and another[ one|] to {q}",
            "[bring|take] one {n} from {s} to {p} and one to {q}",
            "[bring|give] {b} {a} [each |]from {s}",
            "get two {ps} from {s}, one for {p} and one for {q}",
        ),
        a=thing.a,
        n=thing.name,
        ps=thing.plural,
        s=source.the,
        p=people[0].who,
        q=people[1].who,
        b=listed([who.who for who in people]),
    )
    names = names_list([who.name for who in people])
    missing = (HOME, place(thing), 'say("I could not find " + name)')
    give = Search("is_in_room(name)", (place(thing),), missing)
    return Clause(text, (Loop(f"for name in {names}:", (go_to(source.name), pick(thing), give)),))
