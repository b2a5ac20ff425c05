"""What writing a program knows of the robot and of the place where it works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.generate.backends.grammar import NO_GRAMMARS, Grammars, grammars_for
from roboinstruct_ros.generate.prompts.robot_words import RobotWords
from roboinstruct_ros.generate.prompts.surroundings import NOWHERE, Surroundings
from roboinstruct_ros.generate.words.alignment import alignment_notes

NotesOn = Callable[[str, str, str], tuple[str, ...]]
"""What in a program (second) does not fit an instruction (first), where the third is what was asked
before and what is held; see `alignment.py`."""

ExamplesFor = Callable[[str, int, str, Sequence[str]], tuple[str, ...]]
"""Texts of at most so many (second) done tasks nearest to an instruction (first), but not of the
program that is the third; see `example_choice.py`."""


def no_notes(instruction: str, source: str, context: str) -> tuple[str, ...]:
    """Takes every accepted program as the one that was asked for."""
    return ()


def no_examples(instruction: str, most: int, but_not: str, shown: Sequence[str]) -> tuple[str, ...]:
    """Knows of no task that was done."""
    return ()


def no_rooms(name: str) -> tuple[str, ...]:
    """Knows of no map."""
    return ()


@dataclass(frozen=True)
class Site:
    """A robot and its place.

    Attributes:
        notes_on: says what an accepted program does that was not asked for; the first program
            without notes wins, else the one with fewest.
        grammars: what the model's text has to fit.
        surroundings: names that a model may be told.
        examples: tasks that were done, for a model that is told some.
        nearest_rooms: rooms of the map that may be meant by a name which is not on it.
    """

    notes_on: NotesOn = no_notes
    grammars: Grammars = NO_GRAMMARS
    surroundings: Surroundings = NOWHERE
    examples: ExamplesFor = no_examples
    nearest_rooms: Callable[[str], tuple[str, ...]] = no_rooms


UNKNOWN_SITE = Site()


def site_for(domain: Domain, rooms: SemanticMap | None) -> Site:
    """The site of a robot with these skills on this map; None leaves the rooms open."""
    return Site(
        notes_on=partial(_notes, rooms) if domain.is_service_robot else no_notes,
        grammars=grammars_for(domain, rooms),
        surroundings=Surroundings(
            rooms.room_names,
            rooms.vocabulary("object") or (),
            rooms.vocabulary("person") or (),
            aliases=tuple((alias, room.name) for room in rooms.rooms for alias in room.aliases),
            robot=RobotWords(domain),
        )
        if rooms
        else Surroundings(robot=RobotWords(domain)),
        nearest_rooms=rooms.nearest if rooms else no_rooms,
    )


def _notes(
    rooms: SemanticMap | None, instruction: str, source: str, context: str
) -> tuple[str, ...]:
    return alignment_notes(instruction, source, rooms, context)
