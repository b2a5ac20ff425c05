"""What is done with a thing or in a room, the same for all instructions that mean it."""

from __future__ import annotations

import re

from roboinstruct_ros.learn.entities import Room, Thing
from roboinstruct_ros.learn.families.phrasing import there_is, there_is_no
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Branch,
    Search,
    Steps,
    go_to,
    here,
    pick,
    place,
    quoted,
    say,
)
from roboinstruct_ros.learn.pairs.names import the_room


def lost(what: Thing) -> str:
    """The call that says that it was found nowhere."""
    return could_not_find(what.a)


def could_not_find(what: str) -> str:
    """The call that says that there was none: of "some milk" no "any milk"."""
    return say(f"I could not find {re.sub('^some ', 'any ', what)}")


def brought(what: Thing, room: Room | None = None) -> Steps:
    """Takes what is where the robot is to a room; without one to the start."""
    return (pick(what), go_to(room.name) if room else HOME, place(what))


def searched(what: Thing, found: Steps, vital: bool = False) -> Steps:
    """Looks for a thing in all rooms."""
    return (Search(here(what.name), found, (HOME, lost(what)), vital=vital),)


def carried(what: Thing, room: Room | None = None) -> Steps:
    """Looks for a thing everywhere and brings it to a room; without one to the start."""
    return searched(what, brought(what, room))


def found_in(name: str, a: str) -> Steps:
    """Looks for a thing or a person everywhere and tells the room."""
    told = f"say({quoted(f'I found {a} in ')} + room)"
    return (Search(here(name), (HOME, told), (HOME, could_not_find(a))),)


def looked(name: str, yes: str, no: str, room: Room) -> Steps:
    """Looks in a room and comes back to tell."""
    there = the_room(room.name)
    tell = [(HOME, say(f"{said} in {there}")) for said in (yes, no)]
    return (go_to(room.name), Branch(here(name), *tell))


def looked_for(what: Thing, room: Room) -> Steps:
    """Looks for a thing in a room and comes back to tell."""
    return looked(what.name, there_is(what), there_is_no(what), room)
