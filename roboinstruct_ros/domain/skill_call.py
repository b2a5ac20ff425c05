"""A record of one skill call: arguments, result and times."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class SkillErrorCode(IntEnum):
    """How a skill ended; has the values of `roboinstruct_msgs/msg/SkillErrorCode`."""

    NONE = 0
    UNKNOWN = 1
    CANCELED = 2
    STOPPED = 3
    TIMEOUT = 4
    INVALID_ARGUMENT = 5
    SERVER_UNAVAILABLE = 6
    EXECUTOR_LOST = 7
    BUSY = 8
    UNKNOWN_LOCATION = 100
    NAVIGATION_BLOCKED = 101
    NOT_LOCALIZED = 102
    OBJECT_NOT_FOUND = 200
    GRASP_FAILED = 201
    HAND_FULL = 202
    HAND_EMPTY = 203
    PLACE_FAILED = 204
    PERSON_NOT_FOUND = 300
    PERSON_LEFT = 301
    NO_ANSWER = 302
    SPEECH_FAILED = 303


SKILL_ERRORS = tuple(code.name.lower() for code in SkillErrorCode if code)
"""Names of the failure codes, in the form that programs and files use."""

LONGEST_ERROR = 1000
"""Most characters of the words of a failure."""


@dataclass(frozen=True)
class SkillCall:
    """A skill call of a running program; times in s since the epoch."""

    index: int
    skill: str
    arguments: tuple[Any, ...]
    line: int
    result: Any = None
    error_code: int = 0
    error_msg: str = ""
    start: float = 0.0
    end: float = 0.0


CLOCK, SEED = "time.time", "random.seed"
"""Two pseudo-skills that record a run's other inputs among its calls: readings of the clock (as
arguments, s since the epoch) and the seed of its random numbers. The verifier needs both to verify
the rest of a program."""


def clock_read(readings: Iterable[float]) -> SkillCall:
    """The clock readings between two calls, as a pseudo-call."""
    return SkillCall(0, CLOCK, tuple(readings), 0)


def seeded(seed: int) -> SkillCall:
    """The seed of the run's random numbers, as a pseudo-call."""
    return SkillCall(0, SEED, (seed,), 0)
