"""A simulated house in plain Python: positions of the robot, objects and people, and the effects of
the eight skills. No ROS and no clock; times are simulated s passed in by the caller."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from roboinstruct_ros.domain.files.world_file import ObjectEntry, PersonEntry, World
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.semantic_map import Point, Pose, SemanticMap, folded
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.thing_names import means_anybody, same_thing
from roboinstruct_ros.program.wording import named
from roboinstruct_ros.skill_servers.kit.fault import Fault, empty_argument, find_room, name_fault
from roboinstruct_ros.skill_servers.sim.failures import Chance, Failure
from roboinstruct_ros.skill_servers.sim.floor_plan import FloorPlan, Motion, plan_motion

E = TypeVar("E", ObjectEntry, PersonEntry)

BLOCKED_AFTER = 0.5
"""Fraction of the travel time after which a blocked path is noticed."""


@dataclass
class Thing:
    """One object; `room` is None while the robot holds it. Position in m, frame `map`."""

    name: str
    room: str | None
    position: Point


@dataclass
class Person:
    """A person and their position in m, frame `map`."""

    entry: PersonEntry
    room: str
    position: Point

    @property
    def name(self) -> str:
        return self.entry.name


@dataclass(frozen=True)
class Journey:
    """A motion in progress; `fault` ends it after `duration` (simulated s)."""

    motion: Motion
    duration: float
    fault: Fault | None = None


class House:
    """State of the world. Not thread-safe: the caller holds a lock."""

    def __init__(
        self, world: World, seed: int | None = None, rates: Mapping[Failure, float] | None = None
    ) -> None:
        """Seed and rates (0..1) replace the world file's."""
        self.world = world
        self.map: SemanticMap = world.semantic_map()
        self.plan = FloorPlan(self.map, world.doors)
        self.chance = Chance(world.failures, seed, rates)
        objects = [entry for entry in world.objects for _ in range(entry.count)]
        self.things = [Thing(e.name, e.room, at) for e, at in spread(world, objects, 0.75, 0.0)]
        self.people = [Person(e, e.room, at) for e, at in spread(world, world.people, 0.4, 0.5)]
        self.pose: Pose = self.map.room(world.start).pose
        if world.robot.holds:
            self.things.append(Thing(world.robot.holds, None, (self.pose.x, self.pose.y)))
        self.changes = 0
        """Counts changes that viewers must learn of."""

    @property
    def held(self) -> Thing | None:
        """The object in the gripper."""
        return next((thing for thing in self.things if thing.room is None), None)

    def current_location(self) -> str | Fault:
        """Answers `get_current_location`: the room whose outline contains the robot."""
        return self._room or _fault(SkillErrorCode.NOT_LOCALIZED, "told.nowhere")

    def is_in_room(self, name: str) -> bool | Fault:
        """Answers `is_in_room`; a held object does not count as in the room."""
        if fault := name_fault("object", name):
            return fault
        return bool(self._things_here(name) or self._people_here(name))

    def go_to(self, location: str) -> Journey | Fault:
        """Begin `go_to`; the caller moves `pose` along the journey and ends it."""
        room = find_room(self.map, location)
        if isinstance(room, Fault):
            return room
        way = self.plan.way((self.pose.x, self.pose.y), room)
        blocked = _fault(SkillErrorCode.NAVIGATION_BLOCKED, "told.blocked", room=named(room))
        if way is None:
            return blocked
        robot, goal = self.world.robot, self.map.room(room).pose
        motion = plan_motion(self.pose, way, goal.yaw, robot.speed, robot.turn_rate)
        if self.chance.strikes(Failure.NAVIGATION_BLOCKED, room):
            return Journey(motion, motion.duration * BLOCKED_AFTER, blocked)
        return Journey(motion, motion.duration)

    def check_pick(self, name: str) -> Fault | None:
        """Why a pick cannot begin, or None."""
        if fault := name_fault("object", name):
            return fault
        if self.held:
            return _fault(SkillErrorCode.HAND_FULL, "told.holds_already", thing=self.held.name)
        if not self._things_here(name):
            code = SkillErrorCode.OBJECT_NOT_FOUND
            return _fault(code, "told.no_thing", thing=name, room=self._here())
        return None

    def pick(self, name: str) -> Fault | None:
        """Close the gripper at the end of `pick`."""
        if fault := self.check_pick(name):
            return fault
        thing = self._things_here(name)[0]
        if self.chance.strikes(Failure.GRASP_SLIPPED, thing.name):
            return _fault(SkillErrorCode.GRASP_FAILED, "told.slipped", thing=thing.name)
        thing.room = None
        self.changes += 1
        return None

    def check_place(self, name: str) -> Fault | None:
        """Why a place cannot begin, or None."""
        if fault := name_fault("object", name):
            return fault
        code = SkillErrorCode.HAND_EMPTY
        if self.held is None:
            return _fault(code, "told.holds_nothing")
        if not same_thing(name, self.held.name):
            return _fault(code, "told.holds_other", held=self.held.name, thing=name)
        return None

    def place(self, name: str) -> Fault | None:
        """Open the gripper at the end of `place`."""
        fault, thing, room = self.check_place(name), self.held, self._room
        if fault or thing is None or room is None:
            return fault or _fault(SkillErrorCode.PLACE_FAILED, "told.nowhere")
        thing.room, thing.position = room, (self.pose.x, self.pose.y)
        self.changes += 1
        return None

    def find_person(self, name: str, question: str, options: Sequence[str]) -> Person | Fault:
        """Begin `ask`: the person to ask, or why there is none."""
        if not question.strip():
            return empty_argument("question")
        if not options or not all(option.strip() for option in options):
            message = "options is empty; give at least one answer to choose from"
            return Fault(SkillErrorCode.INVALID_ARGUMENT, message)
        if fault := name_fault("person", name or "person"):
            return fault
        here = self._people_here(name or "person")
        if not here:
            key = "told.nobody" if means_anybody(name) else "told.not_here"
            return _fault(SkillErrorCode.PERSON_NOT_FOUND, key, who=name, room=self._here())
        return here[0]

    def leaves(self, person: Person) -> Fault | None:
        """Let a person leave before answering, at random; they walk to another room."""
        if not self.chance.strikes(Failure.PERSON_LEFT, person.name):
            return None
        others = sorted(self.plan.reachable(person.room) - {person.room})
        if others:
            person.room = self.chance.random.choice(others)
            pose = self.map.room(person.room).pose
            person.position = (pose.x, pose.y)
            self.changes += 1
        return _fault(SkillErrorCode.PERSON_LEFT, "told.left", who=person.name)

    def answer(self, person: Person, question: str, options: Sequence[str]) -> str:
        """The option that a scripted person chooses."""
        asked = folded(question)
        for entry in person.entry.answers:
            if folded(entry.question) in asked:
                for option in options:
                    if folded(option) == folded(entry.answer):
                        return option
        if person.entry.otherwise == "first":
            return options[0]
        return self.chance.random.choice(options)

    @property
    def _room(self) -> str | None:
        return self.map.room_at(self.pose.x, self.pose.y)

    def _things_here(self, name: str) -> list[Thing]:
        room = self._room
        return [t for t in self.things if t.room == room and room and same_thing(name, t.name)]

    def _people_here(self, name: str) -> list[Person]:
        room = self._room
        here = [person for person in self.people if person.room == room]
        if means_anybody(name):
            return here
        return [person for person in here if folded(person.name) == folded(name)]

    def _here(self) -> str:
        return named(self._room) if self._room else "no room of the map"


def _fault(code: SkillErrorCode, told: str, **words: str) -> Fault:
    return Fault(code, str(phrase(told, **words)))


def spread(
    world: World, entries: Sequence[E], scale: float, shift: float
) -> Iterator[tuple[E, Point]]:
    """Each object or person of a world, with a point on a ring in its room.

    Args:
        scale: of the ring: 1 is the room's outline, 0 its centre.
        shift: of the points along the ring, as a fraction of their distance.
    """
    for room in world.rooms:
        here = [entry for entry in entries if entry.room == room.name]
        for index, entry in enumerate(here):
            yield entry, point_on_ring(room.polygon, scale, (index + shift) / len(here))


def point_on_ring(polygon: Sequence[Point], scale: float, part: float) -> Point:
    """The point at a fraction (0..1) of a convex room's outline, scaled about its centre."""
    outline = np.array([*polygon, polygon[0]])
    middle = np.mean(polygon, axis=0)
    ring = middle + (outline - middle) * scale
    along = np.cumsum([0.0, *map(math.dist, ring, ring[1:])])
    x, y = (np.interp(part * along[-1], along, column) for column in ring.T)
    return float(x), float(y)
