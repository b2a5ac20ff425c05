"""What is done with a thing or in a room, the same for all instructions that mean it."""

from __future__ import annotations

from roboinstruct_ros.learn.entities import Person, Room, Thing
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
from roboinstruct_ros.learn.pairs.furniture import preposition
from roboinstruct_ros.learn.pairs.names import some, the_room


def lost(what: Thing) -> str:
    """The call that says that it was found nowhere."""
    return say(f"I could not find {some(what)}")


def brought(what: Thing, room: Room | None = None) -> Steps:
    """Takes what is where the robot is to a room; without one to the start."""
    return taken(what, go_to(room.name) if room else HOME)


def taken(what: Thing, drive: str) -> Steps:
    """Takes what is where the robot is to where the call `drive` goes."""
    return (pick(what), drive, place(what))


def searched(what: Thing, found: Steps, vital: bool = False) -> Steps:
    """Looks for a thing in all rooms."""
    return (Search(here(what.name), found, (HOME, lost(what)), vital=vital),)


def carried(what: Thing, room: Room | None = None) -> Steps:
    """Looks for a thing everywhere and brings it to a room; without one to the start."""
    return searched(what, brought(what, room))


def fetched(what: Thing, source: Room | None, room: Room | None = None) -> Steps:
    """Takes a thing from one room, or from wherever it is, to another; without one to the start."""
    return (go_to(source.name), *brought(what, room)) if source else carried(what, room)


def found_in(what: Thing) -> Steps:
    """Looks for a thing everywhere and tells the room."""
    return _told_where(what.name, what.a, lost(what))


def met_in(who: Person) -> Steps:
    """Looks for somebody everywhere and tells the room."""
    return _told_where(who.name, who.name, say(f"I could not find {who.name}"))


def _told_where(name: str, a: str, missing: str) -> Steps:
    told = f"say({quoted(f'I found {a} in ')} + room)"
    return (Search(here(name), (HOME, told), (HOME, missing)),)


def looked(name: str, yes: str, no: str, room: Room, on: str = "at") -> Steps:
    """Looks in a room and comes back to tell; `on` is said of a piece of furniture."""
    on = "in" if preposition(room.name) == "in" else on
    tell = [(HOME, say(f"{said} {on} {the_room(room.name)}")) for said in (yes, no)]
    return (go_to(room.name), Branch(here(name), *tell))


def looked_for(what: Thing, room: Room) -> Steps:
    """Looks for a thing in a room and comes back to tell."""
    on = preposition(room.name)
    return looked(what.name, what.there_is, what.there_is_no, room, on)
