"""Task shapes over many rooms: what is in every room of a kind."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import (
    Room,
    Thing,
    person,
    room_kind,
    thing,
)
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    back_and_tell,
    go_to,
    indent,
    quoted,
)
from roboinstruct_ros.learn.families.shapes_moving import Shape


def over(draw: Draw, kind: Thing, body: list[str]) -> list[str]:
    """The loop over all rooms of a kind."""
    return [
        "for room in get_all_rooms():",
        *indent([f"if {quoted(kind.name)} in room:", *indent(["go_to(room)", *body])]),
    ]


def every_room(draw: Draw, kind: Thing) -> str:
    """ "every meeting room"."""
    return draw.phrase(
        (
            "[every|each] [single |]{k}",
            "all [of |]the {ks}",
            "[every one|all] of the {ks}",
            "[every|each] {k}",
            "all {ks}",
            "all the {ks}",
            "each of the {ks}",
            "every {k}",
            "the {ks}",
        ),
        ("any and every {k}",),
        k=kind.name,
        ks=kind.plural,
    )


def check_rooms(draw: Draw) -> Shape:
    """Which rooms of a kind have, or have not, an object; or how many."""
    kind, what = room_kind(draw), thing(draw)
    roll = draw.rng.random()
    if roll < 0.2:
        return _occupied_rooms(draw, kind)
    if roll < 0.48:
        return _count_rooms(draw, kind, what)
    lacking = draw.chance(0.5)
    has = draw.phrase(
        ("[do not have|don't have|lack|are missing] {a}", "have no {n}")
        if lacking
        else ("have {a}", "have {a}", "contain {a}"),
        a=what.a,
        n=what.name,
    )
    has_one = draw.phrase(
        ("[does not have|doesn't have|lacks] {a}", "has no {n}") if lacking else ("has {a}",),
        a=what.a,
        n=what.name,
    )
    who = person(draw, roles=False)
    to_person = draw.chance(0.25)
    back = (
        draw.phrase(
            (
                "[tell|inform] {p}",
                "go to {p}'s office [and|to] tell {him}",
                "tell {p} in {p}'s office",
            ),
            p=who.who,
            him=who.him,
        )
        if to_person
        else back_and_tell(draw)
    )
    text = draw.phrase(
        (
            "[check|visit|go to|look in] {e}[ and|, then|, and|. Then] {b} which "
            "[{ks}|ones|of them|rooms] "
            "{h}",
            "[check|find out|see] which {ks} {h}[ and|, then|. Then] {b}",
            "{b} which {ks} {h}",
            "I [want to know|need to know|wonder] which {ks} {h}. [{b}|Go and check, then "
            "{b}|Check and {b}]",
            "which {ks} {h}? [Go and check, then {b}|Check and {b}|Please {b}|{b}]",
            "[make|prepare] a list of [the {ks} that|all {ks} that|{ks} which] {h}[ and|, then] "
            "{b}",
            "[go round|go through|drive through|tour] {e} and [see|check|find out] which [ones "
            "|of them "
            "|]{h}. {b} [which|the result]",
            *(() if to_person else ("[list|name|report] [all |the |]{ks} that {h}",)),
            "[identify|write down] [which|the] {ks} [that |]{h}, and {b}",
            "{b} which {k} {h1}",
            "check {e} if there is {a}[. Then|, then| and|.] {b} which [rooms|{ks}|ones|of "
            "them] {h}",
            "check {e} for {a}[ and|, then|. Then] {b} which [ones|of them] {h}",
            "check [if|whether] {e1} has {a}[ and|, then|. Then] {b} which [ones|of them|{ks}] {h}",
        ),
        ("[go round|inspect] {e} and {b} the {ks} that {h}",),
        e=every_room(draw, kind),
        e1=f"{draw.one(('every', 'each'))} {kind.name}",
        k=kind.name,
        ks=kind.plural,
        h=has,
        h1=has_one,
        b=back,
        a=what.a,
    )
    condition = f"if {'not ' if lacking else ''}is_in_room({quoted(what.name)}):"
    variable = "missing" if lacking else "found"
    yes = f"There {what.be} no {what.name} in: " if lacking else f"I found {what.a} in: "
    no = f"Every {kind.name} has {what.a}" if lacking else f"No {kind.name} has {what.a}"
    home = go_to(Room(f"{who.name}'s office", "")) if to_person else HOME
    lines = [
        f"{variable} = []",
        *over(draw, kind, [condition, *indent([f"{variable}.append(room)"])]),
        home,
        f"if {variable}:",
        *indent([f'say({quoted(yes)} + ", ".join({variable}))']),
        "else:",
        *indent([f"say({quoted(no)})"]),
    ]
    return text, lines if to_person else [RETURN, *lines]


def _count_rooms(draw: Draw, kind: Thing, what: Thing) -> Shape:
    lacking = draw.chance(0.3)
    has = draw.phrase(
        ("[do not have|don't have] {a}", "have no {n}") if lacking else ("have {a}", "have {a}"),
        a=what.a,
        n=what.name,
    )
    text = draw.phrase(
        (
            "I [want|need] to know how many {ks} {h}. [Go and count|{b}|Count them and {b}]",
            "[report|give me|find] the number of {ks} [that|which] {h}",
            "how many {ks} {h}? {b}",
            "[count|count up] [the|all] {ks} [that|which] {h}",
            "[check|go through|visit] {e} and {b} the number [of those |of them |]that {h}",
            "[count|count for me] how many {ks} {h}",
            "[tell me|find out|let me know|check] how many {ks} {h}",
            "how many {ks} {h}? [Go and check|Count them|Check and tell me|Tell me]",
            "[visit|check|go to] {e} and [count|tell me] how many [of them|] {h}",
            "count the {ks} that {h}[ and|, then] {b}[ the number| how many|]",
        ),
        ("determine the number of {ks} that {h}",),
        ks=kind.plural,
        h=has,
        e=every_room(draw, kind),
        b=back_and_tell(draw),
    ).replace("  ", " ")
    condition = f"if {'not ' if lacking else ''}is_in_room({quoted(what.name)}):"
    tail = f" {kind.plural} have " + (f"no {what.name}" if lacking else what.a)
    return text, [
        RETURN,
        "count = 0",
        *over(draw, kind, [condition, *indent(["count += 1"])]),
        HOME,
        f"say(str(count) + {quoted(tail)})",
    ]


def _occupied_rooms(draw: Draw, kind: Thing) -> Shape:
    empty = draw.chance(0.5)
    be = draw.phrase(
        ("are [empty|free|not occupied]", "have nobody in them")
        if empty
        else ("are [occupied|in use|taken|not empty]", "have someone in them"),
    )
    text = draw.phrase(
        (
            "[check|visit|go to|look in] {e}[ and|, then|, and|. Then] {b} which "
            "[{ks}|ones|of them] {h}",
            "[check|find out|see] which {ks} {h}[ and|, then|. Then] {b}",
            "{b} which {ks} {h}",
            "[see|find out|check] which {ks} {h}. {b} [what you find|the result|which]",
            "I [want to know|need to know|wonder] which {ks} {h}. {b}",
            "[list|name|report] [all |the |]{ks} that {h}",
            "which {ks} {h}? [Go and check|Please check|Tell me]",
        ),
        ("go round {e} and {b} the {ks} that {h}",),
        e=every_room(draw, kind),
        ks=kind.plural,
        h=be,
        b=back_and_tell(draw),
    )
    variable = "empty" if empty else "occupied"
    condition = f'if {"not " if empty else ""}is_in_room("person"):'
    yes = "Nobody is in: " if empty else "Someone is in: "
    no = f"There is someone in every {kind.name}" if empty else f"Nobody is in any {kind.name}"
    return text, [
        RETURN,
        f"{variable} = []",
        *over(draw, kind, [condition, *indent([f"{variable}.append(room)"])]),
        HOME,
        f"if {variable}:",
        *indent([f'say({quoted(yes)} + ", ".join({variable}))']),
        "else:",
        *indent([f"say({quoted(no)})"]),
    ]
