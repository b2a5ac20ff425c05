"""Tasks that can be done although their words are those of tasks that cannot, or of small talk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from roboinstruct_ros.learn.entities import Room, Thing
from roboinstruct_ros.learn.pairs.ambiguous import only_room, to_wanted
from roboinstruct_ros.learn.pairs.cannot import Drawn
from roboinstruct_ros.learn.pairs.requests import Filling, asked, sentence
from roboinstruct_ros.learn.pairs.scenes import the_room, thing_called
from roboinstruct_ros.learn.pairs.surroundings import (
    SOMEBODY,
    Spot,
    addressed,
    carried,
    own_room,
    program,
    reached,
    say,
    searched,
    with_rooms,
)
from roboinstruct_ros.learn.pairs.unable import ABILITIES
from roboinstruct_ros.learn.pairs.words import read
from roboinstruct_ros.learn.phrasing import HOME, RETURN, go_to, indent, quoted

_NEAR = read("near")
_THINGS, _ROOMS = _NEAR["things"].split(", "), _NEAR["rooms"].split(", ")
_MESSAGES = _NEAR["messages"].split("; ")
_STATES = [pair.split("/") for pair in _NEAR["states"].split(", ")]


def a_person_does_it(spot: Spot) -> Drawn:
    """Somebody is asked to do what the robot cannot do."""
    draw = spot.draw
    ability = draw.one([each for each in ABILITIES if each.by_people])
    fill = Filling(spot, ability.things)
    line = ability.imperative(draw)
    chore = fill.fill(draw, line)
    who = SOMEBODY if draw.chance(0.2) else spot.person(fill.person.name)
    room = spot.room(fill.room.name) if draw.chance(0.4) else None
    reminded = draw.chance(0.2)
    said = addressed(who, f"{'remember to' if reminded else 'please'} {chore}")
    lines = reached(spot, who, [say(said)], room)
    where = f" in {room.the}" if room else ""
    forms = (
        f"[ask|tell|ask] {who.who}{where} to {{x}}",
        f"[ask|tell] {who.who}{where} to please {{x}}",
        f"[find|look for|go to] {who.who}{where} and [ask|tell] {who.him} to {{x}}",
        f"have {who.who}{where} {{x}}",
    )
    remind = (f"remind {who.who}{where} to {{x}}",)
    text = draw.phrase(remind if reminded else forms, x=chore)
    return spot, asked(draw, text), program(lines)


def a_person_knows_it(spot: Spot) -> Drawn:
    """Somebody is asked about what the robot cannot see."""
    draw, who = spot.draw, SOMEBODY if spot.draw.chance(0.2) else spot.person()
    room = spot.room() if draw.chance(0.4) else None
    what, state = draw.one(_STATES)
    question = f"Is {what} {state}?"
    name, they = ("", "They") if who == SOMEBODY else (who.name, who.name)
    call = f'answer = ask({quoted(name)}, {quoted(question)}, ["Yes", "No"])'
    lines = [call, HOME, f"say({quoted(f'{they} said: ')} + answer)"]
    lines = reached(spot, who, lines, room)
    where = f" in {room.the}" if room else ""
    text = f"ask {who.who}{where} [if|whether] {what} is {state}"
    text += draw.one((" and tell me", " and come back", ", then tell me the answer", ""))
    if text.endswith((state, "back")):
        text += " and tell me the answer" if text.endswith("back") else " and let me know"
    return (
        spot,
        asked(draw, draw.expand(text)),
        program(lines if RETURN in lines else [RETURN, *lines]),
    )


def a_message(spot: Spot) -> Drawn:
    """Words about something that the robot cannot do or know are only said."""
    draw, who, room = spot.draw, spot.person(), spot.room()
    message = draw.one(_MESSAGES)
    text, lines = draw.one(
        (
            (f"say '{message}' in {room.the}", [go_to(room), say(message)]),
            (f'go to {room.the} and [say|announce] "{message}"', [go_to(room), say(message)]),
            (f"[announce|say] in {room.the} that {message}", [go_to(room), say(message)]),
            (f"tell everybody in {room.the} that {message}", [go_to(room), say(message)]),
            (f"tell {who.who} in {room.the} [that |]{message}",
             [go_to(room), say(f"{who.name}, {message}")]),
            (f"[tell {who.who}|let {who.who} know] that {message}",
             reached(spot, who, [say(f"{who.name}, {message}")])),
            (f'[say|read out|repeat] "{message}"', [say(message)]),
            (f'read out "{message}" in {room.the}', [go_to(room), say(message)]),
        )
    )  # fmt: skip
    return spot, asked(draw, draw.expand(text)), program(lines)


def _plain(spot: Spot, what: Thing, room: Room, other: Room) -> tuple[str, list[str]]:
    """A plain task with a thing and rooms, or with somebody."""
    draw, who, name = spot.draw, spot.person(), quoted(what.name)
    home = [f"pick({name})", HOME, f"place({name})"]
    found = [HOME, f"say({quoted(f'I found {what.a} in ')} + room)"]
    looked = _looked(name, f"There {what.be} {what.a}", f"There {what.be} no {what.name}", room)
    anyone = _looked('"person"', "Someone is", "Nobody is", room)
    met = _looked(quoted(who.name), f"{who.name} is", f"{who.name} is not", room)
    own = own_room(spot, who)
    to_person = carried(what, own) if own else to_wanted(what, who)
    return draw.one(
        (
            (f"[go|drive|head] to {room.the}", [go_to(room)]),
            (f"go to {room.the} and [come back|return]", [RETURN, go_to(room), HOME]),
            (f"[bring|take|carry] {what.the} to {room.the}", carried(what, room)),
            (f"[bring|get|fetch] me {what.the}", carried(what)),
            (f"[bring|get|fetch] me {what.the} from {room.the}", [RETURN, go_to(room), *home]),
            (f"[bring|take|carry] {what.the} from {other.the} to {room.the}",
             [go_to(other), f"pick({name})", go_to(room), f"place({name})"]),
            (f"[bring|take|give] {what.the} to {who.who}", to_person),
            (f"[check|look|see] [if|whether] there {what.be} {what.a} in {room.the}", looked),
            (f"[check|look|see] [if|whether] {who.who} is in {room.the}", met),
            (f"[check|look|see] [if|whether] [somebody|someone] is in {room.the}", anyone),
            (f"[look for|find] {what.the} and tell me where {what.they}",
             searched(what.name, found, f"I could not find {what.a}")),
        )
    )  # fmt: skip


def _looked(name: str, yes: str, no: str, room: Room) -> list[str]:
    yes_lines, no_lines = ([HOME, say(f"{said} in {room.the}")] for said in (yes, no))
    test = f"if is_in_room({name}):"
    return [RETURN, go_to(room), test, *indent(yes_lines), "else:", *indent(no_lines)]


def like_named(spot: Spot) -> Drawn:
    """Things and rooms whose names are those of things that the robot cannot do."""
    draw = spot.draw
    what, room = thing_called(draw.one(_THINGS)), spot.room()
    if draw.chance(0.5):
        name = draw.one(_ROOMS)
        room, spot = Room(name, the_room(name)), with_rooms(spot, name)
    if draw.chance(0.5) and what.name not in spot.scene.things:
        things = (*spot.scene.things, what.name)
        spot = replace(spot, scene=replace(spot.scene, things=things))
    if draw.chance(0.15):
        return spot, *_is_it_there(spot, what, room)
    text, lines = _plain(spot, what, room, spot.room(room.name))
    return spot, asked(draw, draw.expand(text)), program(lines)


def _is_it_there(spot: Spot, what: Thing, room: Room) -> tuple[str, str]:
    yes, no = f"There {what.be} {what.a}", f"There {what.be} no {what.name}"
    question = f"{what.be} there {what.a} in {room.the}?"
    return sentence(question), program(_looked(quoted(what.name), yes, no, room))


def greeted(spot: Spot) -> Drawn:
    """Small talk before or behind a task."""
    draw, room = spot.draw, spot.room()
    text, lines = _plain(spot, spot.thing(), room, spot.room(room.name))
    text = draw.expand(text)
    before = draw.one(
        (
            *("hi robot, {x}", "hello, {x}", "hey, {x}", "good morning, {x}", "hi there! {x}"),
            *("thanks, now {x}", "thank you. Now {x}", "well done. Next, {x}", "great, now {x}"),
            *("stop, {x} instead", "wait, first {x}", "never mind that, {x}", "no, {x}", "ok, {x}"),
            *(
                "sorry, {x}",
                "come on, {x}",
                "{x}. Thanks!",
                "{x}. Thank you very much",
                "robot, {x}",
            ),
            *("are you there? {x}", "good job. {x}", "don't wait here, {x}", "hello! {x}"),
            *("I am bored, {x}", "how are you? {x}", "what can you do? {x}", "{x}, good boy"),
            *(
                "I can't get up, {x}",
                "it is cold and I am tired. {x}",
                "the music is too loud. {x}",
            ),
            *("{x} and be quiet about it", "{x} as fast as you can", "{x}, it is raining outside"),
        )
    )
    return spot, sentence(before.replace("{x}", text)), program(lines)


def waiting(spot: Spot) -> Drawn:
    """Waiting and staying with an aim: until somebody comes, or for a time."""
    draw, room, who = spot.draw, spot.room(spot.scene.here), spot.person()
    message, where = draw.one(_MESSAGES), room.the
    anyone = draw.chance(0.4)
    name, label = ("person", draw.one(("somebody", "someone"))) if anyone else (who.name, who.who)
    until = [f"while not is_in_room({quoted(name)}):", "    time.sleep(1)"]
    him, call = ("them", "") if anyone else (who.him, f"{who.name}, ")
    seconds = draw.one((5, 10, 20, 30, 60, 120, 300, 600))
    amount = f"{seconds} seconds" if seconds < 60 else f"{seconds // 60} minutes"
    amount = amount.replace("1 minutes", draw.one(("a minute", "one minute")))
    then = draw.phrase((f"[, then| and|. Then] tell {him} that {message}",))
    text, lines = draw.one(
        (
            (f"[wait|stay|stop] in {where} until {label} [comes|arrives]", [go_to(room), *until]),
            (f"wait for {label} in {where}{then}", [go_to(room), *until, say(call + message)]),
            (f"[wait|stay] here until {label} comes{then}", [*until, say(call + message)]),
            (f"go to {where} and wait [there |]for {label}", [go_to(room), *until]),
            (f"[stop by|stop at|come to] {where}", [go_to(room)]),
            (f"[wait|stay here for] {amount}[, then| and then] go to {where}",
             [f"time.sleep({seconds})", go_to(room)]),
            (f"[wait|stay] in {where} for {amount}", [go_to(room), f"time.sleep({seconds})"]),
            (f"go to {where}, wait {amount} and come back",
             [RETURN, go_to(room), f"time.sleep({seconds})", HOME]),
            (f"go to {where} and stay there", [go_to(room)]),
        )
    )  # fmt: skip
    return spot, asked(draw, draw.expand(text)), program(lines)


def held(spot: Spot) -> Drawn:
    """ "It" is what the robot holds."""
    draw, what = spot.draw, spot.thing()
    spot = replace(spot, scene=replace(spot.scene, holding=what.name, told=True))
    room, who, name = spot.room(spot.scene.here), spot.person(), quoted(what.name)
    it = draw.one((what.it, what.it, "these" if what.is_plural else "this", what.the))
    down, there = f"place({name})", [go_to(room), f"place({name})"]
    text, lines = draw.one(
        (
            (f"[take|bring|carry] {it} to {room.the}", there),
            (f"put {it} in {room.the}", there),
            (f"[put|lay|set] {it} down", [down]),
            (f"[give {it} to me|let go of {it}|put {it} here|drop {it}]", [down]),
            (f"[bring|give] {it} to {who.who}", reached(spot, who, [down])),
            (f"put {it} down and go to {room.the}", [down, go_to(room)]),
        )
    )
    return spot, asked(draw, draw.expand(text)), program(lines)


def led(spot: Spot) -> Drawn:
    """People are led, woken and invited by words."""
    draw, who, room = spot.draw, spot.person(), spot.room()
    start = spot.room(room.name) if draw.chance(0.4) else None
    where = f" in {start.the}" if start else ""
    lead = [say("Please follow me"), go_to(room)]
    meal = draw.one(("dinner", "lunch", "tea", "the meeting", "the party"))
    text, lines = draw.one(
        (
            (f"[lead|guide|take|bring] {who.who}{where} to {room.the}",
             reached(spot, who, lead, start)),
            (f"ask {who.who}{where} to follow you to {room.the}", reached(spot, who, lead, start)),
            (f"[lead|guide|take] me to {room.the}", lead),
            (f"show me [the way to {room.the}|where {room.the} is]", lead),
            (f"wake [up {who.who}{where}|{who.who}{where} up]",
             reached(spot, who, [say(f"{who.name}, please wake up")], start)),
            (f"invite {who.who}{where} to {meal}",
             reached(spot, who, [say(f"{who.name}, please come to {meal}")], start)),
        )
    )  # fmt: skip
    return spot, asked(draw, draw.expand(text)), program(lines)


def _seen(name: str, yes: str, no: str) -> list[str]:
    return [f"if is_in_room({quoted(name)}):", *indent([say(yes)]), "else:", *indent([say(no)])]


def about_here(spot: Spot) -> Drawn:
    """Questions that the program answers, and rooms named alone."""
    draw, room = spot.draw, spot.room()
    where = room.the
    thing, who = spot.thing(), spot.person()
    there = f"There {thing.be}"
    text, lines = draw.one(
        (
            (f"= [{thing.be} there {thing.a} here|do you see {thing.a}|can you see {thing.a}]?",
             _seen(thing.name, f"{there} {thing.a} here", f"{there} no {thing.name} here")),
            (f"= [is {who.who} here|do you see {who.who}|is {who.who} in this room]?",
             _seen(who.name, f"{who.name} is here", f"{who.name} is not here")),
            ("= is [anybody|anyone|somebody|someone] [here|in this room|there]?",
             _seen("person", "Someone is here", "Nobody is here")),
            (f"[{where}|{where}|{room.name}|to {where}|{where}, please|over to {where}]",
             [go_to(room)]),
            ("= [how many rooms are there|how many rooms do you know]?",
             ['say("There are " + str(len(get_all_rooms())) + " rooms")']),
            ("= [say where you are|stay here and say where you are|tell me which room this is]",
             ['say("I am in " + get_current_location())']),
            ("= [[which|what] rooms do you know|which rooms are there|what rooms are on your map]?",
             ['say("I know " + ", ".join(get_all_rooms()))']),
            ("= [list|name|tell me] [all|all the|the] rooms[| you know]",
             ['say("I know " + ", ".join(get_all_rooms()))']),
        )
    )  # fmt: skip
    return spot, sentence(draw.expand(text.removeprefix("= "))), program(lines)


POSSIBLE: dict[str, tuple[Callable[[Spot], Drawn], float]] = {
    "a_person_does_it": (a_person_does_it, 3.0),
    "a_person_knows_it": (a_person_knows_it, 1.0),
    "a_message": (a_message, 2.0),
    "like_named": (like_named, 4.0),
    "greeted": (greeted, 2.5),
    "waiting": (waiting, 2.0),
    "held": (held, 1.5),
    "led": (led, 1.5),
    "only_room": (only_room, 1.5),
    "about_here": (about_here, 1.5),
}
