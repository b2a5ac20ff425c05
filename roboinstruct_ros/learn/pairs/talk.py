"""What the robot says and asks in a pair."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.learn.draw import Draw, until
from roboinstruct_ros.learn.entities import Person
from roboinstruct_ros.learn.pairs import words
from roboinstruct_ros.learn.pairs.names import the_room

_NO_CLAUSE = (
    *("please", "hello", "good ", "happy", "welcome", "have a", "see you", "thank", "hi ", "hey "),
    *("sorry ", "goodbye", "merry ", "congrat", "well done", "have fun"),
)
"""How messages begin that cannot stand after "that"."""
_ASKING = ("what", "which", "when", "how", "who", "where", "why")


@dataclass(frozen=True)
class Question:
    """What the instruction says after "ask Bob", what the robot says, and the answers offered."""

    reported: str
    spoken: str
    options: tuple[str, ...] = ("Yes", "No")


def can_follow_that(message: str) -> bool:
    """Whether the message is a clause, not a greeting or a request."""
    return not message.lower().startswith(_NO_CLAUSE)


def a_message(draw: Draw) -> str:
    """Something to say aloud."""
    if draw.chance(0.5):
        return draw.case(draw.one(words.ANNOUNCEMENTS.of(draw)))
    return draw.case(draw.one(words.MADE_ANNOUNCEMENTS).format(**_blanks(draw)))


def a_statement(draw: Draw) -> str:
    """A message that can stand after "that"."""
    return until(lambda: a_message(draw), can_follow_that)


def a_question(draw: Draw, who: Person) -> Question:
    """A question to somebody, with the answers offered."""
    ask = draw.one(words.QUESTIONS.of(draw) if draw.chance(0.6) else words.MADE_QUESTIONS)
    return _to(draw, who, ask)


def an_open_question(draw: Draw, who: Person) -> Question:
    """A question whose answers are left to common sense: "what she wants to drink"."""
    asks = [each for each in words.QUESTIONS.of(draw) if each.reported.startswith(_ASKING)]
    return _to(draw, who, draw.one(asks))


def _to(draw: Draw, who: Person, ask: words.Ask) -> Question:
    blanks = _blanks(draw)
    spoken = ask.spoken.format(**blanks)
    options = tuple(each.format(**blanks) for each in ask.options)
    blanks |= {"he": who.he, "him": who.him, "his": who.his, "s": "s", "is": "is", "has": "has"}
    if who.he == "they":
        blanks |= {"s": "", "is": "are", "has": "have"}
    reported = ask.reported.format(**blanks)
    if not reported.startswith(_ASKING):
        reported = f"{draw.one(('if', 'if', 'whether'))} {reported}"
    return Question(draw.case(reported), spoken, options)


def _blanks(draw: Draw) -> dict[str, str]:
    """The texts for the blanks of a template; `be` and `is` agree with the thing."""
    building = draw.one(list(words.BUILDINGS.values()))
    thing, other = (
        draw.one(words.CLASSES[each].of(draw)) for each in draw.some(list(words.CLASSES), 2)
    )
    name, someone = (draw.one(pool.of(draw)) for pool in (words.SHE, words.HE))
    many = thing.is_plural
    return {
        "a": thing.a,
        "the": thing.the,
        "another": other.a,
        "bare": thing.name,
        "bare_other": other.name,
        "plural": thing.plural,
        "plural_other": other.plural,
        "is": thing.be,
        "be": thing.be,
        "Be": thing.be.capitalize(),
        "has": "have" if many else "has",
        "Do": "Do" if many else "Does",
        "t": "" if many else "s",
        "room": draw.case(the_room(draw.one(building.rooms.of(draw)))),
        "name": draw.case(name),
        "other": draw.case(someone),
        "event": draw.one(words.EVENTS.of(draw)),
        "time": draw.one(words.TIMES.of(draw)),
    }
