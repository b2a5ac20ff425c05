"""Polls in which nobody is named: whoever is in a room, or anywhere, is asked the same."""

from __future__ import annotations

import re

from roboinstruct_ros.learn.draw import Draw, until
from roboinstruct_ros.learn.entities import Person, Room, listed
from roboinstruct_ros.learn.pairs import spoken, talk
from roboinstruct_ros.learn.pairs.compose import Clause, Joint, an_order, part
from roboinstruct_ros.learn.pairs.deeds import fetched
from roboinstruct_ros.learn.pairs.flow import ALL, HOME, Branch, Loop, Steps, go_to, names_list, say
from roboinstruct_ros.learn.pairs.parts.asking_many import (
    AND,
    EVERYBODY,
    Report,
    kept,
    report,
    tally,
    vote_of,
)
from roboinstruct_ros.learn.pairs.parts.moving import named
from roboinstruct_ros.learn.pairs.parts.talking import ask
from roboinstruct_ros.learn.pairs.story import Story
from roboinstruct_ros.learn.pairs.talk import Question

_EACH = Person("", "somebody", "everybody", "them", "their")
WHO = Person("", "somebody", "who", "them", "their")


@part("everybody", 8.0, joint=Joint.SENTENCE)
def everybody(story: Story) -> Clause:
    """Yes or no from whoever is in a room; where the map knows names, each of them who is there."""
    return _yes_no(story, story.room())


@part("anywhere", 7.0, joint=Joint.SENTENCE)
def anywhere(story: Story) -> Clause:
    """Yes or no from whoever is in any room."""
    return _yes_no(story, None)


@part("open_poll", 10.0, joint=Joint.SENTENCE)
def open_poll(story: Story) -> Clause:
    """Ask whoever is in a room, or anywhere, what they want: report, count, or find the winner."""
    draw = story.draw
    room = story.room() if draw.chance(0.5) else None
    kind = draw.one((Report.ANSWERS, Report.ANSWERS, Report.WINNER, Report.COUNTS))
    text, question = _open_text(story, room)
    if not re.search("want|like|prefer|should|suit| or ", question.reported):
        kind = Report.ANSWERS  # there is no vote on facts
    text += draw.one(AND) + report(draw, kind)
    return Clause(text, _asked(story, room, question, kind))


_SO = {
    "count > 0": ("anybody says yes", "anyone does", "someone says yes", "at least one says yes"),
    "count == 0": ("nobody says yes", "all say no", "nobody does", "no one says yes"),
    "count > 1": ("more than one says yes", "at least two say yes", "two or more say yes"),
    "count > 2": ("more than two say yes", "at least three say yes", "three or more say yes"),
}


@part("poll_then", 6.0, joint=Joint.SENTENCE)
def poll_then(story: Story) -> Clause:
    """Whoever is in a room is asked, and the answers decide what is done."""
    draw, room, known = story.draw, story.room(), _known(story)
    question = spoken.yes_no(story, spoken.SOMEBODY)
    test = draw.one(tuple(_SO))
    who = draw.one(EVERYBODY[:5])
    then = _for_all(story, room) if draw.chance(0.5) else an_order(story)
    text = draw.phrase(
        ("ask {w} in {r} {q}", "go to {r} and ask {w} there {q}"),
        w=who, r=room.the, q=question.reported,
    )  # fmt: skip
    text += draw.one((" and if ", ". If ", ", and if ")) + f"{draw.one(_SO[test])}, {then.text}"
    no: Steps = ()
    if draw.chance(0.35):
        other = an_order(story)
        text, no = text + draw.one((", otherwise ", ". Otherwise ")) + other.text, other.steps
    if not known:
        answer = f"answer = {ask(spoken.SOMEBODY, question)}"
        said = "No" if test == "count == 0" else "Yes"
        branch = Branch(f'answer == "{said}"', then.steps, no)
        return Clause(text, (go_to(room.name), answer, branch))
    start, keep, _ = kept(question, Report.HOW_MANY)
    loop = Loop(f"for name in {names_list(known)}:", (Branch("is_in_room(name)", keep),))
    return Clause(text, (start, go_to(room.name), loop, Branch(test, then.steps, no)))


def _for_all(story: Story, room: Room) -> Clause:
    """An action for those who were asked, in their room."""
    draw, thing = story.draw, story.thing()
    source = story.room() if draw.chance(0.6) else None
    text = draw.phrase(
        ("[bring|take] {t}{s} there", "[bring|get] them {t}{s}", "[get|fetch] {t}{s} for them"),
        t=named(draw, thing), s=f" from {source.the}" if source else "",
    )  # fmt: skip
    return Clause(text, fetched(thing, source, room))


def _place(draw: Draw, room: Room | None) -> str:
    """ " in the lab"; for all rooms mostly nothing."""
    return f" in {room.the}" if room else draw.one(("", "", "", "", " in the building"))


def _yes_no(story: Story, room: Room | None) -> Clause:
    draw, named = story.draw, bool(_known(story))
    there, who = _place(draw, room), draw.one(EVERYBODY).replace("all of them", "all people")
    roll = draw.rng.random()
    if roll < 0.5:
        kind = draw.one((Report.HOW_MANY, Report.HOW_MANY, Report.WHO, Report.ANSWERS))
        kind = Report.ANSWERS if kind is Report.WHO and not named else kind
        question = spoken.yes_no(story, spoken.SOMEBODY)
        templates: tuple[str, ...] = (
            "ask {w}{in} {q}",
            "ask {w}{in} {q}",
            "go to {r} and ask {w} there {q}" if room else "go around and ask {w} {q}",
            "find out from {w}{in} {q}",
            "[do|take] a poll{in}: ask {w} {q}",
            "ask around{in} {q}",
        )
        end = draw.one(AND) + report(draw, kind)
    elif roll < 0.75:
        kind, question = Report.HOW_MANY, about(story, spoken.SOMEBODY, "they ")
        templates = (
            "[find out|ask|see|go and ask] how many [people|of the people]{in} {q}{end}",
            "how many [people|of the people]{in} {q}? [Go and ask|Ask them|Ask around]",
            "how many people{in} {q}?",
            "count how many people{in} {q}{end}",
        )
        end = ""
    else:
        kind, question = Report.WHO if named else Report.HOW_MANY, about(story, WHO, "who ")
        templates = (
            "[ask|find out|see|ask around] who{in} {q}{end}",
            "who{in} {q}? [Ask them|Go and ask|Ask around]",
            "ask {w}{in} who {q}{end}",
        )
        end = ""
    more = draw.one(("", "", " and tell me", " and let me know", ", then report back"))
    text = draw.phrase(templates, w=who, r=room.the if room else "", q=question.reported,
                       end=more, **{"in": there})  # fmt: skip
    return Clause(text + end, _asked(story, room, question, kind))


def about(story: Story, who: Person, subject: str) -> Question:
    """A question about people, without its subject: "want coffee"."""
    question = until(
        lambda: spoken.yes_no(story, who),
        lambda found: bool(re.match(f"(if|whether) {subject}", found.reported)),
    )
    clause = re.sub(f"^(if|whether) {subject}", "", question.reported)
    return Question(clause, question.spoken, question.options)


def _open_text(story: Story, room: Room | None) -> tuple[str, Question]:
    draw, there = story.draw, _place(story.draw, room)
    roll = draw.rng.random()
    everybody_ = draw.one(("everybody", "everyone", "each person"))
    if roll < 0.3:
        question = spoken.choice(story, spoken.SOMEBODY)
        who = draw.one(EVERYBODY).replace("all of them", "all people")
        text = draw.phrase(
            ("ask {w}{in} {q}", "go to {r} and ask {w} there {q}" if room else "ask around {q}",
             "let {w}{in} vote {q}",
             f"ask [whoever|who] is {'{in}' if room else '[in|here|around]'} {{q}}"),
            w=who, r=room.the if room else "", q=question.reported, **{"in": there},
        )  # fmt: skip
        return text.replace("is  in", "is in"), question
    if roll < 0.65:
        question = talk.an_open_question(draw, _EACH)
        asked = question.reported.replace("everybody", f"{everybody_}{there}", 1)
        if asked == question.reported:
            asked += there
        verb = draw.one(("find out", "see", "ask", "find out", "go and see", "go and find out"))
        if "everybody" not in question.reported:
            verb = draw.one(("find out", f"ask {everybody_}"))
        return f"{verb} {asked}", question
    if roll < 0.8:
        question = until(
            lambda: talk.an_open_question(draw, spoken.SOMEBODY),
            lambda found: " they " in found.reported and "people" not in found.reported,
        )
        people = draw.one(("people", "the people", "all the people"))
        asked = question.reported.replace(" they ", f" {people}{there} ", 1)
        return f"{draw.one(('find out', 'see', 'ask', 'go and ask'))} {asked}", question
    question = until(
        lambda: spoken.choice(story, spoken.SOMEBODY), lambda found: len(found.options) < 4
    )
    or_ = listed(list(question.options), "or")
    text = draw.phrase(
        ("[do|take] a [quick |]poll{in}: {o}?", "[do|take] a [quick |]survey{in}, {o}",
         "let {e}{in} vote between {b}", "let {e}{in} choose between {b}",
         "have {e}{in} vote on {o}", "ask {e}{in}: {o}?", "{o}? Ask {e}{in}"),
        e=draw.one(("everybody", "everyone", "the people")), o=or_,
        b=listed(list(question.options)), **{"in": there},
    )  # fmt: skip
    return text, Question(or_, f"{or_[:1].upper()}{or_[1:]}?", question.options)


def _known(story: Story) -> tuple[str, ...]:
    """Everybody by name; nobody where that would be one person, who is not meant by "everybody"."""
    people = story.scene.people if story.scene.told else ()
    return people if len(people) > 1 else ()


def _asked(story: Story, room: Room | None, question: Question, kind: Report) -> Steps:
    """The question to all who are known by name and are there, or to whoever is there."""
    known = _known(story)
    call = ask(spoken.SOMEBODY, question)
    if not known and room is not None and kind in (Report.ANSWERS, Report.WINNER):
        head = "They said: " if kind is Report.ANSWERS else "Most want: "
        return (go_to(room.name), f"answer = {call}", HOME, f'say("{head}" + answer)')
    start, keep, end = _kept(question, kind, "" if known else call)
    body: Steps = (Branch('is_in_room("person")', keep),)
    if known:
        body = (Loop(f"for name in {names_list(known)}:", (Branch("is_in_room(name)", keep),)),)
    if room is not None:
        return (start, go_to(room.name), *body, HOME, *end)
    return (start, Loop(ALL, ("go_to(room)", *body)), HOME, *end)


def _kept(question: Question, kind: Report, call: str) -> tuple[str, Steps, Steps]:
    """What is set up, done with each person, and said in the end."""
    if kind in (Report.WINNER, Report.COUNTS):
        start, end = tally(question, kind is Report.WINNER)
        return start, (vote_of(question, call),), end
    if not call:
        return kept(question, kind)
    if kind is Report.HOW_MANY:
        return "count = 0", (Branch(f'{call} == "Yes"', ("count += 1",)),), (
            'say(str(count) + " people said yes")',
        )  # fmt: skip
    report_ = Branch("found", ('say(", ".join(found))',), (say("I could not find anybody"),))
    return "found = []", (f"found.append({call})",), (report_,)
