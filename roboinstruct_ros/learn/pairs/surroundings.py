"""Names of a drawn scene in the forms that English needs, and programs that begin in it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.learn.draw import Draw
from roboinstruct_ros.learn.entities import Person, Room, Thing
from roboinstruct_ros.learn.pairs import scenes
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.phrasing import HOME, RETURN, go_to, indent, quoted

SOMEBODY = Person("person", "somebody", "they", "them", "their")


@dataclass(frozen=True)
class Spot:
    """A scene with the draw that picks names from it."""

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
    """A scene of at least four rooms; its robot holds something only where it may."""
    while len((scene := scenes.draw_scene(draw)).rooms) < 4:
        pass
    return Spot(draw, scene if may_hold else replace(scene, holding=""))


def with_rooms(spot: Spot, *rooms: str) -> Spot:
    """The same place with these rooms among the others."""
    new = [room for room in rooms if room not in spot.scene.rooms]
    mixed = [*spot.scene.rooms, *new]
    spot.draw.rng.shuffle(mixed)
    here = spot.scene.here if spot.scene.here in mixed else spot.draw.one(mixed)
    return replace(spot, scene=replace(spot.scene, rooms=tuple(mixed), here=here))


def told(spot: Spot) -> Spot:
    """The same place, told to the model."""
    return replace(spot, scene=replace(spot.scene, told=True))


def program(lines: list[str]) -> str:
    """The whole function."""
    return "\n".join(["def task_program():", *indent(lines)]) + "\n"


def answered(kind: AnswerKind, said: str, choices: tuple[str, ...] = ()) -> str:
    """The function of an answer that is no program."""
    return program([Answer(kind, said, choices).line])


def say(text: str) -> str:
    """The call that says this."""
    return f"say({quoted(text)})"


def searched(name: str, found: list[str], missing: str) -> list[str]:
    """Goes through all rooms for a thing or a person; says so where there is none."""
    look = ["go_to(room)", f"if is_in_room({quoted(name)}):", *indent([*found, "return"])]
    ending = [HOME, say(missing)]
    return [RETURN, "for room in get_all_rooms():", *indent(look), *ending]


def own_room(spot: Spot, who: Person) -> Room | None:
    """The room of somebody on the told map."""
    own = [Room(name, name) for name in spot.scene.rooms if name.startswith(f"{who.name}'s ")]
    return own[0] if own and spot.scene.told else None


def reached(spot: Spot, who: Person, lines: list[str], room: Room | None = None) -> list[str]:
    """Gets to somebody: where the instruction says, else to their own room, else by searching."""
    known = room or own_room(spot, who)
    if known:
        return [go_to(known), *lines]
    missing = "anybody" if who == SOMEBODY else who.name
    return searched(who.name, lines, f"I could not find {missing}")


def addressed(who: Person, words: str) -> str:
    """Words to somebody, with the name where there is one."""
    return f"{words[:1].upper()}{words[1:]}" if who == SOMEBODY else f"{who.name}, {words}"


def carried(what: Thing, room: Room | None = None) -> list[str]:
    """Looks for a thing everywhere and brings it to a room; without one to the start."""
    name = quoted(what.name)
    end = go_to(room) if room else HOME
    found = [f"pick({name})", end, f"place({name})"]
    return searched(what.name, found, f"I could not find {what.a}")
