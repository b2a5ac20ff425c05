"""What an interrupted run already did, repeated to the resumed program."""

from __future__ import annotations

from typing import Any

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.execute.journal import RecordedRun


class RecordedCalls:
    """The calls of an interrupted run, each handed out once and in order.

    Attributes:
        start: the robot's room at the start of the run; empty if unknown.
        has_begun: a call was made, so that the robot may be elsewhere by now.
    """

    def __init__(self, recorded: RecordedRun) -> None:
        self._calls, self._clock = list(recorded.calls), list(recorded.clock)
        self._in_flight = recorded.in_flight
        self.start = recorded.start
        self.has_begun = bool(recorded.calls or recorded.in_flight)

    @property
    def is_over(self) -> bool:
        """Whether the program has reached the point of interruption."""
        return not self._calls and not self._clock

    def next_call(self, skill: str, arguments: tuple[Any, ...]) -> SkillCall | None:
        """The recorded result of the call made now; None once the record is used up.

        Raises:
            TaskError: the program makes a different call.
        """
        if not self._calls:
            return None
        recorded = self._calls.pop(0)
        self._compare(recorded, skill, arguments)
        return recorded

    def interrupted(self, skill: str, arguments: tuple[Any, ...]) -> bool:
        """Whether this call was in flight when the run was interrupted; true at most once.

        Raises:
            TaskError: the call in flight was a different one.
        """
        recorded, self._in_flight = self._in_flight, None
        if recorded is None:
            return False
        self._compare(recorded, skill, arguments)
        return True

    def next_clock(self) -> float | None:
        """The next recorded clock reading (s); None once the record is used up."""
        return self._clock.pop(0) if self._clock else None

    def _compare(self, recorded: SkillCall, skill: str, arguments: tuple[Any, ...]) -> None:
        if (recorded.skill, plain(recorded.arguments)) != (skill, plain(arguments)):
            raise TaskError(
                TaskErrorCode.NOT_RESUMABLE,
                f"the program does not repeat what it did: call {recorded.index + 1} was "
                f"{recorded.skill}{plain(recorded.arguments)} and is {skill}{plain(arguments)}",
            )


def plain(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments as JSON returns them: sequences become lists."""
    return tuple(list(value) if isinstance(value, tuple) else value for value in arguments)
