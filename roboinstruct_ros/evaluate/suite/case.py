"""The cases of a suite: instructions, their places, and the right results."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain, zip_longest

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.condition import Condition
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap, folded
from roboinstruct_ros.evaluate.families.lineage import NO_LINEAGE, Lineage
from roboinstruct_ros.evaluate.suite.check import Check
from roboinstruct_ros.evaluate.suite.schema import RunCondition
from roboinstruct_ros.evaluate.worlds.scripted import Facts, Failure

PROGRAM = frozenset([AnswerKind.PROGRAM])
REFUSAL = frozenset([AnswerKind.CANNOT])
IN_WORDS = frozenset([AnswerKind.CANNOT, AnswerKind.REPLY])
"""Answers to what is not a task: a question back, e.g. about a room, would treat it as one."""


class Half(str, Enum):
    """The halves of a third-party set: one for making training pairs, one only for measuring."""

    LEARN = "learn"
    MEASURE = "measure"


@dataclass(frozen=True)
class Place:
    """The place of a case.

    Attributes:
        rooms: the robot's map.
        start: the room where the robot is.
        people, things: names of what is there, even if the map leaves them open.
    """

    rooms: SemanticMap
    start: str
    people: tuple[str, ...] = ()
    things: tuple[str, ...] = ()

    @property
    def map(self) -> SemanticMap | None:
        """The robot's map; None if there is none, so that a task may name any room."""
        return self.rooms if self.rooms.rooms else None

    @classmethod
    def of_names(
        cls,
        rooms: Iterable[str] | Mapping[str, Sequence[str]],
        start: str,
        things: Iterable[str] = (),
        people: Iterable[str] = (),
    ) -> Place:
        """A place of which only names are known.

        Args:
            rooms: with aliases, if given as a mapping.
            things, people: the only ones that exist; none leaves them open.
        """
        nowhere = Pose(0.0, 0.0, 0.0)
        others = rooms if isinstance(rooms, Mapping) else dict.fromkeys(rooms, ())
        known = tuple(Room(name, tuple(others[name]), nowhere) for name in others)
        persons, objects = tuple(people), tuple(things)
        rooms_known = SemanticMap(known, objects or None, persons or None)
        return cls(rooms_known, start, persons, objects)


@dataclass(frozen=True)
class Trial:
    """A world of a case, and what a correct program does there.

    Attributes:
        ways: see `ways.py`; if there are some, the program has to follow one.
        here, answers, holding, fails: as in `Facts`.
        slept: total time that it waits in s, to a tenth; None if it does not matter.
        start: the room where the robot is; "" for the place's.
        people: those here who are not among the place's; None if people are not placed.
        conditions: none of them may be broken.
        goals: all of them have to hold at the end.
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
        kind: what it asks for; figures are grouped by it.
        task: the task of its suite of which this is a phrasing; the text itself if there is but
            one.
        phrasing: its number among those of the task, from 0.
        reference: a correct program; "" if nobody has written one.
        trials: all of them have to succeed, if a program is expected.
        check: judges programs instead of the trials, if a suite brings its own checks.
        wanted: the kinds of answers that are right.
        choices: that a question has to offer.
        parts: how many things it asks for, 3 for three or more; 0 if not counted.
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
    check: Check | None = None

    @property
    def name(self) -> str:
        """Of its task."""
        return self.task or self.text


@dataclass(frozen=True)
class Suite:
    """The cases of a suite.

    Attributes:
        left_out: number of sentences left out, by reason.
        lineage: of the tasks, if they are families.
    """

    cases: tuple[Case, ...]
    left_out: Counter[str] = field(default_factory=Counter)
    lineage: Lineage = NO_LINEAGE

    def half(self, half: Half) -> Suite:
        """The cases of one half; the same words are always in the same half."""
        kept = tuple(case for case in self.cases if half_of(case.text) is half)
        return replace(self, cases=kept)

    def some(self, most: int) -> Suite:
        """At most `most` cases, spread over all kinds, always the same ones."""
        by_kind: dict[str, list[Case]] = defaultdict(list)
        for case in sorted(self.cases, key=lambda case: _digest(case.text)):
            by_kind[case.kind].append(case)
        rounds = chain.from_iterable(zip_longest(*(by_kind[kind] for kind in sorted(by_kind))))
        return replace(self, cases=tuple(case for case in rounds if case)[:most])


def half_of(text: str) -> Half:
    """The half of a sentence, by its hash; case and spacing do not matter."""
    return Half.MEASURE if _digest(text)[0] % 2 else Half.LEARN


def _digest(text: str) -> bytes:
    return hashlib.sha256(folded(text).encode()).digest()
