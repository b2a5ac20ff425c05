"""What writing a program knows of the robot and of the place where it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.generate.alignment import alignment_notes
from roboinstruct_ros.generate.grammar import NO_GRAMMARS, Grammars, grammars_for
from roboinstruct_ros.generate.prompt import NOWHERE, Surroundings

NotesOn = Callable[[str, str], tuple[str, ...]]
"""What in a program (second) does not fit an instruction (first); see `alignment.py`."""


def no_notes(instruction: str, source: str) -> tuple[str, ...]:
    """Takes every accepted program as the one that was asked for."""
    return ()


@dataclass(frozen=True)
class Site:
    """A robot and its place.

    Attributes:
        notes_on: says what an accepted program does that was not asked for; the first program
            without notes wins, else the one with fewest.
        grammars: what the model's text has to fit.
        surroundings: names that a model may be told.
    """

    notes_on: NotesOn = no_notes
    grammars: Grammars = NO_GRAMMARS
    surroundings: Surroundings = NOWHERE


UNKNOWN_SITE = Site()


def site_for(domain: Domain, rooms: SemanticMap | None) -> Site:
    """The site of a robot with these skills on this map; None leaves the rooms open."""
    return Site(
        notes_on=lambda instruction, source: alignment_notes(instruction, source, rooms),
        grammars=grammars_for(domain, rooms),
        surroundings=Surroundings(
            rooms.room_names, rooms.vocabulary("object") or (), rooms.vocabulary("person") or ()
        )
        if rooms
        else NOWHERE,
    )
