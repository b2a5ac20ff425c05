"""Task shapes over many rooms: every room of a kind, and polls of the people in them."""

from __future__ import annotations

from roboinstruct_ros.learn import sentences
from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import (
    Room,
    Thing,
    listed,
    person,
    room,
    room_kind,
    rooms,
    thing,
)
from roboinstruct_ros.learn.phrasing import (
    HOME,
    RETURN,
    back_and_tell,
    go,
    go_to,
    indent,
    move,
    quoted,
)
from roboinstruct_ros.learn.questions import yes_no
from roboinstruct_ros.learn.sentences import announcement, statement
from roboinstruct_ros.learn.shapes_moving import Shape, spoken


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


def announce_in_kind(draw: Draw) -> Shape:
    """The same words in every room of a kind, or in all rooms."""
    message = announcement(draw)
    if draw.chance(0.3):
        every = draw.one(("every room", "all rooms", "each room", "all the rooms"))
        lines = [
            "for room in get_all_rooms():",
            *indent(["go_to(room)", f"say({quoted(message)})"]),
        ]
    else:
        kind = room_kind(draw)
        every = every_room(draw, kind)
        lines = over(draw, kind, [f"say({quoted(message)})"])
        if draw.chance(0.25):
            lines[-1:] = [
                "    " * 2 + 'if is_in_room("person"):',
                "    " * 3 + f"say({quoted(message)})",
            ]
            text = draw.phrase(
                (
                    "[go to|visit] {e} and if [somebody|someone|anyone|anybody|a person] is there, "
                    "{s}",
                    "{s} in {e} where [somebody|someone|anybody] is",
                ),
                e=every,
                s=spoken(draw, message),
            )
            return text, lines
    text = draw.phrase(
        (
            "[go to|visit] {e} and {s}",
            "{s} in {e}",
            "in {e}, {s}",
            "[go through|drive through] {e} and {s} [in each|in each of them|there|]",
        ),
        ("pass through {e}, and {s}",),
        e=every,
        s=spoken(draw, message),
    ).rstrip()
    return text, lines


def poll(draw: Draw) -> Shape:
    """Ask whoever is in each room a yes/no question; report how many said yes."""
    someone = person(draw, roles=False)
    someone = type(someone)(someone.name, "them", "they", "them", "their")
    question = yes_no(draw, someone)
    everyone = draw.one(
        ("everyone", "everybody", "people", "anyone", "the person", "whoever is there")
    )
    roll = draw.rng.random()
    stops = rooms(draw, draw.rng.randint(2, 4))
    kind = room_kind(draw)
    if roll < 0.35:
        every = draw.one(("every room", "all rooms", "each room", "all the rooms"))
        loop, depth = ["for room in get_all_rooms():"], 1
    elif roll < 0.7:
        every = every_room(draw, kind)
        loop, depth = ["for room in get_all_rooms():", f"    if {quoted(kind.name)} in room:"], 2
    else:
        every = listed([stop.the for stop in stops])
        loop, depth = [f"for room in [{', '.join(quoted(stop.name) for stop in stops)}]:"], 1
    text = draw.phrase(
        (
            "[go to|visit] {e}[ and|. If|,| and if]{if} [someone|somebody|anyone|a person] "
            "is there[,|] "
            "ask [them|] {q}. {b} how many [people |]said yes",
            "ask {who} in {e} {q}[ and|, then|. Then] {b} how many [people |]said yes",
            "[go to|visit] {e} and ask {who} {q}[. Count|, count| and count] the [yes "
            "answers|people who "
            "said yes] and {b}",
            "[take a poll|make a survey|poll people] in {e}: ask {q}[ and|, then|. Then] {b} "
            "how many "
            "[people |]said yes",
            "count how many people in {e} say yes [when asked|when you ask them] {q}",
        ),
        ("find out by asking in {e} {q}, and {b} the number of yes answers",),
        e=every,
        who=everyone,
        q=question.reported,
        b=back_and_tell(draw),
        **{"if": ""},
    )
    for wrong in (
        " and someone is",
        " and somebody is",
        " and anyone is",
        " and a person is",
        ", someone is",
        ", somebody is",
        ", anyone is",
        ", a person is",
    ):
        joint, subject = (" and ", wrong[5:]) if wrong.startswith(" and") else (", ", wrong[2:])
        text = text.replace(f"{wrong} there", f"{joint}if {subject} there")
    ask_line = f'if ask("", {quoted(question.spoken)}, ["Yes", "No"]) == "Yes":'
    body = [
        "go_to(room)",
        'if is_in_room("person"):',
        *indent([ask_line, *indent(["count += 1"])]),
    ]
    return text.replace("  ", " "), [
        RETURN,
        "count = 0",
        *loop,
        *indent(body, depth),
        HOME,
        'say(str(count) + " people said yes")',
    ]


def wait_for(draw: Draw) -> Shape:
    """Wait in a room until somebody comes, then speak, ask, or lead."""
    place = room(draw)
    anyone = draw.chance(0.6)
    who = person(draw)
    name = "person" if anyone else who.name
    label = draw.one(("someone", "somebody", "a person", "anyone")) if anyone else who.who
    him = "them" if anyone else who.him
    he = "they" if anyone else who.he
    waiting = draw.phrase(
        (
            "{go}[ and|,] wait [for {p}|until {p} [comes|arrives|shows up|appears|is "
            "there|comes in]|"
            "for {p} to [come|arrive|show up|appear]]",
            "wait [in|at] {r} [for {p}|until {p} [comes|arrives|shows up|appears|is there]]",
        ),
        ("stand by in {r} until {p} turns up",),
        go=go(draw, place),
        p=label,
        r=place.the,
    )
    lines = [go_to(place), f"while not is_in_room({quoted(name)}):", "    time.sleep(1)"]
    roll = draw.rng.random()
    message = announcement(draw)
    chore = sentences.chore(draw)
    then = draw.one((", then ", " and ", ". Then ", " and then ", ", and then "))
    when = draw.phrase(
        ("[. When|. As soon as|. Once] {he} [{arrive}|{be} there|{show}], ",),
        he=he,
        arrive="arrive" if he == "they" else "arrives",
        be="are" if he == "they" else "is",
        show="show up" if he == "they" else "shows up",
    )
    link = draw.one((then, when))
    if roll < 0.3:
        return waiting + link + spoken(draw, message), [*lines, f"say({quoted(message)})"]
    if roll < 0.36:
        return waiting + link + f"ask {him} to {chore}", [
            *lines,
            f"say({quoted(f'Please {chore}')})",
        ]
    if roll < 0.44:
        message = statement(draw)
        text = waiting + link + draw.one((f"tell {him} {message}", f"tell {him} that {message}"))
        return text, [*lines, f"say({quoted(message)})"]
    if roll < 0.5:
        lines = [
            RETURN,
            *lines,
            HOME,
            f"say({quoted(('Someone' if anyone else who.name) + ' is in ' + place.the)})",
        ]
        return waiting + link + draw.one(("come back and tell me", "tell me", "let me know")), lines
    asked = type(who)("" if anyone else who.name, him, he, him, "their" if anyone else who.his)
    question = yes_no(draw, asked)
    ask_call = f'ask({quoted(asked.name)}, {quoted(question.spoken)}, ["Yes", "No"])'
    text = waiting + link + f"ask {him} {question.reported}"
    if roll < 0.65:
        said = f"{he} said"
        end = draw.phrase(
            ("[ and|, then|. Then] [come back and tell me|tell me] [what {said}|the answer]",),
            said=said,
        )
        head = "They said: " if anyone else f"{who.name} said: "
        return text + end, [
            RETURN,
            *lines,
            f"answer = {ask_call}",
            HOME,
            f"say({quoted(head)} + answer)",
        ]
    says = "say" if he == "they" else "says"
    yes = draw.one((f". If {he} {says} yes, ", ". If so, ", ", and if so, ", ". If yes, "))
    target = room(draw)
    no_message = announcement(draw)
    if roll < 0.8:
        act = draw.phrase(
            ("[take|lead|bring|guide] {him} to {t}", "say follow me and go to {t}"),
            him=him,
            t=target.the,
        )
        yes_lines = ['say("Please follow me")', go_to(target)]
    else:
        what = thing(draw)
        act = draw.phrase(
            ("[bring|get|fetch|give] {him} {a} from {t}",), him=him, a=what.a, t=target.the
        )
        yes_lines = [go_to(target), *move(what, place)]
    text += yes + act
    lines += [f"answer = {ask_call}", 'if answer == "Yes":', *indent(yes_lines)]
    if draw.chance(0.4):
        text += draw.one((". Otherwise ", ". If not, ", ", otherwise ")) + spoken(draw, no_message)
        lines += ["else:", *indent([f"say({quoted(no_message)})"])]
    return text, lines
