"""Tasks that people wrote down one by one, as pairs: names are drawn, the sentences stay.

The files `written/*.yaml` hold them; `written/README.md` says how one is written.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from functools import cache, partial
from importlib import resources
from typing import Literal, TypeAlias

import yaml
from pydantic import Field, model_validator

from roboinstruct_ros.domain.configuration import Strict
from roboinstruct_ros.learn.draw import DoesNotFit, Draw, Split, until
from roboinstruct_ros.learn.entities import Person, Room, Thing
from roboinstruct_ros.learn.pairs import scenes
from roboinstruct_ros.learn.pairs.buildings import draw_scene
from roboinstruct_ros.learn.pairs.flow import names_list
from roboinstruct_ros.learn.pairs.furniture import PIECES
from roboinstruct_ros.learn.pairs.names import bare, plain, some, the_room
from roboinstruct_ros.learn.pairs.pair import Pair
from roboinstruct_ros.learn.pairs.scene import Scene
from roboinstruct_ros.learn.pairs.styles import copied_words, typed

Named: TypeAlias = Room | Thing | Person

_SLOT = re.compile(r"\{(room|thing|person|kind)(\d?)(?::(\w+))?\}")
_WIDE = re.compile(r"\{names of ([^}]+)\}")
_ALL = re.compile(r"\{(everybody|everything)\}")
_MOST_THINGS = 6
"""Things on a map beyond which nobody has the robot look for each of them."""
_QUESTION = re.compile(r"(# Question: [^|]*) \| (.*)")
_HELD_OUT = 16
"""One entry in so many is only for sentences that measure."""
_WORDS, _LONG = 30, 0.3
"""Words beyond which only this share of the tasks is taken: most that people type are short."""
_AS_WRITTEN = 0.5
"""Share of the sentences that stay as they were written: most already are as people type."""
_HOLDS = 0.3
"""Share of the scenes with something in the robot's hand in which it stays there."""
_ON_MAP = 0.6
"""Share of the scenes whose map has the named people and things too."""

_FORMS: dict[str, dict[str, Callable[..., str]]] = {
    "room": {"": lambda room: room.the, "name": lambda room: room.the.removeprefix("the ")},
    "thing": {
        "": lambda thing: thing.name,
        "the": lambda thing: thing.the,
        "a": lambda thing: thing.a,
        "any": some,
        "bare": bare,
        "s": lambda thing: thing.plural,
        "it": lambda thing: thing.it,
        "they": lambda thing: "they" if thing.it == "them" else thing.it,
        "is": lambda thing: thing.be,
    },
    "person": {
        "": lambda who: who.who,
        "he": lambda who: who.he,
        "him": lambda who: who.him,
        "his": lambda who: who.his,
    },
    "kind": {"": lambda kind: kind.name, "s": lambda kind: kind.plural},
}
"""How a slot is said, by its form."""


class Written(Strict):
    """One task.

    Attributes:
        said: Wordings of the same task.
        do: Body of the program; or
        answer: the answer in words, as "Cannot: ...", "Question: ... | ... | ..." or "Reply: ...".
        rooms, people, things: Names that the sentence counts on; the map has them.
        holding: What the robot has in its hand when it is told this.
        building: Where people say it; anywhere if empty.
        map: Whether the prompt has the map.
    """

    said: tuple[str, ...] = Field(min_length=1)
    do: str = ""
    answer: str = ""
    rooms: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    holding: str = ""
    building: str = ""
    map: Literal["always", "never", "either"] = "either"

    @model_validator(mode="after")
    def _one_answer(self) -> Written:
        if bool(self.do) == bool(self.answer):
            raise ValueError(f"{self.said[0]!r}: needs either `do` or `answer`")
        return self

    @property
    def body(self) -> str:
        return self.do or f"# {self.answer}\n"

    @property
    def is_held_out(self) -> bool:
        return zlib.crc32(self.said[0].encode()) % _HELD_OUT == 0


@cache
def written() -> tuple[Written, ...]:
    """All written tasks, in the order of their files' names."""
    folder = resources.files(f"{__package__}.written")
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".yaml")), key=str)
    return tuple(
        entry for file in files for entry in read_written(file.read_text(encoding="utf-8"))
    )


@cache
def _pool(held_out: bool) -> tuple[Written, ...]:
    return tuple(each for each in written() if each.is_held_out is held_out)


def read_written(text: str) -> list[Written]:
    """The tasks of a file.

    Raises:
        ValueError: one of them is not written as it should be.
    """
    return [Written.model_validate(entry) for entry in yaml.safe_load(text)]


def written_pair(draw: Draw) -> Pair:
    """One of the written tasks, in a drawn scene."""
    pool = _pool(draw.split is not Split.TRAIN)

    def fits(pair: Pair) -> bool:
        return len(pair.instruction.split()) <= _WORDS or draw.chance(_LONG)

    return until(lambda: until(partial(pair_of, draw, draw.one(pool))), fits)


def pair_of(draw: Draw, entry: Written) -> Pair:
    """This task, in a drawn scene.

    Raises:
        DoesNotFit: the scene lacks rooms for it.
    """
    said = draw.one(entry.said)
    scene = _scene(draw, entry)
    values = _values(draw, scene, entry, said)
    text = _SLOT.sub(lambda slot: _spoken(slot, values), said)
    body = _SLOT.sub(lambda slot: _written(slot, values), entry.body)
    body = _WIDE.sub(lambda wide: names_list(scenes.called_widely(wide[1], scene)), body)
    if not draw.chance(_AS_WRITTEN):
        text = typed(draw, text, copied_words(scene, text, body))
    body = _ALL.sub(lambda each: _all_of(scene, each[1]), body)
    body = _QUESTION.sub(lambda asked: _in_order(asked, scene), body)
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.rstrip("\n").split("\n"))
    return Pair("written", scene, text, f"def task_program():\n{lines}")


def _scene(draw: Draw, entry: Written) -> Scene:
    """A place with the names that the task counts on."""
    scene = draw_scene(draw, entry.building)
    told = {"always": True, "never": False, "either": scene.told}[entry.map]
    holding = scene.holding if draw.chance(_HOLDS) and "pick(" not in entry.body else ""
    people, things = scene.people, scene.things
    if told and (entry.map == "always" or draw.chance(_ON_MAP)):
        people = _among(draw, entry.people, people)
        things = _among(draw, entry.things, things)
    rooms = _among(draw, entry.rooms, scene.rooms)
    here = scene.here if scene.here in rooms else draw.one(rooms)
    return Scene(rooms, people, things, here, entry.holding or holding, told)


def _among(draw: Draw, names: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The names in drawn places among the others, of which those spelt nearly alike go."""
    if not names:
        return others
    low = {plain(name) for name in names}
    all_ = [*names, *(other for other in others if plain(other) not in low)]
    return tuple(draw.some(all_, len(all_)))


def _values(draw: Draw, scene: Scene, entry: Written, said: str) -> dict[str, Named]:
    """A value for each slot of the sentence and of the program; no two alike."""
    found: dict[str, Named] = {}
    for slot in _SLOT.finditer(said + entry.body):
        kind, key = slot[1], slot[1] + slot[2]
        if key in found:
            continue
        taken = tuple(each.name for each in found.values())
        found[key] = _DRAWN[kind](draw, scene, (*taken, *entry.rooms, *entry.people, *entry.things))
    return found


def _all_of(scene: Scene, kind: str) -> str:
    """The people or the things on the map as a list, for a program that goes through them."""
    found = scene.people if kind == "everybody" else scene.things
    if not (scene.told and found) or (kind == "everything" and not 1 < len(found) <= _MOST_THINGS):
        raise DoesNotFit(f"the map does not list {kind}")
    return names_list(found)


def _in_order(asked: re.Match[str], scene: Scene) -> str:
    """The question with its choices in the order of the map, if all of them are there."""
    known = (*scene.rooms, *scene.people, *scene.things)
    choices = asked[2].split(" | ")
    if set(choices) <= set(known):
        choices.sort(key=known.index)
    return " | ".join((asked[1], *choices))


def _room(draw: Draw, scene: Scene, taken: tuple[str, ...]) -> Room:
    taken = (*taken, *(room for room in scene.rooms if plain(room) in PIECES))
    if all(room in taken for room in scene.rooms):
        raise DoesNotFit("no other room")
    return scenes.a_room(draw, scene, taken)


def _kind(draw: Draw, scene: Scene, _taken: tuple[str, ...]) -> Thing:
    return scenes.a_kind(draw, scene)


def _person(draw: Draw, scene: Scene, taken: tuple[str, ...]) -> Person:
    """Somebody without a room of their own, to whom "she is" or "he is" fits."""
    taken = (*taken, *scenes.owners(scene))
    return until(lambda: scenes.a_person(draw, scene, taken), lambda who: who.he != "they")


_DRAWN: dict[str, Callable[[Draw, Scene, tuple[str, ...]], Named]] = {
    "room": _room,
    "thing": scenes.a_thing,
    "person": _person,
    "kind": _kind,
}


def _spoken(slot: re.Match[str], values: dict[str, Named]) -> str:
    return _FORMS[slot[1]][slot[3] or ""](values[slot[1] + slot[2]])


def _written(slot: re.Match[str], values: dict[str, Named]) -> str:
    """The slot in the program: the name alone, or as it is said within longer words."""
    value, around = values[slot[1] + slot[2]], slot.string
    is_whole = around[slot.start() - 1] == '"' == around[slot.end() : slot.end() + 1]
    if slot[3]:
        text = _FORMS[slot[1]][slot[3]](value)
    elif isinstance(value, Room) and not is_whole:
        text = the_room(value.name)
    else:
        text = value.name
    return json.dumps(text, ensure_ascii=False)[1:-1]
