"""Task shapes of serving several people: one thing each, what each chooses, a reminder for each."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person, Room, listed, person, room, thing, things
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
from roboinstruct_ros.learn.families.questions import choice
from roboinstruct_ros.learn.families.sentences import statement
from roboinstruct_ros.learn.families.shapes_moving import Shape


def people(draw: Draw, fewest: int = 2, most: int = 4) -> list[Person]:
    """Several different people by name."""
    found: dict[str, Person] = {}
    count = draw.rng.randint(fewest, most)
    while len(found) < count:
        new = person(draw, roles=False)
        found[new.name] = new
    return list(found.values())


def office_of(who: Person) -> Room:
    """The room for somebody if the instruction names no place."""
    return Room(f"{who.name}'s office", f"{who.who}'s office")


def deliver_to_people(draw: Draw) -> Shape:
    """The same thing to each of some people, or one thing for each."""
    if draw.chance(0.35):
        return _deliver_differing(draw)
    source, what, crowd = room(draw), thing(draw), people(draw)
    names = listed([who.who for who in crowd], comma=draw.chance(0.2))
    text = draw.phrase(
        (
            "[bring|deliver|take|carry] {a} from {s} to [each of |]{all}[ in their offices|]",
            "[bring|get|fetch|give] {all} {a} each from {s}",
            "{all} [each |all |][need|want|would like] {a}. [Get|Fetch|Bring] [one for each|them] "
            "from {s}",
            "[go to|drive to] {s} and [bring|deliver|take] {a} to [each of |]{all}",
            "[deliver|hand out|give] [one|{a}] from {s} to each of {all}",
            "[bring|give] each of {all} {a}; [the {ns} are|you find them] in {s}",
            "[everybody|each person] of {all} [should get|gets] {a} from {s}",
        ),
        ("see that {all} each receive {a} out of {s}",),
        a=what.a,
        ns=what.plural,
        s=source.the,
        all=names,
    )
    literals = ", ".join(quoted(who.name) for who in crowd)
    name = quoted(what.name)
    inner = [go_to(source), f"pick({name})", 'go_to(name + "\'s office")', f"place({name})"]
    return text, [f"for name in [{literals}]:", *indent(inner)]


def _deliver_differing(draw: Draw) -> Shape:
    source, crowd = room(draw), people(draw, 2, 3)
    gifts = things(draw, len(crowd))
    each = [
        draw.phrase(("{t} to {p}", "{t} to {p}'s office"), t=gift.a, p=who.who)
        for gift, who in zip(gifts, crowd, strict=True)
    ]
    text = draw.phrase(
        (
            "from {s}[,|] [bring|take|deliver] {each}",
            "[bring|take|deliver] {each} from {s}",
            "[go to|drive to] {s} and [bring|take|deliver] {each}",
            "[bring|take|deliver] {each}. [Everything|All of it] is in {s}",
        ),
        s=source.the,
        each=listed(each),
    )
    lines = []
    for gift, who in zip(gifts, crowd, strict=True):
        lines += [go_to(source), *move(gift, office_of(who))]
    return text, lines


def serve_choice(draw: Draw) -> Shape:
    """Ask somebody what they want and bring just that."""
    who, source = person(draw), room(draw)
    place = room(draw, who if draw.chance(0.4) else None)
    question = choice(draw, who)
    text = draw.phrase(
        (
            "{go}[ and|,|. There,] ask {p} {q}[. Then|, then|, and|. After that,] "
            "[bring|get|fetch] "
            "{him} [what {he} {chooses}|that|it|the answer] from {s}",
            "ask {p} in {r} {q}[. Then|, then|, and] [bring|get|fetch|give] {him} [what {he} "
            "{chooses}|it|that] from {s}",
            "{p} is in {r}. Ask {him} {q}[. Then|, then|, and] [bring|get|fetch] it from {s}",
            "[serve|look after] {p} in {r}: ask {him} {q} and [bring|get|fetch] it from {s}",
            "find out from {p} in {r} {q}, and [bring|get|fetch] {him} that from {s}",
        ),
        ("take {p}'s order in {r}: ask {q}; deliver it out of {s}",),
        go=go(draw, place),
        p=who.who,
        he=who.he,
        him=who.him,
        q=question.reported,
        r=place.the,
        s=source.the,
        chooses=draw.one(("choose", "want", "pick")) + ("" if who.he == "they" else "s"),
    )
    options = ", ".join(quoted(option) for option in question.options)
    return text, [
        go_to(place),
        f"answer = ask({quoted(who.name)}, {quoted(question.spoken)}, [{options}])",
        go_to(source),
        "pick(answer)",
        go_to(place),
        "place(answer)",
    ]


def poll_choices(draw: Draw) -> Shape:
    """Ask several people, or whoever is there, what they choose; report the count of each."""
    group = Person("", "they", "they", "them", "their")
    question = choice(draw, group)
    options = ", ".join(quoted(option) for option in question.options)
    counts = ", ".join(f"{quoted(option)}: 0" for option in question.options)
    named = draw.chance(0.4)
    crowd = people(draw)
    every = draw.one(("every room", "all rooms", "each room", "all the rooms"))
    where = listed([who.who for who in crowd]) if named else every
    result = draw.phrase(
        (
            "{b} how many [people |of them |][chose|want|picked|said] each[ option| of them|]",
            "{b} [the|how many] votes [for each[ option|]|each option got]",
            "{b} the [result|counts|count of each[ answer|]|totals]",
            "[count|add up] the [answers|votes] and {b}",
        ),
        b=back_and_tell(draw),
    )
    text = draw.phrase(
        (
            "ask {w} {q}[. Then|, then|, and|.] {res}",
            "[take a vote|take a poll|do a survey] [among|of] {w}: ask {q}[. Then|, then|.] {res}",
            "[find|visit] {w} and ask [them|each of them] {q}. {res}",
        )
        if named
        else (
            "[go to|visit] {w} and if [someone|somebody|anyone] is there, ask them {q}. {res}",
            "ask [everyone|everybody|whoever is] in {w} {q}[. Then|, then|.] {res}",
            "[take a vote|take a poll|do a survey|poll people] in {w}: ask {q}. {res}",
            "[interview|question] people in {w}: {q}. {res}",
        ),
        w=where,
        q=question.reported,
        res=result,
    )
    call = f"{quoted(question.spoken)}, [{options}])"
    if named:
        loop = [
            f"for name in [{', '.join(quoted(who.name) for who in crowd)}]:",
            *indent(['go_to(name + "\'s office")', f"counts[ask(name, {call}] += 1"]),
        ]
    else:
        loop = [
            "for room in get_all_rooms():",
            *indent(["go_to(room)", 'if is_in_room("person"):']),
            *indent([f'counts[ask("", {call}] += 1'], 2),
        ]
    return text, [
        RETURN,
        f"counts = {{{counts}}}",
        *loop,
        HOME,
        "for option in counts:",
        *indent(['say(option + ": " + str(counts[option]))']),
    ]


def remind_several(draw: Draw) -> Shape:
    """The same reminder or message for each of some people."""
    crowd = people(draw)
    chore, message = sentences.chore(draw), statement(draw)
    verb, what, said = draw.one(
        (
            ("remind", f"to {chore}", f", remember to {chore}"),
            ("remind", f"to {chore}", f", remember to {chore}"),
            ("tell", f"to {chore}", f", please {chore}"),
            ("ask", f"to {chore}", f", please {chore}"),
            ("tell", f"that {message}", f", {message}"),
            ("inform", f"that {message}", f", {message}"),
            ("tell", message, f", {message}"),
        )
    )
    text = draw.phrase(
        (
            "{v} {all} {w}",
            "[go to|visit|find|see] {all} and {v} [them|each of them] {w}",
            "{v} each of {all} {w}",
            "[go to|visit] the offices of {all} and {v} [them|each of them] {w}",
            "one after the other, {v} {all} {w}",
        ),
        ("make the round of {all} to {v} them {w}",),
        v=verb,
        w=what,
        all=listed([who.who for who in crowd], comma=draw.chance(0.2)),
    )
    literals = ", ".join(quoted(who.name) for who in crowd)
    lines = [
        f"for name in [{literals}]:",
        *indent(['go_to(name + "\'s office")', f"say(name + {quoted(said)})"]),
    ]
    if draw.chance(0.2):
        text += draw.phrase(("[, then|, and then| and|. Then] [come back|return to me|return]",))
        lines = [RETURN, *lines, HOME]
    return text, lines
