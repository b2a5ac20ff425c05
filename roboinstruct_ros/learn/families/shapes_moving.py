"""Task shapes of going and carrying: tours, conditional moves, fetching."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Room, Thing, listed, room, rooms, thing
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    back_and_tell,
    bring,
    bring_me,
    go,
    go_to,
    indent,
    join,
    move,
    move_home,
    otherwise,
    quoted,
    there_is_no,
)
from roboinstruct_ros.learn.families.sentences import announcement, can_follow_that

Shape = tuple[str, list[str]]


def spoken(draw: Draw, message: str) -> str:
    """ "say dinner is ready"."""
    return draw.phrase(
        (
            '[say|say|announce|call out] "{m}"',
            "[say|announce] '{m}'",
            "say {m}",
            '[read out|shout|repeat] "{m}"',
            "[read out|shout] the [words|message|sentence] {m}",
            "[make|give] this announcement: {m}",
            '[say|announce] the following: ["{m}"|{m}]',
            "[say|announce|call] [out loud|loudly][: | ]{m}",
            "say: {m}",
            *(
                ()
                if not can_follow_that(message)
                else (
                    "[inform|notify|tell] [everyone|everybody|the people|all] that {m}",
                    "let [them|people|the people there|everybody] know [that |]{m}",
                    "[make it known|spread the word|make an announcement] that {m}",
                    "[say|announce] that {m}",
                    "[tell everyone|tell everybody|let everyone know|tell people] [that |]{m}",
                )
            ),
        ),
        ("speak the words {m}", "speak aloud: {m}"),
        m=message,
    )


def tour(draw: Draw) -> Shape:
    """Going to one or more rooms, perhaps speaking there."""
    roll = draw.rng.random()
    if roll < 0.06:
        message = announcement(draw)
        return spoken(draw, message), [f"say({quoted(message)})"]
    if roll < 0.2:
        place = room(draw)
        return go(draw, place), [go_to(place)]
    if roll < 0.4:
        return _chain(draw)
    if roll < 0.5:
        place = room(draw)
        end = draw.phrase(
            ("[come|go|drive] back[ here| to me|]", "return[ here| to me|]"), ("head back home",)
        )
        return go(draw, place) + join(draw) + end, [RETURN, go_to(place), HOME]
    if roll < 0.7:
        return _speaking_stops(draw)
    return _same_words_everywhere(draw)


def _chain(draw: Draw) -> Shape:
    stops = rooms(draw, draw.rng.randint(2, 4))
    names = [stop.the for stop in stops]
    text = draw.phrase(
        (
            "[go|drive|walk|head] to {first}, {rest} and [then|finally|then] [to |]{last}",
            "[go|drive|walk|head] [first |]to {first}[, then| and then] to {rest_then} "
            "and [then|finally] to {last}",
            "[pass|tour|go through|go by] {all}[ in that order| in this order|]",
            "[your route is|take this route|drive this route]: {all}",
            "[start in|start at|begin with] {first}, [continue to|go on to] {rest_then} and "
            "[end|finish|stop] in {last}",
            "first {first}, then {rest_then}, [finally|last] {last}",
            "visit {all}[ in this order| one after the other|]",
        )
        if len(stops) > 2
        else (
            "[go|drive|walk|head] to {first}[, then| and then| and| and after that] "
            "[to |go to ]{last}",
            "[go to|visit] {first}[, and| and] when you are done go to {last}",
            "[go to|visit] {last}, but [first|before that] go to {first}",
            "[start in|start at|begin with] {first} and [end|finish|stop] in {last}",
            "go to {last} [via|by way of] {first}",
            "[go from|drive from] {first} to {last}",
            "[once|when|after] you have been [in|to] {first}, go to {last}",
            "visit [first |]{first} and [then |]{last}",
            "before you go to {last}, go to {first}",
            "go to {last} after [visiting|going to] {first}",
        ),
        first=names[0],
        last=names[-1],
        rest=", ".join(names[1:-1]),
        rest_then=", then to ".join(names[1:-1]),
        all=listed(names),
    )
    return text, [go_to(stop) for stop in stops]


def _speaking_stops(draw: Draw) -> Shape:
    stops = rooms(draw, draw.one((1, 1, 2, 3)))
    text, lines = [], []
    for stop in stops:
        message = announcement(draw)
        if draw.chance(0.25):
            text.append(_said_there(draw, stop, message))
            lines += [go_to(stop), f"say({quoted(message)})"]
            continue
        text.append(
            go(draw, stop) + draw.one((" and ", ", ", " and there ")) + spoken(draw, message)
        )
        lines += [go_to(stop), f"say({quoted(message)})"]
    return draw.one((", then ", ". Then ", ", and then ")).join(text), lines


def _said_there(draw: Draw, stop: Room, message: str) -> str:
    told = (
        ()
        if not can_follow_that(message)
        else (
            "tell [everyone|everybody|the people|people] in {r} [that |]{m}",
            "[announce|say] in {r} that {m}",
        )
    )
    return draw.phrase(("say {m} in {r}", "in {r}, say {m}", *told), r=stop.the, m=message)


def _same_words_everywhere(draw: Draw) -> Shape:
    stops = rooms(draw, draw.rng.randint(2, 5))
    message = announcement(draw)
    text = draw.phrase(
        (
            "[go to|visit|drive to|tour] {all} and {say} in [each|each of them|every "
            "one|each room]",
            "{say} in {all}",
            "[go to|stop at|call at] {all}, [each time|always|and each time] [you are to |]{say}",
            "[for each of|in each of] {all}, [go there and |drive there and |]{say}",
            "[go from|drive from] one to the next of {all} and {say}[ in each| each time|]",
            "{say}. Do [this|that|so] in {all}",
            "do a round of {all} and {say} in each",
            "[go to|visit] {all}[. In each of them,|. In each room,|, and in each one] {say}",
            "in {all}, {say}",
        ),
        ("make a round through {all} and {say} at each stop",),
        all=listed([stop.the for stop in stops], comma=draw.chance(0.3)),
        say=spoken(draw, message),
    )
    names = ", ".join(quoted(stop.name) for stop in stops)
    return text, [
        f"for room in [{names}]:",
        *indent(["go_to(room)", f"say({quoted(message)})"]),
    ]


def _absent_clause(draw: Draw, what: str) -> tuple[str, list[str], bool]:
    """What to do when the thing is not there: words, program, and whether it goes back."""
    message = draw.case(what)
    roll = draw.rng.random()
    if roll < 0.55:
        words_ = back_and_tell(draw) + draw.one(
            (
                " that it is not there",
                " it isn't there",
                " that you could not find it",
                "",
                " so",
                " that there is none",
                " you did not find it",
            )
        )
        return words_, [HOME, f"say({quoted(what)})"], True
    if roll < 0.7:
        message = announcement(draw)
        return spoken(draw, message), [f"say({quoted(message)})"], False
    if roll < 0.85:
        words_ = draw.one(
            ("come back", "come back to me", "return here", "just come back", "return")
        )
        return words_, [HOME], True
    words_ = draw.one(
        ("say so", "say that there is none", "say it is not there", "say it's missing")
    )
    return words_, [f"say({quoted(what)})"], False


def conditional_move(draw: Draw) -> Shape:
    """Go somewhere, and carry a thing on if it is there."""
    source, target = rooms(draw, 2)
    what = thing(draw)
    to_me = draw.chance(0.35)
    carry = bring_me(draw, what.it) if to_me else bring(draw, what.it, target)
    text = draw.phrase(
        (
            "{go}[ and|,] if there {be} {a}[ there| in it|], {carry}",
            "{go}[ and|. |, and|,] if you [find|see|spot|notice] {a}[ there|], {carry}",
            "{go}[ and |, |. ][check|see|look|check|have a look|take a look|find out|look to "
            "see] [if|whether] there {be} {a}[ there|]"
            "[. If so,|, and if so,| and if so|. If there is,|; if yes,|, if so] {carry}",
            "[check|see|look|check|have a look|take a look|find out|look to see] "
            "[if|whether] there {be} {a} in {r}[. If so,|, and if so,|; if so,"
            "| and if there is,|. If yes,] {carry}",
            "{go}[.|,| and] [is|are] there {a}[ there|]? If [so|yes|there is], {carry}",
            "{go}. [Whenever|When|As long as] there {be} {a}[ there|], {carry}",
            "{go}[ and|,|. Then] {carry_a} if there is [one|any]",
            "{carry_a}, but only if there {be} [one|any|some] in {r}",
            "{carry_a} from {r} if [you find any|there is any|it has any|you find one|you see one]",
            "[see|check] [if|whether] {r} has {a}[. If so|, and if so|; if so|. If it has], "
            "{carry}",
            "[if|when] {r} has {a}, {carry}",
            "if you [find|see|spot] {a} in {r}, {carry}",
            "[search|survey|scan|examine|look through] {r} for {a}[, and if {it} {be} there|. If "
            "you find {it}|. If {it} {be} there], {carry}",
            "I think there {be} {a} in {r}. [If so|If I am right|If that is true], {carry}",
            "there [may|might|could] be {a} in {r}. [If so|If you find {it}|If there is], {carry}",
            "{go}[ and|,] [find out|determine] [if|whether] there {be} {a}. If [that is the "
            "case|so], "
            "{carry}",
            "if there {be} {a} in {r}, {carry}",
            "{carry_a} if there is [one|any|something like that] in {r}",
            "[look|check] in {r} for {a}[ and|. If you find {it}] {carry}",
            "{go}[ and |, ][look|search] for {a}[. If you find {it},| and if you find {it},"
            "| and, if {it} is there,] {carry}",
            "is there {a} in {r}? If [so|yes|there is], {carry}",
            "{go}. If [there {be} {a}|you see {a}|{a} {be} there], {carry}",
        ),
        (
            "have a look around {r}; should there be {a}, {carry}",
            "in case there {be} {a} in {r}, {carry}",
            "{go} and should you see {a} there, {carry}",
        ),
        go=go(draw, source),
        be=what.be,
        a=what.a,
        it=what.it,
        r=source.the,
        carry=carry,
        carry_a=bring_me(draw, what.a) if to_me else bring(draw, what.a, target),
    )
    inner = move_home(what) if to_me else move(what, target)
    lines = [go_to(source), f"if is_in_room({quoted(what.name)}):", *indent(inner)]
    back = to_me
    if draw.chance(0.15):
        instead, instead_lines = _instead(draw, what, target, to_me)
        return text + instead, [RETURN, *lines, *instead_lines] if back else [
            *lines,
            *instead_lines,
        ]
    if draw.chance(0.4):
        missing = f"{there_is_no(what)} in {source.the}"
        else_text, else_lines, else_back = _absent_clause(draw, missing)
        text += otherwise(draw, what) + else_text
        lines += ["else:", *indent(else_lines)]
        back = back or else_back
    return text, [RETURN, *lines] if back else lines


def _instead(draw: Draw, what: Thing, target: Room, to_me: bool) -> tuple[str, list[str]]:
    """Another thing from the same room, or the same thing from another room."""
    if draw.chance(0.5):
        other = thing(draw)
        text = bring_me(draw, other.a) if to_me else bring(draw, other.a, target)
        text += draw.one((" instead", " instead", ""))
        inner = move_home(other) if to_me else move(other, target)
        condition = f"elif is_in_room({quoted(other.name)}):"
        return otherwise(draw, what) + text, [condition, *indent(inner)]
    place = room(draw)
    text = draw.phrase(
        (
            "[get|fetch|take|bring] [{it}|one] from {r}[ instead|]",
            "go to {r} and [get|fetch] one there",
        ),
        it=what.it,
        r=place.the,
    )
    inner = [go_to(place), *(move_home(what) if to_me else move(what, target))]
    return otherwise(draw, what) + text, ["else:", *indent(inner)]
