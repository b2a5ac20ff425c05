"""Task shapes of fetching: one thing or several, to a room, to me, to a person, to each of some."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Room, listed, person, room, rooms, thing, things
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    go_to,
    indent,
    move,
    move_home,
    quoted,
)
from roboinstruct_ros.learn.families.shapes_moving import Shape


def fetch(draw: Draw) -> Shape:
    """Take one thing, or several one after the other, from one room to another or back."""
    roll = draw.rng.random()
    if roll < 0.4:
        return _fetch_one(draw)
    if roll < 0.55:
        return _fetch_for_person(draw)
    if roll < 0.73:
        return _fetch_several(draw)
    if roll < 0.85:
        return _fetch_count(draw)
    if roll < 0.93:
        return _one_for_each(draw)
    return _fetch_from_two_rooms(draw)


def _fetch_text(draw: Draw, what: str, it: str, source: str, to_me: bool, target_the: str) -> str:
    if to_me:
        return draw.phrase(
            (
                "[bring|get|fetch|grab] me {t} from {s}",
                "[bring|get|fetch] {t} from {s}[ for me| to me| here| and come back| back here|]",
                "go to {s}[,| and] [pick up|get|grab|take|fetch|collect] {t}[,| and] "
                "[bring {it} to me|bring {it} here|come back|bring {it} back|return here]",
                "{t} [is|should be] in {s}. [Get|Bring|Fetch] {it}[ to me| here|]",
                "[there is|you will find] {t} in {s}. [Bring|Get|Fetch] {it} to me",
                "I left {t} in {s}. [Bring|Get|Fetch|Can you get] {it}[ for me| to me|]",
                "I'd like [to have |]{t} from {s}",
                "[please |]get {t} out of {s}[ and bring {it} here| for me]",
                "[run|drive|head] to {s} [for|to get|to fetch] {t}[ and come back| and bring {it} "
                "here]",
                "[collect|obtain|take] {t} from {s} [for me|and bring {it} to me|and return]",
                "[bring|get|fetch|pass|give] me {t}, [it is|you find {it}|which is] in {s}",
                "go [get|fetch|grab] {t} from {s}[ for me| and bring {it} back|]",
                "I [need|want|would like] {t} from {s}",
                "[pick up|grab] {t} [from|in] {s} and bring {it} [to me|here|back]",
                "go to {s} and [bring|get|fetch|grab] me {t}",
                "from {s}, [bring|get|fetch|grab] me {t}",
            ),
            ("could I have {t} from {s}", "retrieve {t} from {s} and hand {it} to me"),
            t=what,
            s=source,
            it=it,
        )
    return draw.phrase(
        (
            "[bring|take|carry|move|deliver|transfer|get|return] {t} from {s} to {r}",
            "go to {s}[,| and] [pick up|get|grab|take|fetch|collect] {t}[,| and] "
            "[bring|take|carry|deliver] {it} to {r}",
            "go to {s}[,| and] [pick up|get|grab] {t}[,| and] [put|place|drop] {it} [in|into] {r}",
            "[get|fetch|pick up|grab] {t} from {s} and [put|place|leave] {it} in {r}",
            "{t} in {s} [belongs in|should go to|goes to|must go to|needs to go to|has to be in] "
            "{r}",
            "{t} [must|should|has to|needs to] [be moved|be brought|go|get] from {s} to {r}",
            "[take|bring|carry] {t}, [which is|that is|to be found] in {s}, to {r}",
            "I [need|want|would like] {t} from {s} in {r}",
            "{r} [lacks|is missing|is waiting for|wants] {t}. [Bring|Get|Fetch] {it} from {s}",
            "[drive|run|head] to {s}, [take|get|grab|collect] {t}, and [drop|leave|put|place] "
            "{it} in {r}",
            "[ship|haul|shift|send|drop off] {t} from {s} [to|in] {r}",
            "there {is} {t} in {s}. [Take|Bring|Carry|Move] {it} to {r}",
            "[bring|carry|get|take] to {r} {t} from {s}",
            "[go|drive] from {s} to {r} with {t}",
            "[put|place] {t} from {s} [in|into] {r}",
            "{r} needs {t}. [Get|Fetch|Bring] {it} from {s}",
            "[pick up|collect] {t} [from|in] {s}, then [go to|drive to] {r} and "
            "[place|put down|drop] {it} there",
        ),
        ("relocate {t} from {s} to {r}", "from {s}, carry {t} over to {r}"),
        t=what,
        s=source,
        r=target_the,
        it=it,
        **{"is": "are" if it == "them" else "is"},
    )


def _fetch_one(draw: Draw) -> Shape:
    source, target = rooms(draw, 2)
    what = thing(draw)
    to_me = draw.chance(0.4)
    name = draw.one((what.a, what.the, what.the, what.the, f"my {what.name}"))
    text = _fetch_text(draw, name, what.it, source.the, to_me, target.the)
    if to_me:
        return text, [RETURN, go_to(source), *move_home(what)]
    return text, [go_to(source), *move(what, target)]


def _fetch_for_person(draw: Draw) -> Shape:
    source, what, who = room(draw), thing(draw), person(draw)
    target = room(draw, who if draw.chance(0.3) else None)
    office = Room(f"{who.who}'s office".removeprefix("the "), "")
    name = draw.one((what.a, what.the))
    if draw.chance(0.4):
        target = office
        text = draw.phrase(
            (
                "[bring|take|deliver|carry] {t} from {s} to {p}",
                "[bring|get|fetch] {p} {t} from {s}",
                "go to {s}[,| and] [get|pick up|take] {t} and [bring|take|give] {it} to {p}",
                "{p} [wants|is waiting for|asked for|would like] {t} from {s}. "
                "[Bring|Take|Deliver] "
                "{it} to {him}",
                "[give|pass] to {p} {t} [that is in|from] {s}",
                "[from|in] {s}, [get|take|pick up] {t} for {p}[ and bring {it} to {him}|]",
                "[get|take|grab] {t} in {s} and [give|pass] {it} to {p}",
                "{p} needs {t}. [Get|Fetch|Bring] {him} {it} from {s}",
            ),
            ("hand {p} {t} from {s}",),
            t=name,
            s=source.the,
            p=who.who,
            it=what.it,
            him=who.him,
        )
    else:
        text = draw.phrase(
            (
                "[bring|take|deliver|carry] {t} from {s} to {p} in {r}",
                "[bring|get|fetch] {p} in {r} {t} from {s}",
                "go to {s}[,| and] [get|pick up|take] {t} and [bring|take|give] {it} to {p} in {r}",
                "{p}, who is in {r}, [wants|needs|would like] {t}. [Get|Bring] {it} from {s}",
                "[take|bring] {t} to {p} in {r}, [it is in|you find it in|which is in] {s}",
                "{p} in {r} [needs|wants|is waiting for] {t}. [Get|Fetch|Bring] {him} {it} from "
                "{s}",
                "{p} is in {r}. [Get|Fetch|Bring] {him} {t} from {s}",
            ),
            ("give {p} in {r} {t} from {s}",),
            t=name,
            s=source.the,
            p=who.who,
            it=what.it,
            him=who.him,
            r=target.the,
        )
    return text, [go_to(source), *move(what, target)]


def _one_for_each(draw: Draw) -> Shape:
    source, *targets = rooms(draw, draw.rng.randint(3, 5))
    what = thing(draw)
    text = draw.phrase(
        (
            "[bring|take|deliver|carry] {a} from {s} to {all}",
            "{all} [should|must] each [get|have|receive] {a} from {s}",
            "[supply|provide|stock] [each of |]{all} with {a} from {s}",
            "[get|fetch|take] {n} from {s} and [put|leave|place] one in [each of |]{all}",
            "[one|{a}] from {s} [goes to|is for] each of {all}",
            "[put|place] {a} from {s} in [each of |]{all}",
            "{all} [each |]need {a}. [Get|Fetch|Bring] [them|it] from {s}",
            "go to {s} and bring {a} [each |]to {all}",
        ),
        ("distribute {n} from {s} to {all}",),
        a=what.a,
        n=what.plural,
        s=source.the,
        all=listed([r.the for r in targets]),
    )
    names = ", ".join(quoted(target.name) for target in targets)
    name = quoted(what.name)
    inner = [go_to(source), f"pick({name})", "go_to(room)", f"place({name})"]
    return text, [f"for room in [{names}]:", *indent(inner)]


def _fetch_several(draw: Draw) -> Shape:
    source, target = rooms(draw, 2)
    found = things(draw, draw.rng.randint(2, 3))
    to_me = draw.chance(0.4)
    definite = draw.chance(0.6)
    names = listed([what.the if definite else what.a for what in found], comma=draw.chance(0.3))
    text = _fetch_text(draw, names, "them", source.the, to_me, target.the)
    text += draw.one(("", "", "", ", one at a time", " one after the other", " one by one"))
    listed_names = ", ".join(quoted(what.name) for what in found)
    inner = [go_to(source), "pick(item)", HOME if to_me else go_to(target), "place(item)"]
    lines = [f"for item in [{listed_names}]:", *indent(inner)]
    return text, [RETURN, *lines] if to_me else lines


_NUMBERS = ("two", "three", "four", "five", "six")


def _fetch_count(draw: Draw) -> Shape:
    source, target = rooms(draw, 2)
    what = thing(draw, count=True)
    number = draw.rng.randint(2, 6)
    to_me = draw.chance(0.4)
    count = str(number) if draw.chance(0.3) else _NUMBERS[number - 2]
    text = _fetch_text(draw, f"{count} {what.plural}", "them", source.the, to_me, target.the)
    name = quoted(what.name)
    end = HOME if to_me else go_to(target)
    inner = [go_to(source), f"pick({name})", end, f"place({name})"]
    lines = [f"for _ in range({number}):", *indent(inner)]
    return text, [RETURN, *lines] if to_me else lines


def _fetch_from_two_rooms(draw: Draw) -> Shape:
    first, second, target = rooms(draw, 3)
    one, two = things(draw, 2)
    to_me = draw.chance(0.4)
    text = draw.phrase(
        (
            "[bring|get|fetch|grab] me {a} from {r} and {b} from {s}",
            "[bring|get] {a} from {r} and {b} from {s}[ to me| here]",
            "[bring|get|fetch|grab] me {a} from {r}[, then|. Then|. After that,] "
            "[bring|get|fetch|grab] me {b} "
            "from {s}",
        )
        if to_me
        else (
            "[bring|take|carry|move] {a} from {r} and {b} from {s} to {t}",
            "[bring|take|carry|move] {a} from {r} to {t}[, then|. Then| and then] "
            "[bring|take] {b} from {s} [to {t}|there|to {t} too]",
            "[collect|gather] {a} from {r} and {b} from {s} [in|into] {t}",
            "[get|fetch] {a} in {r} and {b} in {s}, and [put|place|leave] [both|them] in {t}",
            "[put|place] {a} from {r} and {b} from {s} [in|into] {t}",
        ),
        a=one.the,
        b=two.the,
        r=first.the,
        s=second.the,
        t=target.the,
    )
    lines = []
    for what, source in ((one, first), (two, second)):
        lines += [go_to(source), *(move_home(what) if to_me else move(what, target))]
    return text, [RETURN, *lines] if to_me else lines
