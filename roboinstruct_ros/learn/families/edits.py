"""Edits of a program in a follow-up: each returns the words and the new lines.

An edit takes the lines of a body without their first indent and returns None if it does not fit. A
new kind of edit is one function here and its line in `EDITS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import person, plural_of, room, thing
from roboinstruct_ros.learn.families.phrasing import HOME, RETURN, go, go_to, indent, quoted
from roboinstruct_ros.learn.families.sentences import announcement, statement
from roboinstruct_ros.learn.families.shapes_moving import spoken

Lines = list[str]
Edited = tuple[str, Lines] | None

_FETCH = re.compile(r'go_to\("(.*)"\)\npick\("(.*)"\)\ngo_to\((.*)\)\nplace\("(.*)"\)$')


def _ends_at_the_end(lines: Lines) -> bool:
    """Whether code appended to the program is always reached."""
    return not any(line.strip() == "return" or line.startswith("while True") for line in lines)


def and_then(draw: Draw, lines: Lines) -> Edited:
    """Another stop at the end, perhaps with words or a thing to carry."""
    if not _ends_at_the_end(lines):
        return None
    roll = draw.rng.random()
    if roll < 0.25:
        place = room(draw)
        text, more = go(draw, place), [go_to(place)]
    elif roll < 0.45:
        place, message = room(draw), announcement(draw)
        text = draw.phrase(
            ("{g} and {s}", "{s} in {r}"), g=go(draw, place), s=spoken(draw, message), r=place.the
        )
        more = [go_to(place), f"say({quoted(message)})"]
    elif roll < 0.6:
        message = announcement(draw)
        text, more = spoken(draw, message), [f"say({quoted(message)})"]
    elif roll < 0.8:
        who, place, message = person(draw, roles=False), room(draw), statement(draw)
        text = f"tell {who.who} in {place.the} {draw.one(('that ', ''))}{message}"
        more = [go_to(place), f"say({quoted(f'{who.name}, {message}')})"]
    else:
        source, target, what = room(draw), room(draw), thing(draw)
        text = f"{draw.one(('bring', 'take', 'carry'))} {what.a} from {source.the} to {target.the}"
        name = quoted(what.name)
        more = [go_to(source), f"pick({name})", go_to(target), f"place({name})"]
    link = draw.one(
        ("and then ", "then ", "also ", "after that ", "and ", "at the end ", "finally ")
    )
    return link + text, [*lines, *more]


def before_that(draw: Draw, lines: Lines) -> Edited:
    """Another stop at the beginning."""
    place = room(draw)
    more, text = [go_to(place)], go(draw, place)
    if draw.chance(0.5):
        message = announcement(draw)
        more.append(f"say({quoted(message)})")
        text += " and " + spoken(draw, message)
    text = draw.phrase(("but first {t}", "first {t}", "before that {t}", "{t} first"), t=text)
    start = 1 if lines[0] == RETURN else 0
    return text, [*lines[:start], *more, *lines[start:]]


def and_back(draw: Draw, lines: Lines) -> Edited:
    """The drive back, perhaps with a report."""
    if RETURN in lines or not _ends_at_the_end(lines):
        return None
    text = draw.phrase(
        ("[and |and then |then |][come back|return|come back here|come back to me|return to me]",)
    )
    more = [HOME]
    if draw.chance(0.35):
        message = draw.one(("I am done", "it is done", "I am back", announcement(draw)))
        text += f" and {spoken(draw, message)}"
        more.append(f"say({quoted(message)})")
    return text, [RETURN, *lines, *more]


def stay_there(draw: Draw, lines: Lines) -> Edited:
    """No drive back."""
    if lines[0] != RETURN or lines[-1] != HOME or "\n".join(lines).count(HOME) != 1:
        return None
    text = draw.phrase(
        (
            "[do not|don't|no need to|you need not] [come back|return]",
            "stay there[ when you are done|]",
        )
    )
    return text, lines[1:-1]


def only_if_there(draw: Draw, lines: Lines) -> Edited:
    """Carry a thing only if it is there."""
    match = _FETCH.search("\n".join(lines))
    if match is None or len(lines) > 5 or (len(lines) == 5 and lines[0] != RETURN):
        return None
    at = len(lines) - 3
    text = draw.phrase(
        (
            "[but |]only if there is one",
            "[but |]only if it is there",
            "if there is one",
            "only [take|bring] it if you [find|see] it",
            "check first [if|whether] there is one",
        )
    )
    condition = f"if is_in_room({quoted(match[2])}):"
    return text, [*lines[:at], condition, *indent(lines[at:])]


def only_if_somebody(draw: Draw, lines: Lines) -> Edited:
    """Speak only if somebody, or nobody, is there."""
    if len(lines) != 2 or not lines[0].startswith('go_to("') or not lines[1].startswith("say("):
        return None
    there = draw.chance(0.6)
    who = (
        draw.one(("someone", "somebody", "anyone", "a person"))
        if there
        else draw.one(("nobody", "no one"))
    )
    text = draw.phrase(
        ("[but |]only if {w} is there", "if {w} is there", "only say it if {w} is there"), w=who
    )
    condition = f'if {"" if there else "not "}is_in_room("person"):'
    return text, [lines[0], condition, *indent(lines[1:])]


def wait_first(draw: Draw, lines: Lines) -> Edited:
    """Wait for somebody before speaking."""
    if len(lines) != 2 or not lines[0].startswith('go_to("') or not lines[1].startswith("say("):
        return None
    text = draw.phrase(
        (
            "[but |]wait [until someone is there|for somebody|until somebody comes|for a person] "
            "first",
            "first wait [until someone is there|for somebody|for a person]",
            "wait [until someone comes|for someone] before you say it",
        )
    )
    wait = ['while not is_in_room("person"):', "    time.sleep(1)"]
    return text, [lines[0], *wait, lines[1]]


_NUMBERS = ("two", "three", "four", "five", "six")


def that_many(draw: Draw, lines: Lines) -> Edited:
    """Several instead of one, or another count."""
    number = draw.rng.randint(2, 6)
    count = draw.one((_NUMBERS[number - 2], str(number)))
    found = re.search(r"in range\((\d)\):", "\n".join(lines))
    if found is not None:
        if int(found[1]) == number:
            return None
        old = draw.one((_NUMBERS[int(found[1]) - 2], found[1])) if int(found[1]) > 1 else "one"
        text = draw.phrase(
            (
                "make it {c}",
                "{c}, not {o}",
                "{c} instead of {o}",
                "[only |]{c}[ of them|]",
                "[do|bring|take] {c} instead",
                "change {o} to {c}",
            ),
            c=count,
            o=old,
        )
        return text, [line.replace(found[0], f"in range({number}):") for line in lines]
    start = 1 if lines[0] == RETURN else 0
    match = _FETCH.match("\n".join(lines[start:]))
    if match is None or len(lines) - start != 4:
        return None
    text = draw.phrase(
        (
            "make it {c}",
            "make it {c} {n}",
            "[bring|take|get|carry] {c}[ of them|]",
            "{c} of them",
            "I need {c}",
            "{c} instead of one",
        ),
        c=count,
        n=plural_of(match[2]),
    )
    return text, [*lines[:start], f"for _ in range({number}):", *indent(lines[start:])]


def also_for(draw: Draw, lines: Lines) -> Edited:
    """The same thing to somebody else too."""
    match = _FETCH.match("\n".join(lines))
    if match is None or len(lines) != 4:
        return None
    if draw.chance(0.5):
        who = person(draw, roles=False)
        target, to = go_to_office(who.name), who.who
    else:
        place = room(draw)
        target, to = go_to(place), place.the
    text = draw.phrase(
        (
            "[also|and also|and] [bring|take|carry] one to {t}",
            "[bring|take] one to {t} too",
            "another one [for|to] {t}",
            "{t} needs one too",
            "[bring|take] {t} one as well",
        ),
        t=to,
    )
    return text, [*lines, lines[0], lines[1], target, lines[3]]


def go_to_office(name: str) -> str:
    """The call that drives to somebody's office."""
    return f"go_to({quoted(name + chr(39) + 's office')})"


_LIST = re.compile(r'^( *)for (room|item|name) in \[(".*")\]:$')


def one_more(draw: Draw, lines: Lines) -> Edited:
    """Another room, thing or person in the list that the program iterates over."""
    for at, line in enumerate(lines):
        match = _LIST.match(line)
        if match is None:
            continue
        if match[2] == "room":
            place = room(draw)
            name, said = place.name, place.the
            verbs = "also [check|visit|go to|do|include]"
        elif match[2] == "item":
            what = thing(draw)
            name, said, verbs = what.name, what.a, "also [bring|take|check for|include|look for]"
        else:
            who = person(draw, roles=False)
            name, said, verbs = who.name, who.who, "also [ask|tell|include|see|visit]"
        text = draw.phrase(
            (verbs + " {s}", "and {s}[ too| as well|]", "add {s}", "{s} too"), s=said
        )
        new = f"{match[1]}for {match[2]} in [{match[3]}, {quoted(name)}]:"
        return text, [*lines[:at], new, *lines[at + 1 :]]
    return None


def one_less(draw: Draw, lines: Lines) -> Edited:
    """One entry less in the list that the program iterates over."""
    for at, line in enumerate(lines):
        match = _LIST.match(line)
        names = match[3][1:-1].split('", "') if match is not None else []
        if match is None or len(names) < 3:
            continue
        gone = draw.one(names)
        said = gone if match[2] == "name" else f"the {gone}"
        text = draw.phrase(
            (
                "[leave out|skip|not|without|forget|leave] {s}",
                "[do not|don't] [include|do|visit] {s}",
                "everything but {s}",
                "all [of them |]except {s}",
                "not {s}",
            ),
            s=said,
        )
        kept = ", ".join(f'"{name}"' for name in names if name != gone)
        new = f"{match[1]}for {match[2]} in [{kept}]:"
        return text, [*lines[:at], new, *lines[at + 1 :]]
    return None


def or_else(draw: Draw, lines: Lines) -> Edited:
    """What to do when the condition at the end does not hold."""
    at = max((n for n, line in enumerate(lines) if not line.startswith(" ")), default=0)
    if not lines[at].startswith("if ") or not lines[at].endswith(":"):
        return None
    if draw.chance(0.5):
        message = announcement(draw)
        text, inner = spoken(draw, message), [f"say({quoted(message)})"]
        start: Lines = []
    else:
        text, inner = draw.one(("come back", "come back to me", "return")), [HOME]
        start = [] if RETURN in lines else [RETURN]
    text = draw.one(("otherwise ", "if not, ", "and if not, ", "else ", "or else ")) + text
    return text, [*start, *lines, "else:", *indent(inner)]


def report_to(draw: Draw, lines: Lines) -> Edited:
    """Report to somebody else instead of the person who asks."""
    if lines[0] != RETURN or not any(line.strip().startswith("say(") for line in lines):
        return None
    homes = [n for n, line in enumerate(lines) if line.strip() == HOME]
    told = all(n + 1 < len(lines) and _speaks(lines[n + 1]) for n in homes)
    if not homes or not told:
        return None
    who = person(draw, roles=False)
    if draw.chance(0.5):
        place = room(draw)
        target, where = go_to(place), f" in {place.the}"
    else:
        target, where = go_to_office(who.name), ""
    text = draw.phrase(
        (
            "[tell|report to|report it to] {p}{w}[ instead| instead of me|, not me]",
            "{p}{w} wants to know[, not me|]",
            "not me, tell {p}{w}",
        ),
        p=who.who,
        w=where,
    )
    return text, [line.replace(HOME, target) for line in lines[1:]]


def _speaks(line: str) -> bool:
    return line.strip().startswith(("say(", "if ")) and "is_in_room" not in line


#: Edits that fit nearly every program; the others come first, or they would hardly be seen.
ANYWHERE = ("and_then", "before_that", "and_back")

EDITS: dict[str, Callable[[Draw, Lines], Edited]] = {
    "and_then": and_then,
    "before_that": before_that,
    "and_back": and_back,
    "stay_there": stay_there,
    "only_if_there": only_if_there,
    "only_if_somebody": only_if_somebody,
    "wait_first": wait_first,
    "that_many": that_many,
    "also_for": also_for,
    "one_more": one_more,
    "one_less": one_less,
    "or_else": or_else,
    "report_to": report_to,
}
