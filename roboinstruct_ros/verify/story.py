"""Puts counterexamples into sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.value_types import duration, time_of_day
from roboinstruct_ros.program import wording
from roboinstruct_ros.program.violation import CallSeen, Counterexample
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.rooms.room_names import RoomWord, plain
from roboinstruct_ros.verify.world.world import ANYBODY, Literal

Tell = Callable[[], str]
"""Makes a sentence of the story when it is read, as most stories never are."""

_SHOWN_ROOMS = 6
_TOLD_STEPS = 12
"""Steps shown at the beginning and at the end of a long story."""

_KEPT_CALLS = 200
_KEPT_TEXT = 2000  # characters


class Made(NamedTuple):
    """A skill call of a path, with its answer in that world."""

    skill: str
    arguments: tuple[Any, ...]
    line: int
    result: Any = None
    failed: str = ""


class Told(Protocol):
    """A path with a story."""

    calls: list[Made]

    @property
    def steps(self) -> tuple[str, ...]: ...


def counterexample(
    line: int, message: str, path: Told, choices: Choices, words: tuple[RoomWord, ...]
) -> Counterexample:
    """The story of a path that ends with a violation."""
    steps = (*path.steps, f"Line {line}: {message}")
    return Counterexample(
        choices=choices.sequence,
        steps=_short(steps),
        length=len(steps),
        calls=tuple(_plain(call) for call in path.calls[-_KEPT_CALLS:]),
        room_words=tuple(word.written for word in words),
    )


def _short(steps: tuple[str, ...]) -> tuple[str, ...]:
    """A story short enough to read: an endless loop has thousands of steps."""
    left_out = len(steps) - 2 * _TOLD_STEPS
    if left_out <= 0:
        return steps
    return (*steps[:_TOLD_STEPS], f"... {left_out} steps more ...", *steps[-_TOLD_STEPS:])


def _plain(call: Made) -> CallSeen:
    """The call with plain strings instead of the recording classes, and with long texts cut."""
    arguments = tuple(map(_plain_value, call.arguments))
    return CallSeen(
        skill=call.skill,
        arguments=arguments,
        line=call.line,
        result=_plain_value(call.result),
        failed=call.failed,
    )


def _plain_value(value: Any) -> Any:
    if isinstance(value, str):
        return shortened(plain(value), _KEPT_TEXT)
    return [_plain_value(item) for item in value] if isinstance(value, (list, tuple)) else value


def named(entity: str) -> str:
    """An entity in the form it has in a sentence: `Jack`, `Alice's office`, `the apple`."""
    return "somebody" if entity in (ANYBODY, "") else wording.named(shortened(entity))


def fact(domain: Domain, literal: Literal, value: bool) -> str:
    """A literal and its value as a clause: `Jack is not in the game room`."""
    predicate = domain.predicate(literal[0])
    names = [named(entity) for entity in literal[1:]]
    if not value and ANYBODY in literal[1:]:
        names[literal[1:].index(ANYBODY)] = "nobody"
        return predicate.when_true.format(*names)
    return (predicate.when_true if value else predicate.when_false).format(*names)


def filled(
    entities: Mapping[str, str], arguments: Mapping[str, Any] | None = None
) -> dict[str, str]:
    """The values for the placeholders of a domain file's message."""
    texts = {name: named(entity) for name, entity in entities.items()}
    for name, value in (arguments or {}).items():
        if isinstance(value, (int, float)):
            texts[name] = f"{value:.3g}"
        elif entities.get(name) == value and (time_of_day(value) or duration(value)):
            texts[name] = value
    return texts


def call_text(skill: str, arguments: tuple[Any, ...]) -> str:
    """A skill call as source code, with long texts cut."""
    shown = ", ".join(_shown(argument) for argument in arguments)
    return f"{skill}({shown})"


def shortened(text: str, length: int = 60) -> str:
    """A text truncated to `length`; a program can make texts of any length."""
    return text if len(text) <= length else text[: length - 3] + "..."


def _shown(argument: Any) -> str:
    if isinstance(argument, str):
        return repr(shortened(argument))
    return shortened(repr(argument))


def listed(rooms: Sequence[str]) -> str:
    """The first rooms of a list, and how many more there are."""
    shown = ", ".join(rooms[:_SHOWN_ROOMS]) or "no rooms"
    return f"{shown} and {len(rooms) - _SHOWN_ROOMS} more" if len(rooms) > _SHOWN_ROOMS else shown
