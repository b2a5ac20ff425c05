"""One call of a skill: what was asked, what came back, when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class SkillErrorCode(IntEnum):
    """How a skill ended; the same numbers as `roboinstruct_msgs/msg/SkillErrorCode`."""

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
"""The codes of failures, as programs and files write them."""


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
"""What a run was given beside its calls: readings of the clock (the arguments, s since the epoch),
and the seed of its random numbers. Both stand among the calls after which a rest is verified."""


def clock_read(readings: Iterable[float]) -> SkillCall:
    """The clock was read so often between two calls."""
    return SkillCall(0, CLOCK, tuple(readings), 0)


def seeded(seed: int) -> SkillCall:
    """The run draws its random numbers from this seed."""
    return SkillCall(0, SEED, (seed,), 0)
