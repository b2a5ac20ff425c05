"""What a replay finds: at which depth, the first difference to the recording, and times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.execute.recorded_calls import plain
from roboinstruct_ros.trace.run_trace import RunTrace


@dataclass(frozen=True)
class Difference:
    """The first deviation from the recording.

    Attributes:
        call: number of the call, from 1; 0 for the end of the run.
        recorded, now: one line each.
    """

    call: int
    recorded: str
    now: str

    def __str__(self) -> str:
        place = f"call {self.call}" if self.call else "the end"
        return f"{place} was {self.recorded} and is {self.now}"


@dataclass(frozen=True)
class Timing:
    """Duration of a call in the recording and now, s.

    Attributes:
        call: its number, from 1; 0 for the complete run.
    """

    call: int
    skill: str
    recorded: float
    now: float


@dataclass(frozen=True)
class Timed:
    """The difference, or None, and the times of a run without difference."""

    difference: Difference | None
    times: tuple[Timing, ...] = ()


class Depth(str, Enum):
    """What a replay repeats: the calls, the verdict, the generation, or the run on the
    full stack."""

    CALLS = "calls"
    VERDICT = "verdict"
    PROGRAM = "program"
    SIMULATE = "simulate"


Again = Callable[[RunTrace], object | None]
"""Replays a run at one depth: returns the first difference (`str()` is one line), None, or `Timed`.

Raises CannotReplay.
"""


@dataclass(frozen=True)
class Found:
    """Result of one bag at one depth.

    Attributes:
        now: the first difference, in one line; empty for none.
        fault: why it cannot be replayed; empty if it can.
        skipped: the fault is that the depth is not for such runs.
        times: durations of its calls, if they were carried out.
        duration: of the replay, s.
    """

    now: str = ""
    fault: str = ""
    times: tuple[Timing, ...] = ()
    duration: float = 0.0
    skipped: bool = False


def first_difference(recorded: Sequence[SkillCall], now: Sequence[SkillCall]) -> Difference | None:
    """The first call that differs, or that has another answer."""
    for number, (was, is_) in enumerate(zip_longest(recorded, now), 1):
        if was is None or is_ is None:
            return Difference(number, *(told_call(one) if one else "the end" for one in (was, is_)))
        if _facts(was)[:2] != _facts(is_)[:2]:
            return Difference(number, told_call(was), told_call(is_))
        if _facts(was) != _facts(is_):
            return Difference(number, *(f"{told_call(one)}, {answer(one)}" for one in (was, is_)))
    return None


def told_call(call: SkillCall) -> str:
    """The call as program text."""
    return told(call.skill, call.arguments)


def answer(call: SkillCall) -> str:
    """The result of a call: the name of its error, or its value if it has one."""
    if call.error_code:
        return f"failed {SkillErrorCode(call.error_code).name}"
    return "done" if call.result is None else f"answered {call.result!r}"


def told(skill: str, arguments: tuple[Any, ...]) -> str:
    """A call as program text."""
    return f"{skill}({', '.join(map(repr, plain(arguments)))})"


def _facts(call: SkillCall) -> tuple[Any, ...]:
    return call.skill, plain(call.arguments), answer(call)
