"""Parts that ask several people: how many, who, what most of them want, and what follows."""

from __future__ import annotations

from enum import Enum

from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.entities import Room, article, listed
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, an_order, part
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
from roboinstruct_ros.learn.pairs.story import Story
from roboinstruct_ros.learn.pairs.talk import Question

EVERYBODY = (
    "everybody", "everyone", "everybody", "everyone", "all the people", "the people", "people",
    "each person", "all of them", "everybody who is",
)  # fmt: skip


class Report(Enum):
    """What is reported of many answers."""

    HOW_MANY = "how many"
    WHO = "who"
    ANSWERS = "answers"
    WINNER = "winner"
    COUNTS = "counts"


_REPORTS = {
    Report.HOW_MANY: (
        "tell me how many said yes", "tell me how many of them said yes", "count how many say yes",
        "tell me how many do", "report how many said yes", "count the yes answers",
        "tell me how many", "let me know how many say yes",
        "come back and tell me how many said yes", "bring me the number of yes answers",
        "tell me the number of people who said yes",
    ),
    Report.WHO: (
        "tell me who said yes", "tell me who does", "report who said yes",
        "let me know who says yes", "tell me the names of those who said yes",
        "come back and tell me who said yes",
    ),
    Report.ANSWERS: (
        "tell me what they said", "report their answers", "tell me all the answers",
        "bring me their answers", "tell me what each of them said", "come back with the answers",
        "tell me", "let me know", "report back", "come back and tell me", "tell me what they say",
    ),
    Report.WINNER: (
        "tell me what most of them want", "tell me what the majority wants",
        "tell me which got the most votes", "report what won", "tell me what most chose",
        "tell me which one won", "tell me the winner", "tell me the most popular answer",
        "let me know what most people want",
    ),
    Report.COUNTS: (
        "tell me how many votes each got", "count the votes and tell me", "report the counts",
        "tell me how many chose what", "count the answers", "tell me how many want each",
        "count the answers and tell me", "tell me how many of each", "count them up for me",
        "tell me how many picked what",
    ),
}  # fmt: skip
AND = (" and ", " and ", " and ", ", then ", ". Then ", ". ", " and then ")


def report(draw: Draw, kind: Report) -> str:
    """How somebody asks for that: "tell me how many said yes"."""
    return draw.one(_REPORTS[kind])


def ask_name(question: Question, name: str = "name") -> str:
    """The call that asks somebody: whoever is called `name`, or a quoted name."""
    return f"ask({name}, {quoted(question.spoken)}, {names_list(question.options)})"


def kept(question: Question, kind: Report, name: str = "name") -> tuple[str, Steps, Steps]:
    """The set-up, the step for each `name`, and the report at the end."""
    yes = f'{ask_name(question, name)} == "Yes"'
    if kind is Report.HOW_MANY:
        keep: Steps = (Branch(yes, ("count += 1",)),)
        return "count = 0", keep, ('say(str(count) + " people said yes")',)
    if kind is Report.WHO:
        keep = (Branch(yes, (f"found.append({name})",)),)
        said, none = 'say(", ".join(found) + " said yes")', "Nobody said yes"
    else:
        keep = (f"answer = {ask_name(question)}", 'found.append(name + " said: " + answer)')
        said, none = 'say(", ".join(found))', "I could not find anybody"
    return "found = []", keep, (Branch("found", (said,), (say(none),)),)


_DECISIONS = {
    2: (
        ("count == 2", ("both say yes", "both agree", "both of them say yes", "both want to")),
        ("count > 0", ("one of them says yes", "at least one of them says yes", "anyone agrees")),
        ("count == 0", ("both say no", "neither of them does", "nobody says yes", "both refuse")),
    ),
    3: (
        ("count > 1", ("most say yes", "the majority says yes", "at least two say yes",
                       "most of them agree", "more than half say yes")),
        ("count == 3", ("all say yes", "all three agree", "everybody says yes")),
        ("count > 0", ("anybody says yes", "one of them says yes", "at least one agrees")),
        ("count == 0", ("nobody says yes", "all say no", "none of them does")),
    ),
}  # fmt: skip


@part("decide", 8.0, joint=Joint.SENTENCE)
def decide(story: Story) -> Clause:
    """What is done depends on how many say yes."""
    draw, room = story.draw, story.room()
    people = story.people(draw.rng.choice((2, 3, 3)))
    question = spoken.yes_no(story, spoken.SOMEBODY)
    text = draw.phrase(
        ("ask {n} in {r} {q}", "go to {r} and ask {n} {q}", "find out from {n} in {r} {q}"),
        n=listed([who.who for who in people]),
        r=room.the,
        q=question.reported,
    )
    start, keep, _ = kept(question, Report.HOW_MANY)
    loop = Loop(f"for name in {names_list([who.name for who in people])}:", keep)
    more, branch = decision(story, len(people))
    return Clause(text + more, (start, go_to(room.name), loop, branch))


def decision(story: Story, asked: int) -> tuple[str, Branch]:
    """What is done if so many of those who were asked said yes, and perhaps if not."""
    draw = story.draw
    test, words = draw.one(_DECISIONS[asked])
    then = an_order(story)
    text = f"{draw.one(('. If ', '. If ', ' and if ', ', and if '))}{draw.one(words)}, {then.text}"
    no: Steps = ()
    if draw.chance(0.5):
        sign = draw.one((", otherwise ", ". Otherwise ", ". If not, ", ", if not, ", ", else "))
        end = (HOME, 'say(str(count) + " people said yes")')
        other = Clause("come back and tell me how many said yes", end)
        other = other if draw.chance(0.25) else an_order(story)
        text, no = text + sign + other.text, other.steps
    return text, Branch(test, then.steps, no)


@part("vote", 3.5, joint=Joint.SENTENCE)
def vote(story: Story) -> Clause:
    """What most of some people want: told, or how many votes each answer got."""
    draw, room = story.draw, story.room()
    people = story.people(draw.rng.choice((3, 3, 2)))
    question = spoken.choice(story, spoken.SOMEBODY)
    names = listed([who.who for who in people])
    most = len(people) == 3 and draw.chance(0.6)
    text = draw.phrase(
        (
            "ask {n} in {r} {q}",
            "go to {r} and ask {n} {q}",
            "let {n} in {r} vote {q}",
            "take a vote among {n} in {r}: ask them {q}",
        ),
        n=names,
        r=room.the,
        q=question.reported,
    )
    text += draw.one(AND) + report(draw, Report.WINNER if most else Report.COUNTS)
    loop = Loop(f"for name in {names_list([who.name for who in people])}:", (vote_of(question),))
    start, end = tally(question, most)
    return Clause(text, (start, go_to(room.name), loop, HOME, *end))


def vote_of(question: Question, call: str = "") -> str:
    """The line that counts an answer, of whoever is called `name` unless there is a `call`."""
    return f"counts[{call or ask_name(question)}] += 1"


def tally(question: Question, most: bool) -> tuple[str, Steps]:
    """The set-up before counting the answers, and the report: the winner, or all counts."""
    counts = "counts = {" + ", ".join(f"{quoted(one)}: 0" for one in question.options) + "}"
    if not most:
        told = ('say(option + ": " + str(counts[option]))',)
        return counts, (Loop("for option in counts:", told),)
    best = Loop(
        "for option in counts:", (Branch("counts[option] > counts[best]", ("best = option",)),)
    )
    return counts, (f"best = {quoted(question.options[0])}", best, 'say("Most want: " + best)')


_VERBS = {"drink": "to drink", "fruit": "as fruit", "snack": "to eat", "book": "to read",
          "pen": "to write with"}  # fmt: skip


@part("serve_each", 5.0, joint=Joint.SENTENCE)
def serve_each(story: Story) -> Clause:
    """Each of some people is asked what they want and gets it."""
    draw, room = story.draw, story.room()
    source = story.room() if draw.chance(0.55) else None
    noun, options = draw.one(spoken.SERVED)
    some = draw.some(options, draw.rng.choice((2, 2, 3)))
    offered = [one if noun == "drink" else article(one) for one in some]
    ask_for = _VERBS[noun]
    question = draw.one(
        (
            Question(
                f"what they want {ask_for} ({', '.join(some)})",
                f"What do you want {ask_for}?",
                tuple(some),
            ),
            Question(
                f"if they want {listed(offered, 'or')}",
                f"Do you want {listed(offered, 'or')}?",
                tuple(some),
            ),
            Question(f"what they want {ask_for}", f"What do you want {ask_for}?", options[:4]),
        )
    )
    known = story.scene.people if story.scene.told else ()
    if len(known) > 1 and draw.chance(0.3):
        return _served(story, room, source, question, f"{draw.one(EVERYBODY[:4])} in {room.the}")
    people = story.people(draw.rng.choice((2, 2, 3)))
    names = listed([who.who for who in people])
    asked = f"{names} in {room.the}"
    return _served(story, room, source, question, asked, tuple(who.name for who in people))


def _served(
    story: Story,
    room: Room,
    source: Room | None,
    question: Question,
    asked: str,
    names: tuple[str, ...] = (),
) -> Clause:
    """The clause; without `names` everybody whom the map knows and who is there is served."""
    draw = story.draw
    text = f"ask {asked} {question.reported}" + draw.phrase(
        (
            "[ and|, then|. Then] bring [it|what they want|that|what they said] to them{f}",
            "[ and|, then|. Then] [get|fetch] it{f} for them",
            " and [bring|get] [each of them|them|everyone] what they want{f}",
            " and [bring|get] each of them [their choice|what they chose]{f}",
        ),
        f=f" from {source.the}" if source else "",
    )
    put: Steps = ("pick(answer)", go_to(room.name), "place(answer)")
    if source:
        body: Steps = (f"answer = {ask_name(question)}", go_to(source.name), *put)
    else:
        missing = ('say("I could not find " + answer)',)
        body = (f"answer = {ask_name(question)}", Search("is_in_room(answer)", put, missing))
    if not names:
        body = (go_to(room.name), Branch("is_in_room(name)", body))
    elif source is None:
        body = (go_to(room.name), *body)
    loop = Loop(f"for name in {names_list(names or story.scene.people)}:", body)
    before: Steps = (go_to(room.name),) if names and source else ()
    return Clause(text, (*before, loop))


@part("both_served", 2.5, joint=Joint.SENTENCE)
def both_served(story: Story) -> Clause:
    """Two people in two rooms are asked what they want, and each gets it."""
    draw = story.draw
    first, second, source = story.reach(1.0), story.reach(1.0), story.room()
    rooms = (first.room, second.room)
    if any(room is None or room.the not in one.who
           for room, one in zip(rooms, (first, second), strict=True)):  # fmt: skip
        raise DoesNotFit
    noun, options = draw.one(spoken.SERVED[:3])
    some = draw.some(options, 2)
    offered = listed([one if noun == "drink" else article(one) for one in some], "or")
    spoken_ = f"Do you want {offered}?"
    text = f"ask {first.who} and {second.who} if they want {offered}" + draw.phrase(
        (
            " and [bring|get] them what they want from {s}",
            ". [Bring|Get] each of them what they want from {s}",
        ),
        s=source.the,
    )
    steps: Steps = ()
    for reach in (first, second):
        if reach.room is not None:
            call = (
                f"answer = ask({quoted(reach.person.name)}, {quoted(spoken_)}, {names_list(some)})"
            )
            there = go_to(reach.room.name)
            steps += (there, call, go_to(source.name), "pick(answer)", there, "place(answer)")
    return Clause(text, steps)
