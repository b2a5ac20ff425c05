"""Task shapes about whoever is in a room: told, asked one after the other, waited for."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import (
    listed,
    person,
    room,
    room_kind,
    rooms,
    thing,
)
from roboinstruct_ros.learn.families import sentences
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    back_and_tell,
    go,
    go_to,
    indent,
    move,
    quoted,
)
from roboinstruct_ros.learn.families.questions import yes_no
from roboinstruct_ros.learn.families.sentences import announcement, statement
from roboinstruct_ros.learn.families.shapes_moving import Shape, spoken
from roboinstruct_ros.learn.families.shapes_rooms import every_room, over


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
            "[go round|go around|tour|do a round of] {e} and {s}[ each time| in each|]",
            "{s} everywhere in {e}" if "room" in every else "{s} in {e}",
            "[for|in the case of] {e}, [go there and|drive there and] {s}",
            "[stop in|stop at|enter] {e} and {s}[ there|]",
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
    someone = type(someone)(someone.name, "they", "they", "them", "their")
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
            "[interview|question|survey] {who} in {e}: {q}? {b} how many [people |]said yes",
            "I [want to know|need to know|wonder] how many people in {e} say yes when asked {q}. "
            "[{b}|Go and ask, then {b}]",
            "[drive to|stop at|look into] {e}. If [someone|somebody|anyone] is there, ask [them|] "
            "{q}. "
            "Count the yes answers and {b} the [number|count|total|result]",
            "[collect|gather] [answers|opinions|votes] in {e}: ask {who} {q}, and {b} how many "
            "[people "
            "|]said yes",
            "ask around in {e} {q}[ and|, then|. Then] {b} how many [people |]said yes",
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
            "[stay|remain|stop] [in|at] {r} until {p} [comes|arrives|shows up|appears|is "
            "there|comes in]",
            "{go}[ and|,] [stay there|stay|hold on|hang on] until {p} [comes|arrives|shows "
            "up|appears]",
            "{go}. [Wait there|Wait] [for {p}|until {p} [comes|arrives|is there]]",
            "[be|stay] in {r} and wait [for {p}|until {p} [comes|arrives]]",
            "[keep waiting|wait patiently] in {r} [for {p}|until {p} [comes|arrives|is there]]",
            "I [expect|am expecting] {p} in {r}. [Go there and wait|Wait there] [for {them}|until "
            "{they} [{come}|{arrive}]]",
            "wait [in|at] {r} [for {p}|until {p} [comes|arrives|shows up|appears|is there]]",
        ),
        ("stand by in {r} until {p} turns up",),
        go=go(draw, place),
        p=label,
        r=place.the,
        them=him,
        they=he,
        come="come" if he == "they" else "comes",
        arrive="arrive" if he == "they" else "arrives",
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
    asked = type(who)("" if anyone else who.name, he, he, him, "their" if anyone else who.his)
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
