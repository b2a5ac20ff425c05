"""Parts about pieces of furniture: a place of the map by itself, or a word for its room."""

from __future__ import annotations

from dataclasses import dataclass

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.learn.draw import DoesNotFit, Draw
from roboinstruct_ros.learn.entities import Room
from roboinstruct_ros.learn.pairs import furniture, words
from roboinstruct_ros.learn.pairs.compose import Clause, part
from roboinstruct_ros.learn.pairs.deeds import carried, fetched, found_in, looked_for
from roboinstruct_ros.learn.pairs.flow import go_to
from roboinstruct_ros.learn.pairs.names import thing_called
from roboinstruct_ros.learn.pairs.parts.looking import any_of
from roboinstruct_ros.learn.pairs.parts.moving import named
from roboinstruct_ros.learn.pairs.story import Story

_ANYWHERE = (
    "table", "shelf", "desk", "counter", "cupboard", "drawer", "chair", "cabinet", "sideboard",
    "windowsill", "bench", "rack", "small table", "top shelf", "round table", "locker",
)  # fmt: skip
"""Pieces that may be in any room, so that they have to be named with their room."""
_WITH_ITS_ROOM = (
    *_ANYWHERE, "bed", "sofa", "couch", "nightstand", "workbench", "bookshelf", "armchair", "door",
    "side table", "drying rack", "window", "fridge", "sink", "trash can",
)  # fmt: skip
"""Pieces that are said with their room."""
_BY_ROOM = ("table", "counter", "shelf", "cupboard", "cabinet", "bench")


_INTO_A_ROOM = (
    "[enter|go in|go into|get into|move into|drive into|step into] {w}",
    "[inspect|have a look at|take a look at|check out|approach|reach|move towards] {w}",
    "[go|drive|move] to {b}",
)
_NEAR = (
    "[go|move|drive|walk|come|stand] [near|next to|close to|beside|by] {w}",
    "[go|move|drive|head] [towards|over to|up to|to the left of|to the right of|in front of] {w}",
    "[go|move|drive|run|walk|head] [|straight |over ]to {w}",
    "[approach|reach|inspect|have a look at|take a look at|park next to] {w}",
    "[go|drive] to {b}",
)


@dataclass(frozen=True)
class Where:
    """A place with its wording.

    Attributes:
        room: where to drive; `the` is the wording: "the shelf in the study".
        on: its preposition: "on".
    """

    room: Room
    on: str

    def off(self, draw: Draw) -> str:
        """The preposition for taking something from there: "from", "out of"."""
        return draw.one(("from", {"in": "out of", "on": "off"}.get(self.on, "from")))


def where(story: Story, rooms: float = 0.0) -> Where:
    """A place with furniture; with probability `rooms` a room alone."""
    draw, scene = story.draw, story.scene
    if draw.chance(rooms):
        room = story.room()
        return Where(room, furniture.preposition(room.name))
    pieces = furniture.pieces_of(scene)
    if pieces and draw.chance(0.6):
        room = story.room(tuple(name for name in scene.rooms if name not in pieces))
        return Where(room, furniture.preposition(room.name))
    offices = [room for room in scene.rooms if room.endswith("'s office")]
    if offices and draw.chance(0.25):
        room = story.take(draw.one(offices))
        return Where(Room(room.name, room.the.replace("office", "desk")), "on")
    if draw.chance(0.5) and (usual := _in_its_usual_room(story)):
        return usual
    room = story.room(pieces)
    kinds = [one for one in _WITH_ITS_ROOM if one not in scene.rooms]
    piece: str = draw.one(kinds)
    said = f"the {piece} in {room.the}"
    if room.the.startswith("the ") and piece in _BY_ROOM and draw.chance(0.3):
        said = f"{room.the} {piece}"
    return Where(Room(room.name, said), furniture.preposition(piece))


def _in_its_usual_room(story: Story) -> Where | None:
    found = furniture.a_piece_of_furniture(story.draw, story.scene)
    vague = not story.scene.told and found and found[0] in _ANYWHERE
    if found is None or vague or _is_named(found[0], story.scene.rooms):
        return None
    piece, room = found[0], story.take(found[1])
    beside = f" in {room.the}" if "_" not in room.name and story.draw.chance(0.25) else ""
    return Where(Room(room.name, f"the {piece}{beside}"), furniture.preposition(piece))


@part("put_at", 16.0, order=True)
def put_at(story: Story) -> Clause:
    """A thing whose place is not said, or is, to a place."""
    draw, thing, target = story.draw, story.thing(), where(story, 0.15)
    source = where(story, 0.5) if draw.chance(0.25) else None
    text = draw.phrase(
        (
            "[put|place|leave|lay|set|drop|put] {t}{from} {on} {w}",
            "[put|place|leave|put|set down] {t}{from} {on} {w}",
            "[put|place|leave|put] {t}{from} {on} {w}",
            "[bring|take|carry|move|deliver] {t}{from} to {w}",
            "[get|grab|grasp|take|pick up|fetch] {t}{off} and [put|place|set|leave] {it} {on} {w}",
            "[find|look for|locate] {t}{from} and [put|place|leave] {it} {on} {w}"
            if source is None
            else "[pick up|collect] {t}{from} and [leave|drop] {it} {on} {w}",
            "[return|bring] {t}{from} [back |]to {w}",
            "[carry|take|bring] {t}{from} [near|over to|close to|next to] {w}",
            "[put|place] {t}{from} [near|next to|beside|close to] {w}",
        ),
        t=named(draw, thing),
        it=thing.it,
        on=draw.one((target.on, target.on, "into")) if target.on == "in" else target.on,
        w=target.room.the,
        off=f" {source.off(draw)} {source.room.the}" if source else "",
        **{"from": f" from {source.room.the}" if source else ""},
    )
    steps = fetched(thing, source.room if source else None, target.room)
    return Clause(text, steps, target.room if source else None)


@part("take_from", 7.0, order=True)
def take_from(story: Story) -> Clause:
    """A thing from a piece of furniture, to me."""
    draw, thing, source = story.draw, story.thing(), where(story, 0.15)
    text = draw.phrase(
        (
            "[take|get|grab|fetch|collect|pick up] {t} [from|{off}] {w}",
            "[bring|get|fetch|pass|hand|give] me {t} from {w}",
            "[go|go over|drive] to {w}[,| and] [take|get|grab|pick up|remove|collect] {t}",
            "[take|get|grab|pick up] {t} {off} {w} and [bring {it} to me|give {it} to me|bring "
            "{it} here|hand {it} to me]",
            "[bring|get] me {t} that {be} {on} {w}",
            "[bring|get|fetch] me {t}, {they} {on} {w}",
            "[remove|clear|pick up] {t} [from {w}|from {w} and bring {it} here]",
            "bring {t} from {w} [to me|here|over here|back]",
            "[go to|look {on}] {w}, [find|locate] {t} and [give|bring|deliver] {it} to me",
        ),
        t=named(draw, thing),
        w=source.room.the,
        it=thing.it,
        be=thing.be,
        they=thing.they,
        on=source.on,
        off=source.off(draw),
    )
    return Clause(text, fetched(thing, source.room))


@part("take", 5.0, order=True)
def take(story: Story) -> Clause:
    """A thing, said as briefly as can be."""
    draw, thing = story.draw, story.thing()
    text = draw.phrase(
        (
            "[take|grab|get|pick up|fetch|collect] {t}",
            "[take|grab|pick up|fetch] {t}",
            "[go get|go and get|go fetch|go grab|go pick up|go and take] {t}",
            "[give|bring|pass|hand|get|fetch] me {t}",
            "[bring|give|hand] {t} to me",
            "[search|seek|look for|find] {t} and [bring|give|deliver|hand] {it} to me",
            "[take|grab|grasp|get] {t} and [bring {it} to me|bring {it} here|come back]",
        ),
        t=named(draw, thing),
        it=thing.it,
    )
    return Clause(text, carried(thing))


@part("go_near", 4.0, order=True)
def go_near(story: Story) -> Clause:
    """To a piece of furniture, or to a room in other words than "go to"."""
    draw = story.draw
    if draw.chance(0.3):
        room = story.room(furniture.pieces_of(story.scene))
        text = draw.phrase(_INTO_A_ROOM, w=room.the, b=room.the.removeprefix("the "))
        return Clause(text, (go_to(room.name),), room)
    target = where(story)
    text = draw.phrase(_NEAR, w=target.room.the, b=target.room.the.removeprefix("the "))
    return Clause(text, (go_to(target.room.name),), target.room)


@part("find_at", 4.0, order=False)
def find_at(story: Story) -> Clause:
    """Whether a thing is at a place."""
    draw, thing, at = story.draw, story.thing(), where(story, 0.3)
    text = draw.phrase(
        (
            "[find|look for|search for|locate|search] {t} {on} {w}",
            "[search|look] {on} {w} for {a}",
            "[go to|drive to|look on|check] {w} and [find|look for|search for|locate] {t}"
            if at.on == "on"
            else "[go to|drive to|go into] {w} and [find|look for|search for|locate] {t}",
            "[is|is] there {a} {on} {w}?".replace("[is|is]", thing.be),
            "{be} {the} {on} {w}?",
            "[check|see|look|find out] [if|whether] {the} {be} {on} {w}",
            "[tell me|check|see] [if|whether] there {be} {a} {on} {w}",
        ),
        t=named(draw, thing),
        a=any_of(thing),
        the=draw.one((thing.the, f"my {thing.name}")),
        be=thing.be,
        on=at.on,
        w=at.room.the,
    )
    return Clause(text, looked_for(thing, at.room))


@part("find_piece", 1.5)
def find_piece(story: Story) -> Clause:
    """A piece of furniture itself: one on the map is a place to go to, another is looked for."""
    draw, scene = story.draw, story.scene
    pieces = furniture.pieces_of(scene)
    if pieces and draw.chance(0.5):
        room = story.room(tuple(name for name in scene.rooms if name not in pieces))
        text = draw.phrase(("[find|look for|locate|find me|go find|search for] {r}",), r=room.the)
        return Clause(text, (go_to(room.name),), room)
    name = draw.one([one for one in words.FURNITURE if not _is_named(one, scene.rooms)])
    thing = thing_called(name)
    text = f"{draw.one(('find', 'look for', 'locate', 'search for', 'find me'))} the {name}"
    if draw.chance(0.4):
        room = story.room(pieces)
        return Clause(f"{text} in {room.the}", looked_for(thing, room))
    return Clause(text, found_in(thing))


def _is_named(piece: str, rooms: tuple[str, ...]) -> bool:
    """Whether a place on the map is called like the piece, or much like it."""
    others = {piece, *words.ALIASES.get(piece, ())}
    return any(one in room.lower() for room in rooms for one in others)


@part("which_place", 1.5, alone=True)
def which_place(story: Story) -> Clause:
    """A piece that stands in several rooms of the map, or in none: a question back."""
    draw, rooms, thing = story.draw, story.scene.rooms, story.thing()
    if not story.scene.told:
        raise DoesNotFit
    rooms = tuple(room for room in rooms if room not in furniture.pieces_of(story.scene))
    known = [
        (piece, usual, tuple(room for room in rooms if usual in room.lower().replace("_", " ")))
        for piece, usual in words.FURNITURE.items()
        if not _is_named(piece, story.scene.rooms)
    ]
    several = [one for one in known if len(one[2]) > 1]
    those = several if several and draw.chance(0.7) else [one for one in known if not one[2]]
    of = draw.one(sorted({usual for _, usual, _ in those}))
    piece, usual, fitting = draw.one([one for one in those if one[1] == of])
    on = furniture.preposition(piece)
    text = draw.phrase(
        (
            "[put|place|leave] {t} {on} the {p}",
            "[bring|take|carry] {t} to the {p}",
            "[bring|get|fetch] me {t} from the {p}",
            "[take|get|grab] {t} from the {p}",
            "[go|drive|move] to the {p}",
        ),
        t=named(draw, thing),
        on=on,
        p=piece,
    )
    question = f"Which {usual} do you mean?" if fitting else f"In which room is the {piece}?"
    choices = (fitting or rooms)[: 4 if fitting else 3]
    return Clause(text, (Answer(AnswerKind.QUESTION, question, choices).line,))
