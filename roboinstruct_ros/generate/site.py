"""What the program writer knows of the robot and the place where it works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.generate.backends.grammar import NO_GRAMMARS, Grammars, grammars_for
from roboinstruct_ros.generate.prompts.robot_words import RobotWords
from roboinstruct_ros.generate.prompts.surroundings import NOWHERE, Surroundings
from roboinstruct_ros.generate.words.alignment import alignment_notes
from roboinstruct_ros.generate.words.set_time import time_notes

NotesOn = Callable[[str, str, str], tuple[str, ...]]
"""Returns what in a program (second argument) does not fit an instruction (first); the third
argument is the text of earlier requests and of what is held; see `alignment.py`."""

ExamplesFor = Callable[[str, int, str, Sequence[str]], tuple[str, ...]]
"""Returns the texts of earlier tasks, at most as many as the second argument says, nearest to an
instruction (first), except for the program in the third; see `example_choice.py`."""


def no_notes(instruction: str, source: str, context: str) -> tuple[str, ...]:
    """Accepts every program as fitting the instruction."""
    return ()


def no_examples(instruction: str, most: int, but_not: str, shown: Sequence[str]) -> tuple[str, ...]:
    """Knows of no earlier task."""
    return ()


def no_rooms(name: str) -> tuple[str, ...]:
    """Knows of no map."""
    return ()


@dataclass(frozen=True)
class Site:
    """A robot and its place.

    Attributes:
        notes_on: what an accepted program does that was not requested; the first program
            without notes wins, else the one with fewest.
        time_notes: what is said of a time that the instruction sets and the program does not wait
            for; it counts neither for nor against a program.
        grammars: constrain the model's text.
        surroundings: names that prompts may contain.
        examples: earlier tasks, for prompts with examples.
        nearest_rooms: rooms of the map that an unknown name may mean.
    """

    notes_on: NotesOn = no_notes
    time_notes: Callable[[str, str], tuple[str, ...]] = lambda instruction, source: ()
    grammars: Grammars = NO_GRAMMARS
    surroundings: Surroundings = NOWHERE
    examples: ExamplesFor = no_examples
    nearest_rooms: Callable[[str], tuple[str, ...]] = no_rooms


UNKNOWN_SITE = Site()


def site_for(domain: Domain, rooms: SemanticMap | None) -> Site:
    """The site of a robot with these skills on this map; None leaves the rooms open."""
    site = Site(
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
    return replace(site, time_notes=time_notes) if domain.is_service_robot else site


def _notes(
    rooms: SemanticMap | None, instruction: str, source: str, context: str
) -> tuple[str, ...]:
    return alignment_notes(instruction, source, rooms, context)
