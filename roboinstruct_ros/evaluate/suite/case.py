"""Instructions that a model is measured with, where they are given, and what would be right."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain, zip_longest

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.condition import Condition
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap, folded
from roboinstruct_ros.evaluate.suite.schema import RunCondition
from roboinstruct_ros.evaluate.worlds.scripted import Facts, Failure

PROGRAM = frozenset([AnswerKind.PROGRAM])
REFUSAL = frozenset([AnswerKind.CANNOT])
IN_WORDS = frozenset([AnswerKind.CANNOT, AnswerKind.REPLY])
"""What is no task: a question back, such as for a room, would take it for one."""


class Half(str, Enum):
    """Of a set that others have made: what pairs may be drawn from, and what is only measured."""

    LEARN = "learn"
    MEASURE = "measure"


@dataclass(frozen=True)
class Place:
    """Where a case plays.

    Attributes:
        rooms: the robot's map.
        start: the room where the robot is.
        people, things: names of what is there, also where the map leaves them open.
    """

    rooms: SemanticMap
    start: str
    people: tuple[str, ...] = ()
    things: tuple[str, ...] = ()

    @classmethod
    def of_names(
        cls,
        rooms: Iterable[str] | Mapping[str, Sequence[str]],
        start: str,
        things: Iterable[str] = (),
        people: Iterable[str] = (),
    ) -> Place:
        """A place that is known by names alone.

        Args:
            rooms: may come with their other names.
            things, people: the only ones that there are; none leaves them open.
        """
        nowhere = Pose(0.0, 0.0, 0.0)
        others = rooms if isinstance(rooms, Mapping) else dict.fromkeys(rooms, ())
        known = tuple(Room(name, tuple(others[name]), nowhere) for name in others)
        persons, objects = tuple(people), tuple(things)
        rooms_known = SemanticMap(known, objects or None, persons or None)
        return cls(rooms_known, start, persons, objects)


@dataclass(frozen=True)
class Trial:
    """A world of a case, and what a right program does there.

    Attributes:
        ways: see `ways.py`; one of them is followed, where there are some.
        here, answers, holding, fails: as `Facts` has them.
        slept: s that it waits in all, to a tenth; None where it does not matter.
        start: the room where the robot is; "" for the place's.
        people: those here who are not among the place's; None where people are not placed.
        conditions: none of them is broken.
        goals: all of them hold at the end.
    """

    ways: Sequence[Sequence[str]]
    here: Mapping[str, Sequence[str]] = field(default_factory=dict)
    answers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    slept: float | None = None
    name: str = ""
    start: str = ""
    people: tuple[str, ...] | None = None
    holding: str = ""
    fails: tuple[Failure, ...] = ()
    conditions: tuple[RunCondition, ...] = ()
    goals: tuple[Condition, ...] = ()

    def facts(self, place: Place) -> Facts:
        """The world of this trial."""
        rooms = {
            folded(name): room.name
            for room in place.rooms.rooms
            for name in (*room.aliases, room.name)
        }
        return Facts(
            rooms,
            self.start or place.start,
            (*place.people, *(self.people or ())),
            self.here,
            self.answers,
            self.holding,
            self.fails,
            self.people is not None,
        )


@dataclass(frozen=True)
class Case:
    """One instruction.

    Attributes:
        kind: what it asks for; figures are told by it.
        task: which task of its suite this is a phrasing of; the text where there is but one.
        phrasing: its number among those of the task, from 0.
        reference: a program that does it right; "" where nobody has written one.
        trials: all of them have to go right, where a program is wanted.
        wanted: the answers that are right.
        choices: that a question has to offer.
        parts: how many things it asks for, 3 for three or more; 0 where nobody has counted.
    """

    text: str
    kind: str
    place: Place
    trials: tuple[Trial, ...] = ()
    wanted: frozenset[AnswerKind] = PROGRAM
    choices: frozenset[str] = frozenset()
    parts: int = 0
    task: str = ""
    phrasing: int = 0
    reference: str = ""

    @property
    def name(self) -> str:
        """Of its task."""
        return self.task or self.text


@dataclass(frozen=True)
class Suite:
    """Cases, and how many sentences were left out for which reason."""

    cases: tuple[Case, ...]
    left_out: Counter[str] = field(default_factory=Counter)

    def half(self, half: Half) -> Suite:
        """The cases of one half; the same words are always in the same one."""
        kept = tuple(case for case in self.cases if half_of(case.text) is half)
        return Suite(kept, self.left_out)

    def some(self, most: int) -> Suite:
        """At most so many cases, of all kinds alike, always the same ones."""
        by_kind: dict[str, list[Case]] = defaultdict(list)
        for case in sorted(self.cases, key=lambda case: _digest(case.text)):
            by_kind[case.kind].append(case)
        rounds = chain.from_iterable(zip_longest(*(by_kind[kind] for kind in sorted(by_kind))))
        return Suite(tuple(case for case in rounds if case)[:most], self.left_out)


def half_of(text: str) -> Half:
    """The half that a sentence is in, by its hash; letter case and spacing do not matter."""
    return Half.MEASURE if _digest(text)[0] % 2 else Half.LEARN


def _digest(text: str) -> bytes:
    return hashlib.sha256(folded(text).encode()).digest()
