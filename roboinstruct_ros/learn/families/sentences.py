"""Free text that people have the robot repeat: announcements and chores, mostly composed.

A model would memorise a list of fixed sentences; it has to copy composed ones.
"""

from __future__ import annotations

from roboinstruct_ros.learn import vocabulary as words
from roboinstruct_ros.learn.draw import Draw, drawn_apart
from roboinstruct_ros.learn.entities import person, room, thing

_EVENTS = (
    "meeting party class movie game concert lecture tour show lunch exam race workshop seminar "
    "interview rehearsal dinner breakfast match call training wedding auction parade demo"
).split()
_VERBS = (
    "clean fix open close wash move check print repair paint bring find order return empty refill "
    "charge replace label borrow pack hide sell store polish unlock measure weigh photograph"
).split()
_STATES = (
    "ready", "here", "broken", "empty", "full", "open", "closed", "gone", "late", "on the table",
    "working again", "out of order", "too loud", "still warm", "almost done", "out of paper",
    "on the way", "being repaired", "ready to go", "for sale", "at the door", "switched off",
    "lost", "clean", "dirty", "too hot", "too cold", "on fire", "not working", "in the way",
    "under the desk", "next to the sofa", "running low", "leaking", "expired", "sold out", "yours",
)  # fmt: skip
_WHENS = (
    "soon", "now", "at noon", "tomorrow", "at 3", "at 5 pm", "in ten minutes", "in an hour",
    "on Monday", "next week", "tonight", "at half past six", "in 20 minutes", "this evening",
)  # fmt: skip


@drawn_apart
def announcement(draw: Draw) -> str:
    """Something to say aloud, copied from instruction to program."""
    if draw.chance(0.35):
        return draw.case(draw.word(words.ANNOUNCEMENTS, words.HELD_ANNOUNCEMENTS))
    return draw.case(draw.one(_COMPOSED if draw.makes_up else _SENSIBLE)(draw))


@drawn_apart
def statement(draw: Draw) -> str:
    """Something to tell somebody: an announcement that can stand after "that"."""
    while True:
        message = announcement(draw)
        if can_follow_that(message):
            return message


def can_follow_that(message: str) -> bool:
    """Whether the message is a clause, not a greeting or a request."""
    return not message.lower().startswith(
        (
            "please",
            "hello",
            "good ",
            "happy",
            "welcome",
            "have a",
            "see you",
            "thank",
            "hi ",
            "hey ",
            "sorry ",
            "goodbye",
            "merry ",
            "congrat",
            "well done",
            "have fun",
        )
    )


@drawn_apart
def chore(draw: Draw) -> str:
    """Something that a person can be asked to do."""
    if draw.chance(0.5):
        return draw.case(draw.word(words.CHORES, words.HELD_CHORES))
    return f"{draw.one(_VERBS)} {thing(draw).the}"


def _state(draw: Draw) -> str:
    what = thing(draw)
    return f"{what.the} {what.be} {draw.one(_STATES)}"


def _event(draw: Draw) -> str:
    verb = draw.one(("starts", "begins", "ends", "is over", "was moved to", "takes place"))
    tail = room(draw).the if verb == "was moved to" else draw.one(_WHENS)
    return f"the {draw.one(_EVENTS)} {verb} {tail}".replace("is over", "ends")


def _waiting(draw: Draw) -> str:
    doing = draw.one(("is waiting", "wants to see you", "is looking for you", "needs help"))
    return f"{person(draw, roles=False).name} {doing} in {room(draw).the}"


def _need(draw: Draw) -> str:
    return f"{draw.one(('we need', 'I need', 'there is', 'we have'))} {thing(draw).a}"


def _arrival(draw: Draw) -> str:
    verb = draw.one(("is here", "has arrived", "called", "is sick today", "sends greetings"))
    return f"{person(draw, roles=False).name} {verb}"


def _whereabouts(draw: Draw) -> str:
    what = thing(draw)
    return f"{what.the} {what.be} in {room(draw).the}"


def _request(draw: Draw) -> str:
    return f"please {draw.one(_VERBS)} {thing(draw).the}"


def _any_words(draw: Draw) -> str:
    """Random words: they cannot be guessed and have to be copied."""
    pool = (*words.ADJECTIVES, *_VERBS, *_EVENTS, *words.THINGS)
    return " ".join(draw.some(pool, draw.rng.randint(2, 5)))


_COMPOSED = (
    *(_state, _state, _event, _event, _waiting, _need, _request, _any_words, _any_words),
    *(_arrival, _whereabouts),
)
_SENSIBLE = tuple(make for make in _COMPOSED if make is not _any_words)
