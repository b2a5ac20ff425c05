"""Parts that act on an answer: do this or that, bring what was chosen, so many, from there."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import article, listed
from roboinstruct_ros.learn.pairs import spoken, words
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, an_order, part
from roboinstruct_ros.learn.pairs.deeds import brought, fetched, taken
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Branch,
    Loop,
    Search,
    Steps,
    go_to,
    names_list,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.parts.people import GUIDE
from roboinstruct_ros.learn.pairs.parts.talking import ask, asking, tell
from roboinstruct_ros.learn.pairs.story import Reach, Story
from roboinstruct_ros.learn.pairs.talk import Question

_OTHERWISE = (", otherwise ", ". Otherwise ", ". Otherwise, ", ", else ")


def _somebody(story: Story) -> Reach:
    """Somebody to serve, often one whom the robot has to look for."""
    reach = story.reach(0.6)
    if reach.room is None and not story.final:
        raise DoesNotFit
    return reach


@part("if_yes", 10.0, joint=Joint.SENTENCE)
def if_yes(story: Story) -> Clause:
    """Ask, and do something for one answer, perhaps something else for the other."""
    draw, reach = story.draw, story.reach(0.8)
    who = reach.person
    question = spoken.yes_no(story, who)
    yes = draw.chance(0.8)
    then = _for_them(story, reach) if draw.chance(0.5) else an_order(story)
    if reach.room is None and ("Search" in str(then.steps) or not story.final):
        raise DoesNotFit
    text = asking(story, reach, question) + _if(story, who.he, yes) + then.text
    no: Steps = ()
    if draw.chance(0.4):
        other = an_order(story)
        text += draw.one((*_OTHERWISE, ". If not, " if yes else ". Otherwise, ")) + other.text
        no = other.steps
    test = f'answer == "{"Yes" if yes else "No"}"'
    body = (f"answer = {ask(who, question)}", Branch(test, then.steps, no))
    return Clause(text, reach.steps(body))


def _if(story: Story, he: str, yes: bool) -> str:
    """The words between a question and the action for an answer."""
    says = f"{he} {'say' if he == 'they' else 'says'}"
    agrees = f"{he} {'agree' if he == 'they' else 'agrees'}"
    if not yes:
        return story.draw.phrase(
            (". If [not|no|{s} no|the answer is no], ", " and if [not|{s} no], "), s=says
        )
    return story.draw.phrase(
        (
            ". If [so|yes|{s} yes|the answer is yes|{a}], ",
            " and if [so|yes|{s} yes], ",
            ", if {s} yes, ",
            ". Only if {s} yes, ",
        ),
        s=says,
        a=agrees,
    )


def _for_them(story: Story, reach: Reach) -> Clause:
    """Something for whoever has answered: "bring her a cup from the kitchen"."""
    draw, who = story.draw, reach.person
    roll = draw.rng.random()
    if roll < 0.5:
        thing, source = story.thing(), story.room()
        text = draw.phrase(
            ("[bring|get|fetch] {h} {t} from {s}", "get {t} from {s} and [bring|give] {it} to {h}"),
            h=who.him,
            t=thing.a,
            s=source.the,
            it=thing.it,
        )
        return Clause(text, (go_to(source.name), *taken(thing, reach.back)))
    if roll < 0.75:
        message = spoken.message(story, who)
        return Clause(f"tell {who.him} that {message.reported}", (tell(who, message.spoken),))
    room = story.room()
    text = draw.phrase(("[bring|take|guide|lead] {h} to {r}",), h=who.him, r=room.the)
    return Clause(text, (GUIDE, go_to(room.name)))


@part("offer", 6.0, joint=Joint.SENTENCE)
def offer(story: Story) -> Clause:
    """Ask whether somebody wants something, and bring just that."""
    draw, reach, thing, source = story.draw, _somebody(story), story.thing(), story.room()
    who = reach.person
    third = "" if who.he == "they" else "s"
    wants, you = draw.one(
        (
            (f"want{third}", "Do you want"),
            (f"need{third}", "Do you need"),
            ("would like", "Would you like"),
        )
    )
    question = Question(
        f"{draw.one(('if', 'if', 'whether'))} {who.he} {wants} {thing.a}", f"{you} {thing.a}?"
    )
    one = "one" if thing.a.startswith("a") else "some"
    text = asking(story, reach, question) + _if(story, who.he, True)
    text += draw.phrase(
        (
            "[bring|get|fetch] {h} {o} from {s}",
            "[get|fetch] {o} from {s} and bring it to {h}",
            "get {o} from {s}",
        ),
        h=who.him,
        o=draw.one((one, one, thing.it)),
        s=source.the,
    )
    no: Steps = ()
    if draw.chance(0.25):
        text += draw.one(_OTHERWISE) + draw.one(("come back and tell me", "come back", "tell me"))
        no = (HOME, say(f"{who.name} said no")) if text.endswith("me") else (HOME,)
    got = (go_to(source.name), *taken(thing, reach.back))
    body = (f"answer = {ask(who, question)}", Branch('answer == "Yes"', got, no))
    return Clause(text, reach.steps(body))


@part("serve", 7.0)
def serve(story: Story) -> Clause:
    """Ask what somebody wants and bring it to them, from a room or from wherever it is."""
    draw, reach, source = story.draw, _somebody(story), story.room()
    who = reach.person
    noun, options = draw.one(spoken.SERVED)
    some = draw.some(options, draw.rng.choice((2, 2, 3)))
    mass = noun == "drink"
    offered = listed(_with_articles(some, mass), "or")
    wants = draw.one(("want", "would like", "prefer"))
    third = wants if wants == "would like" or who.he == "they" else wants + "s"
    you = {"want": "Do you want", "prefer": "Do you prefer", "would like": "Would you like"}[wants]
    question = Question(f"if {who.he} {third} {offered}", f"{you} {offered}?", tuple(some))
    if draw.chance(0.35):
        topic = "what" if mass else f"which {noun}"
        end = " to drink" if mass and wants != "prefer" else ""
        asked = f"{topic.capitalize()} {you.lower()}{end}?"
        question = Question(f"{topic} {who.he} {third}{end}", asked, options[:4])
    anywhere = draw.chance(0.3)
    text = asking(story, reach, question)
    if draw.chance(0.15):
        text = f"let {reach.who} [choose|pick|choose] between {listed(_with_articles(some, mass))}"
        text, question = draw.expand(text), Question("", question.spoken, tuple(some))
    text += draw.phrase(
        (
            "[ and|, then|. Then] [bring|get|fetch] {him} [what {he} wants|{his} "
            "choice|it|that|what {he} wants]{s}",
            "[ and|, then|, and then] [get|fetch] it{s} and [bring|take] it to {him}",
            "[ and|, then] [bring|take] it to {him}{s}",
        ),
        him=who.him,
        he=who.he,
        his=who.his,
        s="" if anywhere else f" from {source.the}",
    )
    asked_for = f"answer = {ask(who, question)}"
    if not anywhere:
        got: Steps = (go_to(source.name), "pick(answer)", reach.back, "place(answer)")
        return Clause(text, reach.steps((asked_for, *got)), reach.room)
    back = reach.back if reach.room else "go_to(theirs)"
    found = ("pick(answer)", back, "place(answer)")
    search = Search("is_in_room(answer)", found, (HOME, 'say("I could not find " + answer)'))
    kept = () if reach.room else ("theirs = room",)
    return Clause(text, reach.steps((asked_for, *kept, search)), None)


def _with_articles(names: list[str], mass: bool) -> list[str]:
    return [name if mass else article(name) for name in names]


@part("how_many", 5.0, joint=Joint.SENTENCE)
def how_many(story: Story) -> Clause:
    """Ask how many somebody wants and bring that many, do sums on it, or tell somebody."""
    draw, thing, reach, source = story.draw, story.thing(count=True), _somebody(story), story.room()
    who = reach.person
    most = draw.rng.choice((2, 3, 3, 4))
    options = tuple(str(number) for number in range(1, most + 1))
    verb = draw.one(("want", "need"))
    third = verb if who.he == "they" else verb + "s"
    offered = draw.one(("", f" ({', '.join(options)})", f" (1 to {most})", f", 1 to {most}"))
    if not offered:
        options = ("1", "2", "3")
    question = Question(
        f"how many {thing.plural} {who.he} {third}{offered}",
        f"How many {thing.plural} do you {verb}?",
        options,
    )
    if draw.chance(0.3):
        return _tell_how_many(story, reach, question)
    end, number = draw.one(
        (
            (f"bring {who.him} that many from {source.the}", "int(answer)"),
            (f"get {who.him} that many from {source.the}", "int(answer)"),
            (f"bring {who.him} as many from {source.the}", "int(answer)"),
            (f"bring {who.him} one more than that from {source.the}", "int(answer) + 1"),
            (f"bring {who.him} twice as many from {source.the}", "2 * int(answer)"),
        )
    )
    text = f"ask {reach.who} {question.reported}{draw.one((' and ', ', then ', '. Then '))}{end}"
    body = (go_to(source.name), *taken(thing, reach.back))
    loop = Loop(f"for _ in range({number}):", body)
    return Clause(text, reach.steps((f"answer = {ask(who, question)}", loop)), reach.room)


def _tell_how_many(story: Story, reach: Reach, question: Question) -> Clause:
    """The number that somebody answered, to me or to another."""
    draw, who = story.draw, reach.person
    said = f"say({quoted(f'{who.name} said: ')} + answer)"
    text = asking(story, reach, question)
    answer = f"answer = {ask(who, question)}"
    if draw.chance(0.5):
        text += draw.phrase((" and [tell me|let me know]", ", then [come back and |]tell me"))
        return Clause(text, reach.steps((answer, HOME, said)))
    other = story.reach(0.7)
    text += draw.phrase((" and tell {o}", ", then tell {o}", " and let {o} know"), o=other.who)
    return Clause(text, (*reach.steps((answer,), vital=True), *other.steps((said,))), other.room)


@part("total", 1.2, joint=Joint.SENTENCE)
def total(story: Story) -> Clause:
    """Add up what several people answer."""
    draw, thing, room = story.draw, story.thing(count=True), story.room()
    people = story.people(draw.rng.choice((2, 3)))
    names = listed([who.who for who in people])
    verb = draw.one(("want", "need"))
    spoken = f"How many {thing.plural} do you {verb}?"
    text = f"ask {names} in {room.the} how many {thing.plural} they {verb} and "
    body: Steps = (f'total += int(ask(name, {quoted(spoken)}, ["0", "1", "2", "3"]))',)
    loop = Loop(f"for name in {names_list([who.name for who in people])}:", body)
    if draw.chance(0.5):
        text += draw.one(
            (
                "tell me the total",
                "tell me how many that is altogether",
                "add it up and tell me",
                "report the sum",
            )
        )
        end: Steps = (HOME, f"say(str(total) + {quoted(f' {thing.plural}')})")
    else:
        source = story.room()
        text += draw.one(
            (f"bring that many from {source.the}", f"bring them all together from {source.the}")
        )
        text = text.replace("bring them all together", "bring as many as they want")
        body = fetched(thing, source, room)
        end = (Loop("for _ in range(total):", body),)
    return Clause(text, ("total = 0", go_to(room.name), loop, *end))


@part("insist", 0.6, joint=Joint.SENTENCE)
def insist(story: Story) -> Clause:
    """Ask again and again until the answer is yes."""
    draw, reach = story.draw, story.reach(0.8)
    if reach.room is None:
        raise DoesNotFit
    who = reach.person
    question = spoken.yes_no(story, who)
    call = f'ask({quoted(who.name)}, {quoted(question.spoken)}, ["Yes", "No"])'
    says = f"{who.he} {'say' if who.he == 'they' else 'says'}"
    minute = draw.one(((60, "every minute"), (60, "once a minute"), (10, "every ten seconds")))
    text = draw.phrase(
        (
            "ask {p} {e} {q} until {s} yes",
            "keep asking {p} {e} {q} until {s} yes",
        ),
        p=reach.who,
        e=minute[1],
        q=question.reported,
        s=says,
    )
    loop = Loop(f'while {call} != "Yes":', (f"time.sleep({minute[0]})",))
    return Clause(text, (go_to(reach.room.name), loop))


@part("ask_any_room", 5.0, joint=Joint.SENTENCE)
def ask_any_room(story: Story) -> Clause:
    """Ask somebody for a room if the words name none: any room may be the answer."""
    draw, reach, thing = story.draw, story.reach(0.4), story.thing()
    who = reach.person
    third = "" if who.he == "they" else "s"
    clause, spoken_, then = draw.one(
        (
            (f"where {thing.the} {thing.be}", f"Where {thing.be} {thing.the}?", brought(thing)),
            (f"which room {thing.the} {thing.be} in", f"Which room {thing.be} {thing.the} in?",
             brought(thing)),
            (f"where {who.he} want{third} to go", "Where do you want to go?", ()),
            (f"which room {who.he} need{third}", "Which room do you need?", ()),
            (f"where {who.he} want{third} {thing.the}", f"Where do you want {thing.the}?", ()),
            (f"where the {(event := draw.one(words.EVENTS.of(draw)))} is",
             f"Where is the {event}?", ()),
        )
    )  # fmt: skip
    answer = f"answer = ask({quoted(who.name)}, {quoted(spoken_)}, get_all_rooms())"
    text = asking(story, reach, Question(clause, spoken_))
    if draw.chance(0.5):
        text += draw.phrase(
            (" and [tell me|let me know|report back]", " and tell me what {he} said", ""),
            he=who.he,
        )
        said = f"say({quoted(f'{who.name} said: ')} + answer)"
        return Clause(text, reach.steps((answer, HOME, said)))
    if then:
        text += draw.phrase(
            (" and bring {it} to me", ", then [go there and |][bring|get] {it} to me",
             ". Then [bring {it} to me|fetch {it}|get {it} from there]"), it=thing.it,
        )  # fmt: skip
        text = text.replace(f"get {thing.it} to me", f"get {thing.it} for me")
        return Clause(text, reach.steps((answer, "go_to(answer)", *then)))
    if clause.endswith("to go"):
        text += draw.phrase((" and [take|bring|lead|guide] {h} there",), h=who.him)
        return Clause(text, reach.steps((answer, GUIDE, "go_to(answer)")))
    text += draw.one((" and go there", ", then go there", ", then drive there"))
    return Clause(text, reach.steps((answer, "go_to(answer)")))


@part("ask_where", 1.0, joint=Joint.SENTENCE)
def ask_where(story: Story) -> Clause:
    """Ask somebody for a room and go on there."""
    draw, reach, thing = story.draw, story.reach(0.9), story.thing()
    if reach.room is None:
        raise DoesNotFit
    who = reach.person
    rooms = story.rooms(draw.rng.choice((2, 2, 3)))
    options = names_list([room.name for room in rooms])
    or_ = listed([room.the for room in rooms], "or")
    be = thing.be
    question = f"Where {be} {thing.the}?"
    text = (
        draw.phrase(
            (
                "ask {p} [if|whether] {t} {be} in {o}[ and|, then|. Then] [bring|get] {it} to me",
                "ask {p} where {t} {be}, {o}, then [fetch {it}|bring {it} here|bring {it} to me]",
                "{t} {be} in {o}, ask {p} which[ one| of them]. Then bring {it} to me",
            ),
            p=reach.who,
            t=thing.the,
            be=be,
            o=or_,
            it=thing.it,
        )
        .replace("get it to me", "bring it to me")
        .replace("get them to me", "bring them to me")
    )
    body: Steps = (
        f"answer = ask({quoted(who.name)}, {quoted(question)}, {options})",
        "go_to(answer)",
        *brought(thing),
    )
    return Clause(text, reach.steps(body))
