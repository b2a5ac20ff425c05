"""Short and unusual wordings of plain tasks, which resemble tasks that are refused or ambiguous."""

from __future__ import annotations

from roboinstruct_ros.learn.entities import Room
from roboinstruct_ros.learn.pairs.cannot import Drawn
from roboinstruct_ros.learn.pairs.deeds import brought, carried, found_in, looked_for, met_in
from roboinstruct_ros.learn.pairs.flow import HOME, Branch, go_to, here, pick, place, say
from roboinstruct_ros.learn.pairs.furniture import PIECES
from roboinstruct_ros.learn.pairs.requests import asked, sentence
from roboinstruct_ros.learn.pairs.surroundings import (
    Spot,
    carried_to,
    program,
    reached,
    told,
    with_rooms,
)
from roboinstruct_ros.learn.pairs.talk import a_statement

_UPON = (
    "table", "shelf", "desk", "side table", "couch", "sofa", "bed", "counter", "chair", "stool",
)  # fmt: skip
"""Pieces that are named with their room."""


def short(spot: Spot) -> Drawn:
    """A command of a few words, with pieces of furniture as places now and then."""
    draw, what, who = spot.draw, spot.thing(), spot.person()
    roll = draw.rng.random()
    if roll < 0.4:
        names = draw.some(PIECES, draw.rng.randint(3, 8))
        spot = with_rooms(told(spot), *names)
        room = Room(name := draw.one(names), f"the {name}")
    else:
        room = spot.room(spot.scene.here)
        if roll < 0.8:
            room = Room(room.name, f"the {draw.one(_UPON)} in {room.the}")
    r, drive = room.the, go_to(room.name)
    on = "[on|in|near|next to]" if roll < 0.4 else "on" if roll < 0.8 else "in"
    text, lines = draw.one(
        (
            (f"[go|move|drive|get|come] [near|next to|close to|towards|over to|in front of] {r}",
             (drive,)),
            (f"[reach|approach|get closer to|drive up to|move toward|head for] {r}", (drive,)),
            (f"[bring|get|fetch|collect|give me|hand me|hand over] {what.the}", carried(what)),
            (f"[take|grab|pick up|catch|grasp] {what.the}", carried(what)),
            (f"[bring|carry] {what.the} here", carried(what)),
            (f"= [I want|I need|I would like] {what.a}", carried(what)),
            (f"[take|bring|carry|move] {what.the} [to|over to|to|to] {r}",
             carried(what, room)),
            (f"[put|place|lay|set|leave|drop] {what.the} {on} {r}",
             carried(what, room)),
            (f"[take|grab|get|pick up] {what.the} [from|{on}|that {what.be} {on}] {r}",
             (drive, *brought(what))),
            (f"[bring|fetch] {what.the} from {r}", (drive, *brought(what))),
            (f"[find|look for|search for|locate|search] {what.the}",
             found_in(what)),
            (f"[find|look for|search for|locate] {who.who}",
             met_in(who)),
            (f"[look for|search for|try to find] {what.the} {on} {r}",
             looked_for(what, room)),
            (f"[deliver|hand|give|pass] {what.the} to {who.who}", carried_to(spot, what, who)),
        )
    )  # fmt: skip
    said = draw.expand(text.removeprefix("= "))
    return spot, sentence(said) if text[0] == "=" else asked(draw, said), program(*lines)


def introduced(spot: Spot) -> Drawn:
    """Words that the robot has to choose itself: it greets, thanks and introduces itself."""
    draw, who = spot.draw, spot.person()
    room = spot.room() if draw.chance(0.6) else None
    where = f" in {room.the}" if room else ""
    verb, said = draw.one(
        (
            ("introduce yourself to", f"Hello, {who.name}, I am the robot"),
            ("present yourself to", f"Hello, {who.name}, I am the robot"),
            ("[greet|say hello to|welcome]", f"Hello, {who.name}"),
            ("say goodbye to", f"Goodbye, {who.name}"),
            ("[thank|say thank you to]", f"Thank you, {who.name}"),
            ("say good night to", f"Good night, {who.name}"),
        )
    )
    seek = "go to" if room else "find"
    text = draw.one(
        (
            f"{verb} {who.who}{where}",
            f"{verb} {who.who}{where}",
            f"[{seek}|meet] {who.who}{where} and {verb} {who.him}",
        )
    )
    lines = reached(spot, who, (say(said),), room)
    return spot, asked(draw, draw.expand(text)), program(*lines)


def said_before(spot: Spot) -> Drawn:
    """ "It" and "there" refer to the previous sentence: no question is needed."""
    draw, what, room, who = spot.draw, spot.thing(), spot.room(), spot.person()
    other = spot.room(room.name)
    state = draw.phrase(
        (
            f"{what.the} {what.be} in {{r}}",
            f"there {what.be} {what.a} in {{r}}",
            f"[I left|I put|Somebody left|I forgot] {what.the} in {{r}}",
            f"I [need|want|am looking for] {what.the}, {what.they} in {{r}}",
        ),
        r=room.the,
    )
    got = (go_to(room.name), pick(what))
    then, lines = draw.one(
        (
            (f"[bring|give] {what.it} to me", (*got, HOME, place(what))),
            (f"[fetch|get] {what.it}", (*got, HOME, place(what))),
            (f"[bring|take|carry] {what.it} to {other.the}",
             (*got, go_to(other.name), place(what))),
            (f"put {what.it} in {other.the}", (*got, go_to(other.name), place(what))),
            (f"[bring|give|take] {what.it} to {who.who}",
             (*got, *reached(spot, who, (place(what),), None, (place(what),)))),
        )
    )  # fmt: skip
    sign = draw.one((". ", ". ", ", ", ", please ", ". Please "))
    return spot, sentence(f"{state}{sign}{draw.expand(then)}"), program(*lines)


def named_before(spot: Spot) -> Drawn:
    """ "Him" refers to the previous sentence."""
    draw, who, message = spot.draw, spot.person(), a_statement(spot.draw)
    room, what = spot.room(), spot.thing()
    state = f"{who.who} is in {room.the}"
    there = go_to(room.name)
    ask = f"tell {who.him} that {message}"
    text, lines = draw.one(
        (
            (f"{state}. [Go there and {ask}|Please {ask}|{ask}]",
             (there, say(f"{who.name}, {message}"))),
            (f"{state}. [Bring|Give|Bring] {who.him} {what.the}",
             carried(what, room)),
            (f"if {state}, {ask}",
             (there, Branch(here(who.name), (say(f"{who.name}, {message}"),)))),
        )
    )  # fmt: skip
    return spot, sentence(draw.expand(text)), program(*lines)
