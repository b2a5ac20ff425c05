"""Parts of every day: tell everybody, fetch, look after, thank or invite somebody, hand out."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import Person, listed
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.deeds import brought, fetched
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
from roboinstruct_ros.learn.pairs.parts.asking_many import Report, kept, report
from roboinstruct_ros.learn.pairs.parts.moving import NUMBERS, named
from roboinstruct_ros.learn.pairs.parts.people import GUIDE
from roboinstruct_ros.learn.pairs.parts.talking import ask, seek
from roboinstruct_ros.learn.pairs.story import Story, on_map
from roboinstruct_ros.learn.pairs.talk import Question


@part("tell_everyone", 1.5, joint=Joint.THEN)
def tell_everyone(story: Story) -> Clause:
    """In all rooms."""
    words = spoken.statement(story)
    text = story.draw.phrase(
        (
            "[tell|inform] [everyone|everybody] that {m}",
            "tell [everyone|everybody] {m}",
            "let [everyone|everybody] know that {m}",
            "announce [everywhere|in the whole building|in all rooms] that {m}",
            "tell [everyone|everybody] in the [house|building] that {m}",
        ),
        m=words,
    )
    return Clause(text, (Loop(ALL, ("go_to(room)", say(words))),))


@part("anyone_here", 0.8, alone=True)
def anyone_here(story: Story) -> Clause:
    """Is there anybody at all, or who of those that are known?"""
    draw, people = story.draw, story.scene.people
    if story.scene.told and 1 < len(people) < 5 and draw.chance(0.5):
        text = draw.phrase(("who is [here|in|there]?", "[find out|tell me|check] who is [here|in]"))
        keep = Branch("is_in_room(name)", ("found.append(name)",))
        inner = Loop(f"for name in {names_list(people)}:", (keep,))
        report = 'say("I found: " + ", ".join(found))'
        ends: Steps = (HOME, Branch("found", (report,), (say("I found nobody"),)))
        return Clause(text, ("found = []", Loop(ALL, ("go_to(room)", inner)), *ends))
    text = draw.phrase(
        (
            "is [anyone|anybody|somebody] [here|at home|in the building|still here]?",
            "[check|see|find out] if [anyone|anybody] is [still |][here|in the building|around] "
            "and tell me",
        )
    )
    found = (HOME, 'say("Someone is in " + room)')
    return Clause(text, (Search(here("person"), found, (HOME, say("I found nobody"))),))


@part("guide_me", 1.0)
def guide_me(story: Story) -> Clause:
    room = story.room()
    text = story.draw.phrase(
        (
            "[take|guide|lead|bring] me to {r}",
            "show me the way to {r}",
            "show me where {r} is",
            "how do I get to {r}?",
        ),
        r=room.the,
    )
    return Clause(text, (GUIDE, go_to(room.name)), room)


@part("fetch_person", 1.5, joint=Joint.SENTENCE)
def fetch_person(story: Story) -> Clause:
    """Somebody is to come, with the robot or alone."""
    draw, reach = story.draw, story.reach(0.5)
    name = reach.person.name
    if draw.chance(0.4):
        text = draw.phrase(
            ("[bring|lead|guide] {p} to me", "[get|fetch] {p}[ for me|]", "bring {p} here"),
            p=reach.who,
        )
        return Clause(text, reach.steps((GUIDE, HOME)))
    if draw.chance(0.5):
        text = draw.phrase(
            ("[tell|ask] {p} to come [here|to me|over here|to see me]", "call {p} [here|over]"),
            p=reach.who,
        )
        words = f"say({quoted(f'{name}, please come to ')} + start_loc)"
        return Clause(text, reach.steps((words,)), reach.room)
    room = story.room()
    text = draw.phrase(
        (
            "[tell|ask] {p} to come to {r}",
            "[ask|tell] {p} to [go to|meet me in] {r}",
            "send {p} to {r}",
        ),
        p=reach.who,
        r=room.the,
    )
    verb = "go" if "to go to" in text or text.startswith("send") else "come"
    return Clause(text, reach.steps((say(f"{name}, please {verb} to {on_map(room)}"),)), reach.room)


@part("check_on", 1.2, joint=Joint.THEN)
def check_on(story: Story) -> Clause:
    """How somebody is."""
    reach = story.reach(0.5)
    text = story.draw.phrase(
        (
            "check on {p}[| and tell me how {he} {be}]",
            "see how {p} is doing[| and tell me]",
            "[check|see|find out] [if|whether] {p} is [okay|alright|fine][| and tell me|, "
            "then report]",
            "look after {p}",
            "ask {p} how {he} {be} and tell me",
        ),
        p=reach.who,
        he=reach.person.he,
        be="are" if reach.person.he == "they" else "is",
    )
    question = Question("", "Are you okay?")
    if "how" in text:
        question = Question("", "How are you?", ("good", "okay", "bad"))
    said = f"say({quoted(f'{reach.person.name} said: ')} + answer)"
    return Clause(text, reach.steps((f"answer = {ask(reach.person, question)}", HOME, said)))


_EVENTS = (
    "dinner",
    "lunch",
    "breakfast",
    "the party",
    "the meeting",
    "the show",
    "a game of chess",
)


@part("courtesy", 1.5, order=True)
def courtesy(story: Story) -> Clause:
    """Invite, thank, congratulate, warn or wake somebody."""
    draw, reach = story.draw, story.reach(0.5)
    name, event, thing = reach.person.name, draw.one(_EVENTS), story.thing()
    text, words = draw.one(
        (
            (f"[invite|ask] {{p}} to {event}", f"{name}, you are invited to {event}"),
            (f"[invite|call] {{p}} to {event}", f"{name}, you are invited to {event}"),
            (f"thank {{p}} for {thing.the}", f"{name}, thank you for {thing.the}"),
            ("thank {p} for [the|{his}] help", f"{name}, thank you for your help"),
            ("[thank {p}|say thank you to {p}]", f"Thank you, {name}"),
            ("congratulate {p}", f"Congratulations, {name}"),
            ("[apologize|say sorry] to {p}[ for me|]", f"{name}, I am sorry"),
            ("[wake {p}|wake up {p}]", f"{name}, please wake up"),
            ("say goodbye to {p}", f"Goodbye, {name}"),
        )
    )
    text = draw.expand(text, p=reach.who, his=reach.person.his)
    return Clause(text, reach.steps((say(words),)), reach.room)


@part("clear", 1.5, joint=Joint.SENTENCE)
def clear(story: Story) -> Clause:
    """All of a name out of one room."""
    if not (story.scene.told or story.is_first):
        raise DoesNotFit  # after a search in unknown rooms it is not proved to come to an end
    draw, thing, room = story.draw, story.thing(count=True), story.room()
    target = story.room()
    text = draw.phrase(
        (
            "[bring|take|carry|move] all [the |]{n} from {s} to {d}",
            "[bring|take] every {one} [in|from] {s} to {d}",
            "[collect|get] all [the |]{n} in {s} and bring them to {d}",
        ),
        n=thing.plural,
        one=thing.name,
        s=room.the,
        d=target.the,
    )
    body: Steps = (*brought(thing, target), go_to(room.name))
    return Clause(text, (go_to(room.name), Loop(f"while {here(thing.name)}:", body)))


def _owners(story: Story) -> tuple[list[Person], str]:
    """People with a room of their own each, all called alike, and what they are called."""
    draw = story.draw
    if not story.scene.told:
        return story.people(draw.rng.choice((2, 3))), draw.one(("office", "room"))
    found: dict[str, list[Person]] = {}
    for _ in range(6):
        who = story.person()
        own = story.own_room(who)
        if own is not None and own.name.startswith(f"{who.name}'s "):
            story.take(own.name)
            found.setdefault(own.name.removeprefix(f"{who.name}'s "), []).append(who)
    for kind, people in found.items():
        if len(people) > 1:
            return people[:3], kind
    raise DoesNotFit


@part("each_owner", 2.0, joint=Joint.SENTENCE)
def each_owner(story: Story) -> Clause:
    """Several people in their own rooms: tell, ask or supply each."""
    draw = story.draw
    people, kind = _owners(story)
    names = names_list([who.name for who in people])
    all_ = listed([who.who for who in people])
    where = f" in their {kind}s" if not story.scene.told or draw.chance(0.4) else ""
    go = f'go_to(name + "\'s {kind}")'
    header = f"for name in {names}:"
    roll = draw.rng.random()
    if roll < 0.35:
        words = spoken.statement(story)
        text = draw.phrase(
            ("tell {p}{w} that {m}", "let {p}{w} know that {m}"), p=all_, w=where, m=words
        )
        return Clause(text, (Loop(header, (go, f"say(name + {quoted(f', {words}')})")),))
    if roll < 0.65:
        thing, source = story.thing(count=True), story.room()
        text = draw.phrase(
            (
                "[bring|take] {p}{w} {a} each from {s}",
                "[bring|take] {a} from {s} to each of {p}{w}",
            ),
            p=all_,
            w=where,
            a=thing.a,
            s=source.the,
        )
        return Clause(text, (Loop(header, (go_to(source.name), pick(thing), go, place(thing))),))
    question, what = (
        spoken.yes_no(story, spoken.SOMEBODY),
        draw.one((Report.HOW_MANY, Report.WHO, Report.ANSWERS)),
    )
    text = f"ask {all_}{where} {question.reported} and {report(draw, what)}"
    start, keep, end = kept(question, what)
    return Clause(text, (start, Loop(header, (go, *keep)), HOME, *end))


@part("tell_people", 4.0, joint=Joint.SENTENCE)
def tell_people(story: Story) -> Clause:
    """The same words to several people, in one room or wherever they are."""
    draw, people = story.draw, story.people(2)
    words = spoken.statement(story)
    room = story.room() if draw.chance(0.5) else None
    if room is None and any(story.own_room(who) for who in people):
        raise DoesNotFit
    text = draw.phrase(
        (
            "tell {p}{w} [that |]{m}",
            "let {p}{w} know [that |]{m}",
            "inform {p}{w} that {m}",
            *(() if room else ("tell {a} that {m}[ and tell|, and] {b} [too|as well]",)),
        ),
        p=listed([who.who for who in people]),
        a=people[0].who,
        b=people[1].who,
        w=f" in {room.the}" if room else "",
        m=words,
    )
    if room is not None:
        return Clause(text, (go_to(room.name), say(f"{listed([w.name for w in people])}, {words}")))
    lost = (HOME, 'say("I could not find " + name)')
    # the search is not the program's last step: it goes on with the next name
    each = Search("is_in_room(name)", (f"say(name + {quoted(f', {words}')})",), lost)
    return Clause(text, (Loop(f"for name in {names_list([w.name for w in people])}:", (each,)),))


@part("meet", 1.2, joint=Joint.SENTENCE)
def meet(story: Story) -> Clause:
    """Go to somebody and give them something from where the robot is sent first."""
    draw, reach, thing = story.draw, story.reach(0.6), story.thing()
    if reach.room is None:
        raise DoesNotFit
    target = story.room()
    text = draw.phrase(
        (
            "[get|fetch|take|collect] {t} from {p} and [bring|take] {it} to {d}",
            f"[go to|{seek(reach)}] {{p}}, [get|take] {{t}} and [bring|take] {{it}} to {{d}}",
            "[pick up|collect] {t} at {own} and [bring|take] {it} to {d}"
            if reach.who == reach.person.who
            else "[pick up|collect] {t} from {p} and [bring|take] {it} to {d}",
        ),
        t=named(draw, thing),
        it=thing.it,
        p=reach.who,
        own=reach.room.the,
        d=target.the,
    )
    steps: Steps = fetched(thing, reach.room, target)
    return Clause(text, steps, target)


@part("one_each", 2.0, order=True)
def one_each(story: Story) -> Clause:
    """One for each of some rooms, or of some people whose rooms are known."""
    draw, source, thing = story.draw, story.room(), story.thing(count=True)
    targets = story.rooms(draw.rng.choice((2, 3)))
    names = [room.the for room in targets]
    text = draw.phrase(
        (
            "[bring|take|carry] {a} from {s} to [each of |]{all}",
            "[put|place|leave] {a} from {s} in [each of |]{all}",
            "[supply|provide] {all} with {a} [each |]from {s}",
            "[get|take] {n} {p} from {s}, one for [each of |]{all}",
        ),
        a=thing.a,
        n=NUMBERS[len(targets) - 2],
        p=thing.plural,
        s=source.the,
        all=listed(names),
    )
    header = f"for room in {names_list([room.name for room in targets])}:"
    body = (go_to(source.name), pick(thing), "go_to(room)", place(thing))
    return Clause(text, (Loop(header, body),), targets[-1])


@part("from_here", 2.5)
def from_here(story: Story) -> Clause:
    """A thing that is where the robot is, to a room or to somebody."""
    draw, thing = story.draw, story.thing()
    if story.last_left or not story.is_first:
        raise DoesNotFit
    this = f"{'these' if thing.is_plural else 'this'} {thing.name}"
    named_ = draw.one((this, this, this, f"{thing.the} here", f"{thing.the} from here"))
    reach = story.reach(0.5) if draw.chance(0.5) else None
    room = None if reach else story.room()
    text = draw.phrase(
        (
            "[take|bring|carry] {t} to {r}",
            "[take|bring] {t} to {r}",
            "[put|place] {t} in {r}" if room else "[give|hand|deliver] {t} to {r}",
            "pick up {t} and [take|bring] {it} to {r}",
            "there {be} {a} here, [take|bring] {it} to {r}",
        ),
        t=named_,
        it=thing.it,
        a=thing.a,
        be=thing.be,
        r=reach.who if reach else room.the if room else "",
    )
    if room:
        return Clause(text, brought(thing, room), room)
    assert reach is not None
    return Clause(text, (pick(thing), *reach.steps((place(thing),), (place(thing),))), reach.room)
