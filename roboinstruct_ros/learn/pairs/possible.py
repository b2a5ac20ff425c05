"""Tasks that can be done although their words are those of tasks that cannot, or of small talk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from roboinstruct_ros.learn.entities import Thing
from roboinstruct_ros.learn.pairs.ambiguous import only_room, to_wanted
from roboinstruct_ros.learn.pairs.cannot import Drawn
from roboinstruct_ros.learn.pairs.requests import Filling, asked, sentence
from roboinstruct_ros.learn.pairs.scenes import the_room, thing_called
from roboinstruct_ros.learn.pairs.surroundings import (
    Spot,
    carried,
    go,
    program,
    reached,
    say,
    searched,
    with_rooms,
)
from roboinstruct_ros.learn.pairs.unable import ABILITIES
from roboinstruct_ros.learn.pairs.words import read
from roboinstruct_ros.learn.phrasing import HOME, RETURN, indent, quoted

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
    who = spot.person(fill.person.name)
    room = spot.room(fill.room) if draw.chance(0.4) else ""
    lines = reached(spot, who, [say(f"{who.name}, please {chore}")], room)
    where = f" in {the_room(room)}" if room else ""
    text = draw.phrase(
        (
            f"[ask|tell|ask] {who.who}{where} to {{x}}",
            f"[ask|tell] {who.who}{where} to please {{x}}",
            f"[find|look for|go to] {who.who}{where} and [ask|tell] {who.him} to {{x}}",
            f"[have|let] {who.who}{where} {{x}}",
        ),
        (f"get {who.who}{where} to {{x}}",),
        x=chore,
    )
    return spot, asked(draw, text), program(lines)


def a_person_knows_it(spot: Spot) -> Drawn:
    """Somebody is asked about what the robot cannot see."""
    draw, who = spot.draw, spot.person()
    room = spot.room() if draw.chance(0.4) else ""
    what, state = draw.one(_STATES)
    question = f"Is {what} {state}?"
    call = f'answer = ask({quoted(who.name)}, {quoted(question)}, ["Yes", "No"])'
    lines = [call, HOME, f"say({quoted(f'{who.name} said: ')} + answer)"]
    lines = reached(spot, who, lines, room)
    where = f" in {the_room(room)}" if room else ""
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
            (f"say '{message}' in {the_room(room)}", [go(room), say(message)]),
            (f'go to {the_room(room)} and [say|announce] "{message}"', [go(room), say(message)]),
            (f"[announce|say] in {the_room(room)} that {message}", [go(room), say(message)]),
            (f"tell everybody in {the_room(room)} that {message}", [go(room), say(message)]),
            (f"tell {who.who} in {the_room(room)} [that |]{message}",
             [go(room), say(f"{who.name}, {message}")]),
            (f"[tell {who.who}|let {who.who} know] that {message}",
             reached(spot, who, [say(f"{who.name}, {message}")])),
            (f'say "{message}"', [say(message)]),
        )
    )  # fmt: skip
    return spot, asked(draw, draw.expand(text)), program(lines)


def _plain(spot: Spot, what: Thing, room: str, other: str) -> tuple[str, list[str]]:
    """A plain task with a thing and rooms, or with somebody."""
    draw, who, name = spot.draw, spot.person(), quoted(what.name)
    home = [f"pick({name})", HOME, f"place({name})"]
    own = [each for each in spot.scene.rooms if each.startswith(f"{who.name}'s ")]
    found = [HOME, f"say({quoted(f'I found {what.a} in ')} + room)"]
    looked = _looked(name, f"There {what.be} {what.a}", f"There {what.be} no {what.name}", room)
    met = _looked(quoted(who.name), f"{who.name} is", f"{who.name} is not", room)
    to_person = carried(what, own[0]) if own and spot.scene.told else to_wanted(what, who)
    return draw.one(
        (
            (f"[go|drive|head] to {the_room(room)}", [go(room)]),
            (f"go to {the_room(room)} and [come back|return]", [RETURN, go(room), HOME]),
            (f"[bring|take|carry] {what.the} to {the_room(room)}", carried(what, room)),
            (f"[bring|get|fetch] me {what.the}", carried(what, "")),
            (f"[bring|get|fetch] me {what.the} from {the_room(room)}", [RETURN, go(room), *home]),
            (f"[bring|take|carry] {what.the} from {the_room(other)} to {the_room(room)}",
             [go(other), f"pick({name})", go(room), f"place({name})"]),
            (f"[bring|take|give] {what.the} to {who.who}", to_person),
            (f"[check|look|see] [if|whether] there {what.be} {what.a} in {the_room(room)}", looked),
            (f"[check|look|see] [if|whether] {who.who} is in {the_room(room)}", met),
            (f"[look for|find] {what.the} and tell me where {what.they}",
             searched(what.name, found, f"I could not find {what.a}")),
        )
    )  # fmt: skip


def _looked(name: str, yes: str, no: str, room: str) -> list[str]:
    yes_lines, no_lines = ([HOME, say(f"{said} in {the_room(room)}")] for said in (yes, no))
    test = f"if is_in_room({name}):"
    return [RETURN, go(room), test, *indent(yes_lines), "else:", *indent(no_lines)]


def like_named(spot: Spot) -> Drawn:
    """Things and rooms whose names are those of things that the robot cannot do."""
    draw = spot.draw
    what, room = thing_called(draw.one(_THINGS)), spot.room()
    if draw.chance(0.5):
        room = draw.one(_ROOMS)
        spot = with_rooms(spot, room)
    if draw.chance(0.5) and what.name not in spot.scene.things:
        things = (*spot.scene.things, what.name)
        spot = replace(spot, scene=replace(spot.scene, things=things))
    if draw.chance(0.15):
        return spot, *_is_it_there(spot, what, room)
    text, lines = _plain(spot, what, room, spot.room(room))
    return spot, asked(draw, draw.expand(text)), program(lines)


def _is_it_there(spot: Spot, what: Thing, room: str) -> tuple[str, str]:
    yes, no = f"There {what.be} {what.a}", f"There {what.be} no {what.name}"
    question = f"{what.be} there {what.a} in {the_room(room)}?"
    return sentence(question), program(_looked(quoted(what.name), yes, no, room))


def greeted(spot: Spot) -> Drawn:
    """Small talk before or behind a task."""
    draw, room = spot.draw, spot.room()
    text, lines = _plain(spot, spot.thing(), room, spot.room(room))
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
    message, where = draw.one(_MESSAGES), the_room(room)
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
            (f"[wait|stay|stop] in {where} until {label} [comes|arrives]", [go(room), *until]),
            (f"wait for {label} in {where}{then}", [go(room), *until, say(call + message)]),
            (f"[wait|stay] here until {label} comes{then}", [*until, say(call + message)]),
            (f"go to {where} and wait [there |]for {label}", [go(room), *until]),
            (f"[stop by|stop at|come to] {where}", [go(room)]),
            (f"[wait|stay here for] {amount}[, then| and then] go to {where}",
             [f"time.sleep({seconds})", go(room)]),
            (f"[wait|stay] in {where} for {amount}", [go(room), f"time.sleep({seconds})"]),
            (f"go to {where}, wait {amount} and come back",
             [RETURN, go(room), f"time.sleep({seconds})", HOME]),
            (f"don't stay here, go to {where}", [go(room)]),
            (f"go to {where} and stay there", [go(room)]),
        )
    )  # fmt: skip
    return spot, asked(draw, draw.expand(text)), program(lines)


def held(spot: Spot) -> Drawn:
    """ "It" is what the robot holds."""
    draw, what = spot.draw, spot.thing()
    spot = replace(spot, scene=replace(spot.scene, holding=what.name, told=True))
    room, who, name = spot.room(spot.scene.here), spot.person(), quoted(what.name)
    it = draw.one((what.it, what.it, "these" if what.is_plural else "this", what.the))
    down, there = f"place({name})", [go(room), f"place({name})"]
    text, lines = draw.one(
        (
            (f"[take|bring|carry] {it} to {the_room(room)}", there),
            (f"put {it} in {the_room(room)}", there),
            (f"[put|lay|set] {it} down", [down]),
            (f"[give {it} to me|let go of {it}|put {it} here|drop {it}]", [down]),
            (f"[bring|give] {it} to {who.who}", reached(spot, who, [down])),
            (f"put {it} down and go to {the_room(room)}", [down, go(room)]),
        )
    )
    return spot, asked(draw, draw.expand(text)), program(lines)


def about_here(spot: Spot) -> Drawn:
    """Questions that the program answers, and rooms named alone."""
    draw, room = spot.draw, spot.room()
    where = the_room(room)
    text, lines = draw.one(
        (
            (f"[{where}|{where}|{room}|to {where}|{where}, please|over to {where}]",
             [go(room)]),
            ("= [how many rooms are there|how many rooms do you know]?",
             ['say("There are " + str(len(get_all_rooms())) + " rooms")']),
            ("= [go back to where you are|stay here and say where you are]",
             ['say("I am in " + get_current_location())']),
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
    "only_room": (only_room, 1.5),
    "about_here": (about_here, 0.7),
}
