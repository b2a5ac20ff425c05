"""Counterexamples as sentences."""

from __future__ import annotations

from typing import Any

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program import wording
from roboinstruct_ros.verify.world import ANYBODY, Literal


def named(entity: str) -> str:
    """An entity as it stands in a sentence: `Jack`, `Alice's office`, `the apple`."""
    return "somebody" if entity in (ANYBODY, "") else wording.named(shortened(entity))


def fact(domain: Domain, literal: Literal, value: bool) -> str:
    """A literal and its value as a clause: `Jack is not in the game room`."""
    predicate = domain.predicate(literal[0])
    names = [named(entity) for entity in literal[1:]]
    if not value and ANYBODY in literal[1:]:
        names[literal[1:].index(ANYBODY)] = "nobody"
        return predicate.when_true.format(*names)
    return (predicate.when_true if value else predicate.when_false).format(*names)


def call_text(skill: str, arguments: tuple[Any, ...]) -> str:
    """A skill call as the program writes it, long texts cut."""
    shown = ", ".join(_shown(argument) for argument in arguments)
    return f"{skill}({shown})"


def shortened(text: str, length: int = 60) -> str:
    """A text that a program may have made as long as it liked."""
    return text if len(text) <= length else text[: length - 3] + "..."


def _shown(argument: Any) -> str:
    if isinstance(argument, str):
        return repr(shortened(argument))
    return shortened(repr(argument))
