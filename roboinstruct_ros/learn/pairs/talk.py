"""What the robot says and asks in a pair."""

from __future__ import annotations

from roboinstruct_ros.learn import questions, sentences
from roboinstruct_ros.learn.draw import Draw, as_slot
from roboinstruct_ros.learn.entities import Person
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.questions import Question


@as_slot("message")
def a_message(draw: Draw) -> str:
    """Something to say aloud; a third is composed, so that it has to be copied."""
    if draw.chance(0.35):
        return sentences.announcement(draw)
    return draw.case(draw.one(words.ANNOUNCEMENTS.of(draw)))


@as_slot("message")
def a_statement(draw: Draw) -> str:
    """A message that can stand after "that"."""
    while not sentences.can_follow_that(message := a_message(draw)):
        pass
    return message


@as_slot("chore")
def a_chore(draw: Draw) -> str:
    """Something that a person can be asked or reminded to do."""
    if draw.chance(0.25):
        return sentences.chore(draw)
    return draw.case(draw.one(words.CHORES.of(draw)))


@as_slot("question")
def a_question(draw: Draw, who: Person) -> Question:
    """A question to somebody with the answers offered; a quarter ask about things drawn anew."""
    if draw.chance(0.25):
        return questions.yes_no(draw, who)
    ask = draw.one(words.QUESTIONS.of(draw))
    forms = {"he": who.he, "him": who.him, "his": who.his, "s": "s", "is": "is", "has": "has"}
    if who.he == "they":
        forms |= {"s": "", "is": "are", "has": "have"}
    reported = ask.reported.format(**forms)
    if ask.options == ("Yes", "No"):
        reported = f"{draw.one(('if', 'if', 'whether'))} {reported}"
    elif not reported.startswith(_ASKING):
        reported = f"whether {reported}"
    return Question(draw.case(reported), ask.spoken, ask.options)


_ASKING = ("what", "which", "when", "how")
