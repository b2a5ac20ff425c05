"""Plays the calls of an interrupted run back to its program."""

from __future__ import annotations

from typing import Any

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute.journal import RecordedRun


class Diverged(Exception):
    """A resumed program does not make the calls that it made before; `str()` is one line."""


class CallHistory:
    """What an interrupted run has done already, handed out once and in order."""

    def __init__(self, recorded: RecordedRun) -> None:
        self._calls, self._clock = list(recorded.calls), list(recorded.clock)
        self._in_flight = recorded.in_flight

    @property
    def is_over(self) -> bool:
        """Whether the program has come to where it was interrupted."""
        return not self._calls and not self._clock

    def next_call(self, skill: str, arguments: tuple[Any, ...]) -> SkillCall | None:
        """The recorded end of the call that the program makes now; None when it makes it anew.

        Raises:
            Diverged: it is another call than the recorded one.
        """
        if not self._calls:
            return None
        recorded = self._calls.pop(0)
        self._compare(recorded, skill, arguments)
        return recorded

    def interrupted(self, skill: str, arguments: tuple[Any, ...]) -> bool:
        """Whether this is the call that had begun when the run was interrupted; says so once.

        Raises:
            Diverged: it should be, and is another one.
        """
        recorded, self._in_flight = self._in_flight, None
        if recorded is None:
            return False
        self._compare(recorded, skill, arguments)
        return True

    def next_clock(self) -> float | None:
        """The recorded reading of the clock, s; None when it is read anew."""
        return self._clock.pop(0) if self._clock else None

    def _compare(self, recorded: SkillCall, skill: str, arguments: tuple[Any, ...]) -> None:
        if (recorded.skill, _plain(recorded.arguments)) != (skill, _plain(arguments)):
            raise Diverged(
                f"the program does not repeat what it did: call {recorded.index + 1} was "
                f"{recorded.skill}{_plain(recorded.arguments)} and is {skill}{_plain(arguments)}"
            )


def _plain(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """As a journal gives them back: sequences are lists in JSON."""
    return tuple(list(value) if isinstance(value, tuple) else value for value in arguments)
