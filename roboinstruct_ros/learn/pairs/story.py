"""What one task speaks of: its rooms, things and people, and how the robot stands after each part."""

from __future__ import annotations

import re
from dataclasses import dataclass

from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person, Room, Thing, article, plural_of
from roboinstruct_ros.learn.pairs import places
from roboinstruct_ros.learn.pairs.flow import HOME, Search, Steps, go_to, here, say
from roboinstruct_ros.learn.pairs.scene import Scene

_OWN = re.compile(r"^[A-Z].*'s |\d$| [A-Z]$")
_NUMBERED = re.compile(r"^(.*?) (?:\d+|[A-Z])$")


class DoesNotFit(Exception):
    """The scene has not enough rooms or people for this part."""


@dataclass(frozen=True)
class Reach:
    """How the robot comes to a person.

    Attributes:
        who: The person as the instruction names them: "Anna", "Anna in the kitchen".
        room: Where they are; None when they have to be looked for.
    """

    person: Person
    who: str
    room: Room | None

    def steps(self, then: Steps, missing: Steps = (), vital: bool = False) -> Steps:
        """Go to the person, then do this; what is done before saying that nobody was found."""
        if self.room is not None:
            return (go_to(self.room.name), *then)
        lost = (HOME, *missing, say(f"I could not find {self.person.name}"))
        return (Search(here(self.person.name), then, lost, vital=vital),)


class Story:
    """The names of one task, drawn from one scene; no room is given twice.

    Attributes:
        final: Whether the part that is being drawn is the last one.
        at: The room where the robot is; None when that cannot be told.
        last_left: Whether the part before has left the robot elsewhere than where it began.
    """

    def __init__(self, draw: Draw, scene: Scene) -> None:
        self.draw = draw
        self.scene = scene
        self.final = True
        self.at: Room | None = None
        self.last_left = False
        self._rooms: set[str] = set()
        self._people: set[str] = set()
        self._things: set[str] = set()

    def room(self) -> Room:
        """A room that was not yet spoken of."""
        free = [name for name in self.scene.rooms if name not in self._rooms]
        if not free:
            raise DoesNotFit
        return self._room(self.draw.one(free))

    def rooms(self, count: int) -> list[Room]:
        """Several rooms."""
        return [self.room() for _ in range(count)]

    def _room(self, name: str) -> Room:
        self._rooms.add(name)
        return Room(name, the(name))

    def kind(self) -> Thing:
        """A kind of room of which the scene has several, "bedroom"."""
        rooms = self.scene.rooms
        kinds = dict.fromkeys(kind for name in rooms for kind in _kinds_of(name))
        many = [kind for kind in kinds if sum(kind in name for name in rooms) > 1]
        if not many:
            raise DoesNotFit
        name = self.draw.one(many)
        self._rooms.update(room for room in self.scene.rooms if name in room)
        return Thing(name, article(name), plural_of(name))

    def thing(self, count: bool = False) -> Thing:
        """Something to carry, often one that the map knows."""
        known = [name for name in self.scene.things if name not in self._things]
        for _ in range(20):
            if known and self.draw.chance(0.35):
                found = places.thing_named(self.draw.one(known))
            else:
                found = places.thing(self.draw, count)
            mass = found.is_plural or found.a.startswith("some ")
            if found.name not in self._things and not (count and mass):
                self._things.add(found.name)
                return found
        raise DoesNotFit

    def person(self) -> Person:
        """Somebody, mostly one whom the map knows."""
        known = [name for name in self.scene.people if name not in self._people]
        if known and self.draw.chance(0.7):
            found = places.person_named(self.draw.one(known))
        else:
            found = places.person(self.draw)
        if found.name in self._people:
            raise DoesNotFit
        self._people.add(found.name)
        return found

    def people(self, count: int) -> list[Person]:
        """Several people."""
        return [self.person() for _ in range(count)]

    def own_room(self, person: Person) -> Room | None:
        """The room of that person on the told map."""
        for name in self.scene.rooms:
            if self.scene.told and name.startswith(f"{person.name}'s "):
                return Room(name, name)
        return None

    def reach(self, said: float = 0.5) -> Reach:
        """Somebody and the way to them; the instruction says where with probability `said`."""
        person = self.person()
        own = self.own_room(person)
        if own is not None and self.draw.chance(0.7):
            self._rooms.add(own.name)
            return Reach(person, person.who, own)
        if self.draw.chance(said):
            room = self.room()
            return Reach(person, f"{person.who} in {room.the}", room)
        return Reach(person, person.who, own)


def the(name: str) -> str:
    """The room with the article that it takes: "the kitchen", "room 204", "Bob's office"."""
    return name if _OWN.search(name) else f"the {name}"


def _kinds_of(name: str) -> list[str]:
    """The kinds that a room's name shows: "meeting room 2" is a meeting room."""
    numbered = _NUMBERED.match(name)
    kind = numbered.group(1) if numbered else name.rpartition("'s ")[2].split(" ")[-1]
    return [] if kind == "room" else [kind]
