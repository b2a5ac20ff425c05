"""Varies the worlds of a task; the instruction stays word for word.

Each world is changed separately, and stays as it is if no change is found for which the reference
is right. The expectations for a changed world are its former ones or, if its new facts come from
another world of the task, those of that world.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from roboinstruct_ros.evaluate.families.task import Task, Variant, changed, texts
from roboinstruct_ros.evaluate.families.words import things_at
from roboinstruct_ros.evaluate.suite.case import Place

World = Mapping[str, Any]

WorldChange = Callable[[World, Task, Place, random.Random], Iterator[World]]
"""Yields changed versions of a task's world, likely ones first."""

IsRight = Callable[[Task], bool]
"""Whether a task's reference is right in all its worlds."""

_TRIES = 8
_LONGEST_NAME = 100
_OUTCOME = ("goals", "conditions", "waits")


def other_worlds(
    change: WorldChange, task: Task, place: Place, chance: random.Random, right: IsRight
) -> Iterator[Variant]:
    """The task with every world changed for which a change is found."""
    worlds = list(task["worlds"])
    different = []
    for index, world in enumerate(task["worlds"]):
        facts = [_facts(one) for one in worlds]
        for new in islice(change(world, task, place, chance), _TRIES):
            if _facts(new) not in facts and right(changed(task, worlds=[new])):
                different.append(world["name"])
                worlds[index] = {**new, "name": f"{world['name']}, changed"[:_LONGEST_NAME]}
                break
    if different:
        yield Variant(changed(task, worlds=worlds), {"worlds": different})


def things_elsewhere(
    world: World, task: Task, place: Place, chance: random.Random
) -> Iterator[World]:
    """One thing is in another room, or all things are as in another world."""
    yield from _as_in_others(world, task, chance, "objects", "people")
    lies = [(room, one) for room, some in world.get("objects", {}).items() for one in some]
    for _ in range(_TRIES if lies else 0):
        room, thing = chance.choice(lies)
        other = chance.choice([name for name in place.rooms.room_names if name != room] or [room])
        objects = {name: list(some) for name, some in world["objects"].items()}
        objects[room].remove(thing)
        objects[other] = [*objects.get(other, ()), thing]
        yield {**world, "objects": {name: some for name, some in objects.items() if some}}


def more_things(world: World, task: Task, place: Place, chance: random.Random) -> Iterator[World]:
    """Adds things that the task does not mention."""
    known = " ".join(texts(task)).lower()
    free = [thing for thing in things_at(place) if thing.lower() not in known]
    rooms = place.rooms.room_names
    for _ in range(_TRIES if free else 0):
        objects = {name: list(some) for name, some in world.get("objects", {}).items()}
        for room in chance.sample(rooms, min(3, len(rooms))):
            objects[room] = [*objects.get(room, ()), chance.choice(free)]
        yield {**world, "objects": objects}


def other_start(world: World, task: Task, place: Place, chance: random.Random) -> Iterator[World]:
    """The robot starts in another room."""
    here = world.get("start", place.start)
    rooms = [name for name in place.rooms.room_names if name != here]
    for room in chance.sample(rooms, len(rooms)):
        yield {**world, "start": room}


def other_answers(world: World, task: Task, place: Place, chance: random.Random) -> Iterator[World]:
    """People answer as in another world, or in another order."""
    yield from _as_in_others(world, task, chance, "answers")
    answers = world.get("answers", {})
    for _ in range(_TRIES if answers else 0):
        said = {one: chance.sample(list(answers[one]), len(answers[one])) for one in answers}
        yield {**world, "answers": said}


def later(world: World, task: Task, place: Place, chance: random.Random) -> Iterator[World]:
    """Late arrivals come even later."""

    def late(entry: str) -> str:
        name, at, since = entry.partition("@")
        return f"{name}@{int(since) + chance.randint(1, 3)}" if at else entry

    objects, people = world.get("objects", {}), world.get("people", {})
    for _ in range(_TRIES):
        things = {room: [late(one) for one in objects[room]] for room in objects}
        yield {**world, "objects": things, "people": {late(one): people[one] for one in people}}


def failures(world: World, task: Task, place: Place, chance: random.Random) -> Iterator[World]:
    """The failures of another world, or one more failure."""
    yield from _as_in_others(world, task, chance, "fails")
    fails = world.get("fails", ())
    for index, one in enumerate(fails):
        again = {**one, "times": int(one.get("times", 1)) + 1}
        yield {**world, "fails": [*fails[:index], again, *fails[index + 1 :]]}


CHANGES: dict[str, WorldChange] = {
    "things-elsewhere": things_elsewhere,
    "more-things": more_things,
    "other-start": other_start,
    "other-answers": other_answers,
    "later": later,
    "failures": failures,
}


def _as_in_others(world: World, task: Task, chance: random.Random, *fields: str) -> Iterator[World]:
    """The world with these facts of another one, and its own expectations or those of the other."""
    others = [one for one in task["worlds"] if one is not world]
    for other in chance.sample(others, len(others)):
        taken = _with(world, other, fields)
        yield taken
        yield _with(taken, other, _OUTCOME)


def _with(world: World, other: World, fields: tuple[str, ...]) -> World:
    kept = {field: value for field, value in world.items() if field not in fields}
    return {**kept, **{field: other[field] for field in fields if field in other}}


def _facts(world: World) -> dict[str, Any]:
    """The facts that distinguish a world from others."""
    told = ("name", *_OUTCOME)
    return {field: value for field, value in world.items() if field not in told and value}
