"""Two tasks in one instruction, and complete shapes that no training pair has.

Training joins some kinds of tasks; only evaluation uses the joints in `HELD_JOINTS` and the shapes
of this module named `unseen_...`.
"""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.entities import listed, person, room, rooms, thing, things
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    bring,
    bring_me,
    go,
    go_to,
    indent,
    move,
    move_home,
    quoted,
)
from roboinstruct_ros.learn.families.sentences import announcement, statement
from roboinstruct_ros.learn.families.shapes_moving import Shape, spoken

_THEN = (
    ", then ",
    ". Then ",
    " and then ",
    ". After that, ",
    ", and after that ",
    ". Next, ",
    "; ",
)


def _visit(draw: Draw) -> Shape:
    place = room(draw)
    return go(draw, place), [go_to(place)]


def _speak(draw: Draw) -> Shape:
    place, message = room(draw), announcement(draw)
    text = draw.phrase(
        ("{g} and {s}", "{s} in {r}", "in {r}, {s}"),
        g=go(draw, place),
        s=spoken(draw, message),
        r=place.the,
    )
    return text, [go_to(place), f"say({quoted(message)})"]


def _carry(draw: Draw) -> Shape:
    (source, target), what = rooms(draw, 2), thing(draw)
    text = draw.phrase(
        (
            "[bring|take|carry|move|deliver] {t} from {s} to {r}",
            "[get|fetch|pick up] {t} from {s} and [put|place|leave] {it} in {r}",
        ),
        t=draw.one((what.a, what.the)),
        s=source.the,
        r=target.the,
        it=what.it,
    )
    return text, [go_to(source), *move(what, target)]


def _tell(draw: Draw) -> Shape:
    who, place, message = person(draw), room(draw), statement(draw)
    text = draw.phrase(
        ("tell {p} in {r} [that |]{m}", "{g} and tell {p} [that |]{m}"),
        p=who.who,
        r=place.the,
        m=message,
        g=go(draw, place),
    )
    return text, [go_to(place), f"say({quoted(f'{who.name}, {message}')})"]


def _move_if_there(draw: Draw) -> Shape:
    (source, target), what = rooms(draw, 2), thing(draw)
    text = draw.phrase(
        ("{g} and if there {be} {a}, {c}", "if there {be} {a} in {s}, {c}"),
        g=go(draw, source),
        be=what.be,
        a=what.a,
        s=source.the,
        c=bring(draw, what.it, target),
    )
    return text, [
        go_to(source),
        f"if is_in_room({quoted(what.name)}):",
        *indent(move(what, target)),
    ]


_PARTS: dict[str, Callable[[Draw], Shape]] = {
    "visit": _visit,
    "speak": _speak,
    "carry": _carry,
    "tell": _tell,
    "move_if_there": _move_if_there,
}
#: Joints that no training pair has.
HELD_JOINTS = (
    ("speak", "carry"),
    ("carry", "tell"),
    ("tell", "move_if_there"),
    ("move_if_there", "speak"),
)
TRAINED_JOINTS = tuple((a, b) for a in _PARTS for b in _PARTS if (a, b) not in HELD_JOINTS)


def joined(draw: Draw) -> Shape:
    """One simple task after another."""
    held = draw.split is Split.UNSEEN_SHAPES
    first, second = draw.one(HELD_JOINTS if held else TRAINED_JOINTS)
    text, lines = _PARTS[first](draw)
    more_text, more_lines = _PARTS[second](draw)
    text += draw.one(_THEN) + more_text
    lines = [*lines, *more_lines]
    if draw.chance(0.15):
        text += draw.one((", then come back", ". Then come back to me", " and return to me"))
        lines = [RETURN, *lines, HOME]
    return text, lines


def unseen_swap(draw: Draw) -> Shape:
    """Two things change rooms."""
    (here, there), (one, other) = rooms(draw, 2), things(draw, 2)
    text = draw.phrase(
        (
            "[bring|carry|move] {a} from {r} to {s} and {b} from {s} to {r}",
            "[take|bring] {a} from {r} to {s}[, then|. Then| and then] [take|bring] {b} from {s} "
            "to "
            "{r}",
            "go to {r}, pick up {a} and put it in {s}. Then get {b} from there and put it in {r}",
            "{a} in {r} should go to {s}, and {b} in {s} should go to {r}",
            "first move {a} from {r} to {s}, after that move {b} from {s} back to {r}",
            "in {s} we need {a} from {r}, and in {r} we need {b} from {s}. Bring them in this "
            "order",
            "exchange {a} in {r} and {b} in {s}: bring the first one to {s}, the other to {r}",
            "please get {a} to {s} from {r}; on the way back take {b} to {r}",
        ),
        a=one.the,
        b=other.the,
        r=here.the,
        s=there.the,
    )
    return text, [
        go_to(here),
        *move(one, there),
        f"pick({quoted(other.name)})",
        go_to(here),
        f"place({quoted(other.name)})",
    ]


def unseen_collect(draw: Draw) -> Shape:
    """The same thing from each of several rooms, to the person who asks."""
    stops, what = rooms(draw, draw.rng.randint(2, 3)), thing(draw)
    text = draw.phrase(
        (
            "[bring|get|fetch] me {a} from each of {all}",
            "go to {all} and [bring|get|fetch] me {a} from each[ of them|]",
            "I [need|want] {a} from each of {all}",
            "visit {all}, each time pick up {a} and bring it to me",
            "collect {a} in each of {all} and bring [them|everything] to me",
            "from {all}, [bring|get|fetch] me {a} each",
            "there is {a} in each of {all}. Bring them all to me, one at a time",
            "for each of {all}, go there, get {a} and come back with it",
        ),
        a=what.a,
        all=listed([stop.the for stop in stops]),
    )
    names = ", ".join(quoted(stop.name) for stop in stops)
    inner = ["go_to(room)", *move_home(what)]
    return text, [RETURN, f"for room in [{names}]:", *indent(inner)]


def unseen_serve_if_present(draw: Draw) -> Shape:
    """Something for a person, only when that person is there."""
    who, (place, source), what = person(draw), rooms(draw, 2), thing(draw)
    text = draw.phrase(
        (
            "{g} and if {p} is there, [bring|get|fetch] {him} {a} from {s}",
            "check [if|whether] {p} is in {r}. If so, [bring|get|fetch] {him} {a} from {s}",
            "if {p} is in {r}, [bring|get|fetch] {him} {a} from {s}",
            "is {p} in {r}? If yes, [get|take] {a} from {s} and bring it to {him}",
            "{g}. If you see {p}, go to {s}, get {a} and bring it back to {him}",
            "bring {p} in {r} {a} from {s}, but only if {he} {be} there",
            "only when {p} is in {r}, take {a} from {s} there",
            "look for {p} in {r} and, if you find {him}, give {him} {a} from {s}",
            "see if {p} is around in {r}; if so, fetch {a} from {s} for {him}",
            "{p} may be in {r}. If that is so, deliver {a} from {s} to {him}",
        ),
        g=go(draw, place),
        p=who.who,
        he=who.he,
        be="are" if who.he == "they" else "is",
        him=who.him,
        a=what.a,
        r=place.the,
        s=source.the,
    )
    return text, [
        go_to(place),
        f"if is_in_room({quoted(who.name)}):",
        *indent([go_to(source), *move(what, place)]),
    ]


def unseen_wait_and_fetch(draw: Draw) -> Shape:
    """Wait for somebody, then carry a thing that is there."""
    (place, target), what = rooms(draw, 2), thing(draw)
    to_me = draw.chance(0.4)
    text = draw.phrase(
        (
            "{g}, wait until [someone|somebody] comes, then pick up {t} and {c}",
            "wait in {r} for [a person|someone], then pick up {t} and {c}",
            "{g} and wait for somebody. When they arrive, pick up {t} and {c}",
            "stay in {r} until a person is there. Then take {t} and {c}",
            "once someone shows up in {r}, pick up {t} there and {c}; wait for them",
            "as soon as anyone is in {r}, grab {t} and {c}",
            "do not touch {t} in {r} before somebody is there; then pick it up and {c}",
            "{g}. Wait. When someone has come, take {t} and {c}",
        ),
        g=go(draw, place),
        r=place.the,
        t=what.the,
        c=bring_me(draw, what.it) if to_me else bring(draw, what.it, target),
    )
    lines = [go_to(place), 'while not is_in_room("person"):', "    time.sleep(1)"]
    lines += move_home(what) if to_me else move(what, target)
    return text, [RETURN, *lines] if to_me else lines
