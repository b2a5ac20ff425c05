"""One program in its process: each of its calls is watched, recorded, recovered, and answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from roboinstruct_ros.domain.policies import Policy
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.answers import checked
from roboinstruct_ros.execute.assumptions import AssumptionsInRun
from roboinstruct_ros.execute.call_history import CallHistory, Diverged, settle
from roboinstruct_ros.execute.clocks import Clocks
from roboinstruct_ros.execute.journal import JournalError, RunJournal
from roboinstruct_ros.execute.pause import Pause
from roboinstruct_ros.execute.policy_guard import PolicyGuard
from roboinstruct_ros.execute.recovery_policies import RecoveryPolicies
from roboinstruct_ros.execute.rules_in_run import RulesInRun
from roboinstruct_ros.execute.run_monitor import OnHazard, RunMonitor
from roboinstruct_ros.execute.run_report import RunReport
from roboinstruct_ros.execute.skill_port import SkillOutcome, SkillPort
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.program_process import (
    EndKind,
    ProgramEnd,
    ProgramHooks,
    ProgramProcess,
    SkillReply,
)

_MOST_READINGS = 100_000  # of the clock; each is a record on the disk

_NOT_MADE = SkillOutcome(
    error_code=SkillErrorCode.CANCELED, message="the run ends here; the call was not made"
)

_END_CODES = {
    EndKind.ERROR: TaskErrorCode.PROGRAM_FAILED,
    EndKind.LIMIT: TaskErrorCode.PROGRAM_LIMIT,
    EndKind.LOST: TaskErrorCode.PROGRAM_LOST,
    EndKind.SKILL_ERROR: TaskErrorCode.SKILL_FAILED,
}


@dataclass(frozen=True)
class RunParts:
    """What a run is made of.

    Attributes:
        port: calls skills, recovers, and waits while the run is paused.
        journal: None records nothing.
        history: what the run had done before it was interrupted.
        show: (state, line) of the running program.
        admission: set when the run must not move any more.
        stop: a stop begins here: (source, reason).
        assumptions: what the verdict that lets the run takes for granted.
        most_calls: skill calls that the program may make.
    """

    domain: Domain
    port: SkillPort
    policies: PolicyGuard
    rules: RulesInRun
    monitor: RunMonitor
    on_hazard: OnHazard
    recovery: RecoveryPolicies
    report: RunReport
    journal: RunJournal | None
    history: CallHistory
    pause: Pause
    admission: Admission
    show: Callable[[TaskState, int], None]
    stop: Callable[[str, str], bool]
    assumptions: AssumptionsInRun
    most_calls: int = 10_000
    clocks: Clocks = field(default_factory=Clocks)


@dataclass(frozen=True)
class Fault:
    """Why a run failed."""

    code: TaskErrorCode
    message: str


class ProgramRun:
    """Runs a program once; `kill` ends it from any thread.

    Attributes:
        calls: made so far, those before an interruption too.
    """

    def __init__(self, source: str, seed: int, limits: Limits, parts: RunParts) -> None:
        self.calls: list[SkillCall] = []
        self._parts = parts
        self._process = ProgramProcess(source, parts.domain.skill_names, limits, seed)
        self._end = ProgramEnd(EndKind.KILLED)
        self._fault: Fault | None = None
        self._mistaken: Fault | None = None
        self._lost_node = ""
        self._readings = 0
        self._waiting: tuple[SkillCall, Mapping[str, Any]] | None = None
        self._given: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})

    def kill(self) -> None:
        """End the program now, whatever it is doing."""
        self._process.kill()

    def close(self) -> None:
        """Free the process of a program that is not run."""
        self._process.close()

    def run(self) -> None:
        """Run to the end; blocks. The process is gone when this returns."""
        if self._parts.policies.asks_start:
            self._find_start()
        hooks = ProgramHooks(self._call, self._sleep, self._print, self._clock)
        self._end = self._process.run(hooks)

    def fault(self) -> Fault | None:
        """Why it failed; None when it came to its end as it should."""
        end = self._end
        if self._fault is None and end.kind is EndKind.FINISHED:
            broken = self._parts.policies.end()
            return _broken(broken) if broken else None
        if self._fault is not None:
            return self._fault
        code = _END_CODES.get(end.kind, TaskErrorCode.UNKNOWN)
        if code is TaskErrorCode.SKILL_FAILED and self._lost_node:
            code = TaskErrorCode.SKILL_SERVER_LOST
        elif code is TaskErrorCode.SKILL_FAILED and self._mistaken is not None:
            return self._mistaken
        place = f" (line {end.line})" if end.line else ""
        return Fault(code, f"{end.message}{place}")

    def _call(
        self, skill: str, args: tuple[Any, ...], kwargs: dict[str, Any], line: int
    ) -> SkillReply:
        if len(self.calls) >= self._parts.most_calls:
            message = f"the program called more than {self._parts.most_calls} skills"
            return self._ended(TaskErrorCode.PROGRAM_LIMIT, message)
        self._given = args, kwargs
        names = self._parts.domain.skill(skill).parameter_names
        arguments = {**dict(zip(names, args, strict=False)), **kwargs}
        ordered = tuple(arguments.get(name) for name in names)
        call = SkillCall(len(self.calls), skill, ordered, line, start=self._parts.clocks.stamp())
        try:
            known = self._parts.history.next_call(skill, ordered)
            if known is not None:
                return self._played_back(replace(known, index=call.index, line=line))
            return self._made(call, arguments)
        except Diverged as error:
            return self._ended(TaskErrorCode.NOT_RESUMABLE, str(error))
        except JournalError as error:
            return self._ended(TaskErrorCode.JOURNAL_FAILED, str(error))

    def _played_back(self, call: SkillCall) -> SkillReply:
        """What the program was answered before the run was interrupted."""
        self.calls.append(call)
        self._parts.policies.note(call)
        self._parts.monitor.note(call)
        return self._answered(call)

    def _made(self, call: SkillCall, arguments: Mapping[str, Any]) -> SkillReply:
        parts = self._parts
        interrupted = parts.history.interrupted(call.skill, call.arguments)
        self._waiting = call, arguments
        if self._stands_against(call, arguments):
            return self._reply(replace(call, error_code=int(_NOT_MADE.error_code)))
        if parts.journal is not None:
            parts.journal.call_begun(call)
        self.calls.append(call)
        parts.report.call_began(call)
        parts.show(TaskState.RUNNING, call.line)
        if interrupted:
            parts.report.settled(call)
        outcome = self._outcome(call, arguments, interrupted)
        ended = _with(call, outcome, parts.clocks.stamp())
        self.calls[-1] = ended
        if parts.journal is not None:
            parts.journal.call_ended(ended)
        parts.report.call_ended(ended)
        parts.monitor.note(ended)
        broken = parts.policies.note(ended)
        if broken is not None:
            self._end_with(_broken(broken))
        return self._answered(ended)

    def _outcome(
        self, call: SkillCall, arguments: Mapping[str, Any], interrupted: bool
    ) -> SkillOutcome:
        parts = self._parts
        waits = parts.domain.skill(call.skill).returns == "one_of_options"
        if waits:
            parts.show(TaskState.WAITING, 0)
        if interrupted:
            outcome = settle(call.skill, arguments, parts.recovery, parts.port, parts.admission)
        else:
            outcome = parts.port.call(call.skill, arguments, parts.admission)
        if waits:
            parts.show(TaskState.RUNNING, 0)
        outcome = checked(parts.domain.skill(call.skill), arguments, outcome)
        if outcome.lost_node:
            self._lost_node = outcome.lost_node
            parts.report.node_lost(outcome.lost_node, outcome.message)
        if outcome.error_code is SkillErrorCode.STOPPED:
            # a server heard the stop request before we did
            parts.stop("skill server", outcome.message)
        return outcome

    def may_go_on(self) -> bool:
        """Asked when a pause is over: whether the call that waits is still to be made."""
        try:
            return self._waiting is None or not self._stands_against(*self._waiting)
        except JournalError as error:
            self._end_with(Fault(TaskErrorCode.JOURNAL_FAILED, str(error)))
            return False

    def _stands_against(self, call: SkillCall, arguments: Mapping[str, Any]) -> bool:
        """Whether the call is not made; the run ends then."""
        parts = self._parts
        made = self.calls[: call.index]
        unreadable = parts.rules.look(made)
        broken = parts.policies.would_break(call.skill, arguments)
        if broken is not None:
            self._end_with(_broken(broken))
            return True
        hazard = unreadable or parts.monitor.hazard(made)
        refusal = self._refusal(call)
        if refusal is not None:
            self._end_with(refusal)
            return True
        if hazard is None:
            return False
        parts.report.hazard(hazard, parts.on_hazard.value)
        if parts.on_hazard is OnHazard.STOP:
            place = f"line {hazard.line}: " if hazard.line else ""
            self._end_with(Fault(TaskErrorCode.HAZARD_AHEAD, f"{place}{hazard.message}"))
            return True
        if parts.on_hazard is OnHazard.PAUSE:
            parts.pause.hold()
        return False

    def _refusal(self, call: SkillCall) -> Fault | None:
        """The call is none that the verifier lets pass, and nobody was asked whether it may be."""
        parts = self._parts
        fault = parts.policies.refusal(call.skill, *self._given)
        asked = fault is not None and parts.monitor.has_told(fault.code.value, call.line)
        if fault is None or (asked and not fault.of_arguments):
            return None
        message = f"line {call.line}: '{call.skill}' was not called: {fault.message}"
        return Fault(TaskErrorCode.CALL_REFUSED, message)

    def _mistake(self) -> Fault | None:
        """The last call shows that something is not as the program takes it to be."""
        assumption = self._parts.assumptions.failed(self.calls)
        if assumption is None:
            return None
        message = f"I took it that {assumption.clause}, and that is not so"
        return Fault(TaskErrorCode.ASSUMPTION_FAILED, f"{message} (line {self.calls[-1].line})")

    def _answered(self, call: SkillCall) -> SkillReply:
        """What the program hears of its last call, if it goes on."""
        self._mistaken = self._mistake()
        if self._mistaken is not None and not self._parts.assumptions.may_be_handled:
            self._end_with(self._mistaken)  # not one line of a `finally:` either
        return self._reply(call)

    def _reply(self, call: SkillCall) -> SkillReply:
        code = SkillErrorCode(call.error_code)
        if code is SkillErrorCode.NONE:
            return SkillReply(call.result)
        return SkillReply(error=code.name.lower(), message=f"{call.skill} failed: {call.error_msg}")

    def _ended(self, code: TaskErrorCode, message: str) -> SkillReply:
        self._end_with(Fault(code, message))
        return SkillReply(error="canceled", message=message)

    def _end_with(self, fault: Fault) -> None:
        """Not one line more."""
        self._fault = self._fault or fault
        self._process.kill()

    def _find_start(self) -> None:
        for skill in self._parts.domain.skills:
            if skill.returns == "current_location":
                outcome = self._parts.port.call(skill.name, {}, self._parts.admission)
                if outcome.error_code is SkillErrorCode.NONE:
                    self._parts.policies.set_start(str(outcome.value))
                    self._parts.report.start_found(str(outcome.value))

    def _sleep(self, seconds: float, line: int) -> None:
        self._parts.show(TaskState.RUNNING, line)
        if self._parts.history.is_over:
            self._parts.clocks.sleep(seconds, self._parts.admission)

    def _print(self, text: str, line: int) -> None:
        if self._parts.history.is_over:
            self._parts.report.printed(text, line)

    def _clock(self) -> float:
        now = self._time()
        self._parts.monitor.clock_read(len(self.calls), now)
        self._parts.report.clock_read(now)
        return now

    def _time(self) -> float:
        known = self._parts.history.next_clock()
        if known is not None:
            return known
        self._readings += 1
        if self._readings > _MOST_READINGS:
            message = f"the program read the clock more than {_MOST_READINGS} times"
            self._end_with(Fault(TaskErrorCode.PROGRAM_LIMIT, message))
            return self._parts.clocks.read()
        now = self._parts.clocks.read()
        if self._parts.journal is not None:
            try:
                self._parts.journal.clock_read(now)
            except JournalError as error:
                self._end_with(Fault(TaskErrorCode.JOURNAL_FAILED, str(error)))
        return now


def _with(call: SkillCall, outcome: SkillOutcome, end: float) -> SkillCall:
    return replace(
        call,
        result=outcome.value,
        error_code=int(outcome.error_code),
        error_msg=outcome.message,
        end=end,
    )


def _broken(policy: Policy) -> Fault:
    message = f"the policy '{policy.name}' would be broken: {policy.because or policy.text}"
    return Fault(TaskErrorCode.POLICY_BROKEN, message)
