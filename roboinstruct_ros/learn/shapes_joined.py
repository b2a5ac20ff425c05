"""Two tasks in one instruction, and whole shapes that no training pair has.

Training joins some kinds of tasks; `HELD_JOINTS` are the joints that only evaluation sees, and the
shapes of this module that are named `unseen_...` are never trained on in any form.
"""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.learn.draw import Draw, Split
from roboinstruct_ros.learn.entities import listed, person, room, rooms, thing, things
from roboinstruct_ros.learn.phrasing import (
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
from roboinstruct_ros.learn.sentences import announcement, statement
from roboinstruct_ros.learn.shapes_moving import Shape, spoken

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
            "bring {a} from {r} to {s} and {b} from {s} to {r}",
            "take {a} from {r} to {s}, then take {b} from {s} to {r}",
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
            "bring me {a} from each of {all}",
            "go to {all} and bring me {a} from each of them",
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
            "{g} and if {p} is there, bring {him} {a} from {s}",
            "check if {p} is in {r}. If so, bring {him} {a} from {s}",
            "if {p} is in {r}, bring {him} {a} from {s}",
        ),
        g=go(draw, place),
        p=who.who,
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
            "{g}, wait until someone comes, then pick up {t} and {c}",
            "wait in {r} for a person, then pick up {t} and {c}",
        ),
        g=go(draw, place),
        r=place.the,
        t=what.the,
        c=bring_me(draw, what.it) if to_me else bring(draw, what.it, target),
    )
    lines = [go_to(place), 'while not is_in_room("person"):', "    time.sleep(1)"]
    lines += move_home(what) if to_me else move(what, target)
    return text, [RETURN, *lines] if to_me else lines
