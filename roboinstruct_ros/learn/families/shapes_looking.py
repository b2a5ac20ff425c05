"""Task shapes of looking: check and report, search the whole map, inventory."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Room, listed, person, room, thing, things
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    back_and_tell,
    bring,
    bring_me,
    go,
    go_to,
    indent,
    move,
    move_home,
    quoted,
    there_is,
    there_is_no,
)
from roboinstruct_ros.learn.families.sentences import statement
from roboinstruct_ros.learn.families.shapes_moving import Shape


def check_and_report(draw: Draw) -> Shape:
    """Is a thing (or a person) in a room? Tell me, or tell somebody elsewhere."""
    place = room(draw)
    is_person = draw.chance(0.35)
    if is_person and draw.chance(0.45):
        a, be = draw.one(("someone", "somebody", "anyone", "anybody", "a person")), "is"
        name = "person"
        yes, no = f"Someone is in {place.the}", f"Nobody is in {place.the}"
    elif is_person:
        who = person(draw)
        name, a, be = who.name, who.who, "is"
        yes, no = f"{who.name} is in {place.the}", f"{who.name} is not in {place.the}"
    else:
        what = thing(draw)
        name, a, be = what.name, draw.one((what.a,) * 4 + (what.the, f"my {what.name}")), what.be
        yes, no = f"{there_is(what)} in {place.the}", f"{there_is_no(what)} in {place.the}"
    report, before, after = _report_to(draw)
    exists = "{a} {be}" if is_person else "there {be} {a}"
    text = draw.phrase(
        (
            "{go}[ and |, |. ][check|see|look|check|have a look|take a look|find out|look to "
            "see] [if|whether] {exists}[ there| in it|]"
            "[ and|, and|, then|. Then] {report}",
            "[check|see|find out|look] [if|whether] {exists} in {r}[ and|, and|, then|. "
            "Then] {report}",
            "[go and|please|] {tell} [if|whether] {exists} in {r}",
            "I [want to know|wonder|need to know|am wondering] [if|whether] {exists} in {r}. "
            "[{report}|Go and see, then {report}|Check it and {report}]",
            "[determine|verify|make sure you know] [if|whether] {exists} in {r}[ and|, then|. "
            "Then] "
            "{report}",
            "[survey|search|scan|examine] {r} [to see|to find out] [if|whether] {exists}[ and|, "
            "then|. "
            "Then] {report}",
            "{report} [if|whether] {exists} in {r}",
            "[go|drive] to {r} [to see|to check|and see] [if|whether] {exists}. [Then|Afterwards] "
            "{report}",
            "{tell} [if|whether] {exists} in {r}",
            "[is {a}|{be} there {a}] in {r}?[ {report}| Go and see, then {report}|]"
            if not is_person
            else "is {a} in {r}?[ Go and see, then {report}| Please {report}|]",
            "[look|check] in {r} for {a}[ and|, then] {report}",
            "{go}[ and|,] [look|check] for {a}[ and|, then] {report}",
        ),
        ("I would like to know [if|whether] {exists} in {r}", "inspect {r} for {a} and {report}")
        if report.startswith(("tell me", "come", "report", "let me"))
        else ("inspect {r} for {a} and {report}",),
        **{"exists": exists},
    )
    tell = draw.one(("tell me", "let me know"))
    asked_here = "{tell}" in text or "{report}" not in text
    if asked_here:
        before, after = [RETURN], [HOME]
    for slot, value in (
        ("go", go(draw, place)),
        ("exists", exists),
        ("report", report),
        ("tell", tell),
        ("a", a),
        ("be", be),
        ("r", place.the),
    ):
        text = text.replace("{" + slot + "}", value)
    lines = [
        *before,
        go_to(place),
        f"if is_in_room({quoted(name)}):",
        *indent([*after, f"say({quoted(yes)})"]),
        "else:",
        *indent([*after, f"say({quoted(no)})"]),
    ]
    return text, lines


def _report_to(draw: Draw) -> tuple[str, list[str], list[str]]:
    """To whom the finding goes: words, lines at the start, lines before each report."""
    if draw.chance(0.6):
        text = draw.phrase(
            (
                "[come|go] back and [tell me|let me know|report|report to me]",
                "[tell me|let me know|report back|report back to me|report back here]",
                "come back to [tell me|let me know]",
                "return and tell me",
            ),
            ("get back to me", "inform me"),
        )
        text += draw.one(("", "", " what you found", " the result"))
        return text, [RETURN], [HOME]
    who = person(draw)
    if draw.chance(0.3):
        office = f"{who.who}'s office".removeprefix("the ")
        return f"{draw.one(('tell', 'inform'))} {who.who}", [], [go_to(Room(office, office))]
    place = room(draw, who if draw.chance(0.2) else None)
    text = draw.phrase(
        (
            "[tell|inform|report to] {p} in {r}",
            "go to {r} and [tell|inform] {p}",
            "[tell|inform] {p}, who is in {r}",
        ),
        ("bring word to {p} in {r}",),
        p=who.who,
        r=place.the,
    )
    return text, [], [go_to(place)]


def search_everywhere(draw: Draw) -> Shape:
    """Look through all rooms for a thing or person; stop at the first."""
    if draw.chance(0.35):
        return _search_person(draw)
    what = thing(draw)
    roll = draw.rng.random()
    target = room(draw)
    name = quoted(what.name)
    my = draw.one((what.a, what.a, what.the, f"my {what.name}"))
    finding = draw.phrase(
        (
            "[find|look for|search for|locate] {m}",
            "[go and |]find out where {m} {be}",
            "{m} {be} [lost|missing|gone|somewhere here|somewhere in the house]. [Find|Look "
            "for|Search for|Locate] {it}",
            "[somewhere|in some room] there {be} {m}. [Find|Locate|Look for|Search for] {it}",
            "[try to find|see if you can find|go and find|go find|go look for|spot] {m}[ "
            "somewhere|]",
            "[check|visit|go to] [each room|one room after the other|room by room|every single "
            "room] "
            "[for|until you find|to find] {m}",
            "I [misplaced|left|forgot] {m} [somewhere|in some room|in one of the rooms]. "
            "[Find|Look "
            "for|Search for] {it}",
            "[do you know where|where] {be} {m}? [Find|Look for|Search for] {it}",
            "[search|comb|scour|explore] the [house|building|place|whole place|rooms] for {m}",
            "[search|look in|check] [all rooms|every room|all the rooms|each room|the whole house|"
            "the whole building|everywhere] for {m}",
            "[look for|search for] {m} [in all rooms|in every room|everywhere|in the house|"
            "in the building|in each room]",
            "I [lost|cannot find|can't find|am looking for] {m}. [Find|Look for|Search for] {it}",
            "go through [all|all the] rooms [and look for|until you find|to find] {m}",
        ),
        ("hunt for {m} all over the place", "go from room to room looking for {m}"),
        m=my,
        it=what.it,
        be=what.be,
    )
    missing = f"say({quoted(f'I could not find {what.a}')})"
    if roll < 0.55:
        where_ = f"say({quoted(f'I found {what.a} in ')} + room)"
        end = draw.phrase(
            (
                "[ and|, then|, and|. Then] [tell me|let me know|come back and tell me|report|"
                "report back|come back and report] where {they}",
                "[ and|. Then|, then] [tell me|let me know|come back and tell me] "
                "[in which room {they}|which room {they} in|where you found {it}]",
                "[. Then|, then| and] [inform me|say to me|return and say|return and tell me] "
                "where {they}",
                "[. Come back and|, return and] [report|tell me] [its location|the room|the place]",
                ". [In which room|Where] {are_they}?",
                "[. Tell me where {they}|]",
            ),
            (" and report the room to me",),
            they=what.they,
            are_they="are they" if what.is_plural else "is it",
            it=what.it,
        )
        found = [HOME, where_, "return"]
    elif roll < 0.8:
        end = draw.phrase(
            ("[ and|, then|. Then| and then] {b}", ". [If|When|Once] you find {it}, {b}"),
            b=bring_me(draw, what.it),
            it=what.it,
        )
        found = [*move_home(what), "return"]
    else:
        end = draw.phrase(
            ("[ and|, then|. Then| and then] {b}", ". [If|When|Once] you find {it}, {b}"),
            b=bring(draw, what.it, target),
            it=what.it,
        )
        found = [*move(what, target), "return"]
    text = finding + end
    if draw.chance(0.3):
        text += draw.phrase(
            (
                "[. If|, and if] you [cannot|can't|do not|don't] find {it}, "
                "[tell me|come back and tell me|let me know|say so]",
                ". [If {it_is} nowhere|If there is none|Otherwise|If not][,|] "
                "[tell me|come back and tell me|report that]",
            ),
            it=what.it,
            it_is=what.they,
        )
    return text, [
        RETURN,
        "for room in get_all_rooms():",
        *indent(["go_to(room)", f"if is_in_room({name}):", *indent(found)]),
        HOME,
        missing,
    ]


def _search_person(draw: Draw) -> Shape:
    who = person(draw)
    message = draw.one(("where_", "say", "say"))
    finding = draw.phrase(
        (
            "[find|look for|search for|locate] {p}",
            "[search|look in|check|go through] [all rooms|every room|all the rooms|the whole house|"
            "the whole building] for {p}",
            "[go and find|try to find|go find|see if you can find|seek out] {p}",
            "{p} is [somewhere in the house|somewhere here|in one of the rooms|in the "
            "building]. [Find|Look for|Search for] {him}",
            "[check|visit|search] [each room|every room|room by room] [until you find|for|to "
            "find] {p}",
            "I [need|am looking for|cannot find|can't find] {p}. [Find|Look for|Search for] {him}",
            "[look for|search for] {p} [in all rooms|in every room|everywhere|in the house]",
            "go [through all rooms|from room to room] until you find {p}",
        ),
        ("track down {p}",),
        p=who.who,
        him=who.him,
    )
    if message == "where_":
        tail = draw.phrase(
            (
                "[ and|, then|. Then] [tell me|let me know|come back and tell me|report] where "
                "[{he} {be}|you found {him}]",
                "[ and|. Then] [tell me|come back and tell me] in which room {he} {be}",
            ),
            (" and report the room to me",),
            he=who.he,
            him=who.him,
            be="are" if who.he == "they" else "is",
        )
        found = [HOME, f"say({quoted(f'I found {who.name} in ')} + room)", "return"]
    else:
        words_ = statement(draw)
        tail = draw.phrase(
            (
                "[ and|, then|. Then] tell {him} [that |]{m}",
                "[ and|. Then] let {him} know that {m}",
                ". When you find {him}, [tell {him}|say] {m}",
            ),
            (" and give {him} this message: {m}",),
            him=who.him,
            m=words_,
        )
        found = [f"say({quoted(f'{who.name}, {words_}')})", "return"]
    return finding + tail, [
        RETURN,
        "for room in get_all_rooms():",
        *indent(["go_to(room)", f"if is_in_room({quoted(who.name)}):", *indent(found)]),
        HOME,
        f"say({quoted(f'I could not find {who.name}')})",
    ]


def inventory(draw: Draw) -> Shape:
    """Which of several things are in a room."""
    place = room(draw)
    items = things(draw, draw.rng.randint(2, 5))
    asks_missing = draw.chance(0.4)
    link = draw.one(("and", "or"))
    names = listed([item.a if draw.chance(0.7) else item.the for item in items], link)
    bare = listed([item.name for item in items], link)
    which = "are missing" if asks_missing else "are there"
    text = draw.phrase(
        (
            "{go}[ and|,] [check|see|find out|tell me] which of [these things|the following|these] "
            "{w}: {n}",
            "{go}[ and|,] [check|look] for {a}[, then|, and| and|. Then] {back} [which of "
            "them|which] {w}",
            "[check|look] in {r} for {a}[, then| and|. Then] {back} [which of them|which "
            "ones|which] {w}",
            "{back} which of [these|these things|the following things] {w_in}: {n}",
            "[check|see|find out|tell me] which of {n} {w_in}",
            "I [want to know|need to know|wonder] which of [these|these things|the following] "
            "{w_in}: "
            "{n}. [Tell me|Come back and tell me|Report]",
            "{go}[ and|,] [report|tell me|list] which of {n} {w}",
            "of {n}, [tell me|report] which {w_in}",
            "[survey|search|scan] {r} for {a}. {back} which [ones|of them] {w}",
            "[make|take] an inventory of {r}: {n}. [Tell me|Report|Let me know] [which|what] {w}",
            "{go}[ and|,] check [if|whether] there is {a}[, then|, and| and|. Then] {back} "
            "[what|which of them] {w_s}",
        ),
        ("count what is in {r} out of {n} and {back} which {w}",),
        go=go(draw, place),
        n=bare,
        a=names,
        r=place.the,
        w=which,
        back=back_and_tell(draw),
        w_in=f"are missing in {place.the}" if asks_missing else f"are in {place.the}",
        w_s="is missing" if asks_missing else "is there",
    )
    item_list = ", ".join(quoted(item.name) for item in items)
    condition = "if not is_in_room(item):" if asks_missing else "if is_in_room(item):"
    variable = "missing" if asks_missing else "found"
    head = "Missing: " if asks_missing else "I found: "
    none = "Nothing is missing" if asks_missing else "I found none of them"
    return text, [
        RETURN,
        go_to(place),
        f"{variable} = []",
        f"for item in [{item_list}]:",
        *indent([condition, *indent([f"{variable}.append(item)"])]),
        HOME,
        f"if {variable}:",
        *indent([f'say({quoted(head)} + ", ".join({variable}))']),
        "else:",
        *indent([f"say({quoted(none)})"]),
    ]
