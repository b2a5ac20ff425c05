"""Checks the names in a task's worlds, goals and conditions against its place and the domain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from roboinstruct_ros.domain.condition import (
    Condition,
    check_names,
    has_wildcards,
    is_pattern,
    parse_condition,
    terms,
)
from roboinstruct_ros.domain.configuration import FieldFault, nearest_name
from roboinstruct_ros.domain.files.yaml_lines import FieldPath
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain, load_domain
from roboinstruct_ros.domain.thing_names import same_thing
from roboinstruct_ros.evaluate.suite.case import Place
from roboinstruct_ros.evaluate.suite.schema import RunCondition, TaskEntry, WorldEntry
from roboinstruct_ros.evaluate.worlds.scripted import Thing


@cache
def suite_domain() -> Domain:
    """The domain of all suites."""
    return load_domain()


def unknown_name(place: FieldPath, what: str, wrong: str, known: Sequence[str]) -> FieldFault:
    """The error for an unknown name."""
    near = nearest_name(wrong, known)
    told = "" if near else f"; known are {', '.join(known) or 'none'}"
    return FieldFault(place, f"there is no {what} '{wrong}' here{told}", wrong, known)


def task_faults(task: TaskEntry, place: Place) -> Iterator[FieldFault]:
    """All faults, each with its place in the task."""
    for index, world in enumerate(task.worlds):
        for fault in _world_faults(world, place):
            yield _below(("worlds", index), fault)
    names = _Names(task, place)
    yield from names.faults(task.conditions)
    for index, world in enumerate(task.worlds):
        here = ("worlds", index)
        for fault in names.faults(world.conditions):
            yield _below(here, fault)
        for number, text in enumerate(world.goals):
            for fault in names.of(parse_condition(text)):
                yield _below((*here, "goals", number), fault)


def _below(place: FieldPath, fault: FieldFault) -> FieldFault:
    whole = FieldFault((*place, *fault.field), fault.message)
    whole.nearest = fault.nearest
    return whole


def _world_faults(world: WorldEntry, place: Place) -> Iterator[FieldFault]:
    named: list[tuple[FieldPath, str]] = [(("objects", room), room) for room in world.objects]
    named += [(("people", person), room) for person, room in world.people.items()]
    named += [(("start",), world.start)] if world.start else []
    for where, room in named:
        yield from _room_fault(where, room, place.rooms)
    if place.rooms.people is not None:
        for field, names in (("people", map(_first, world.people)), ("answers", world.answers)):
            for name in names:
                if name and not any(same_thing(name, one) for one in place.people):
                    yield unknown_name((field,), "person", name, place.people)
    if place.rooms.objects is not None:
        for room, things in world.objects.items():
            for index, text in enumerate(things):
                if not _is_known(Thing.read(text), (*place.things, *place.people)):
                    yield unknown_name(("objects", room, index), "thing", text, place.things)


def _first(text: str) -> str:
    return Thing.read(text).name


def _is_known(thing: Thing, names: Sequence[str]) -> bool:
    return any(same_thing(known, name) for known in names for name in thing.names)


def _room_fault(where: FieldPath, room: str, rooms: SemanticMap) -> Iterator[FieldFault]:
    if rooms.resolve(room) is None:
        yield unknown_name(where, "room", room, rooms.room_names)


class _Names:
    """The names that a task's conditions may use: what is in one of its worlds or on its map."""

    def __init__(self, task: TaskEntry, place: Place) -> None:
        self._rooms = place.rooms
        things = [
            one
            for world in task.worlds
            for here in world.objects.values()
            for one in (*here, world.holding, *world.people)
            if one
        ]
        people = [name for world in task.worlds for name in world.answers if name]
        named = [name for text in things for name in text.partition("@")[0].split("|")]
        self._known = tuple(dict.fromkeys((*place.people, *place.things, *named, *people)))

    def faults(self, rules: Sequence[RunCondition]) -> Iterator[FieldFault]:
        for index, rule in enumerate(rules):
            for where, condition in rule.placed_conditions:
                for fault in self.of(condition):
                    yield _below(("conditions", index, *where), fault)

    def of(self, condition: Condition) -> Iterator[FieldFault]:
        domain = suite_domain()
        try:
            check_names(condition, domain)
        except FieldFault as fault:
            yield fault
            return
        for term in terms(condition):
            for text, kind in term.typed(domain):
                if isinstance(text, str) and not (has_wildcards(text) or is_pattern(text)):
                    yield from self._fault(text, kind, domain)

    def _fault(self, text: str, kind: str, domain: Domain) -> Iterator[FieldFault]:
        if kind == "location":
            yield from _room_fault((), text, self._rooms)
        elif "object" in kind or "person" in kind:
            anybody = "person" in kind and domain.is_anybody(text)
            if not anybody and not any(same_thing(text, known) for known in self._known):
                yield unknown_name((), kind, text, self._known)
