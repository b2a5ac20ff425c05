"""What people have a robot say and ask: messages, chores, questions with the answers offered."""

from __future__ import annotations

import re
from dataclasses import dataclass

from roboinstruct_ros.learn.draw import until
from roboinstruct_ros.learn.entities import Person, listed
from roboinstruct_ros.learn.pairs import scenes, talk, words
from roboinstruct_ros.learn.pairs.story import Story
from roboinstruct_ros.learn.pairs.talk import Question

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
_MINE = (
    "I am running late", "I will be there soon", "I am in a meeting",
    "I need help", "I am not feeling well",
    "I will be back at 6", "I am waiting", "I am on my way", "I cannot come today",
)  # fmt: skip
_ELSEWHERE = (
    "a visitor is waiting in", "somebody is waiting in", "there is cake in", "lunch is served in",
    "the meeting is in", "the doctor is in", "the light is on in",
)  # fmt: skip
"""Facts about a room to which the robot is not sent."""
_STATES = (
    "hungry", "thirsty", "tired", "busy", "free", "ready", "okay", "ok", "done", "cold", "hot",
    "finished", "comfortable", "awake", "alright", "in a hurry", "feeling well", "feeling better",
    "available", "available for a meeting", "going home", "coming to the meeting",
    "coming to the party", "staying for dinner", "working late", "ready for lunch", "ready to go",
    "free this afternoon", "free tomorrow", "done with the printer", "using the meeting room",
    "expecting a visitor", "happy with the room", "interested in a tour", "here for the tour",
    "ready to leave", "ready for bed", "lost", "allergic to nuts", "joining the call",
)  # fmt: skip
_DONE = (
    "finished the report", "had lunch", "had breakfast", "eaten", "seen the dog",
    "taken the medicine",
    "fed the cat", "locked the door", "signed the form", "read the email", "met the new student",
    "received the package", "sent the invoice", "cleaned the room", "watered the plants",
    "done the homework", "booked the room", "called the doctor", "finished the work",
)  # fmt: skip
_STATES_OF_THINGS = ("broken", "ready", "gone", "here", "in the way", "missing", "on the table")
_YOUR = re.compile(r"\byour\b")
_ORDERS = (
    "please be quiet", "please wait", "please come down", "please follow me",
    "please leave the building", "please wash your hands", "please keep the door closed",
    "please turn off the lights", "time to go to bed", "hurry up",
    "please take a seat", "please clean up",
)  # fmt: skip
_YOURS = (
    "{your} visitor is waiting in", "{your} package is in", "{your} guests are in",
    "{your} taxi is here", "{your} visitor is here", "{your} package has arrived",
    "{your} food is ready", "{your} mother called",
    "{your} tea is ready", "{your} bus leaves in ten minutes",
    "{your} appointment is at 3", "{your} laundry is done", "{your} phone is ringing",
    "{your} order is here", "{your} coffee is ready", "{your} room is ready", "{your} car is ready",
)  # fmt: skip

_TO_THEM = (
    "{n} needs {him}", "{n} is waiting for {him}", "{n} is looking for {him}", "I need {him}",
    "{n} wants to [talk to|see|speak to|meet] {him}", "{n} [thanks|misses] {him}",
    "{n} is waiting for {him} in {r}", "{n} needs {him} in {r}", "I am waiting for {him} in {r}",
    "{n} has {his} {t}", "{his} {t} {be} in {r}", "I am [looking for|waiting for] {him}",
    "{he} should come to {r}", "{he} should call {n}", "{he} can [go home|come in|start] now",
    "{he} left {his} {t} in {r}", "{he} forgot {his} {t}", "{he} can have {t} back",
)  # fmt: skip
"""News about the hearer: "she left her bag here" is said as "you left your bag here"."""


@dataclass(frozen=True)
class Message:
    """A message to somebody: as the instruction reports it after "that", and as it is spoken."""

    reported: str
    spoken: str


def _kept(story: Story, text: str) -> str:
    """The words, as this person types them; the program repeats them exactly."""
    text = story.draw.case(text)
    story.messages.append(text)
    return text


def greeting(story: Story) -> str:
    """A few words that are no sentence: "good morning"."""
    return _kept(story, story.draw.one(_GREETINGS))


def statement(story: Story) -> str:
    """A sentence that can stand after "that"."""
    return _kept(story, _statement(story))


def _statement(story: Story) -> str:
    draw = story.draw
    roll = draw.rng.random()
    if roll < 0.12:
        state = draw.one(("ready", "served", "on the table", "getting cold"))
        return f"{draw.one(_MEALS)} is {state}"
    if roll < 0.24:
        verb = draw.one(("starts", "begins", "ends"))
        return f"the {draw.one(_EVENTS)} {verb} {draw.one(_WHENS)}"
    if roll < 0.36:
        what = scenes.a_thing(draw, story.scene)
        return f"{what.the} {what.be} {draw.one(_STATES_OF_THINGS)}"
    if roll < 0.44:
        doing = ("is here", "is waiting", "has arrived", "is on the way", "is late", "called")
        return f"{scenes.a_person(draw, story.scene).who} {draw.one(doing)}"
    if roll < 0.5:
        return draw.one(_MINE)
    if roll < 0.56:
        return f"{draw.one(_ELSEWHERE)} {scenes.a_room(draw, story.scene).the}"
    return until(
        lambda: draw.one(words.ANNOUNCEMENTS.of(draw)),
        lambda text: (
            talk.can_follow_that(text) and not text.startswith("no ")
        ),  # "no smoking please"
    )


def utterance(story: Story) -> str:
    """Anything to say aloud."""
    if story.draw.chance(0.3):
        return greeting(story)
    if story.draw.chance(0.8):
        return statement(story)
    return _kept(story, story.draw.one(_ORDERS))


def message(story: Story, who: Person) -> Message:
    """Something to tell that person."""
    if story.draw.chance(0.25):
        text = story.draw.case(story.draw.one(_YOURS))
        if text.endswith(" in"):
            text += f" {scenes.a_room(story.draw, story.scene).the}"
        return Message(text.replace("{your}", who.his), text.replace("{your}", "your"))
    if story.draw.chance(0.2) and who.name:
        return _to_them(story, who)
    text = statement(story)
    return Message(text, text)


def _to_them(story: Story, who: Person) -> Message:
    draw, scene = story.draw, story.scene
    pattern = draw.expand(
        draw.one(_TO_THEM).replace("have {t}", "have the {t}"),
        n=scenes.a_person(draw, scene, (who.name,)).who,
        r=scenes.a_room(draw, scene).the,
        t=(thing := scenes.a_thing(draw, scene)).name,
        be=thing.be,
    )
    forms = ({"he": who.he, "him": who.him, "his": who.his},
             {"he": "you", "him": "you", "his": "your"})  # fmt: skip
    return Message(*(pattern.format(**form) for form in forms))


def chore(story: Story, who: Person) -> Message:
    """Something that a person can be asked to do: "take her medicine"."""
    draw = story.draw
    if draw.chance(0.35):
        text = draw.case(draw.one(words.OWN_CHORES))
        return Message(text.replace("{his}", who.his), text.replace("{his}", "your"))
    spoken = draw.case(draw.one(words.CHORES.of(draw)))
    return Message(_YOUR.sub(who.his, spoken), spoken)


def yes_no(story: Story, who: Person) -> Question:
    """A question that is answered with yes or no."""
    draw = story.draw
    if draw.chance(0.5):
        return _asked(story, who)
    they = who.he == "they"
    has, is_, wants, needs = (
        ("have", "are", "want", "need") if they else ("has", "is", "wants", "needs")
    )
    what = scenes.a_thing(draw, story.scene)
    do = chore(story, who)
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


def _asked(story: Story, who: Person) -> Question:
    """One of the questions that are written down and are answered with yes or no."""
    return until(
        lambda: talk.a_question(story.draw, who), lambda found: found.options == ("Yes", "No")
    )


def choice(story: Story, who: Person) -> Question:
    """A question with several answers, listed or left to common sense."""
    draw = story.draw
    if draw.chance(0.5):
        return talk.an_open_question(draw, who)
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
    ("drink", ("water", "coffee", "tea", "juice", "milk", "lemonade")),
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
    ("drink", ("water", "coffee", "tea", "juice", "milk", "lemonade", "hot chocolate")),
    ("fruit", ("apple", "banana", "orange", "pear", "peach")),
    ("snack", ("cookie", "muffin", "sandwich", "granola bar")),
    ("book", ("novel", "comic book", "magazine", "newspaper")),
    ("pen", ("pen", "pencil", "marker")),
)
"""Choices of which the robot can bring the one that was chosen."""
