"""Variations of the worlds of a task; what is asked for, and how, stays word for word."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from roboinstruct_ros.evaluate.families.task import Operator, Task, Variant, changed, texts
from roboinstruct_ros.evaluate.families.words import things_at
from roboinstruct_ros.evaluate.suite.case import Place

World = Mapping[str, Any]

_TRIES = 6
"""Draws of one operator."""


def things_elsewhere(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """In each world one thing lies in another room."""

    def move(world: World) -> World | None:
        lies = [(room, one) for room, some in world.get("objects", {}).items() for one in some]
        if not lies:
            return None
        room, thing = chance.choice(lies)
        other = chance.choice([name for name in place.rooms.room_names if name != room] or [room])
        objects = {name: list(some) for name, some in world["objects"].items()}
        objects[room].remove(thing)
        objects[other] = [*objects.get(other, ()), thing]
        return {**world, "objects": {name: some for name, some in objects.items() if some}}

    yield from _each(task, move)


def more_things(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """In each world things lie about that nobody has spoken of."""
    known = " ".join(texts(task)).lower()
    free = [thing for thing in things_at(place) if thing.lower() not in known]
    if not free:
        return

    def strew(world: World) -> World:
        objects = {name: list(some) for name, some in world.get("objects", {}).items()}
        for room in chance.sample(place.rooms.room_names, min(3, len(place.rooms.room_names))):
            objects[room] = [*objects.get(room, ()), chance.choice(free)]
        return {**world, "objects": objects}

    yield from _each(task, strew)


def other_start(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """The robot is elsewhere when it is told."""

    def start(world: World) -> World:
        here = world.get("start", place.start)
        rooms = [name for name in place.rooms.room_names if name != here]
        return {**world, "start": chance.choice(rooms or [here])}

    yield from _each(task, start)


def other_answers(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Everybody answers as in another world of the task, or in another order."""
    given = [world["answers"] for world in task["worlds"] if world.get("answers")]

    def answer(world: World) -> World | None:
        if not world.get("answers"):
            return None
        others = [one for one in given if one.keys() >= world["answers"].keys()]
        taken = chance.choice(others)
        said = {
            person: chance.sample(list(taken[person]), len(taken[person]))
            for person in world["answers"]
        }
        return {**world, "answers": said}

    yield from _each(task, answer)


def later(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Who or what comes later comes later still."""

    def delay(world: World) -> World | None:
        rooms = world.get("objects", {})
        late = {
            room: [_later(str(one), chance) if "@" in str(one) else one for one in some]
            for room, some in rooms.items()
        }
        return {**world, "objects": late} if late != rooms else None

    yield from _each(task, delay)


def failures(task: Task, place: Place, chance: random.Random) -> Iterator[Variant]:
    """Another skill fails once, or the same one oftener; admitted where the reference copes."""

    def fail(world: World) -> World | None:
        fails = [dict(one) for one in world.get("fails", ())]
        if not fails:
            return None
        one = chance.choice(fails)
        one["times"] = int(one.get("times", 1)) + 1
        return {**world, "fails": fails}

    yield from _each(task, fail)


OPERATORS: dict[str, Operator] = {
    "things-elsewhere": things_elsewhere,
    "more-things": more_things,
    "other-start": other_start,
    "other-answers": other_answers,
    "later": later,
    "failures": failures,
}


def _each(task: Task, change: Callable[[World], World | None]) -> Iterator[Variant]:
    """The task with every world changed that can be, some draws of it."""
    for _ in range(_TRIES):
        worlds: Sequence[World] = task["worlds"]
        new = [change(world) or world for world in worlds]
        different = [one["name"] for one, old in zip(new, worlds, strict=True) if one != old]
        if different:
            yield Variant(changed(task, worlds=new), {"worlds": different})


def _later(entry: str, chance: random.Random) -> str:
    name, _, since = entry.partition("@")
    return f"{name}@{int(since) + chance.randint(1, 3)}"
