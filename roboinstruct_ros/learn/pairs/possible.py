"""Possible tasks whose words resemble those of impossible ones, or of small talk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from roboinstruct_ros.learn.entities import Room, Thing
from roboinstruct_ros.learn.pairs.ambiguous import only_room, said_which
from roboinstruct_ros.learn.pairs.cannot import Drawn
from roboinstruct_ros.learn.pairs.deeds import carried, fetched, found_in, looked_for
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Branch,
    Steps,
    go_to,
    here,
    place,
    quoted,
    say,
    wait_for,
)
from roboinstruct_ros.learn.pairs.names import the_room, thing_called
from roboinstruct_ros.learn.pairs.namesakes import no_matter_which
from roboinstruct_ros.learn.pairs.requests import Filling, asked, sentence
from roboinstruct_ros.learn.pairs.surroundings import (
    SOMEBODY,
    Spot,
    Task,
    addressed,
    carried_to,
    in_a_room,
    program,
    reached,
    with_rooms,
)
from roboinstruct_ros.learn.pairs.twins import introduced, named_before, said_before, short
from roboinstruct_ros.learn.pairs.unable import ABILITIES
from roboinstruct_ros.learn.pairs.words import read

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
    lines = reached(spot, who, (say(said),), room)
    where = f" in {room.the}" if room else ""
    seek = "go to|see" if room else "find|look for|go to"
    forms = (
        f"[ask|tell|ask] {who.who}{where} to {{x}}",
        f"[ask|tell] {who.who}{where} to please {{x}}",
        f"[{seek}] {who.who}{where} and [ask|tell] {who.him} to {{x}}",
        f"have {who.who}{where} {{x}}",
    )
    remind = (f"remind {who.who}{where} to {{x}}",)
    text = draw.phrase(remind if reminded else forms, x=chore)
    return spot, asked(draw, text), program(*lines)


def a_person_knows_it(spot: Spot) -> Drawn:
    """Somebody is asked about what the robot cannot see."""
    draw, who = spot.draw, SOMEBODY if spot.draw.chance(0.2) else spot.person()
    room = spot.room() if draw.chance(0.4) else None
    what, state = draw.one(_STATES)
    question = f"Is {what} {state}?"
    name, they = ("", "They") if who == SOMEBODY else (who.name, who.name)
    call = f'answer = ask({quoted(name)}, {quoted(question)}, ["Yes", "No"])'
    report = f"say({quoted(f'{they} said: ')} + answer)"
    lines = reached(spot, who, (call, HOME, report), room)
    where = f" in {room.the}" if room else ""
    end = draw.one((" and tell me", " and let me know", " and come back and tell me the answer"))
    text = draw.expand(f"ask {who.who}{where} [if|whether] {what} is {state}{end}")
    return spot, asked(draw, text), program(*lines)


def a_message(spot: Spot) -> Drawn:
    """A message about something that the robot cannot do or know."""
    draw, who, room = spot.draw, spot.person(), spot.room()
    message = draw.one(_MESSAGES)
    text, lines = draw.one(
        (
            (f"say '{message}' in {room.the}", (go_to(room.name), say(message))),
            (f'go to {room.the} and [say|announce] "{message}"', (go_to(room.name), say(message))),
            (f"[announce|say] in {room.the} that {message}", (go_to(room.name), say(message))),
            (f"tell everybody in {room.the} that {message}", (go_to(room.name), say(message))),
            (f"tell {who.who} in {room.the} [that |]{message}",
             (go_to(room.name), say(f"{who.name}, {message}"))),
            (f"[tell {who.who}|let {who.who} know] that {message}",
             reached(spot, who, (say(f"{who.name}, {message}"),))),
            (f'[say|read out|repeat] "{message}"', (say(message),)),
            (f'read out "{message}" in {room.the}', (go_to(room.name), say(message))),
        )
    )  # fmt: skip
    return spot, asked(draw, draw.expand(text)), program(*lines)


def _plain(spot: Spot, what: Thing, room: Room) -> Task:
    """A plain task with a thing and rooms, or with somebody."""
    draw, who = spot.draw, spot.person()
    if draw.chance(0.6):
        return in_a_room(spot, what, room)
    other = spot.room(room.name)
    moved = fetched(what, other, room)
    found = found_in(what)
    return draw.one(
        (
            (f"[bring|get|fetch] me {what.the}", carried(what)),
            (f"[bring|take|carry] {what.the} from {other.the} to {room.the}", moved),
            (f"[bring|take|give] {what.the} to {who.who}", carried_to(spot, what, who)),
            (f"[look for|find] {what.the} and tell me where {what.they}", found),
        )
    )


def like_named(spot: Spot) -> Drawn:
    """Things and rooms with names like those of things that the robot cannot do."""
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
    text, lines = _plain(spot, what, room)
    return spot, asked(draw, draw.expand(text)), program(*lines)


def _is_it_there(spot: Spot, what: Thing, room: Room) -> tuple[str, str]:
    lines = looked_for(what, room)
    return sentence(f"{what.be} there {what.a} in {room.the}?"), program(*lines)


def greeted(spot: Spot) -> Drawn:
    """Small talk before or behind a task."""
    draw, room = spot.draw, spot.room()
    text, lines = _plain(spot, spot.thing(), room)
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
    return spot, sentence(before.replace("{x}", text)), program(*lines)


def waiting(spot: Spot) -> Drawn:
    """Waiting and staying with an aim: until somebody comes, or for a time."""
    draw, room, who = spot.draw, spot.room(spot.scene.here), spot.person()
    message, where = draw.one(_MESSAGES), room.the
    anyone = draw.chance(0.4)
    name, label = ("person", draw.one(("somebody", "someone"))) if anyone else (who.name, who.who)
    until, drive = wait_for(name), go_to(room.name)
    him, call = ("them", "") if anyone else (who.him, f"{who.name}, ")
    seconds = draw.one((5, 10, 20, 30, 60, 120, 300, 600))
    sleep = f"time.sleep({seconds})"
    amount = f"{seconds} seconds" if seconds < 60 else f"{seconds // 60} minutes"
    amount = amount.replace("1 minutes", draw.one(("a minute", "one minute")))
    then = draw.phrase((f"[, then| and|. Then] tell {him} that {message}",))
    text, lines = draw.one(
        (
            (f"[wait|stay|stop] in {where} until {label} [comes|arrives]", (drive, until)),
            (f"wait for {label} in {where}{then}", (drive, until, say(call + message))),
            (f"[wait|stay] here until {label} comes{then}", (until, say(call + message))),
            (f"go to {where} and wait [there |]for {label}", (drive, until)),
            (f"[stop by|stop at|come to] {where}", (drive,)),
            (f"[wait|stay here for] {amount}[, then| and then] go to {where}",
             (sleep, drive)),
            (f"[wait|stay] in {where} for {amount}", (drive, sleep)),
            (f"go to {where}, wait {amount} and come back",
             (drive, sleep, HOME)),
            (f"go to {where} and stay there", (drive,)),
        )
    )  # fmt: skip
    return spot, asked(draw, draw.expand(text)), program(*lines)


def held(spot: Spot) -> Drawn:
    """ "It" is what the robot holds."""
    draw, what = spot.draw, spot.thing()
    spot = replace(spot, scene=replace(spot.scene, holding=what.name, told=True))
    room, who = spot.room(spot.scene.here), spot.person()
    it = draw.one((what.it, what.it, "these" if what.is_plural else "this", what.the))
    down, there = place(what), (go_to(room.name), place(what))
    text, lines = draw.one(
        (
            (f"[take|bring|carry] {it} to {room.the}", there),
            (f"put {it} in {room.the}", there),
            (f"[put|lay|set] {it} down", (down,)),
            (f"[give {it} to me|let go of {it}|put {it} here|drop {it}]", (down,)),
            (f"[bring|give] {it} to {who.who}", reached(spot, who, (down,), None, (down,))),
            (f"put {it} down and go to {room.the}", (down, go_to(room.name))),
        )
    )
    return spot, asked(draw, draw.expand(text)), program(*lines)


def led(spot: Spot) -> Drawn:
    """People are led, woken and invited by words."""
    draw, who, room = spot.draw, spot.person(), spot.room()
    start = spot.room(room.name) if draw.chance(0.4) else None
    where = f" in {start.the}" if start else ""
    lead = (say("Please follow me"), go_to(room.name))
    meal = draw.one(("dinner", "lunch", "tea", "the meeting", "the party"))
    text, lines = draw.one(
        (
            (f"[lead|guide|take|bring] {who.who}{where} to {room.the}",
             reached(spot, who, lead, start)),
            (f"ask {who.who}{where} to follow you to {room.the}", reached(spot, who, lead, start)),
            (f"[lead|guide|take] me to {room.the}", lead),
            (f"show me [the way to {room.the}|where {room.the} is]", lead),
            (f"wake [up {who.who}{where}|{who.who}{where} up]",
             reached(spot, who, (say(f"{who.name}, please wake up"),), start)),
            (f"invite {who.who}{where} to {meal}",
             reached(spot, who, (say(f"{who.name}, please come to {meal}"),), start)),
        )
    )  # fmt: skip
    return spot, asked(draw, draw.expand(text)), program(*lines)


def _seen(name: str, yes: str, no: str) -> Steps:
    return (Branch(here(name), (say(yes),), (say(no),)),)


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
             (go_to(room.name),)),
            ("= [how many rooms are there|how many rooms do you know]?",
             ('say("There are " + str(len(get_all_rooms())) + " rooms")',)),
            ("= [say where you are|stay here and say where you are|tell me which room this is]",
             ('say("I am in " + get_current_location())',)),
            ("= [[which|what] rooms do you know|which rooms are there|what rooms are on your map]?",
             ('say("I know " + ", ".join(get_all_rooms()))',)),
            ("= [list|name|tell me] [all|all the|the] rooms[| you know]",
             ('say("I know " + ", ".join(get_all_rooms()))',)),
        )
    )  # fmt: skip
    said = draw.expand(text.removeprefix("= "))
    copied = said.startswith(room.name) and not spot.scene.told  # a capital would be no copy
    return spot, said if copied else sentence(said), program(*lines)


POSSIBLE: dict[str, tuple[Callable[[Spot], Drawn], float]] = {
    "a_person_does_it": (a_person_does_it, 3.0),
    "a_person_knows_it": (a_person_knows_it, 1.0),
    "a_message": (a_message, 2.0),
    "like_named": (like_named, 4.0),
    "greeted": (greeted, 2.5),
    "waiting": (waiting, 2.0),
    "held": (held, 1.6),
    "led": (led, 1.5),
    "only_room": (only_room, 1.5),
    "about_here": (about_here, 1.5),
    "said_which": (said_which, 1.5),
    "no_matter_which": (no_matter_which, 2.0),
    "short": (short, 5.0),
    "introduced": (introduced, 1.2),
    "said_before": (said_before, 1.5),
    "named_before": (named_before, 1.0),
}
