"""Parts that speak: say, tell, remind, greet, ask and report, pass a message on."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.entities import Person
from roboinstruct_ros.learn.pairs import spoken
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, part
from roboinstruct_ros.learn.pairs.flow import HOME, Steps, go_to, names_list, quoted, say
from roboinstruct_ros.learn.pairs.story import Reach, Story
from roboinstruct_ros.learn.pairs.talk import Question


def ask(who: Person, question: Question) -> str:
    """The call that asks and gives the answer."""
    return f"ask({quoted(who.name)}, {quoted(question.spoken)}, {names_list(question.options)})"


def tell(who: Person, words: str) -> str:
    """The call that says these words to somebody."""
    return say(f"{who.name}, {words}" if who.name else capital_please(words))


def capital_please(words: str) -> str:
    """A request to nobody by name begins like a sentence."""
    return capital(words) if words.startswith("please ") else words


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def seek(reach: Reach) -> str:
    """ "find" only where the robot will look for the person, else "see"."""
    return "find" if reach.room is None else "see"


@part("say_in", 3.5, order=True, joint=Joint.THEN)
def say_in(story: Story) -> Clause:
    draw, room = story.draw, story.room()
    if draw.chance(0.5):
        words = spoken.statement(story)
        text = draw.phrase(
            (
                "[say|announce|tell everyone|tell everybody|tell the people] in {r} that {m}",
                "[go|drive] to {r} and [say|announce|tell everyone|tell everybody|let "
                "everyone know] [that |]{m}",
                "[tell|inform] [everyone|everybody|the people] in {r} that {m}",
                "let [everyone|everybody] in {r} know that {m}",
                "announce in {r} that {m}",
            ),
            r=room.the,
            m=words,
        )
    else:
        words = spoken.utterance(story)
        text = draw.phrase(
            (
                "[go|drive|head] to {r} and say {m}",
                "say {m} in {r}",
                "in {r}, say {m}",
                "go to {r}, say {m}",
            ),
            r=room.the,
            m=draw.one((words, words, f'"{words}"', f"'{words}'")),
        )
    return Clause(text, (go_to(room.name), say(words)), room)


@part("say_here", 1.2, joint=Joint.THEN)
def say_here(story: Story) -> Clause:
    draw, words = story.draw, spoken.utterance(story)
    text = draw.phrase(("[say|say|say out loud] {m}",), m=draw.one((words, words, f'"{words}"')))
    return Clause(text, (say(words),))


@part("tell_person", 4.5, order=True, joint=Joint.THEN)
def tell_person(story: Story) -> Clause:
    draw, reach = story.draw, story.reach()
    who, message = reach.person, spoken.message(story, reach.person)
    text = draw.phrase(
        (
            "tell {p} [that |]{m}",
            "tell {p} [that |]{m}",
            "inform {p} that {m}",
            "let {p} know [that |]{m}",
            f"[go to|meet|{seek(reach)}] {{p}} and tell {{him}} [that |]{{m}}",
            "[go and |]tell {p} that {m}",
            "pass on to {p} that {m}",
        ),
        p=reach.who,
        m=message.reported,
        him=who.him,
    )
    return Clause(text, reach.steps((tell(who, message.spoken),)), reach.room, None, reach.met)


@part("ask_to", 3.0, order=True, joint=Joint.SENTENCE)
def ask_to(story: Story) -> Clause:
    """A request or a reminder to somebody."""
    draw, reach = story.draw, story.reach()
    who, chore = reach.person, spoken.chore(story, reach.person)
    if draw.chance(0.6):
        text = draw.phrase(
            ("remind {p} to {c}", "[go and |]remind {p} to {c}", "don't let {p} forget to {c}"),
            p=reach.who,
            c=chore.reported,
        )
        words = f"remember to {chore.spoken}"
    else:
        text = draw.phrase(
            (
                "[ask|tell|ask] {p} to {c}",
                f"[go to|{seek(reach)}] {{p}} and [ask|tell] {{him}} to {{c}}",
            ),
            p=reach.who,
            c=chore.reported,
            him=who.him,
        )
        words = f"please {chore.spoken}"
    return Clause(text, reach.steps((tell(who, words),)), reach.room, None, reach.met)


@part("greet", 1.5, order=True, joint=Joint.THEN)
def greet(story: Story) -> Clause:
    draw, reach = story.draw, story.reach()
    words = spoken.greeting(story)
    text = draw.phrase(
        (
            "[greet|say hello to|say hi to] {p}",
            "[say {w} to {p}|say {w} to {p}|tell {p} {w}]",
        ),
        p=reach.who,
        w=words,
    )
    said = words if words in text else "hello"
    return Clause(text, reach.steps((say(f"{capital(said)}, {reach.person.name}"),)), reach.room)


def asking(story: Story, reach: Reach, question: Question) -> str:
    """The words of an order to ask: "ask Anna if she is hungry"."""
    return story.draw.phrase(
        (
            "ask {p} {q}",
            "ask {p} {q}",
            f"[go to|{seek(reach)}] {{p}} and ask {{him}} {{q}}",
            "[go and |go ]ask {p} {q}" if "go and ask" else "",
            "find out from {p} {q}",
        ),
        p=reach.who,
        q=question.reported,
        him=reach.person.him,
    )


def what_they_said(draw: Draw, who: Person) -> str:
    """ "what she said", "the answer"."""
    return draw.one(
        (f"what {who.he} said", "the answer", f"{who.his} answer", f"what {who.he} said")
    )


@part("ask_and_report", 5.0, joint=Joint.THEN)
def ask_and_report(story: Story) -> Clause:
    draw, reach = story.draw, story.reach()
    who = reach.person
    question = spoken.choice(story, who) if draw.chance(0.5) else spoken.yes_no(story, who)
    text = asking(story, reach, question) + draw.phrase(
        (
            " and [tell me|let me know|report] {w}",
            ", then [tell me|report back|let me know|come back and tell me {w}]",
            " and [come back and|come back to] [tell me|report] {w}",
            ". [Tell me|Let me know|Bring me back|Report] {w}",
            "[|, I want to know]",
        ),
        w=what_they_said(draw, who),
    )
    said = f"say({quoted(f'{who.name} said: ')} + answer)"
    steps = reach.steps((f"answer = {ask(who, question)}", HOME, said))
    return Clause(text, steps)


@part("pass_answer", 9.0, joint=Joint.THEN)
def pass_answer(story: Story) -> Clause:
    """Ask one person, tell another what they said."""
    draw, reach, other = story.draw, story.reach(0.7), story.reach(0.7)
    if not story.final and None in (reach.room, other.room):
        raise DoesNotFit
    who = reach.person
    question = spoken.choice(story, who) if draw.chance(0.5) else spoken.yes_no(story, who)
    text = asking(story, reach, question) + draw.phrase(
        (
            " and tell {o} {w}",
            "[ and|, then|, and then] [tell {o}|let {o} know]",
            ", then [tell|inform] {o} {w}".replace("inform", "tell"),
            ". Then let {o} know {w}",
            " and bring {his} answer to {o}",
        ),
        o=other.who,
        w=what_they_said(draw, who),
        his=who.his,
    )
    said = f"say({quoted(f'{who.name} said: ')} + answer)"
    steps = reach.steps((f"answer = {ask(who, question)}",), vital=True)
    return Clause(text, (*steps, *other.steps((said,))), other.room)


@part("message_and_answer", 3.0, joint=Joint.THEN)
def message_and_answer(story: Story) -> Clause:
    """Tell somebody something, ask what they want to answer, and bring it."""
    draw, reach = story.draw, story.reach()
    who, message = reach.person, spoken.message(story, reach.person)
    question = spoken.yes_no(story, who)
    text = draw.phrase(
        (
            "tell {p} that {m}[ and|, then] ask {him} {q}[. Tell me what {he} says| and tell "
            "me what {he} said| and report back]",
            "let {p} know that {m}, ask {him} {q} and [tell me|bring me] the answer",
        ),
        p=reach.who,
        m=message.reported,
        q=question.reported,
        him=who.him,
        he=who.he,
    )
    said = f"say({quoted(f'{who.name} said: ')} + answer)"
    body: Steps = (tell(who, message.spoken), f"answer = {ask(who, question)}", HOME, said)
    return Clause(text, reach.steps(body))
