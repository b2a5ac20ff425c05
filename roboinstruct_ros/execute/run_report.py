"""Records a run in its journal and reports its states and events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute.journal import RunJournal
from roboinstruct_ros.execute.task_run import TaskOrder, TaskRun
from roboinstruct_ros.execute.task_state import IN_RUN, TaskState, TaskStateMachine
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.verdict import Verdict

RULES_CHANGED = str(phrase("told.rules_changed"))

MOST_READINGS = 1000
"""Clock readings reported between two calls; a program that reads more often waits."""


@dataclass(frozen=True)
class RunnerHooks:
    """Receivers of what the runner reports.

    Attributes:
        state: (state, order, line, message), at every transition and line.
        event: (kind, data, task id).
        call: a skill call that began (its end is 0) or ended.
        ended: all calls of an ended run, before another may begin.
    """

    state: Callable[[TaskState, TaskOrder, int, str], None]
    event: Callable[[EventKind, dict[str, Any], str], None]
    call: Callable[[SkillCall], None]
    ended: Callable[[Sequence[SkillCall]], None] = lambda calls: None


class RunReport:
    """Records one run and reports its states and events.

    What is recorded is on disk before anybody learns of it.

    Attributes:
        journal: None before it is opened, and if none is kept.
        tell_setting: reports the conditions of the run, with the rules in force.
    """

    def __init__(self, hooks: RunnerHooks, order: TaskOrder, machine: TaskStateMachine) -> None:
        self.order = order
        self.journal: RunJournal | None = None
        self.tell_setting: Callable[[], None] = lambda: None
        self._hooks, self._machine = hooks, machine
        self._clock: list[float] = []

    def tell(self, kind: EventKind, **data: Any) -> None:
        """Report an event of this run; `EventKind` documents its fields."""
        self._hooks.event(kind, data, self.order.task_id)

    def enter(self, state: TaskState, message: str = "") -> None:
        """Enter a state and report it. Raises IllegalTransition."""
        self._machine.enter(state)
        self._hooks.state(state, self.order, 0, message)

    def show(self, state: TaskState, line: int = 0) -> None:
        """Enter a state of a running program; if it is unchanged, report the line."""
        now = self._machine.state
        if now is state and line:
            self._hooks.state(state, self.order, line, "")
        elif now in IN_RUN and now is not state:
            self.enter(state)

    def verified(self, verdict: Verdict) -> None:
        plan = [str(step) for step in narrate(TaskProgram.from_text(self.order.source))]
        self.tell(
            EventKind.PROGRAM_VERIFIED,
            program_sha256=self.order.program_sha256,
            verdict=verdict.model_dump(mode="json"),
            plan=plan,
        )

    def rules_changed(self, rules_sha256: str) -> None:
        """Raises JournalError."""
        if self.journal is not None:
            self.journal.rules_changed(rules_sha256)
        self.tell_setting()
        self.tell(EventKind.WARNING, message=RULES_CHANGED)

    def start_found(self, room: str, repeated: bool) -> None:
        """The robot's room at the start. Raises JournalError.

        Args:
            repeated: it is in the journal already.
        """
        if self.journal is not None and not repeated:
            self.journal.start_found(room)
        self.tell(EventKind.START_FOUND, room=room)

    def clock_read(self, now: float, repeated: bool) -> None:
        """A clock reading (s since the epoch), reported with the next call. Raises JournalError.

        Args:
            repeated: it is in the journal already.
        """
        if self.journal is not None and not repeated:
            self.journal.clock_read(now)
        if len(self._clock) <= MOST_READINGS:
            self._clock.append(now)

    def call_recorded(self, call: SkillCall) -> None:
        """On JournalError the call must not be made."""
        if self.journal is not None:
            self.journal.call_begun(call)

    def call_began(self, call: SkillCall) -> None:
        self.tell(EventKind.SKILL_STARTED, **_named(call), **self._readings())
        self._hooks.call(call)

    def call_ended(self, call: SkillCall) -> None:
        """Raises JournalError."""
        if self.journal is not None:
            self.journal.call_ended(call)
        end = {"result": call.result, "error_code": call.error_code, "error_msg": call.error_msg}
        self.tell(EventKind.SKILL_FINISHED, **_named(call), **end)
        self._hooks.call(call)

    def paused(self, paused: bool) -> None:
        self.show(TaskState.PAUSED if paused else TaskState.RUNNING)
        self.tell(EventKind.RUN_PAUSED, paused=paused)

    def finished(self, run: TaskRun) -> None:
        self.tell(
            EventKind.RUN_FINISHED,
            program_sha256=self.order.program_sha256,
            outcome=run.outcome.value,
            calls=len(run.calls),
            duration=round(run.duration, 4),
            error_code=int(run.error_code),
            error_msg=run.message,
            **self._readings(),
        )

    def _readings(self) -> dict[str, list[float]]:
        told, self._clock = self._clock, []
        return {"clock": told} if told else {}


def _named(call: SkillCall) -> dict[str, Any]:
    return {
        "index": call.index,
        "skill": call.skill,
        "arguments": list(call.arguments),
        "line": call.line,
    }
