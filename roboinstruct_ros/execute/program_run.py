"""Runs one program in its process and serves its requests until it ends."""

from __future__ import annotations

from typing import Any

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.execute.call_guard import CallGuard
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.recorded_calls import RecordedCalls
from roboinstruct_ros.execute.run_report import RunReport
from roboinstruct_ros.execute.skill_calls import SkillCalls
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.sandbox.program_process import (
    EndKind,
    ProgramEnd,
    ProgramHooks,
    ProgramProcess,
    SkillReply,
)

_MOST_READINGS = 100_000  # clock readings; each is a record on the disk

_END_CODES = {
    EndKind.ERROR: TaskErrorCode.PROGRAM_FAILED,
    EndKind.LIMIT: TaskErrorCode.PROGRAM_LIMIT,
    EndKind.LOST: TaskErrorCode.PROGRAM_LOST,
    EndKind.SKILL_ERROR: TaskErrorCode.SKILL_FAILED,
}


class ProgramRun:
    """Runs a program once.

    Args:
        process: the program's process, not yet run; killing it ends the run.
        past: what a resumed run already did; None for a new run.
        admission: set when the run must not move any more.
    """

    def __init__(
        self,
        process: ProgramProcess,
        calls: SkillCalls,
        guard: CallGuard,
        report: RunReport,
        past: RecordedCalls | None,
        clocks: Clocks,
        admission: Admission,
    ) -> None:
        self._process, self._calls, self._guard, self._report = process, calls, guard, report
        self._past, self._clocks, self._admission = past, clocks, admission
        self._fault: TaskError | None = None
        self._readings = 0

    def run(self) -> TaskError | None:
        """Run the program to its end; blocks. The process is gone on return.

        Returns:
            Why the program failed; None if it ended normally.
        """
        if self._guard.policies.asks_start:
            try:
                self._find_start()
            except TaskError as fault:
                self._end_with(fault)
        hooks = ProgramHooks(self._call, self._sleep, self._print, self._clock)
        end = self._process.run(hooks)
        return self._fault or self._fault_of(end)

    def _find_start(self) -> None:
        past = self._past
        known = past.start if past else ""
        room = known if past and past.has_begun else known or self._calls.start_room()
        if room:
            self._guard.policies.set_start(room)
            self._report.start_found(room, repeated=bool(known))

    def _fault_of(self, end: ProgramEnd) -> TaskError | None:
        mistaken = self._calls.mistaken
        if end.kind is EndKind.FINISHED:
            return self._guard.end()
        code = _END_CODES.get(end.kind, TaskErrorCode.UNKNOWN)
        if code is TaskErrorCode.SKILL_FAILED and self._calls.lost_node:
            code = TaskErrorCode.SKILL_SERVER_LOST
        elif code is TaskErrorCode.SKILL_FAILED and mistaken is not None:
            return mistaken
        place = f" (line {end.line})" if end.line else ""
        return TaskError(code, f"{end.message}{place}")

    def _call(
        self, skill: str, args: tuple[Any, ...], kwargs: dict[str, Any], line: int
    ) -> SkillReply:
        try:
            return self._calls.call(skill, args, kwargs, line)
        except TaskError as fault:
            self._end_with(fault)
        return SkillReply(error="canceled", message="the run ends here")

    def _end_with(self, fault: TaskError) -> None:
        """End the run with a fault; the program executes no further line."""
        self._fault = self._fault or fault
        self._process.kill()

    def _sleep(self, seconds: float, line: int) -> None:
        self._report.show(TaskState.RUNNING, line)
        if not self._repeats:
            self._clocks.sleep(seconds, self._admission)

    def _print(self, text: str, line: int) -> None:
        if not self._repeats:
            self._report.tell(EventKind.PROGRAM_PRINTED, text=text, line=line)

    @property
    def _repeats(self) -> bool:
        """Whether the program is still repeating recorded calls."""
        return self._past is not None and not self._past.is_over

    def _clock(self) -> float:
        known = self._past.next_clock() if self._past else None
        now = self._clocks.read() if known is None else known
        self._guard.clock_read(len(self._calls.calls), now)
        self._readings += known is None
        try:
            if self._readings > _MOST_READINGS:
                message = str(phrase("told.many_readings", n=_MOST_READINGS))
                raise TaskError(TaskErrorCode.PROGRAM_LIMIT, message)
            self._report.clock_read(now, repeated=known is not None)
        except TaskError as fault:
            self._end_with(fault)
        return now
