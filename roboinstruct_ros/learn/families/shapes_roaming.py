"""Task shapes of going from room to room with a purpose: a game, a hunt for somebody, a check."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import listed, person, room, rooms, thing
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    back_and_tell,
    go_to,
    indent,
    move,
    quoted,
)
from roboinstruct_ros.learn.families.questions import yes_no
from roboinstruct_ros.learn.families.sentences import announcement
from roboinstruct_ros.learn.families.shapes_moving import Shape, spoken

_PRIZES = ("dollar", "coin", "point", "euro", "token", "chip", "credit", "candy", "ticket")


def double_or_take(draw: Draw) -> Shape:
    """The game of ROBO-INSTRUCT (A.6): each person takes the prize, or doubles it for the next."""
    stops = rooms(draw, draw.rng.randint(2, 5))
    prize, first = draw.one(_PRIZES), draw.rng.randint(1, 5)
    everywhere = draw.chance(0.3)
    where = (
        draw.one(("every room", "all rooms", "each room", "all the rooms"))
        if everywhere
        else listed([stop.the for stop in stops])
    )
    amount = f"{first} {prize}" if first == 1 else f"{first} {prize}s"
    take, double = draw.one(
        (("Take it", "Double it"), ("Take", "Double"), ("Take", "Pass on"), ("Keep", "Double"))
    )
    text = draw.phrase(
        (
            "[let's play a game|play a game|play this game]: start with {n}. Go to {w}. If someone "
            "is there, [tell them how many {ps} you have|say how many {ps} you have] and ask if "
            "they want to {t} or {d}. If they {t}, come back[ and tell me| to me|]. Otherwise "
            "double "
            "it and go on. [If nobody takes it, come back and tell me how much you have|In the "
            "end, "
            "tell me how many {ps} you have]",
            "[play double or nothing|play double or take] in {w}: you have {n}; ask whoever is "
            "there to {t} or {d}. [As soon as somebody takes it|When somebody takes it], come "
            "back. "
            "Otherwise [it doubles|double the {ps}]. [At the end|If nobody does], tell me how many "
            "{ps} are left",
            "start with {n} and [go to|visit] {w}. Say how many {ps} you have and offer whoever is "
            "there to {t} or {d}. If they {t}, return; if not, double your {ps}. If no one takes "
            "them, tell me how many you have",
        ),
        n=amount,
        w=where,
        ps=f"{prize}s",
        t=take.lower(),
        d=double.lower(),
    )
    names = ", ".join(quoted(stop.name) for stop in stops)
    loop = "for room in get_all_rooms():" if everywhere else f"for room in [{names}]:"
    question = quoted(f"Do you want to {take.lower()} or {double.lower()}?")
    return text, [
        RETURN,
        f"amount = {first}",
        loop,
        *indent(["go_to(room)", 'if is_in_room("person"):']),
        *indent(
            [
                f'say("I have " + str(amount) + {quoted(f" {prize}s")})',
                f'answer = ask("", {question}, [{quoted(take)}, {quoted(double)}])',
                f"if answer == {quoted(take)}:",
                *indent([HOME, f'say("Somebody took the {prize}s")', "return"]),
                "amount = amount * 2",
            ],
            2,
        ),
        HOME,
        f'say("I still have " + str(amount) + {quoted(f" {prize}s")})',
    ]


def find_and_serve(draw: Draw) -> Shape:
    """Look for somebody in all rooms, then bring them a thing or ask them something."""
    who = person(draw)
    finding = draw.phrase(
        (
            "[find|look for|search for|locate|go and find] {p}",
            "[search|check|go through|visit] [all rooms|every room|all the rooms|the whole house] "
            "for {p}",
            "{p} is [somewhere in the building|somewhere here|in one of the rooms]. [Find|Look "
            "for] {him}",
            "I [am looking for|cannot find|need to find] {p}. [Find|Search for] {him}",
        ),
        ("comb the place for {p}",),
        p=who.who,
        him=who.him,
    )
    if draw.chance(0.5):
        what, source = thing(draw), room(draw)
        text = finding + draw.phrase(
            (
                "[ and|, then|. Then] [bring|get|fetch|give] {him} {a} from {s}",
                "[ and|. When you find {him},] [bring|take|deliver] {a} from {s} to {him}",
            ),
            him=who.him,
            a=draw.one((what.a, what.the)),
            s=source.the,
        )
        found = [
            go_to(source),
            f"pick({quoted(what.name)})",
            "go_to(room)",
            f"place({quoted(what.name)})",
            "return",
        ]
    else:
        question = yes_no(draw, who)
        text = finding + draw.phrase(
            (
                "[ and|, then|, and|. Then] ask {him} {q}[. Come back and|, and|, then|. Then] "
                "[tell me|let me know|report] [the answer|what {he} said|{his} answer]",
                "[. When you find {him},|. As soon as you find {him},] ask {him} {q}[. Come back "
                "and|. Then] [tell me|let me know] [the answer|what {he} said]",
            ),
            he=who.he,
            him=who.him,
            his=who.his,
            q=question.reported,
        )
        ask = f'answer = ask({quoted(who.name)}, {quoted(question.spoken)}, ["Yes", "No"])'
        found = [ask, HOME, f"say({quoted(f'{who.name} said: ')} + answer)", "return"]
    if draw.chance(0.2):
        text += draw.one(
            (
                f". If you cannot find {who.him}, tell me",
                f". If {who.he} cannot be found, come back and tell me",
                ". Otherwise tell me",
            )
        )
    return text, [
        RETURN,
        "for room in get_all_rooms():",
        *indent(["go_to(room)", f"if is_in_room({quoted(who.name)}):", *indent(found)]),
        HOME,
        f"say({quoted(f'I could not find {who.name}')})",
    ]


def check_listed(draw: Draw) -> Shape:
    """Which of the rooms that the instruction lists have, or have not, a thing."""
    stops, what = rooms(draw, draw.rng.randint(2, 5)), thing(draw)
    lacking = draw.chance(0.4)
    names = listed([stop.the for stop in stops], comma=draw.chance(0.2))
    has = draw.phrase(
        ("[have no {n}|do not have {a}|don't have {a}|lack {a}]",)
        if lacking
        else ("[have {a}|contain {a}|have {a}]",),
        a=what.a,
        n=what.name,
    )
    text = draw.phrase(
        (
            "[check|visit|look in|go to] {all}[ and|, then|. Then] {b} which [of them|ones|rooms] "
            "{h}",
            "{b} which of {all} {h}",
            "[check|find out|see] which of {all} {h}[ and|, then|. Then] {b}",
            "which of {all} {h}? [Go and check|Check and {b}|{b}]",
            "[check|look] in {all} for {a}[ and|, then|. Then] {b} which {h}",
        ),
        ("go by {all}; {b} the ones that {h}",),
        all=names,
        a=what.a,
        h=has,
        b=back_and_tell(draw),
    )
    variable = "missing" if lacking else "found"
    yes = f"There {what.be} no {what.name} in: " if lacking else f"I found {what.a} in: "
    no = f"All of them have {what.a}" if lacking else f"None of them has {what.a}"
    condition = f"if {'not ' if lacking else ''}is_in_room({quoted(what.name)}):"
    literals = ", ".join(quoted(stop.name) for stop in stops)
    return text, [
        RETURN,
        f"{variable} = []",
        f"for room in [{literals}]:",
        *indent(["go_to(room)", condition, *indent([f"{variable}.append(room)"])]),
        HOME,
        f"if {variable}:",
        *indent([f'say({quoted(yes)} + ", ".join({variable}))']),
        "else:",
        *indent([f"say({quoted(no)})"]),
    ]


_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}


def repeat(draw: Draw) -> Shape:
    """The same words, or the same carrying, several times."""
    place, count = room(draw), draw.rng.randint(2, 5)
    times = draw.one((_TIMES[count], _TIMES[count], f"{count} times"))
    if draw.chance(0.6):
        message = announcement(draw)
        text = draw.phrase(
            (
                "[go to|drive to|visit] {r} and {say} {t}",
                "{say} {t} in {r}",
                "in {r}, {say} {t}",
                "[go to|drive to] {r}. {t_}, {say}",
            ),
            r=place.the,
            t=times,
            t_=times.capitalize(),
            say=spoken(draw, message),
        )
        return text, [go_to(place), f"for _ in range({count}):", f"    say({quoted(message)})"]
    target, what = room(draw), thing(draw)
    text = draw.phrase(
        (
            "{t}, [bring|take|carry] {a} from {s} to {r}",
            "[bring|take|carry|deliver] {a} from {s} to {r} {t}",
            "[get|fetch] {a} from {s} and [put|place] it in {r}; do [this|that|it] {t}",
        ),
        a=what.a,
        s=place.the,
        r=target.the,
        t=times,
    )
    return text, [f"for _ in range({count}):", *indent([go_to(place), *move(what, target)])]
