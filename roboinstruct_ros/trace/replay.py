"""Runs a recorded program again with the answers that the robot gave: the same calls must come.

The program runs in the real sandbox under the real task runner, with the policies and the recovery
of its day. Nothing waits, nothing moves: the skills are the recording. Source: seed 000, 3.4
(recorded runs as regression tests).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.stop_number import NO_STOP, Admission
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.policy_guard import PolicyGuard
from roboinstruct_ros.execute.run_monitor import OnHazard
from roboinstruct_ros.execute.run_report import MOST_READINGS, RunnerHooks
from roboinstruct_ros.execute.run_setting import RunSetting
from roboinstruct_ros.execute.runner_options import RunnerOptions
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskOrder, TaskRun
from roboinstruct_ros.execute.task_runner import TaskRunner
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.trace.run_trace import RunTrace, TracedCall
from roboinstruct_ros.verify.service.current_rules import Rules
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Status, Verdict

_CUT_SHORT = (SkillErrorCode.CANCELED, SkillErrorCode.STOPPED)


class CannotReplay(Exception):
    """The bag does not hold what a replay needs; `str()` is one line."""


@dataclass(frozen=True)
class Difference:
    """The first thing that does not go as recorded.

    Attributes:
        call: number of the call, from 1; 0 where it is the end.
        recorded, now: a line each.
    """

    call: int
    recorded: str
    now: str

    def __str__(self) -> str:
        place = f"call {self.call}" if self.call else "the end"
        return f"{place} was {self.recorded} and is {self.now}"


def replay_calls(trace: RunTrace) -> Difference | None:
    """Run the recorded program on the recorded answers; None where all goes as recorded.

    Raises:
        CannotReplay: the bag lacks the program, or begins in the middle of a run.
    """
    setting = _setting_of(trace)
    port = _RecordedSkills(trace)
    judge = _monitor_of(trace, setting)
    try:
        runner = _runner(trace, setting, port, judge)
        run = runner.run(_order(trace), _Unwaiting(NO_STOP))
    finally:
        if judge is not None:
            judge.close()
    return port.difference or port.left_over() or _other_end(trace, run)


def _setting_of(trace: RunTrace) -> RunSetting:
    if trace.setting is None:
        raise CannotReplay(f"{trace.folder}: the bag does not hold the program of its run")
    if trace.resumed:
        raise CannotReplay(
            f"{trace.folder}: the run went on where another was interrupted; "
            f"its first {trace.resumed} calls are in the bag of that one"
        )
    return trace.setting


def _monitor_of(trace: RunTrace, setting: RunSetting) -> VerifierWorker | None:
    """Verifies the rest of the program as it runs, where that is what ended it."""
    if trace.error_code != TaskErrorCode.HAZARD_AHEAD:
        return None
    return VerifierWorker(setting.domain, setting.semantic_map, setting.policies)


def _runner(
    trace: RunTrace, setting: RunSetting, port: _RecordedSkills, judge: VerifierWorker | None
) -> TaskRunner:
    options = RunnerOptions(
        recovery=setting.recovery,
        verify_from=judge.verify_from if judge else None,
        on_hazard=OnHazard.STOP if judge else OnHazard.WARN,
        most_calls=setting.most_calls,
        rules=_SameRules(setting),
        seed=lambda: trace.seed,
        clocks=Clocks(read=port.clock),
    )
    hooks = RunnerHooks(lambda *_: None, lambda *_: None, lambda _: None)
    guard = PolicyGuard(setting.domain)
    guard.remains = setting.remains
    runner = TaskRunner(
        setting.domain, lambda source: _verdict_of(trace), port, hooks, options, guard
    )
    port.end = lambda: runner.stop("replay", "as recorded")
    return runner


def _verdict_of(trace: RunTrace) -> Verdict:
    """The verdict that let it run; what it would be now is asked by `replay_verdict`."""
    digest = sha256_of(trace.source)
    accepted = Verdict(status=Status.ACCEPTED, program_sha256=digest, paths=1)
    return (trace.verdict or accepted).model_copy(update={"program_sha256": digest})


def _order(trace: RunTrace) -> TaskOrder:
    digest = sha256_of(trace.source)
    return TaskOrder(trace.task_id, trace.instruction, trace.source, digest, "replay")


def _was_ended(trace: RunTrace) -> bool:
    """Whether it was stopped, cancelled or cut off, which no program does by itself."""
    return trace.outcome in ("", TaskState.CANCELLED.value)


def _other_end(trace: RunTrace, run: TaskRun) -> Difference | None:
    if _was_ended(trace):
        return None
    recorded, now = (
        f"{outcome}{f' ({TaskErrorCode(code).name}: {message})' if code else ''}"
        for outcome, code, message in (
            (trace.outcome, trace.error_code, trace.message),
            (run.outcome.value, int(run.error_code), run.message),
        )
    )
    same = (trace.outcome, trace.error_code) == (run.outcome.value, int(run.error_code))
    return None if same else Difference(0, recorded, now)


class _Unwaiting(Admission):
    """Lets everything in and waits for nothing: pauses of the program take no time."""

    def wait(self, timeout: float | None = None) -> bool:
        return self.is_set()


@dataclass
class _SameRules:
    """The rules of a run's own day, which do not change while it is replayed."""

    setting: RunSetting

    def __post_init__(self) -> None:
        self.last = Rules(self.setting.semantic_map, self.setting.policies, "")

    def look(self) -> Rules:
        return self.last


class _RecordedSkills:
    """A `SkillPort` that answers as the robot did, and notes the first call that is another one."""

    def __init__(self, trace: RunTrace) -> None:
        self._trace = trace
        self._asks_start = bool(trace.setting and trace.setting.policies.mention_start)
        self._waiting = deque(_answers(trace))
        self._clock = deque(t for call in trace.calls for t in call.clock) + deque(trace.clock)
        self._told_all = not _was_ended(trace) and all(
            len(call.clock) <= MOST_READINGS for call in trace.calls
        )
        self._now = trace.begun
        self.difference: Difference | None = None
        self.end: Callable[[], object] = lambda: None

    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Admission) -> SkillOutcome:
        values = tuple(arguments.values())
        if self._asks_start:  # before the program, and told only where it was answered
            self._asks_start = False
            return SkillOutcome(self._trace.start) if self._trace.start else _UNTOLD
        if not self._waiting:
            return self._beyond(skill, values)
        answer = self._waiting.popleft()
        if answer.skill != skill or _plain(answer.arguments) != _plain(values):
            self._differs(answer.number, _told(answer.skill, answer.arguments), skill, values)
            return _ENDED
        cut_short = answer.outcome is None or answer.outcome.error_code in _CUT_SHORT
        if answer.outcome is None or (cut_short and _was_ended(self._trace)):
            self.end()
            return _ENDED
        return answer.outcome

    def clock(self) -> float:
        """The next reading that the program had in its day; s since the epoch."""
        if self._clock:
            self._now = self._clock.popleft()
        elif self._told_all:
            number = len(self._trace.calls) - len(self._waiting)
            self.difference = self.difference or Difference(
                number, "the last look at the clock", "more"
            )
            self.end()
        return self._now

    def left_over(self) -> Difference | None:
        """That the program ended before the calls of the recording did."""
        if not self._waiting:
            return None
        answer = self._waiting[0]
        return Difference(answer.number, _told(answer.skill, answer.arguments), "the end")

    def _beyond(self, skill: str, values: tuple[Any, ...]) -> SkillOutcome:
        """One call more than was recorded: right where the run was ended from outside."""
        if not _was_ended(self._trace):
            self._differs(len(self._trace.calls) + 1, "the end", skill, values)
        self.end()
        return _ENDED

    def _differs(self, number: int, recorded: str, skill: str, values: tuple[Any, ...]) -> None:
        self.difference = self.difference or Difference(number, recorded, _told(skill, values))
        self.end()


_UNTOLD = SkillOutcome(error_code=SkillErrorCode.UNKNOWN, message="not told in the recording")
_ENDED = SkillOutcome(error_code=SkillErrorCode.CANCELED, message="the replay ends here")


@dataclass(frozen=True)
class _Answer:
    """What the robot answered to one call, or to what recovery said between two tries of it.

    Attributes:
        outcome: None where the recording ends before the call does.
    """

    number: int
    skill: str
    arguments: tuple[Any, ...]
    outcome: SkillOutcome | None


def _answers(trace: RunTrace) -> list[_Answer]:
    found = []
    for traced in trace.calls:
        call = traced.call
        number = call.index + 1
        for step in traced.tries:
            failed = SkillOutcome(error_code=step.error, message="as recorded")
            found.append(_Answer(number, call.skill, call.arguments, failed))
            if step.say:
                found.append(_Answer(number, "say", (step.say,), SkillOutcome()))
        found.append(_Answer(number, call.skill, call.arguments, _end_of(traced)))
    return found


def _end_of(traced: TracedCall) -> SkillOutcome | None:
    call = traced.call
    if not call.end:
        return None
    code = SkillErrorCode(call.error_code)
    return SkillOutcome(call.result, code, call.error_msg, traced.lost_node)


def _told(skill: str, arguments: tuple[Any, ...]) -> str:
    return f"{skill}({', '.join(map(repr, _plain(arguments)))})"


def _plain(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """As JSON gives them back: sequences are lists."""
    return tuple(list(value) if isinstance(value, tuple) else value for value in arguments)
