"""What people have a robot say and ask: messages, chores, questions with the answers offered."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.learn import vocabulary as words
from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person, listed
from roboinstruct_ros.learn.pairs import places
from roboinstruct_ros.learn.questions import _DONE, _STATES, Question
from roboinstruct_ros.learn.sentences import can_follow_that

SOMEBODY = Person("", "somebody", "they", "them", "their")
"""Whoever is there."""

_MEALS = "dinner, lunch, breakfast, the soup, the pizza, the cake, coffee, tea".split(", ")
_EVENTS = (
    "meeting, party, movie, game, class, lecture, concert, show, tour, training, interview, visit"
).split(", ")
_WHENS = (
    "soon, now, at noon, at 3, at 5 pm, in ten minutes, in an hour, in five minutes, at half past "
    "six, at 8, tonight, tomorrow morning, after lunch"
).split(", ")
_GREETINGS = (
    "good morning", "hello", "good night", "happy birthday", "welcome", "welcome home", "good luck",
    "hi", "merry christmas", "thank you", "goodbye", "congratulations", "have a nice day",
    "see you tomorrow", "well done", "get well soon", "welcome back", "good evening",
)  # fmt: skip
_ORDERS = (
    "please be quiet", "please come to the {r}", "please wait", "please come down", "please follow me",
    "please leave the building", "please wash your hands", "please keep the door closed", "hurry up",
    "please turn off the lights", "time to go to bed", "please take a seat", "please clean up",
)  # fmt: skip
_YOURS = (
    "{your} taxi is here", "{your} visitor is here", "{your} package has arrived", "{your} food is ready",
    "{your} mother called", "{your} tea is ready", "{your} bus leaves in ten minutes",
    "{your} appointment is at 3", "{your} laundry is done", "{your} phone is ringing",
    "{your} order is here", "{your} coffee is ready", "{your} room is ready", "{your} car is ready",
)  # fmt: skip


@dataclass(frozen=True)
class Message:
    """Words about somebody: as the instruction reports them after "that", and as they are said."""

    reported: str
    spoken: str


def greeting(draw: Draw) -> str:
    """A few words that are no sentence: "good morning"."""
    return draw.one(_GREETINGS)


def statement(draw: Draw) -> str:
    """A sentence that can stand after "that"."""
    roll = draw.rng.random()
    if roll < 0.2:
        return f"{draw.one(_MEALS)} is {draw.one(('ready', 'served', 'on the table', 'getting cold'))}"
    if roll < 0.4:
        return f"the {draw.one(_EVENTS)} {draw.one(('starts', 'begins', 'ends'))} {draw.one(_WHENS)}"
    if roll < 0.55:
        what = places.thing(draw)
        state = "broken, ready, gone, here, empty, clean, in the way, missing".split(", ")
        return f"{what.the} {what.be} {draw.one(state)}"
    if roll < 0.65:
        doing = ("is here", "is waiting", "has arrived", "is looking for the keys", "is on the way")
        return f"{places.person(draw).name} {draw.one(doing)}"
    while True:
        words_ = draw.word(words.ANNOUNCEMENTS, words.HELD_ANNOUNCEMENTS)
        if can_follow_that(words_):
            return words_


def utterance(draw: Draw) -> str:
    """Anything to say aloud."""
    if draw.chance(0.3):
        return greeting(draw)
    return statement(draw) if draw.chance(0.8) else draw.one(_ORDERS[1:]).replace("{r}", "lobby")


def message(draw: Draw, who: Person) -> Message:
    """Something to tell that person."""
    if draw.chance(0.25):
        text = draw.one(_YOURS)
        return Message(text.replace("{your}", who.his), text.replace("{your}", "your"))
    text = statement(draw)
    return Message(text, text)


def chore(draw: Draw, who: Person) -> Message:
    """Something that a person can be asked to do: "to take her medicine"."""
    if draw.chance(0.35):
        text = draw.one(words.OWN_CHORES)
        return Message(text.replace("{his}", who.his), text.replace("{his}", "your"))
    text = draw.word(words.CHORES, words.HELD_CHORES)
    return Message(text, text)


def yes_no(draw: Draw, who: Person, answer_wanted: bool = False) -> Question:
    """A question that is answered with yes or no."""
    they = who.he == "they"
    has, is_, wants, needs = (
        ("have", "are", "want", "need") if they else ("has", "is", "wants", "needs")
    )
    what = places.thing(draw)
    do = chore(draw, who)
    state, done = draw.one(_STATES), draw.one(_DONE)
    need = draw.one(words.NEEDS)
    clause, spoken = draw.one(
        (
            (f"{wants} {what.a}", f"Do you want {what.a}?"),
            (f"would like {what.a}", f"Would you like {what.a}?"),
            (f"{needs} {what.a}", f"Do you need {what.a}?"),
            (f"{has} seen {what.the}", f"Have you seen {what.the}?"),
            (f"{is_} {state}", f"Are you {state}?"),
            (f"{is_} {state}", f"Are you {state}?"),
            (f"{wants} to {do.reported}", f"Do you want to {do.spoken}?"),
            (f"can {do.reported}", f"Can you {do.spoken}?"),
            (f"{has} {done}", f"Have you {done}?"),
            (f"{needs} {need}", f"Do you need {need}?"),
        )
    )
    if draw.chance(0.06):
        return Question(f'"{spoken}"', spoken)
    return Question(f"{draw.one(('if', 'if', 'whether'))} {who.he} {clause}", spoken)


def choice(draw: Draw, who: Person) -> Question:
    """A question with listed answers."""
    noun, options = draw.one(_CHOICES)
    some = draw.some(options, min(len(options), draw.rng.randint(2, 3)))
    offered = listed(some, "or")
    s = "" if who.he == "they" else "s"
    wants, you = draw.one(
        (
            (f"want{s}", "do you want"),
            (f"prefer{s}", "do you prefer"),
            ("would like", "would you like"),
        )
    )
    if draw.chance(0.6):
        ask = f"{draw.one(('if', 'whether'))} {who.he} {wants} {offered}"
        return Question(ask, f"{you[0].upper()}{you[1:]} {offered}?", tuple(some))
    sign = draw.one((", {o}", " ({o})", ": {o}")).replace("{o}", offered)
    topic = draw.one((f"what {noun}", f"which {noun}"))
    asked = f"{topic} {who.he} {wants}{sign}"
    return Question(asked, f"{topic[0].upper()}{topic[1:]} {you}?", tuple(some))


_CHOICES = (
    ("food", ("pizza", "pasta", "salad", "soup", "sushi", "rice")),
    ("drink", ("coffee", "tea", "water", "juice", "milk", "lemonade")),
    ("color", ("red", "blue", "green", "yellow", "black", "white")),
    ("size", ("small", "medium", "large")),
    ("day", ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
    ("fruit", ("an apple", "a banana", "an orange", "a pear")),
    ("flavor", ("vanilla", "chocolate", "strawberry", "lemon")),
    ("room", ("room 1", "room 2", "room 3")),
    ("music", ("jazz", "rock", "pop", "classical")),
    ("seat", ("window", "aisle")),
    ("time", ("9 am", "10 am", "noon", "2 pm")),
    ("game", ("chess", "cards", "football", "tennis")),
)
SERVED = (
    ("drink", ("coffee", "tea", "water", "juice", "milk", "lemonade", "hot chocolate")),
    ("fruit", ("apple", "banana", "orange", "pear", "peach")),
    ("snack", ("cookie", "muffin", "sandwich", "granola bar")),
    ("book", ("novel", "comic book", "magazine", "newspaper")),
    ("pen", ("pen", "pencil", "marker")),
)
"""Choices of which the robot can bring the one that was chosen."""
