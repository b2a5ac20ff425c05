"""Questions in reported speech and as the robot asks them: "if he is ready" -> "Are you ready?"."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.learn import vocabulary as words
from roboinstruct_ros.learn.draw import Draw, drawn_apart
from roboinstruct_ros.learn.entities import Person, Thing, listed, thing
from roboinstruct_ros.learn.families import sentences


@dataclass(frozen=True)
class Question:
    """What the instruction says after "ask Bob", what the robot says, and the answers offered."""

    reported: str
    spoken: str
    options: tuple[str, ...] = ("Yes", "No")


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


@drawn_apart
def yes_no(draw: Draw, who: Person) -> Question:
    """A question that is answered with yes or no."""
    they = who.he == "they"
    subject = who.he if draw.chance(0.85) else who.who
    third = they and subject == who.he

    def verb(singular: str, plural: str) -> str:
        return plural if third else singular

    kind = draw.rng.randrange(11)
    thing_ = thing(draw)
    chore = sentences.chore(draw)
    state = draw.one(_STATES)
    done = draw.one(_DONE)
    clause, spoken = (
        (f"{verb('wants', 'want')} {thing_.a}", f"Do you want {thing_.a}?"),
        (f"would like {thing_.a}", f"Would you like {thing_.a}?"),
        (f"{verb('needs', 'need')} {thing_.a}", f"Do you need {thing_.a}?"),
        (f"{verb('has', 'have')} {thing_.a}", f"Do you have {thing_.a}?"),
        (f"{verb('has', 'have')} seen {thing_.the}", f"Have you seen {thing_.the}?"),
        (f"{verb('is', 'are')} {state}", f"Are you {state}?"),
        (f"{verb('is', 'are')} {state}", f"Are you {state}?"),
        (f"{verb('is', 'are')} ready to {chore}", f"Are you ready to {chore}?"),
        (f"{verb('wants', 'want')} to {chore}", f"Do you want to {chore}?"),
        (f"can {chore}", f"Can you {chore}?"),
        (f"{verb('has', 'have')} {done}", f"Have you {done}?"),
    )[kind]
    if draw.chance(0.1):
        need = draw.case(draw.one(words.NEEDS))
        want = draw.one(("need", "want"))
        clause, spoken = f"{verb(want + 's', want)} {need}", f"Do you {want} {need}?"
    elif draw.chance(0.06):
        own = draw.one(words.OWN_CHORES)
        clause = f"{verb('wants', 'want')} to {own.replace('{his}', who.his)}"
        spoken = f"Do you want to {own.replace('{his}', 'your')}?"
    if draw.chance(0.1):
        about = thing(draw)
        clause, spoken, subject = _about_a_thing(draw, about)
    if draw.chance(0.12):
        mark = draw.one(('"', "'"))
        return Question(f"{mark}{spoken}{mark}", draw.case(spoken))
    return Question(f"{draw.one(('if', 'if', 'whether'))} {subject} {clause}", spoken)


_WORKS = (
    ("works", "work"), ("needs repair", "need repair"), ("belongs here", "belong here"),
    ("fits", "fit"), ("smells good", "smell good"), ("looks clean", "look clean"),
)  # fmt: skip
_STATES_OF_THINGS = (
    "ready", "working", "broken", "empty", "clean", "still there", "full", "open", "expensive",
    "available", "on the table", "missing",
)  # fmt: skip


def _about_a_thing(draw: Draw, about: Thing) -> tuple[str, str, str]:
    """Clause, question and subject: "works", "Does the printer work?", "the printer"."""
    if draw.chance(0.5) and not about.is_plural:
        third, plain = draw.one(_WORKS)
        return third, f"Does {about.the} {plain}?", about.the
    state = draw.one(_STATES_OF_THINGS)
    return f"{about.be} {state}", f"{about.be.capitalize()} {about.the} {state}?", about.the


@drawn_apart
def choice(draw: Draw, who: Person) -> Question:
    """A question with listed answers."""
    they = who.he == "they"
    pool = draw.word_choices()
    options = [
        draw.case(option) for option in draw.some(pool, min(len(pool), draw.rng.randint(2, 4)))
    ]
    want = draw.one(("want", "prefer", "would like", "like"))
    third = want if want == "would like" or they else want + "s"
    you = f"would you {want[6:]}" if want == "would like" else f"do you {want}"
    alternatives = listed(options, "or", comma=draw.chance(0.2))
    if draw.chance(0.35):
        return Question(
            f"{draw.one(('if', 'whether'))} {who.he} {third} {alternatives}",
            f"{you[0].upper()}{you[1:]} {listed(options, 'or')}?",
            tuple(options),
        )
    topic = draw.one(
        (
            "what",
            "what",
            "which one",
            "which color",
            "which size",
            "which day",
            "which drink",
            "what kind",
            "which food",
            "which option",
            "which flavor",
            "which fruit",
            "which sport",
        )
    )
    purpose = draw.one(
        (
            "",
            "",
            " for lunch",
            " for dinner",
            " to eat",
            " to drink",
            " for breakfast",
            " today",
            " for the meeting",
            " for the trip",
        )
    )
    listing = draw.phrase(
        (
            ": {or}",
            ", {or}",
            " ({or})",
            ", with [the |]options {and}",
            ". The options are {and}",
            ". Options: {comma}",
            " ({comma})",
            ", [offer|offering] {or}",
            " - {or}",
        ),
        (", the choices being {and}", " and give the choices {and}"),
        **{"or": alternatives, "and": listed(options), "comma": ", ".join(options)},
    )
    return Question(
        f"{topic} {who.he} {third}{purpose}{listing}",
        f"{topic[0].upper()}{topic[1:]} {you}{purpose}?",
        tuple(options),
    )
