"""The rooms, things and people of one task, each used once."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.entities import Person, Room, Thing, article
from roboinstruct_ros.learn.pairs import furniture, scenes
from roboinstruct_ros.learn.pairs.flow import HOME, Search, Steps, go_to, here, say
from roboinstruct_ros.learn.pairs.names import the_room
from roboinstruct_ros.learn.pairs.scene import Scene


@dataclass(frozen=True)
class Reach:
    """How the robot gets to a person.

    Attributes:
        who: The person as the instruction names them: "Anna", "Anna in the kitchen".
        room: Where they are; None if the robot has to look for them.
    """

    person: Person
    who: str
    room: Room | None

    @property
    def met(self) -> Person | None:
        """The person, where "her" and "him" can only be them, in a room that is known."""
        return self.person if self.room and self.person.he != "they" else None

    @property
    def back(self) -> str:
        """The call that drives back to the person; where a search found them, to its room."""
        return go_to(self.room.name) if self.room else "go_to(room)"

    def steps(self, then: Steps, missing: Steps = (), vital: bool = False) -> Steps:
        """Go to the person and do `then`; do `missing` before saying that nobody was found."""
        if self.room is not None:
            return (go_to(self.room.name), *then)
        name = "anybody" if self.person.name == "person" else self.person.name
        lost = (HOME, *missing, say(f"I could not find {name}"))
        return (Search(here(self.person.name), then, lost, vital=vital),)


class Story:
    """The names of one task, drawn from one scene; no room is used twice.

    Attributes:
        final: Whether the current part is the last one.
        at: The room where the previous part ended; None if that cannot be known.
        it: The thing that the previous part put down there.
        them: The person whom the previous part met there.
        is_first: Whether nothing is done before this part.
        messages: Words that the program repeats and that must not be changed.
        last_left: Whether the previous part left the robot elsewhere than where it began.
    """

    def __init__(self, draw: Draw, scene: Scene) -> None:
        self.draw = draw
        self.scene = scene
        self.final = True
        self.at: Room | None = None
        self.it: Thing | None = None
        self.them: Person | None = None
        self.last_left = False
        self.is_first = True
        self.messages: list[str] = []
        self._rooms: set[str] = set()
        self._people: set[str] = set()
        self._things: set[str] = set()

    def room(self, but: tuple[str, ...] = ()) -> Room:
        """A room that was not yet spoken of, other than `but`."""
        given = {*self._rooms, *but}
        if given >= set(self.scene.rooms):
            raise DoesNotFit
        found = scenes.a_room(self.draw, self.scene, tuple(given))
        self._rooms.add(found.name)
        return found

    def take(self, name: str) -> Room:
        """The room of that name, if it was not yet spoken of."""
        if name in self._rooms:
            raise DoesNotFit
        self._rooms.add(name)
        return Room(name, the_room(name))

    def rooms(self, count: int) -> list[Room]:
        """Several rooms."""
        return [self.room() for _ in range(count)]

    def kind(self) -> Thing:
        """A kind of room, "bedroom"; none of its rooms is given afterwards."""
        found = scenes.a_kind(self.draw, self.scene)
        if any(found.name in name for name in self._rooms):
            raise DoesNotFit
        return found

    def thing(self, count: bool = False) -> Thing:
        """Something to carry, often one that the map knows; `count` for "two apples"."""
        for _ in range(20):
            found = scenes.a_thing(self.draw, self.scene, tuple(self._things))
            mass = found.a.startswith("some ")
            if count and (found.is_plural or mass):
                continue
            self._things.add(found.name)
            if not mass and found.name not in self.scene.things and self.draw.chance(0.08):
                return described(found, self.draw.one(LOOKS))
            if not (count or mass or found.name in self.scene.things) and self.draw.chance(0.06):
                return Thing(found.plural, f"some {found.plural}", found.plural, True)
            return found
        raise DoesNotFit

    def claim(self, names: list[str]) -> list[str]:
        """The names that a wide word stands for; no other part may take what this one may have."""
        if self._things.intersection(names):
            raise DoesNotFit
        self._things.update(names)
        return names

    def person(self) -> Person:
        """Somebody, mostly one whom the map knows."""
        found = scenes.a_person(self.draw, self.scene, tuple(self._people))
        self._people.add(found.name)
        return found

    def people(self, count: int) -> list[Person]:
        """Several people."""
        return [self.person() for _ in range(count)]

    def own_room(self, person: Person) -> Room | None:
        """The room of that person on the told map."""
        return scenes.own_room(self.scene, person)

    def reach(self, said: float = 0.5) -> Reach:
        """Somebody and the way to them; the instruction says where with probability `said`."""
        person = self.person()
        own = self.own_room(person)
        if own is not None and self.draw.chance(0.7):
            self._rooms.add(own.name)
            kind = own.name.lower().rpartition("'s ")[2]
            theirs = f" in {person.his} {kind}" if self.draw.chance(0.15) else ""
            return Reach(person, person.who + theirs, own)
        if self.draw.chance(said):
            room = self.room()
            where = self.draw.one(("in", "in", "in", "in", "in", "at"))
            where = "at" if room.name in furniture.pieces_of(self.scene) else where
            return Reach(person, f"{person.who} {where} {room.the}", room)
        return Reach(person, person.who, own)

    def reaches(self, count: int) -> list[Reach]:
        """Several people in rooms that are known."""
        found = [self.reach(1.0) for _ in range(count)]
        if any(one.room is None for one in found):
            raise DoesNotFit
        return found


LOOKS = (
    "red", "blue", "green", "black", "white", "yellow", "big", "small", "large", "old", "new",
    "clean", "empty", "spare", "fresh",
)  # fmt: skip


def described(thing: Thing, look: str) -> Thing:
    """The thing by its looks, "red cup": a name like another, which is copied whole."""
    name = f"{look} {thing.name}"
    a = f"some {name}" if thing.is_plural else article(name)
    return Thing(name, a, f"{look} {thing.plural}", thing.is_plural)


def on_map(room: Room) -> str:
    """The room in what the robot says: by its name on the map."""
    return the_room(room.name)
