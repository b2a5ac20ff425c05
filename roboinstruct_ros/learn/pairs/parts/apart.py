"""Parts over people in several rooms: they are asked or told the same, or one after the other."""

from __future__ import annotations

from itertools import pairwise

from roboinstruct_ros.learn.draw import DoesNotFit
from roboinstruct_ros.learn.entities import listed
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, an_order, part
from roboinstruct_ros.learn.pairs.deeds import taken
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Branch,
    Steps,
    go_to,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.parts.asking_many import (
    AND,
    Report,
    decision,
    kept,
    report,
    tally,
    vote_of,
)
from roboinstruct_ros.learn.pairs.parts.polls import WHO, about
from roboinstruct_ros.learn.pairs.parts.talking import ask, tell
from roboinstruct_ros.learn.pairs.story import Reach, Story
from roboinstruct_ros.learn.pairs.talk import Question


@part("poll_apart", 12.0, joint=Joint.SENTENCE)
def poll_apart(story: Story) -> Clause:
    """People in several rooms are asked the same, and the answers are told, counted or decide."""
    draw = story.draw
    asked = story.reaches(draw.rng.choice((2, 2, 3, 3, 3, 4)))
    kind = draw.one((Report.HOW_MANY, Report.WHO, Report.ANSWERS, Report.WINNER, Report.COUNTS))
    if kind is Report.WHO and draw.chance(0.5):
        question = about(story, WHO, "who ")
        text = draw.phrase(
            ("[see|find out] who {q}: ask {n}", "who {q}? Ask {n}", "ask {n} who {q}"),
            q=question.reported, n=listed([one.who for one in asked]),
        )  # fmt: skip
    else:
        vote = kind in (Report.WINNER, Report.COUNTS) or draw.chance(0.2)
        vote = vote and kind not in (Report.HOW_MANY, Report.WHO)
        question = (spoken.choice if vote else spoken.yes_no)(story, spoken.SOMEBODY)
        text = _asked_in_words(story, asked, question)
    start, each, end = _kept(asked, question, kind)
    if kind is Report.HOW_MANY and len(asked) < 4 and draw.chance(0.65):
        more, branch = decision(story, len(asked))
        return Clause(text + more, (start, *each, branch))
    told, back = report(draw, kind), HOME
    if told.startswith("tell me") and draw.chance(0.25):
        hearer = story.reaches(1)[0]
        told, back = told.replace("tell me", f"tell {hearer.who}", 1), hearer.back
    return Clause(text + draw.one(AND) + told, (start, *each, back, *end))


def _asked_in_words(story: Story, asked: list[Reach], question: Question) -> str:
    draw = story.draw
    where = [(one.person.who, one.room.the) for one in asked if one.room is not None]
    first = f"{where[0][0]} is in {where[0][1]}"
    places = listed([first, *(f"{who} in {room}" for who, room in where[1:])])
    return draw.phrase(
        (
            "ask {n} {q}", "ask {n} {q}", "go to {n} and ask [them|each of them] {q}",
            "find out from {n} {q}", "go and ask {n} {q}",
            "{p}. [Ask|Go and ask] [each of them|them|them all] {q}",
            "go [round|around] and ask {n} {q}",
        ),
        n=listed([one.who for one in asked]), p=places, q=question.reported,
    )  # fmt: skip


def _kept(asked: list[Reach], question: Question, kind: Report) -> tuple[str, Steps, Steps]:
    """The set-up, what is done with each of them, and the report."""
    start = "found = []"
    steps: Steps = ()
    end: Steps = ('say(", ".join(found))',)
    for one in asked:
        name, call = quoted(one.person.name), ask(one.person, question)
        if kind in (Report.HOW_MANY, Report.WHO):
            start, keep, end = kept(question, kind, name)
        elif kind is Report.ANSWERS:
            keep = (f"found.append({quoted(f'{one.person.name} said: ')} + {call})",)
        else:
            keep = (vote_of(question, call),)
            start, end = tally(question, kind is Report.WINNER)
        steps += (one.back, *keep)
    return start, steps, end


@part("agree_apart", 2.5, joint=Joint.SENTENCE)
def agree_apart(story: Story) -> Clause:
    """Two people in two rooms choose; what is done if they want the same, and if not."""
    draw, asked = story.draw, story.reaches(2)
    question = spoken.choice(story, spoken.SOMEBODY)
    text = _asked_in_words(story, asked, question) + draw.phrase(
        (". If they [agree|want the same|say the same thing], ", ". If both say the same, ")
    )
    both = Clause("tell me what", (HOME, 'say("Both said: " + first)'))
    then = both if draw.chance(0.5) else an_order(story)
    news = draw.one(("tell me", "come back and tell me", "let me know"))
    other = Clause(f"{news} that they don't agree", (HOME, say("They do not agree")))
    other = other if draw.chance(0.7) else an_order(story)
    text += then.text + draw.one((", otherwise ", ". Otherwise ", ". If not, ")) + other.text
    steps: Steps = ()
    for name, one in zip(("first", "second"), asked, strict=True):
        steps += (one.back, f"{name} = {ask(one.person, question)}")
    return Clause(text, (*steps, Branch("first == second", then.steps, other.steps)))


@part("serve_apart", 5.0, joint=Joint.SENTENCE)
def serve_apart(story: Story) -> Clause:
    """People in several rooms are asked if they want something, and who does gets it."""
    draw, source = story.draw, story.room()
    asked = story.reaches(draw.rng.choice((2, 2, 3)))
    thing = story.thing(count=True)
    verb = draw.one(("want", "need", "would like"))
    ask_for = f"{'Would' if verb == 'would like' else 'Do'} you {verb.split()[-1]} {thing.a}?"
    question = Question(f"{draw.one(('if', 'whether'))} they {verb} {thing.a}", ask_for)
    text = _asked_in_words(story, asked, question) + draw.phrase(
        (
            ". [Everybody|Everyone] who [says yes|does] gets one from {s}",
            " and [bring|take] one from {s} to [everybody|everyone|each one] who [says yes|does]",
            ". [Bring|Get] one from {s} for [everybody who|everyone who|whoever] [says yes|does]",
        ),
        s=source.the,
    )
    steps: Steps = ()
    for one in asked:
        served = (go_to(source.name), *taken(thing, one.back))
        steps += (one.back, Branch(f'{ask(one.person, question)} == "Yes"', served))
    return Clause(text, steps)


@part("ask_in_turn", 5.0, joint=Joint.SENTENCE)
def ask_in_turn(story: Story) -> Clause:
    """One after the other is asked until somebody says yes."""
    draw = story.draw
    if not story.final:
        raise DoesNotFit
    asked = story.reaches(draw.rng.choice((2, 2, 3)))
    question = spoken.yes_no(story, asked[0].person)
    text = f"ask {asked[0].who} {question.reported}"
    for before, one in pairwise(asked):
        text += draw.phrase(
            (
                ". If {he} [says no|doesn't|can't|says no], [ask|try|go and ask] {n}",
                ", and if {he} says no[,|] ask {n}", "; if not, ask {n}", ". If not, ask {n}",
            ),
            he=before.person.he, n=one.who,
        )  # fmt: skip
    text += draw.one(
        (". Tell me who said yes", ". Then tell me who said yes", ", then tell me who said yes",
         ". Let me know who does", ". Come back and tell me who said yes", ". Tell me who does")
    )  # fmt: skip
    steps: Steps = ()
    for one in asked:
        said = say(f"{one.person.name} said yes")
        yes = f'{ask(one.person, question)} == "Yes"'
        steps += (one.back, Branch(yes, (HOME, said, "return")))
    return Clause(text, (*steps, HOME, say("Nobody said yes")))


@part("tell_apart", 4.0, joint=Joint.SENTENCE)
def tell_apart(story: Story) -> Clause:
    """Several people in several rooms hear the same, or two hear something of each other."""
    draw = story.draw
    told = story.reaches(draw.rng.choice((2, 2, 2, 3)))
    steps: Steps = ()
    if len(told) == 2 and draw.chance(0.25):
        one, other = told
        words = draw.one(("says hi", "says hello", "is sorry", "says thank you", "sends greetings"))
        text = f"tell {one.who} that {other.person.who} {words}"
        text += draw.one((" and tell ", ", then tell ", ". Then tell "))
        text += f"{other.who} that {one.person.who} {words}"
        for hearer, sender in ((one, other), (other, one)):
            steps += (hearer.back, tell(hearer.person, f"{sender.person.name} {words}"))
        return Clause(text, steps)
    words = spoken.statement(story)
    text = draw.phrase(
        (
            "tell {n} [that |]{m}", "tell {n} that {m}", "let {n} know that {m}",
            "{n} [should know|need to know] that {m}", "go [round|around] and tell {n} that {m}",
        ),
        n=listed([one.who for one in told]), m=words,
    )  # fmt: skip
    for one in told:
        steps += (one.back, tell(one.person, words))
    return Clause(text, steps)
