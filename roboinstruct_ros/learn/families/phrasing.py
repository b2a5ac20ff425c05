"""How people word the same request: clauses the task shapes share, and the finish of a sentence."""

from __future__ import annotations

import json
import re

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.entities import Room, Thing

RETURN = "start_loc = get_current_location()"
HOME = "go_to(start_loc)"


def quoted(text: str) -> str:
    """The text as a Python string literal."""
    return json.dumps(text, ensure_ascii=False)


def indent(lines: list[str], levels: int = 1) -> list[str]:
    """The lines moved right by four spaces a level."""
    return [" " * (4 * levels) + line for line in lines]


def go_to(room: Room) -> str:
    """The call that drives to a room."""
    return f"go_to({quoted(room.name)})"


def move(thing: Thing, target: Room) -> list[str]:
    """Pick here, carry there, place."""
    name = quoted(thing.name)
    return [f"pick({name})", go_to(target), f"place({name})"]


def move_home(thing: Thing) -> list[str]:
    """Pick here and carry back to where the task began."""
    name = quoted(thing.name)
    return [f"pick({name})", HOME, f"place({name})"]


def go(draw: Draw, room: Room) -> str:
    """ "go to the kitchen"."""
    return draw.phrase(
        (
            "[go|go|go|go|head|drive|walk|move|navigate|go over|travel|run] to {r}",
            "[go|head|drive|roll] [into|over to|down to] {r}",
            "[get|move|hurry|hop|nip|trundle|cruise|stroll|wander|scoot] [over |along |]to {r}",
            "[take a trip|make a stop|find your way|take yourself|bring yourself] to {r}",
            "[enter|approach|reach|go see|go into|go inside|drive into|come to] {r}",
            "go [all the way|directly|right away|over there,|along] to {r}",
            "set [out|off|course] for {r}",
            "visit {r}",
            "[stop by|pop into|drop by|pay a visit to|get to|go and visit|step into|pass by] {r}",
            "go [straight|first|quickly|now|back] to {r}",
        ),
        ("make your way to {r}", "proceed to {r}", "swing by {r}"),
        r=room.the,
    )


def bring(draw: Draw, what: str, target: Room) -> str:
    """ "take it to the kitchen"."""
    return draw.phrase(
        (
            "[bring|bring|take|take|carry|move|deliver] {t} to {r}",
            "[put|place|set|put] {t} [in|in|into] {r}",
            "[pick {t} up|grab {t}] and [bring|take|carry] {it} to {r}",
            "[bring|take|carry|drive|ferry|send] {t} [over |straight |right |]to {r}",
            "[drop|place|set|lay|put|park|stash] {t} [down |]in {r}",
            "[have {t} brought|see that {t} {gets}] to {r}",
            "[make sure|see to it] that {t} {ends} up in {r}",
            "{t} [should go|has to go|must go|belongs] [to|in] {r}, so [bring|take] {it} there",
            "[convey|pass|relay] {t} to {r}",
            "[pick {t} up|take {t}] and [drop {it} off|drop {it}|place {it}|put {it}] in {r}",
            "drop {t} off [at|in] {r}",
            "[get|return|haul|send|shift|run] {t} to {r}",
            "[drop|deposit|store|put down|put away|lay|keep] {t} in {r}",
        ),
        ("transport {t} to {r}", "leave {t} in {r}", "get {t} over to {r}"),
        t=what,
        gets="get" if what == "them" else "gets",
        ends="end" if what == "them" else "ends",
        r=target.the,
        it="them" if what == "them" else "it",
    )


def bring_me(draw: Draw, what: str) -> str:
    """ "bring it to me"."""
    return draw.phrase(
        (
            "bring {t} [to me|here|back|back here|back to me|over to me|over here]",
            "[get|fetch|bring] me {t}" if what not in ("it", "them") else "bring {t} to me",
            "[let me have|pass me|give me|I want you to bring me] {t}",
            "[deliver|ship|carry|run|drive] {t} [over |back |]to [me|where I am|here|where you "
            "are now]",
            "bring {t} [with you|along|to where you started|to this room|to where I am]",
            "[grab|take|pick up|collect] {t} for me"
            if what not in ("it", "them")
            else "[take|grab] {t} and bring {it} over",
            "[get|fetch] {t} for me",
            "[come back|return] [to me |]with {t}",
            "[take|carry|deliver] {t} [to me|back to me|here]",
            "[pick {t} up|grab {t}|take {t}] and [come back|bring {it} to me|bring {it} "
            "here|return]",
        ),
        ("hand {t} to me", "return here with {t}"),
        t=what,
        it="them" if what == "them" else "it",
    )


def back_and_tell(draw: Draw) -> str:
    """ "come back and tell me"."""
    return draw.phrase(
        (
            "[come|go|drive|head] back and [tell me|let me know|report]",
            "return and [tell me|let me know|report]",
            "[report back|tell me|let me know|come back to tell me|tell me|tell me]",
            "[come here and tell me|come back here and tell me|tell me when you are "
            "back|report to me]",
            "[drive back here|turn around|come over|hurry back|come right back] and "
            "[tell me|report|let me know|say]",
            "[come back and say|return to say|return here and say|come and tell me|let me hear]",
            "[update me on|fill me in on|tell me afterwards]",
        ),
        ("come back here and inform me", "get back to me"),
    )


def there_is(thing: Thing) -> str:
    """ "There is an apple"."""
    return f"There are {thing.name}" if thing.is_plural else f"There is {thing.a}"


def there_is_no(thing: Thing) -> str:
    """ "There is no apple"."""
    return f"There {thing.be} no {thing.name}"


def join(draw: Draw) -> str:
    """The words between two actions."""
    return draw.one(
        (" and ", " and ", ", ", ", and ", ", then ", " and then ", ", and then ", ". ")
    )


def otherwise(draw: Draw, thing: Thing | None = None) -> str:
    """The start of an else clause; with a thing, also "if there is none"."""
    if thing is None or draw.chance(0.5):
        return draw.phrase(
            (
                "[. |. |, |; ][otherwise|if not|or else|otherwise][, | ]",
                "[. |; |, ][if that is not the case|if this is not so|failing that][, | ]",
                "[, but | - ][otherwise|if not][, | ]",
                ". [Otherwise|If not|Else], ",
            ),
            (", else ", ". In case not, "),
        )
    return draw.phrase(
        (
            "[. |, ][if|if|and if|but if] there [is none|is no {n}|isn't one|isn't {a}|isn't "
            "any], ",
            "[. |, ][if|but if] you [don't|do not|cannot|can't] [find|see] [it|one|any|{a}], ",
            "[. |, ]if {it} [isn't|is not] there, ",
            "[. |, ][if|when|but if] there [aren't any|are none|is nothing|is no such thing][ "
            "there|], ",
            "[. |, ]if {it} [is missing|is gone|cannot be found|is nowhere to be seen], ",
            "[. |, ]if you [find none|see none|find nothing|come up empty|have no luck], ",
        ),
        (". If no {n} is there, ", ", in case there is none, "),
        n=thing.name,
        a=thing.a,
        it="the " + thing.name if draw.chance(0.5) else "it",
    )


_ASKED_AS_ORDER = (
    *("please ",) * 6,
    "robot, ",
    "hey robot, ",
    "hey, ",
    "hi, ",
    "hi robot, please ",
    "I need you to ",
    "I want you to ",
    "I would like you to ",
    "I'd like you to ",
    "you should ",
    "your task is to ",
    "kindly ",
    "listen, ",
    "alright, ",
    "okay robot, ",
    "quick, ",
    "first of all, ",
    "when you have time, ",
    "as soon as you can, ",
    "it would be great if you could ",
    "I want to ask you to ",
    "let's see, ",
    "the next job is to ",
    "here is a task: ",
    "do me a favor and ",
    "you need to ",
    "you have to ",
    "you must ",
    "may I ask you to ",
    "now ",
    "ok, ",
)
_ASKED_AS_QUESTION = (
    "could you ",
    "could you please ",
    "can you ",
    "can you please ",
    "would you ",
    "will you please ",
    "robot, can you ",
    "are you able to ",
    "would it be possible for you to ",
    "would you be so kind as to ",
    "can you quickly ",
    "could you quickly ",
    "may I ask you to ",
    "is it possible for you to ",
    "excuse me, can you ",
    "hey, could you ",
)
_IMPERATIVES = tuple(
    f"{verb} "
    for verb in [
        "go",
        "head",
        "drive",
        "walk",
        "move",
        "navigate",
        "travel",
        "run",
        "roll",
        "visit",
        "check",
        "look",
        "see",
        "find",
        "search",
        "tell",
        "let",
        "bring",
        "get",
        "fetch",
        "take",
        "carry",
        "deliver",
        "put",
        "place",
        "set",
        "grab",
        "pick",
        "drop",
        "say",
        "announce",
        "call",
        "ask",
        "wait",
        "count",
        "report",
        "remind",
        "inform",
        "locate",
        "make",
        "ensure",
        "borrow",
        "return",
        "come",
        "poll",
        "return",
        "proceed",
        "enter",
        "approach",
        "reach",
        "hurry",
        "hop",
        "nip",
        "set",
        "pass",
        "give",
        "hand",
        "search",
        "explore",
        "examine",
        "scan",
        "determine",
        "question",
        "greet",
        "collect",
        "pick up",
        "gather",
        "guide",
        "lead",
        "list",
        "inspect ",
        "ship",
        "supply",
        "stock",
        "swap",
    ]
)
#: What people tell besides the task; it changes nothing.
_ASIDES = (
    "I am busy right now.",
    "I am in a hurry.",
    "The guests are coming soon.",
    "We are having visitors today.",
    "I have a small job for you.",
    "I need your help.",
    "Here is what I need.",
    "It is getting late.",
    "My hands are full.",
    "I am hungry.",
    "I am thirsty.",
    "It's a busy day.",
    "I can't get up.",
    "I am tired.",
    "Good morning!",
    "Hi there!",
    "Hello robot.",
    "Quick question.",
    "Next task.",
)
_HELD_ORDERS = ("be so kind and ", "dear robot, ", "go ahead and ")


def finish(draw: Draw, text: str) -> str:
    """The request as somebody types it: politeness, capitals, commas, final punctuation."""
    end = draw.one((".", ".", ".", ".", "", "", "!")) if draw.chance(0.6) else "."
    text = re.sub(r"  +", " ", text).strip()
    roll = draw.rng.random()
    if roll < 0.28 and not text.startswith(_IMPERATIVES):
        roll = 1.0
    if draw.split is Split.UNSEEN_PHRASINGS and roll < 0.2:
        text = draw.one(_HELD_ORDERS) + text
    elif roll < 0.2:
        text = draw.one(_ASKED_AS_ORDER) + text
    elif roll < 0.28:
        text = draw.one(_ASKED_AS_QUESTION) + text
        end = "?" if ". " not in text else end
    elif roll < 0.32:
        text += draw.one((", please", " please"))
    if draw.chance(0.08):
        text = re.sub(r", (?=(?:then|and|bring|take|tell|come|go|if|otherwise)\b)", " ", text)
    if draw.chance(0.1):
        text = text.replace("there is ", "there's ")
    if draw.lower:
        text = text.lower()
    elif draw.chance(0.93):
        text = re.sub(r"(^|\. |\? |! )([a-z])", lambda m: m.group(1) + m.group(2).upper(), text)
    text = text.rstrip() + ("" if text.endswith(("?", "!", ".")) else end)
    if draw.chance(0.03):
        text += draw.one((" Thanks!", " Thank you.", " thanks", " Thank you very much."))
    if draw.split is Split.TRAIN and draw.chance(0.03):
        text = f"{draw.case(draw.one(_ASIDES))} {text}"
    return text
