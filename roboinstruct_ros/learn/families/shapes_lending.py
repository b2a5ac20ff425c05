"""Task shapes of asking before carrying: how many somebody needs, and what they lend."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Room, Thing, person, room, thing
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    bring,
    go,
    go_to,
    indent,
    move,
    move_home,
    quoted,
)
from roboinstruct_ros.learn.families.shapes_moving import Shape


def how_many(draw: Draw) -> Shape:
    """Ask how many somebody needs and carry that many."""
    who = person(draw)
    what = thing(draw, count=True)
    place = room(draw, who if draw.chance(0.4) else None)
    source = room(draw)
    if draw.chance(0.2):
        place = Room(f"{who.name}'s office", f"{who.who}'s office")
    counts = draw.one(
        (
            ("1", "2", "3"),
            ("1", "2"),
            ("1", "2", "3", "4"),
            ("0", "1", "2"),
            ("2", "3"),
            ("1", "2", "3", "4", "5"),
        )
    )
    need = draw.one(("need", "want", "need"))
    need3 = need if who.he == "they" else need + "s"
    numbers = ", ".join(counts[:-1]) + draw.one((" or ", ", or ")) + counts[-1]
    text = draw.phrase(
        (
            *(
                (
                    "{go}[ and|,] ask {him} how many {things} {he} {need}[: {n}| ({n})|, {n}][. "
                    "Then|, then|,"
                    " and] [bring|get|fetch|give] {him} that many from {s}",
                )
                if place.name.startswith(who.name)
                else ()
            ),
            "{go} and ask {p} [if {he} {need} {n} {things}|how many {things} {he} {need}[ ({n})|"
            ", {n}|: {n}]][. Then|, then|, and] [bring|get|fetch|give] {him} "
            "[that many|that many {things}] from {s}",
            "ask {p} in {r} [how many {things} {he} {need}[: {n}| ({n})|, {n}]|if {he} {need} {n} "
            "{things}][. Then|, then|, and] [bring|get|fetch] [them|that many {things}|that many] "
            "from {s}[ to {r}| to {him}|]",
            *(
                (
                    "ask {p} how many {things} {he} {need}[: {n}| ({n})|, "
                    "{n}][. Then|, then|, and] "
                    ""
                    "[bring|take|carry] that many [{things} |]from {s} to {his} office",
                )
                if place.name == f"{who.name}'s office"
                else ()
            ),
            "{p} in {r} {needs} some {things}. Ask {him} how many[: {n}| ({n})|, {n}], and "
            "[bring|get|fetch] [them|that many] from {s}",
            "find out how many {things} {p} in {r} {needs}[: {n}| ({n})|, {n}][. Then|, then|, "
            "and] "
            "[bring|get|fetch] {him} that many from {s}",
            "{go}[,| and] ask {p} how many {things} {he} {need}[, {n}|: {n}]. "
            "[Go to|Then go to] {s} and bring {him} that many",
        ),
        (
            "{go} to find out from {p} how many {things} {he} {need}, {n}, and deliver them "
            "from {s}",
        ),
        go=go(draw, place),
        p=who.who,
        he=who.he,
        him=who.him,
        his=who.his,
        need=need3,
        needs=need3 if who.he != "they" else need + "s",
        n=numbers,
        things=what.plural,
        r=place.the,
        s=source.the,
    )
    options = ", ".join(quoted(count) for count in counts)
    spoken_ = quoted(f"How many {what.plural} do you {need}?")
    name = quoted(what.name)
    return text, [
        go_to(place),
        f"answer = ask({quoted(who.name)}, {spoken_}, [{options}])",
        "for _ in range(int(answer)):",
        *indent([go_to(source), f"pick({name})", go_to(place), f"place({name})"]),
    ]


def borrow(draw: Draw) -> Shape:
    """Take something from somebody who allows it."""
    who = person(draw)
    what = thing(draw)
    place = room(draw, who if draw.chance(0.6) else None)
    target = room(draw)
    to_me = draw.chance(0.5)
    agrees = "agree" if who.he == "they" else "agrees"
    says = "say" if who.he == "they" else "says"
    carry = _carry(draw, what, target, to_me)
    text = draw.phrase(
        (
            *(
                (
                    "{go}[ and|,] ask {him} [if I can|whether I may] borrow [{the}|{a}|{his} {n}]"
                    "[. If|, and if|; if] [{he} {agrees}|{he} {says} yes|so][,|] {carry}",
                )
                * 3
                if place.name.startswith(who.name)
                else ()
            ),
            "{go}[ and|,] ask {p} [if I can|whether I can|if I may|whether I may|if we can] borrow "
            "[{the}|{a}|{his} {n}][. If|, and if|; if] {he} [{agrees}|{says} yes][,|] {carry}",
            "ask {p} in {r} [if I can|whether I may] borrow [{the}|{a}|{his} {n}][. If|, and if] "
            "[so|yes|{he} {agrees}|{he} {says} yes], {carry}",
            "{go}[ and|,] ask {p} to [lend me|lend us] [{the}|{a}|{his} {n}][. If|, and if] {he} "
            "[{agrees}|{says} yes], {carry}",
            "I [want|need|would like] to borrow [{the}|{a}|{his} {n}] from {p}. {go}, ask {him}, "
            "and if "
            "{he} [{agrees}|{says} yes], {carry}",
            "{go}. [Ask|Find out from] {p} [if|whether] [I can have|I can use|I may use|I may "
            "take|I can "
            "take] [{the}|{his} {n}][ for a while|]. If [so|{he} {says} yes|yes], {carry}",
            "try to borrow [{the}|{a}|{his} {n}] from {p} in {r}[. If|, and if] {he} "
            "[{agrees}|{says} "
            "yes], {carry}",
            "{go}[ and|,] ask {p} for permission to borrow [{the}|{a}|{his} {n}]. "
            "If {he} [{agrees}|{says} yes], {carry}",
            "{go} and borrow [{the}|{a}|{his} {n}] from {p}, but only if {he} {agrees}. "
            "Then {carry}",
        ),
        ("see whether {p} in {r} would lend me {a}, and if so {carry}",),
        go=go(draw, place),
        p=who.who,
        he=who.he,
        him=who.him,
        his=who.his,
        the=what.the,
        a=what.a,
        n=what.name,
        agrees=agrees,
        says=says,
        carry=carry,
        r=place.the,
    )
    question = quoted(f"Can I borrow the {what.name}?")
    inner = move_home(what) if to_me else move(what, target)
    lines = [
        go_to(place),
        f'answer = ask({quoted(who.name)}, {question}, ["Yes", "No"])',
        'if answer == "Yes":',
        *indent(inner),
    ]
    back = to_me
    if draw.chance(0.5):
        text += draw.phrase(
            (
                "[. Otherwise|, otherwise|. If not|. If {he} {says} no][,|] "
                "[come back and tell me|tell me|let me know|come back and say so]",
            ),
            he=who.he,
            says=says,
        )
        lines += ["else:", *indent([HOME, f"say({quoted(who.name + ' said no')})"])]
        back = True
    return text, [RETURN, *lines] if back else lines


def _carry(draw: Draw, what: Thing, target: Room, to_me: bool) -> str:
    if to_me:
        return draw.phrase(
            ("bring {it} [to me|here|back|back to me]", "come back with {it}"), it=what.it
        )
    return bring(draw, what.it, target)
