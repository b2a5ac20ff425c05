"""Parts about people: find somebody and act, meet and guide, serve several, poll, carry news."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import Person, listed
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Branch,
    Loop,
    Search,
    Steps,
    go_to,
    here,
    names_list,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.parts.asking_many import Report, kept, report
from roboinstruct_ros.learn.pairs.parts.talking import ask, capital, tell
from roboinstruct_ros.learn.pairs.story import Story, on_map

_GUESTS = (
    ("the guest", "them"),
    ("the visitor", "them"),
    ("the visitors", "them"),
    ("the guests", "them"),
)
GUIDE = 'say("Please follow me")'


@part("find_person", 3.5, joint=Joint.SENTENCE)
def find_person(story: Story) -> Clause:
    """Look for somebody in a room or everywhere, then tell or ask them."""
    draw = story.draw
    certain = draw.chance(0.5)
    who = story.person() if certain else spoken.SOMEBODY
    name = who.name if certain else "person"
    shown = who.who if certain else draw.one(("a person", "someone", "somebody", "a person"))
    then = act_on(story, who)
    room = story.room() if draw.chance(0.55) or not certain else None
    where = f" in {room.the}" if room else ""
    text = draw.phrase(
        (
            "[find|look for|search for|go find|locate] {p}{in} and {then}",
            "[find|look for|search for] {p}{in}, {then}",
            "[find|look for] {p}{in}[. When you find {him}, | and when you find {him}, |, "
            "then ]{then}",
        ),
        p=shown,
        him=who.him,
        then=then.text,
        **{"in": where},
    )
    place_ = f" in {on_map(room)}" if room else ""
    lost = (HOME, say(f"I could not find {who.name or 'anybody'}{place_}"))
    if room:
        return Clause(text, (go_to(room.name), Branch(here(name), then.steps, lost)))
    return Clause(text, (Search(here(name), then.steps, lost),))


def act_on(story: Story, who: Person) -> Clause:
    """What to do with a person who was found: "tell her that", "ask him if"."""
    draw = story.draw
    roll = draw.rng.random()
    if roll < 0.3:
        message = spoken.message(story, who)
        text = draw.phrase(
            (
                "tell {h} [that |]{m}",
                "tell {h} that {m}",
                "let {h} know that {m}",
                "inform {h} that {m}",
            ),
            h=who.him,
            m=message.reported,
        )
        return Clause(text, (tell(who, message.spoken),))
    if roll < 0.4:
        chore = spoken.chore(story, who)
        return Clause(
            f"{draw.one(('ask', 'tell'))} {who.him} to {chore.reported}",
            (tell(who, f"please {chore.spoken}"),),
        )
    if roll < 0.7:
        question = spoken.choice(story, who) if draw.chance(0.3) else spoken.yes_no(story, who)
        said = f"say({quoted(f'{who.name} said: ' if who.name else 'They said: ')} + answer)"
        text = f"ask {who.him} {question.reported}" + draw.phrase(
            (
                " and [tell me|report] [what {he} said|the answer|{his} answer]",
                ", then [tell me|let me know] [what {he} said|the answer]",
            ),
            he=who.he,
            his=who.his,
        )
        return Clause(text, (f"answer = {ask(who, question)}", HOME, said))
    if roll < 0.82:
        words = spoken.greeting(story)
        end = f", {who.name}" if who.name else ""
        return Clause(
            f"say {words}{draw.one(('', f' to {who.him}'))}", (say(f"{capital(words)}{end}"),)
        )
    target = story.room()
    text = draw.phrase(
        ("[bring|take|guide|lead|escort|show] {h} to {r}", "ask {h} to follow you to {r}"),
        h=who.him,
        r=target.the,
    )
    return Clause(text, (GUIDE, go_to(target.name)))


@part("guide", 2.0, order=True)
def guide(story: Story) -> Clause:
    """Lead somebody from one room to another."""
    draw = story.draw
    target = story.room()
    if draw.chance(0.5):
        source, somebody = story.room(), story.person()
        who, him = draw.one((*_GUESTS, (somebody.who, somebody.him)))
        text = draw.phrase(
            (
                "[guide|lead|escort|take|bring|show|accompany] {p} from {s} to {r}",
                "[meet|pick up|welcome] {p} [in|at] {s} and [take|guide|lead|bring|escort] "
                "{h} to {r}",
                "go to {s} and [take|lead|guide|escort] {p} to {r}",
            ),
            p=who,
            s=source.the,
            r=target.the,
            h=him,
        )
        return Clause(text, (go_to(source.name), GUIDE, go_to(target.name)), target)
    reach = story.reach(0.6)
    text = draw.phrase(
        (
            "[guide|lead|escort|take|accompany] {p} to {r}",
            "show {p} the way to {r}",
        ),
        p=reach.who,
        r=target.the,
    )
    return Clause(text, reach.steps((GUIDE, go_to(target.name))), target if reach.room else None)


@part("poll", 2.0, joint=Joint.THEN)
def poll(story: Story) -> Clause:
    """Ask several people in a room the same and count or name those who say yes."""
    draw, question = story.draw, spoken.yes_no(story, spoken.SOMEBODY)
    people, room = story.people(draw.rng.choice((2, 3))), story.room()
    kind = draw.one((Report.HOW_MANY, Report.WHO))
    text = f"ask {listed([who.who for who in people])} in {room.the} {question.reported}"
    start, keep, end = kept(question, kind)
    loop = Loop(f"for name in {names_list([who.name for who in people])}:", keep)
    return Clause(f"{text} and {report(draw, kind)}", (start, go_to(room.name), loop, HOME, *end))


@part("ask_several", 2.5, joint=Joint.THEN)
def ask_several(story: Story) -> Clause:
    """Ask several people the same, wherever they are, and report what they say."""
    draw, people = story.draw, story.people(story.draw.rng.choice((2, 2, 3)))
    if any(story.own_room(who) for who in people):
        raise DoesNotFit
    question = (spoken.choice if draw.chance(0.25) else spoken.yes_no)(story, spoken.SOMEBODY)
    yes_no = question.options == ("Yes", "No")
    kind = Report.WHO if yes_no and draw.chance(0.4) else Report.ANSWERS
    text = f"ask {listed([who.who for who in people])} {question.reported} and {report(draw, kind)}"
    start, keep, end = kept(question, kind)
    names = names_list([who.name for who in people])
    loop = Loop(f"for name in {names}:", (Search("is_in_room(name)", keep),))
    return Clause(text, (start, loop, HOME, *end))


@part("tell_several", 1.5, joint=Joint.THEN)
def tell_several(story: Story) -> Clause:
    """The same words to several people in their rooms, or to everybody in some rooms."""
    draw = story.draw
    words = spoken.statement(story)
    rooms = story.rooms(draw.rng.choice((2, 3)))
    text = draw.phrase(
        (
            "[tell|inform] [everyone|everybody|the people] in {all} that {m}".replace(
                "[tell|inform]", "tell"
            ),
            "[go to|visit] {all} and [say|announce] [in each |]that {m}",
            "announce in {all} that {m}",
            "let everyone in {all} know that {m}",
        ),
        all=listed([room.the for room in rooms]),
        m=words,
    )
    body: Steps = ("go_to(room)", say(words))
    return Clause(
        text, (Loop(f"for room in {names_list([room.name for room in rooms])}:", body),), rooms[-1]
    )
