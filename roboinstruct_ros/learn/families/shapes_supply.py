"""Task shapes of supplying: a thing into each room of a kind, or into one room that lacks it."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Room, Thing, invented, person, room, room_kind, thing
from roboinstruct_ros.learn.families.phrasing import HOME, RETURN, go, go_to, indent, move, quoted
from roboinstruct_ros.learn.families.shapes_moving import Shape
from roboinstruct_ros.learn.families.shapes_rooms import every_room, over


def supply_rooms(draw: Draw) -> Shape:
    """One object into each room of a kind, perhaps only where there is none."""
    kind, what, supply = room_kind(draw), thing(draw), room(draw)
    while kind.name in supply.name:  # a supply of the kind would be asked to supply itself
        supply = room(draw)
    every = every_room(draw, kind)
    only_missing = draw.chance(0.6)
    fetch = [go_to(supply), *move(what, Room("room", ""))]
    fetch = [line.replace('go_to("room")', "go_to(room)") for line in fetch]
    in_ = draw.one(("in", "into", "to"))
    verb = draw.one(("put", "place", "bring", "deliver", "bring", "take"))
    in_ = "to" if verb in ("bring", "deliver", "take") else draw.one(("in", "into"))
    they = draw.phrase(
        (
            "[they|these|the {ns}] are in {s}",
            "[you can find|you will find|you find] [them|the {ns}] in {s}",
            "[get|take|fetch] [them|it] from {s}",
            "{s} has [them|some|enough]",
        ),
        ("the stock is in {s}",),
        ns=what.plural,
        s=supply.the,
    )
    if only_missing:
        text = (
            draw.phrase(
                (
                    "{v} {a} {i} {e} that [has none|has no {n}|does not have one|doesn't have one|"
                    "does not have {a}|lacks one|needs one][; |. |, ]{they}",
                    "[check|go to|visit|look in] {e}[,| and|. If| and if]{if} there is [no "
                    "{n}|none][,|] "
                    "[bring one from {s}|get one from {s}|put one from {s} there|fetch one from "
                    "{s}]",
                    "[make sure|ensure|see to it] that {e} has {a}[; |. |, ]{they}",
                    "{e} [should have|needs|must have] {a}. [Where there is none|If one has "
                    "none|If "
                    "there is none], [bring|get|fetch] one from {s}",
                    "[check|go through|go around] {e}. [Wherever|Where] {a} is missing, "
                    "[bring|put|fetch|get] one from {s}",
                    "[refill|stock|supply] {e} that has no {n} with {a} from {s}",
                    "[go round|go through|visit] {e} and [bring|take|put] {a} from {s} [where "
                    "there is "
                    "none|wherever it is missing|where one is missing]",
                    "see [if|whether] {e} has {a}. If not, [bring|fetch|get] one from {s}",
                    "for {e}, check if there is {a}[, and if not|. If not|; if not], "
                    "[bring|fetch|get] one from {s}",
                    "{v} {a} from {s} {i} {e} that [has none|doesn't have one|does not have one|"
                    "has no {n}]",
                    "if {e1} has no {n}, [bring|put|take] one there from {s}",
                ),
                (
                    "restock {e} that is out of {n} from {s}",
                    "whichever {k} has no {n} should get one from {s}",
                ),
                v=verb,
                a=what.a,
                n=what.name,
                e=every,
                they=they,
                s=supply.the,
                i=in_,
                k=kind.name,
                e1=draw.one((f"a {kind.name}", f"any {kind.name}")),
                **{"if": ""},
            )
            .replace("rooms that has", "rooms that have")
            .replace(", there is", ", if there is")
        )
        text = text.replace(" and there is", " and if there is")
        body = [f"if not is_in_room({quoted(what.name)}):", *indent(fetch)]
    else:
        text = draw.phrase(
            (
                "{v} {a} [from {s} |]{i} {e}[; |. |, ]{they}",
                "{v} {a} from {s} {i} {e}",
                "take {a} from {s} and [put|place] it in {e}",
                "[supply|stock|provide|furnish] {e} with {a} from {s}",
                "{e} [should get|must get|should receive|gets] {a} from {s}",
                "[go to|drive to] {s} and [bring|take|get] {a} [to|for] {e}",
                "[hand out|spread|share out] {ns} from {s}: one for {e}",
                "[get|fetch] {a} from {s} for {e}",
                "every {k} needs {a}. [Get|Bring|Take] them from {s}",
                "deliver {a} from {s} to {e}",
            ),
            ("distribute {ns} from {s} to {e}", "equip {e} with {a} from {s}"),
            v=verb,
            a=what.a,
            ns=what.plural,
            e=every,
            they=they,
            s=supply.the,
            i=in_,
            k=kind.name,
        )
        body = fetch
    if draw.chance(0.12):
        return _from_one_of_them(draw, kind, what)
    loop = over(draw, kind, body)
    if not only_missing:
        loop[2] = ""  # it goes to the supply room first
        loop = [line for line in loop if line]
    if draw.chance(0.2):
        text += draw.phrase(("[, then|. Then|, and| and then] [come back|return|come back to me]",))
        loop = [RETURN, *loop, HOME]
    return text, loop


def _from_one_of_them(draw: Draw, kind: Thing, what: Thing) -> Shape:
    """From one room of the kind into all others of it."""
    first = draw.one(
        (
            "main",
            "first",
            "big",
            "small",
            "blue",
            "north",
            "guest",
            "old" if not draw.makes_up else invented(draw),
        )
    )
    source = Room(f"{first} {kind.name}", f"the {first} {kind.name}")
    text = draw.phrase(
        (
            "[put|place|bring|take|deliver] {a} from {s} [in|into|to] [every other {k}|all "
            "other {ks}|"
            "all the other {ks}|each of the other {ks}|each other {k}]",
            "take {a} from {s} and put one in [every other {k}|all the other {ks}]",
        ),
        a=what.a,
        s=source.the,
        k=kind.name,
        ks=kind.plural,
    )
    carry = [
        go_to(source),
        f"pick({quoted(what.name)})",
        "go_to(room)",
        f"place({quoted(what.name)})",
    ]
    return text, [
        "for room in get_all_rooms():",
        f"    if {quoted(kind.name)} in room and room != {quoted(source.name)}:",
        *indent(carry, 2),
    ]


def supply_one(draw: Draw) -> Shape:
    """If a room lacks a thing, bring one there; otherwise perhaps tell somebody."""
    place, supply = room(draw), room(draw)
    what = thing(draw)
    text = draw.phrase(
        (
            "[check|see|find out|look] [if|whether] there {be} {a} in {r}[. If not|; if "
            "not|, and if not|"
            ". If there is none|, if not], [bring|get|fetch|put] [one|{it}] [there |]from {s}",
            "if there {be} no {n} in {r}, [bring|get|take|fetch] [one|{it}] [there |]from {s}",
            "{go}[,| and] [check|see] if there {be} {a}[. If not|; if not|. If there isn't|, "
            "if not], "
            "[go to {s} and |][bring|get|fetch] [one|{it}] [from {s}|from {s} to {r}]",
            "[make sure|ensure] there {be} {a} in {r}; [if not, |otherwise ]get [one|{it}] "
            "from {s}",
            "when there {be} no {n} in {r}, [bring|get|take|fetch] [one|{it}] from {s}",
            "{r} [should have|needs|must have] {a}. If there {be} none, [bring|get|fetch] "
            "[one|{it}] from "
            "{s}",
            "{be} there {a} in {r}? If not, [bring|get|fetch|put] [one|{it}] [there |]from {s}",
            "see [if|whether] {r} has {a}. If [not|it has none], [bring|get|fetch] [one|{it}] "
            "from {s}",
            "{r} may be out of {n}. If so, [bring|get|fetch] [one|{it}] from {s}",
            "[bring|take|put] {a} from {s} [to|into] {r} if there {be} none[ there|]",
            "unless there {be} {a} in {r}, [bring|get|fetch] [one|{it}] from {s}",
            "if {r} has no {n}, [bring|take|put] [one|{it}] there from {s}",
        ),
        ("should {r} lack {a}, supply it from {s}",),
        be=what.be,
        a=what.a,
        n=what.name,
        r=place.the,
        s=supply.the,
        go=go(draw, place),
        it="them" if what.is_plural else "one",
    )
    text = text.replace(
        f"go to {supply.the} and bring one from {supply.the}", f"bring one from {supply.the}"
    )
    carry = [go_to(supply), *move(what, place)]
    lines = [go_to(place), f"if not is_in_room({quoted(what.name)}):", *indent(carry)]
    if draw.chance(0.25):
        who = person(draw, roles=False)
        office = Room(f"{who.name}'s office", f"{who.name}'s office")
        text += draw.phrase(
            ("[. If there is one|. If yes|. Otherwise|; otherwise][,|] tell {p}",), p=who.who
        )
        there = f"There {what.be} {what.name if what.is_plural else what.a} in {place.the}"
        lines += ["else:", *indent([go_to(office), f"say({quoted(there)})"])]
    elif draw.chance(0.2):
        text += draw.one((", then come back", ". Then return to me", " and come back"))
        lines = [RETURN, *lines, HOME]
    return text, lines
