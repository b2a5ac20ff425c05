"""Task shapes around somebody who may or may not be there."""

from __future__ import annotations

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person, person, room, thing
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    bring,
    bring_me,
    go,
    go_to,
    indent,
    quoted,
)
from roboinstruct_ros.learn.families.questions import yes_no
from roboinstruct_ros.learn.families.sentences import announcement, statement
from roboinstruct_ros.learn.families.shapes_moving import Shape, spoken

ANYBODY = Person("", "someone", "they", "them", "their")


def meet_person(draw: Draw) -> Shape:
    """If somebody is in a room, speak to or ask them; otherwise perhaps report."""
    anyone = draw.chance(0.45)
    who = ANYBODY if anyone else person(draw)
    label = (
        draw.one(("someone", "somebody", "anyone", "anybody", "a person")) if anyone else who.who
    )
    place = room(draw, None if anyone or draw.chance(0.7) else who)
    found = "person" if anyone else who.name
    act, act_lines, back = _act_on(draw, who)
    text = draw.phrase(
        (
            "{go}[ and|. |,| and,] if {p} is [there|in|present|around|in there][,|] {act}",
            "{go}[ and|,|. Then] [check|see|look|check|have a look|take a look|find out|look "
            "to see] [if|whether] {p} is [there|in|around]"
            "[. If so,|, and if so,| and if so|; if so,|. If yes,] {act}",
            "[check|see|look|check|have a look|take a look|find out|look to see] "
            "[if|whether] {p} is in {r}[. If so,|, and if so,| and if so|. If yes,] {act}",
            "[when|whenever|as long as] {p} is in {r}, {act}",
            "is {p} in {r}? If [so|yes], {act}",
            "{go}. [Is {p} there|Is {p} in]? [If so|If yes|Then], {act}",
            "[check|look into|look in] {r}[. If|; if|, and if] {p} is [there|in][,|] {act}",
            "{go}. [As long as|Provided that|When] {p} is [there|in|around], {act}",
            "I think {p} is in {r}. [If so|If that is true|If I am right], {act}",
            "if {p} is in {r}, {act}",
            "{go}[ and|.|,] if you [see|find|meet] {p}[ there|], {act}",
        ),
        ("{go}; should {p} be there, {act}", "in case {p} is in {r}, {act}"),
        go=go(draw, place),
        p=label,
        r=place.the,
        act=act,
    )
    if who.name and place.name.startswith(who.name) and draw.chance(0.7):
        text = draw.phrase(
            (
                "{go}[ and|. |,| and,] if {he} {be} [there|in|present|around][,|] {act}",
                "{go}[ and|,|. Then] [check|see|find out] [if|whether] {he} {be} [there|in][. If "
                "so,|, and if so,"
                "| and if so|. If {he} {be},] {act}",
            ),
            go=go(draw, place),
            he=who.he,
            be="are" if who.he == "they" else "is",
            act=act,
        )
    lines = [go_to(place), f"if is_in_room({quoted(found)}):", *indent(act_lines)]
    if draw.chance(0.5):
        absent = f"{'Nobody' if anyone else who.name} is{'' if anyone else ' not'} in {place.the}"
        else_text, else_lines, else_back = _when_absent(draw, absent)
        text += (
            draw.phrase(
                (
                    "[. Otherwise|, otherwise|. If not|, if not|; otherwise][,|] ",
                    "[. |, ]if [nobody|no one] is there, "
                    if anyone
                    else "[. |, ]if {he} [{is} not|{is}n't] [there|in], ",
                ),
                he=who.he,
                **{"is": "are" if who.he == "they" else "is"},
            )
            + else_text
        )
        lines += ["else:", *indent(else_lines)]
        back = back or else_back
    return text, [RETURN, *lines] if back else lines


def _act_on(draw: Draw, who: Person) -> tuple[str, list[str], bool]:
    roll = draw.rng.random()
    if roll < 0.5:
        message = statement(draw)
        text = draw.phrase(
            (
                "tell {him} [that |]{m}",
                "let {him} know[ that|] {m}",
                "inform {him} that {m}",
                "[say to|mention to|report to] {him} that {m}",
                "[notify|advise] {him} that {m}",
            ),
            him=who.him,
            m=message,
        )
        said = f"{who.name}, {message}" if who.name else message
        return text, [f"say({quoted(said)})"], False
    if roll < 0.62:
        message = announcement(draw)
        return spoken(draw, message), [f"say({quoted(message)})"], False
    question = yes_no(draw, who)
    ask = f'answer = ask({quoted(who.name)}, {quoted(question.spoken)}, ["Yes", "No"])'
    said = (
        f"{who.he} said"
        if draw.chance(0.6)
        else f"{who.he} {'say' if who.he == 'they' else 'says'}"
    )
    text = f"ask {who.him} {question.reported}"
    if draw.chance(0.75):
        text += draw.phrase(
            (
                "[ and|, then|, and| and then] [come back and tell me|tell me|let me know|report "
                "back] "
                "[what {s}|the answer]",
            ),
            s=said,
        )
        head = f"{who.name or 'They'} said: "
        return text, [ask, HOME, f"say({quoted(head)} + answer)"], True
    return text, [ask], False


def _when_absent(draw: Draw, absent: str) -> tuple[str, list[str], bool]:
    roll = draw.rng.random()
    if roll < 0.6:
        text = draw.phrase(
            (
                "[come back and tell me|tell me|let me know|report back|come back and say so|"
                "come back and report]",
                "[come back and tell me|tell me|let me know] [that nobody is there|so]"
                if absent.startswith("Nobody")
                else "[come back and tell me|tell me|let me know] that you did not find them",
            ),
            ("inform me",),
        )
        return text, [HOME, f"say({quoted(absent)})"], True
    if roll < 0.8:
        return draw.one(("come back", "return", "return to me")), [HOME], True
    message = announcement(draw)
    return spoken(draw, message), [f"say({quoted(message)})"], False


def receive_visitors(draw: Draw) -> Shape:
    """Wait for one person after the other until one says yes; lead that one somewhere."""
    place, target = room(draw), room(draw)
    question = yes_no(draw, ANYBODY)
    text = draw.phrase(
        (
            "{go}[ and|.|,] wait [until someone shows up|for someone|until somebody "
            "comes|for people]"
            "[ and|, then|. When someone comes,] ask them {q}. [If yes|If so|If they say yes], "
            "[take|lead|bring|guide] them to {t}. [If not|Otherwise], wait for the next "
            "[person|one]",
        ),
        (
            "{go} and keep asking whoever comes {q}, until one says yes; [take|lead] that "
            "one to {t}",
        ),
        go=go(draw, place),
        q=question.reported,
        t=target.the,
    )
    end = []
    if draw.chance(0.5):
        message = announcement(draw)
        text += draw.one((". When you get there, ", ". When you arrive, ", ". There, "))
        text += spoken(draw, message)
        end = [f"say({quoted(message)})"]
    ask = f'answer = ask("", {quoted(question.spoken)}, ["Yes", "No"])'
    yes = ['say("Please follow me")', go_to(target), *end, "return"]
    return text, [
        go_to(place),
        "while True:",
        *indent(['if is_in_room("person"):', *indent([ask, 'if answer == "Yes":', *indent(yes)])]),
        *indent(["time.sleep(1)"]),
    ]


def wait_for_help(draw: Draw) -> Shape:
    """Wait for somebody, ask for a hand, then carry something."""
    place, target = room(draw), room(draw)
    what = thing(draw)
    favour = draw.one(
        (
            "open the fridge",
            "open the door",
            "open the cabinet",
            "open the drawer",
            "unlock the cupboard",
            "turn on the light",
            "open the safe",
            "move aside",
            "open the window",
            "hold the door",
        )
    )
    to_me = draw.chance(0.3)
    text = draw.phrase(
        (
            "{go}[ and|,] wait [for someone|for someone to show up|until somebody "
            "comes|until a person "
            "comes]. [When someone shows up|When they arrive|Then], ask them to {f}[, then| "
            "and|. Then] "
            "pick up {t}[. Finally,| and|, then|. Then] {carry}",
        ),
        ("{go}, wait there until somebody is around, get them to {f}, pick up {t} and {carry}",),
        go=go(draw, place),
        f=favour,
        t=draw.one((what.a, what.the)),
        carry=bring_me(draw, what.it)
        if to_me
        else bring(draw, draw.one((what.it, what.the)), target),
    )
    name = quoted(what.name)
    lines = [
        go_to(place),
        'while not is_in_room("person"):',
        "    time.sleep(1)",
        f"say({quoted(f'Please {favour}')})",
        f"pick({name})",
        HOME if to_me else go_to(target),
        f"place({name})",
    ]
    return text, [RETURN, *lines] if to_me else lines
