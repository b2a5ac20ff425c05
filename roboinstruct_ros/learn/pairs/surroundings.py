"""Names of a drawn scene in the forms that English needs, and programs that begin in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.learn.draw import Draw, until
from roboinstruct_ros.learn.entities import Person, Room, Thing
from roboinstruct_ros.learn.pairs import buildings, scenes
from roboinstruct_ros.learn.pairs.deeds import brought, carried, looked, looked_for, searched
from roboinstruct_ros.learn.pairs.flow import (
    HOME,
    Branch,
    Step,
    Steps,
    go_to,
    here,
    pick,
    place,
    program_of,
    say,
    wait_for,
)
from roboinstruct_ros.learn.pairs.names import the_room
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.story import Reach
from roboinstruct_ros.learn.pairs.talk import a_statement

SOMEBODY = Person("person", "somebody", "they", "them", "their")


@dataclass(frozen=True)
class Spot:
    """A scene with the random source that picks names from it."""

    draw: Draw
    scene: Scene

    def room(self, *but: str) -> Room:
        """A room other than those of these names."""
        return scenes.a_room(self.draw, self.scene, but)

    def thing(self, *but: str) -> Thing:
        """A thing of the scene or, now and then, one that its map does not know."""
        return scenes.a_thing(self.draw, self.scene, but)

    def person(self, *but: str) -> Person:
        """Somebody of the scene or, now and then, a stranger."""
        return scenes.a_person(self.draw, self.scene, but)


def draw_spot(draw: Draw, may_hold: bool) -> Spot:
    """A scene of at least four rooms; the robot holds something only if `may_hold`."""
    scene = until(lambda: buildings.draw_scene(draw), lambda one: len(one.rooms) >= 4)
    return Spot(draw, scene if may_hold else replace(scene, holding=""))


def with_rooms(spot: Spot, *rooms: str) -> Spot:
    """The same place with these rooms among the others."""
    new = [room for room in rooms if room not in spot.scene.rooms]
    mixed = [*spot.scene.rooms, *new]
    spot.draw.rng.shuffle(mixed)
    here = spot.scene.here if spot.scene.here in mixed else spot.draw.one(mixed)
    return replace(spot, scene=replace(spot.scene, rooms=tuple(mixed), here=here))


def told(spot: Spot) -> Spot:
    """The same place, in the prompt."""
    return replace(spot, scene=replace(spot.scene, told=True))


def program(*steps: Step) -> str:
    """The whole function."""
    return program_of(steps)


def answered(kind: AnswerKind, said: str, choices: tuple[str, ...] = ()) -> str:
    """The function for an answer in words."""
    return program_of((Answer(kind, said, choices).line,))


def reached(
    spot: Spot, who: Person, then: Steps, room: Room | None = None, missing: Steps = ()
) -> Steps:
    """Gets to somebody: where the instruction says, else to their own room, else by searching."""
    known = room or scenes.own_room(spot.scene, who)
    return Reach(who, who.who, known).steps(then, missing)


def addressed(who: Person, words: str) -> str:
    """Words to somebody, with the name where there is one."""
    return f"{words[:1].upper()}{words[1:]}" if who == SOMEBODY else f"{who.name}, {words}"


def carried_to(spot: Spot, what: Thing, who: Person) -> Steps:
    """Look for a thing everywhere, and then for the person if their room is unknown."""
    own = scenes.own_room(spot.scene, who)
    if own:
        return carried(what, own)
    find = searched(what, (pick(what),), vital=True)
    return (*find, *reached(spot, who, (place(what),), None, (place(what),)))


Task = tuple[str, Steps]
"""An order with brackets, and what is done for it."""


def in_a_room(spot: Spot, what: Thing, room: Room) -> Task:
    """A plain task that names the room."""
    draw, who, message, r = spot.draw, spot.person(), a_statement(spot.draw), room.the
    there = looked_for(what, room)
    anyone = looked("person", "Someone is", "Nobody is", room)
    met = looked(who.name, f"{who.name} is", f"{who.name} is not", room)
    drive = go_to(room.name)
    others = _others(spot, room)
    if others and draw.chance(0.35):
        return _and_elsewhere(spot, what, room, draw.one(others))
    return draw.one(
        (
            (f"[go|drive|head|move] to {r}", (drive,)),
            (f"[visit|stop by] {r}", (drive,)),
            (f"[go to|visit] {r} and [come back|return]", (drive, HOME)),
            (f"[bring|take|carry] {what.the} to {r}", carried(what, room)),
            (f"[bring|get|fetch] me {what.the} from {r}", (drive, *brought(what))),
            (f"[check|look|see] [if|whether] there {what.be} {what.a} in {r}", there),
            (f"[check|look|see] [if|whether] {who.who} is in {r}", met),
            (f"[check|look|see] [if|whether] [somebody|someone] is in {r}", anyone),
            (f"[say|announce] in {r} that {message}", (drive, say(message))),
            (f"tell {who.who} in {r} that {message}", (drive, say(f"{who.name}, {message}"))),
            (f"go to {r} and wait for {who.who}[| there]", (drive, wait_for(who.name))),
        )
    )


def _others(spot: Spot, room: Room) -> list[str]:
    """The rooms that the words for this one do not fit."""
    said = room.the.removeprefix("the ").lower()
    return [each for each in spot.scene.rooms if each != room.name and said not in each.lower()]


def _and_elsewhere(spot: Spot, what: Thing, room: Room, name: str) -> Task:
    """A task that names the room and continues there or in another one."""
    draw, who, r = spot.draw, spot.person(), room.the
    other, message = Room(name, the_room(name)), a_statement(draw)
    o, drive, it = other.the, go_to(room.name), what.it
    moved = brought(what, other)
    empty, back = f"not {here('person')}", draw.one(("[bring|take|carry]", "[get|fetch]"))
    nobody = "[nobody|no one] is there"
    to = f" to {o}" if "bring" in back else f" and bring {it} to {o}"
    told = Branch(here(who.name), (say(f"{who.name}, {message}"),))
    return draw.one(
        (
            (f"go to {r} and if {nobody}[,|] {back} {what.the} from there{to}",
             (drive, Branch(empty, moved))),
            (f"if [nobody|no one] is in {r}, {back} {what.the} from there{to}",
             (drive, Branch(empty, moved))),
            (f"if there {what.be} {what.a} in {r}, [bring|take|carry] {it} to {o}",
             (drive, Branch(here(what.name), moved))),
            (f"go to {r}, [pick up|take|get] {what.the} and [bring|take] {it} to {o}",
             (drive, *moved)),
            (f"[bring|take|carry] {what.the} from {r} to {o}", (drive, *moved)),
            (f"if {who.who} is in {r}, tell {who.him} that {message}", (drive, told)),
            (f"go to {r}[, then| and then] go to {o}", (drive, go_to(name))),
        )
    )  # fmt: skip
