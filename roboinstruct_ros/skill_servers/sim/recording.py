"""Replays a recorded run on the simulated robot, call by call."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from roboinstruct_ros.domain.files.world_file import RecordedCall
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.activity import Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.goal_runner import Begin, Finish

_UNENDED_LIMIT = 600.0
"""Time (s) that a call without a recorded end waits for the event that ended the run."""


class Recording:
    """The remaining recorded calls. From the first deviation on, the world itself answers."""

    def __init__(self, calls: Sequence[RecordedCall]) -> None:
        self._left = deque(calls)

    def next(self, skill: str, arguments: Sequence[Any] = ()) -> RecordedCall | None:
        """The recorded call if this is the next one, else None."""
        if self._left and (self._left[0].skill, *self._left[0].arguments) == (skill, *arguments):
            return self._left.popleft()
        self._left.clear()
        return None

    def goal(self, request: Any, begin: Begin, finish: Finish) -> tuple[Begin, Finish]:
        """Wrap a goal's `begin` and `finish` to return the recorded answer and update the world."""
        call: RecordedCall | None = None
        refused: Fault | None = None

        def begins(activity: Activity) -> Fault | None:
            nonlocal call, refused
            call = self.next(activity.skill, _arguments(request))
            refused = begin(activity)
            if call is None:
                return refused
            activity.ending = activity.fault = fault_of(call)
            if not call.ended:
                activity.duration, activity.patience = None, _UNENDED_LIMIT
            return None

        def finishes(result: Any) -> Fault | None:
            fault = refused or finish(result)
            if call is None:
                return fault
            for field in {"present", "answer"} & result.get_fields_and_field_types().keys():
                setattr(result, field, call.result)
            return None

        return begins, finishes


def fault_of(call: RecordedCall) -> Fault | None:
    return Fault(SkillErrorCode(call.error_code), call.error_msg) if call.error_code else None


def _arguments(request: Any) -> list[Any]:
    fields = [name for name in request.get_fields_and_field_types() if name != "admission"]
    values = [getattr(request, name) for name in fields]
    return [value if isinstance(value, str) else list(value) for value in values]
