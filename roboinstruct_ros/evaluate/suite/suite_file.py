"""Reads a suite's YAML file into cases: one for each phrasing of each task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from roboinstruct_ros.domain.condition import parse_condition
from roboinstruct_ros.domain.configuration import ConfigError, FieldFault, dotted, load_yaml
from roboinstruct_ros.domain.files.world_names import shipped_worlds
from roboinstruct_ros.domain.files.yaml_lines import FieldPath, read_with_lines
from roboinstruct_ros.evaluate.families.lineage import Lineage, Step
from roboinstruct_ros.evaluate.readers.written_rows import shipped_place
from roboinstruct_ros.evaluate.suite.case import Case, Place, Suite, Trial
from roboinstruct_ros.evaluate.suite.names_in_tasks import task_faults, unknown_name
from roboinstruct_ros.evaluate.suite.schema import PlaceEntry, SuiteEntry, TaskEntry, WorldEntry
from roboinstruct_ros.evaluate.worlds.scripted import Failure, Thing


def read(path: Path) -> Suite:
    """All phrasings of all tasks, in the order of the file.

    Raises:
        ConfigError: names the file, the line, the field and what would be right.
    """
    entry = load_yaml(path, SuiteEntry)
    places = {name: _place(one) for name, one in entry.places.items()}
    for place, fault in _faults(entry, places):
        _, lines = read_with_lines(path.read_text(encoding="utf-8"))
        where = (*place, *fault.field)
        raise ConfigError(path, lines[where], dotted(where), fault.message, fault.nearest)
    cases = tuple(case for task in entry.tasks for case in _cases(task, places))
    lineage = tuple(Step(**dict(step)) for step in entry.lineage)
    return Suite(cases, lineage=Lineage(lineage))


def _faults(
    entry: SuiteEntry, places: Mapping[str, Place]
) -> Iterator[tuple[FieldPath, FieldFault]]:
    for name, place in entry.places.items():
        if place.start not in (None, *place.rooms):
            fault = unknown_name(("start",), "room", str(place.start), tuple(place.rooms))
            yield ("places", name), fault
    known, names = (*places, *shipped_worlds()), [task.name for task in entry.tasks]
    for index, task in enumerate(entry.tasks):
        here = ("tasks", index)
        if task.name in names[:index]:
            yield here, FieldFault(("name",), f"'{task.name}' is given twice")
        if task.place not in known:
            yield here, unknown_name(("place",), "place", task.place, known)
        else:
            yield from ((here, fault) for fault in task_faults(task, _place_of(task, places)))


def _place(entry: PlaceEntry) -> Place:
    start = entry.start or next(iter(entry.rooms))
    return Place.of_names(entry.rooms, start, entry.things or (), entry.people or ())


def _place_of(task: TaskEntry, places: Mapping[str, Place]) -> Place:
    return places.get(task.place) or shipped_place(task.place)


def _cases(task: TaskEntry, places: dict[str, Place]) -> Iterator[Case]:
    place = _place_of(task, places)
    starts = {place.rooms.room(world.start or place.start).name for world in task.worlds}
    if len(starts) == 1 and starts != {place.start}:
        [start] = starts  # the prompt then contains it
        place = places.setdefault(f"{task.place}, {start}", replace(place, start=start))
    trials = tuple(_trial(task, world, place) for world in task.worlds)
    for number, text in enumerate(task.phrasings):
        yield Case(
            text,
            task.kind,
            place,
            trials,
            frozenset([task.answer]),
            frozenset(task.choices),
            task.parts,
            task.name,
            number,
            task.program or "",
        )


def _trial(task: TaskEntry, world: WorldEntry, place: Place) -> Trial:
    rooms = place.rooms
    here: dict[str, list[str]] = {}
    for name, things in world.objects.items():
        here.setdefault(rooms.room(name).name, []).extend(things)
    for person, name in world.people.items():
        here.setdefault(rooms.room(name).name, []).append(person)
    return Trial(
        (),
        here,
        world.answers,
        world.waits,
        name=world.name,
        start=rooms.room(world.start or place.start).name,
        people=tuple(Thing.read(person).name for person in world.people),
        holding=world.holding,
        fails=tuple(Failure(f.skill, f.code, f.argument, f.times) for f in world.fails),
        conditions=(*task.conditions, *world.conditions),
        goals=tuple(map(parse_condition, world.goals)),
    )
