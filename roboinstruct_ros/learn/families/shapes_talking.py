"""Task shapes of asking and telling: questions, borrowing, reminders, how many."""

from __future__ import annotations

from roboinstruct_ros.learn import vocabulary as words
from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person, Room, listed, person, room, thing
from roboinstruct_ros.learn.families import sentences
from roboinstruct_ros.learn.families.phrasing import (
    HOME,
    RETURN,
    go,
    go_to,
    indent,
    move,
    quoted,
)
from roboinstruct_ros.learn.families.questions import Question, choice, yes_no
from roboinstruct_ros.learn.families.sentences import announcement, statement
from roboinstruct_ros.learn.families.shapes_moving import Shape, spoken


def where(draw: Draw, who: Person) -> tuple[str, Room]:
    """The place of a person: the words before "ask", and the room.

    If the instruction names no place, the person is in their own office (as in the paper's seed
    tasks).
    """
    place = room(draw, who if draw.chance(0.3) else None)
    return go(draw, place), place


def asking(draw: Draw, who: Person, question: Question) -> tuple[str, list[str]]:
    """Going to somebody and asking: "go to the study and ask Bob if he is ready"."""
    own = draw.chance(0.35)
    place = room(draw, who if own else None)
    office = Room(f"{who.who}'s office".removeprefix("the "), "")
    if own and draw.chance(0.6):
        text = draw.phrase(
            (
                "{go}[ and|, and|,|, then| and there|. There,] ask {him}[ |, |: ]{q}",
                "{go}[ to|, to] ask {him} {q}",
            ),
            ("{go}, where you ask {him} {q}",),
            go=go(draw, place),
            him=who.him,
            q=question.reported,
        )
    elif draw.chance(0.15):
        text = f"ask {who.who} {question.reported}"
        place = office
    else:
        text = draw.phrase(
            (
                "{go}[ and|, and|,|, then| and there|. There,] ask {p}[,| |] {q}",
                "{go}[ and|,] [find {p} and ask {him}|ask {p}] {q}",
                "{go} [to ask|in order to ask] {p} {q}",
                "[find out from|check with] {p} in {r} {q}",
                "[talk to|speak to|speak with|see] {p} in {r} and ask {him} {q}",
                "{p} [should be|is sitting|works|waits] in {r}. [Go there and ask|Ask] {him} {q}",
                "I [want to know|need to know|would like to know] from {p} in {r} {q}. [Go and "
                "ask|Ask] "
                "{him}",
                "{go}. [Ask {p} there|There, ask {p}|Then ask {p}] {q}",
                "[question|consult|interview] {p} in {r}: {q}",
                "ask {p} in {r} {q}",
                "in {r}, ask {p} {q}",
                "{p} is in {r}. [Go and ask|Ask] {him} {q}",
            ),
            ("find {p} in {r} and inquire {q}", "{go}, where you ask {p} {q}"),
            go=go(draw, place),
            p=who.who,
            him=who.him,
            q=question.reported,
            r=place.the,
        )
    options = ", ".join(quoted(option) for option in question.options)
    call = f"ask({quoted(who.name)}, {quoted(question.spoken)}, [{options}])"
    return text.replace("  ", " ").replace(" ,", ","), [go_to(place), f"answer = {call}"]


def ask_and_report(draw: Draw) -> Shape:
    """Ask somebody something, come back and tell the answer."""
    who = person(draw)
    question = choice(draw, who) if draw.chance(0.4) else yes_no(draw, who)
    text, lines = asking(draw, who, question)
    if draw.chance(0.2):
        return _tell_another(draw, who, text, lines)
    they = "they say" if who.he == "they" else f"{who.he} says"
    said = "they said" if who.he == "they" else f"{who.he} said"
    text += draw.phrase(
        (
            "[, then|, and| and then| and|. Then|,] [come back|return|come back here|return to me] "
            "and [tell me|let me know|report] [what {said}|what {they}|the answer|{his} answer]",
            "[ and|, and|, then|. Then] [tell me|let me know|report back] "
            "[what {said}|the answer|{his} answer|what {they}]",
            "[ and|, then|. Then] [give me|tell me|get me|deliver] [the|{his}] "
            "[answer|reply|response]",
            "[. What|. Tell me what|, and tell me what] {answers}[?|]",
            "[. Let me know|. Tell me|. Come back and tell me] [the|{his}] "
            "[answer|reply|response|decision]",
            "[ and|, and|. Then] [report|repeat|pass on] [what {said}|the answer|{his} answer] to "
            "me",
            "[ and|, and|. Then] [bring me|report] [the|{his}] answer[ back|]",
            "[ and|, and|. Then] come back [with|to tell me] [the|{his}] answer",
        ),
        (", afterwards inform me about the answer", "; I want to know what {said}"),
        said=said,
        they=they,
        his=who.his,
        answers=f"{who.he} {'answer' if who.he == 'they' else 'answers'}",
    )
    return text, [RETURN, *lines, HOME, f"say({quoted(f'{who.name} said: ')} + answer)"]


def _tell_another(draw: Draw, who: Person, text: str, lines: list[str]) -> Shape:
    """The answer goes to somebody else."""
    other = person(draw)
    if draw.chance(0.4):
        place = Room(f"{other.who}'s office".removeprefix("the "), "")
        to = other.who
    else:
        place = room(draw)
        to = f"{other.who} in {place.the}"
    said = "they said" if who.he == "they" else f"{who.he} said"
    text += draw.phrase(
        (
            "[, then|, and| and then|. Then| and] [tell|inform|go and tell] {p} "
            "[what {said}|the answer|about the answer|{his} answer|what {he} chose]",
        ),
        p=to,
        said=said,
        his=who.his,
        he=who.he,
    )
    return text, [*lines, go_to(place), f"say({quoted(f'{who.name} said: ')} + answer)"]


def ask_several(draw: Draw) -> Shape:
    """Ask several people in their offices; report who said yes, or how many."""
    people = {p.name: p for p in (person(draw, roles=False) for _ in range(draw.rng.randint(2, 4)))}
    names = list(people)
    group = Person("", "they", "they", "them", "their")
    question = yes_no(draw, group)
    counted = draw.chance(0.4)
    text = draw.phrase(
        (
            "ask {all} [in their offices |]{q}[ and|, then|. Then|, and] [come back and tell "
            "me|tell me|"
            "let me know|report] {w}",
            "[find|see|visit] {all} and [ask them|find out] {q}. [Tell me|Report|Let me know] {w}",
            "ask [each of|all of|everyone of] {all} {q}[. Come back and tell me|. Tell me|, and "
            "report] "
            "{w}",
            "go to {all} and ask [them|each of them] {q}[, then|. Then| and] [come back and "
            "tell me|tell me|"
            "let me know|report] {w}",
            "[visit|go to] the offices of {all} and ask [them|each of them] {q}. [Tell "
            "me|Report] {w}",
        ),
        ("find out from {all} {q}; I want to know {w}",),
        all=listed([people[name].who for name in names]),
        q=question.reported,
        w="how many [of them |]said yes" if counted else "who [said yes|agreed|said yes]",
    )
    text = draw.expand(text)
    loop = [
        f"for name in [{', '.join(quoted(name) for name in names)}]:",
        '    go_to(name + "\'s office")',
        f'    if ask(name, {quoted(question.spoken)}, ["Yes", "No"]) == "Yes":',
    ]
    if counted:
        end = [HOME, 'say(str(count) + " people said yes")']
        return text, [RETURN, "count = 0", *loop, "        count += 1", *end]
    return text, [
        RETURN,
        "agreed = []",
        *loop,
        "        agreed.append(name)",
        HOME,
        "if agreed:",
        '    say(", ".join(agreed) + " said yes")',
        "else:",
        '    say("Nobody said yes")',
    ]


def ask_and_act(draw: Draw) -> Shape:
    """Ask a yes/no question; fetch something or say something for yes, perhaps else for no."""
    who = person(draw)
    question = yes_no(draw, who)
    text, ask_lines = asking(draw, who, question)
    place = _place_of(ask_lines)
    if draw.chance(0.12):
        no_text, no_lines, back = _for_no(draw, who)
        text += draw.phrase(
            ("[. |, and |; ][if {he} {says} no|if the answer is no|if not], {act}",),
            he=who.he,
            act=no_text,
            says="say" if who.he == "they" else "says",
        )
        lines = [*ask_lines, 'if answer == "No":', *indent(no_lines)]
        return text, [RETURN, *lines] if back else lines
    yes_text, yes_lines, back = _for_yes(draw, who, place)
    text += draw.phrase(
        (
            "[. |, and |; ][if yes|if so|if {he} {says} yes|if the answer is yes|if {he} {agrees}]"
            "[,|] {act}",
            "[. |, ][if {he} {says} so|if it is a yes|if the reply is yes|on a yes][,|] {act}",
            '[. |; ][if {his} answer is yes|if {he} {says} "yes"|when the answer is yes][,|] {act}',
            ". [Only if|Just if|Provided that] [{he} {says} yes|{he} {agrees}|the answer is yes], "
            "{act}",
            "[. |, ][when {he} {says} yes|in that case][,|] {act}",
        ),
        (". Should {he} say yes, {act}",),
        he=who.he,
        his=who.his,
        act=yes_text,
        says="say" if who.he == "they" else "says",
        agrees="agree" if who.he == "they" else "agrees",
    )
    lines = [*ask_lines, 'if answer == "Yes":', *indent(yes_lines)]
    if draw.chance(0.55):
        no_text, no_lines, no_back = _for_no(draw, who)
        text += draw.phrase(
            (
                "[. |, |; ][otherwise|if not|if no|else|if {he} {says} no][, | ]{act}",
                ". [Otherwise|If not|If no|If {he} {says} no], {act}",
            ),
            (". In the other case {act}",),
            he=who.he,
            act=no_text,
            says="say" if who.he == "they" else "says",
        )
        lines += ["else:", *indent(no_lines)]
        back = back or no_back
    return text, [RETURN, *lines] if back else lines


def _place_of(lines: list[str]) -> Room:
    name = lines[0][len('go_to("') : -len('")')]
    return Room(name, name)


def _for_yes(draw: Draw, who: Person, place: Room) -> tuple[str, list[str], bool]:
    roll = draw.rng.random()
    if roll < 0.55:
        source = room(draw)
        what = thing(draw)
        text = draw.phrase(
            (
                "[bring|get|fetch|give] {him} {a} from {s}",
                "[fetch|get|take] {a} from {s}[ and bring {it} to {him}| for {him}]",
                "go to {s}[,| and] [get|pick up|take] {a}[,| and] bring {it} to {him}",
                "bring {a} from {s} to {him}",
                *(
                    ("[bring|take] {a} from {s} to {his} office",)
                    if place.name.endswith("office")
                    else ()
                ),
            ),
            ("hand {him} {a} from {s}",),
            him=who.him,
            his=who.his,
            a=draw.one((what.a, what.a, what.the)),
            it=what.it,
            s=source.the,
        )
        return text, [go_to(source), *move(what, place)], False
    if roll < 0.75:
        message = announcement(draw)
        return spoken(draw, message), [f"say({quoted(message)})"], False
    source = room(draw)
    if roll < 0.87:
        return go(draw, source), [go_to(source)], False
    message = announcement(draw)
    text = draw.phrase(
        ("[come back|come back here|return] and {m}", "[come|go] back to me and {m}"),
        m=spoken(draw, message),
    )
    return text, [HOME, f"say({quoted(message)})"], True


def _for_no(draw: Draw, who: Person) -> tuple[str, list[str], bool]:
    roll = draw.rng.random()
    if roll < 0.4:
        message = announcement(draw)
        return spoken(draw, message), [f"say({quoted(message)})"], False
    if roll < 0.7:
        text = draw.phrase(
            (
                "[come back|return|come back here] and [tell me|let me know]",
                "[tell me|let me know]",
            ),
            ("report to me",),
        )
        return text, [HOME, f"say({quoted(who.name + ' said no')})"], True
    if roll < 0.85:
        return draw.one(("come back", "return to me", "just come back here")), [HOME], True
    place = room(draw)
    if roll < 0.93:
        other, message = person(draw, roles=False), statement(draw)
        text = draw.phrase(
            ("go to {r} and tell {p} [that |]{m}", "tell {p} in {r} that {m}"),
            r=place.the,
            p=other.who,
            m=message,
        )
        return text, [go_to(place), f"say({quoted(f'{other.name}, {message}')})"], False
    return go(draw, place), [go_to(place)], False


def remind(draw: Draw) -> Shape:
    """Tell or remind somebody of something."""
    who = person(draw)
    place = room(draw, who if draw.chance(0.3) else None)
    office = Room(f"{who.who}'s office".removeprefix("the "), "")
    chore = sentences.chore(draw)
    if draw.chance(0.3):
        own = draw.one(words.OWN_CHORES)
        chore = own.replace("{his}", who.his)
        your_chore = own.replace("{his}", "your")
    else:
        your_chore = chore
    message = statement(draw)
    verb, what, said = draw.one(
        (
            ("remind", f"to {chore}", f"{who.name}, remember to {your_chore}"),
            ("tell", f"to {chore}", f"{who.name}, please {your_chore}"),
            ("ask", f"to {chore}", f"{who.name}, please {your_chore}"),
            ("tell", f"that {message}", f"{who.name}, {message}"),
            ("tell", message, f"{who.name}, {message}"),
            ("inform", f"that {message}", f"{who.name}, {message}"),
            ("let", f"know that {message}", f"{who.name}, {message}"),
        )
    )
    if draw.chance(0.25):
        text, place = f"{verb} {who.who} {what}", office
    elif place.name.startswith(who.name) and draw.chance(0.6):
        link = draw.one((" and ", ", ", " to ", " and there "))
        text = f"{go(draw, place)}{link}{verb} {who.him} {what}"
    else:
        text = draw.phrase(
            (
                "{go}[ and|,| and there] {v} {p} {w}",
                "{go}[, find {p}| to find {p}] and {v} {him} {w}",
                "{go}[ and|,] [look for {p}|see {p}|meet {p}] and {v} {him} {w}",
                "[I want you to|you should|somebody should] {v} {p} in {r} {w}",
                "{go} [in order to|so that you can] {v} {p} {w}",
                "{p} [should be|is sitting|works|waits] in {r}. [Go there and {v}|{v}] {him} {w}",
                "{go}. [There, {v} {p}|{v} {p}] {w}",
                "{v} {p} in {r} {w}",
                "in {r}, {v} {p} {w}",
                "{p} is in {r}. [Go and {v}|{v}|Please {v}] {him} {w}",
            ),
            ("{go} where you {v} {p} {w}",),
            go=go(draw, place),
            v=verb,
            p=who.who,
            him=who.him,
            w=what,
            r=place.the,
        )
    lines = [go_to(place), f"say({quoted(said)})"]
    if draw.chance(0.2):
        text += draw.phrase(("[, then|, and then| and] [come back|return to me|come back here]",))
        lines = [RETURN, *lines, HOME]
    return text, lines
