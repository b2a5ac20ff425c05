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
    Step,
    Steps,
    go_to,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.parts.asking_many import AND, DECISIONS, Report, report, tally
from roboinstruct_ros.learn.pairs.parts.polls import WHO, about
from roboinstruct_ros.learn.pairs.parts.talking import ask
from roboinstruct_ros.learn.pairs.story import Reach, Story
from roboinstruct_ros.learn.pairs.talk import Question


@part("poll_apart", 12.0, joint=Joint.SENTENCE)
def poll_apart(story: Story) -> Clause:
    """People in several rooms are asked the same, and the answers are told, counted or decide."""
    draw = story.draw
    asked = story.reaches(draw.rng.choice((2, 2, 3, 3, 3, 4)))
    kind = draw.one((Report.HOW_MANY, Report.WHO, Report.ANSWERS, Report.WINNER, Report.COUNTS))
    decides = kind is Report.HOW_MANY and len(asked) in DECISIONS and draw.chance(0.65)
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
    if decides:
        test, words = draw.one(DECISIONS[len(asked)])
        then = an_order(story)
        text += f"{draw.one(('. If ', '. If ', ' and if ', ', and if '))}{draw.one(words)}, "
        text += then.text
        no: Steps = ()
        if draw.chance(0.5):
            other = _tell_me(story, "that it won't work", "It will not work")
            other = other if draw.chance(0.3) else an_order(story)
            text += draw.one((", otherwise ", ". Otherwise ", ". If not, ")) + other.text
            no = other.steps
        return Clause(text, (start, *each, Branch(test, then.steps, no)))
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
    end: Steps = ('say(", ".join(found))',)
    if kind is Report.HOW_MANY:
        start, end = "count = 0", ('say(str(count) + " people said yes")',)
    elif kind is Report.WHO:
        yes, none = ('say(", ".join(found) + " said yes")',), (say("Nobody said yes"),)
        end = (Branch("found", yes, none),)
    elif kind is not Report.ANSWERS:
        start, end = tally(question, kind is Report.WINNER)
    steps: Steps = ()
    for one in asked:
        call, name = ask(one.person, question), one.person.name
        step: Step = f"counts[{call}] += 1"
        if kind is Report.ANSWERS:
            step = f"found.append({quoted(f'{name} said: ')} + {call})"
        elif kind is Report.HOW_MANY:
            step = Branch(f'{call} == "Yes"', ("count += 1",))
        elif kind is Report.WHO:
            step = Branch(f'{call} == "Yes"', (f"found.append({quoted(name)})",))
        steps += (one.back, step)
    return start, steps, end


def _tell_me(story: Story, what: str, words: str) -> Clause:
    draw = story.draw
    return Clause(
        f"{draw.one(('tell me', 'come back and tell me', 'let me know'))} {what}",
        (HOME, say(words)),
    )


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
    other = _tell_me(story, "that they don't agree", "They do not agree")
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
        ).replace("they says", "they say").replace("they doesn't", "they don't")  # fmt: skip
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
