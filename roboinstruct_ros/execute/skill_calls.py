"""Makes the skill calls of a running program. Each call passes these steps in order:

    repeat    a call made before an interruption is answered from the journal
    guard     a call that the current rules forbid ends the run (`CallGuard`)
    record    its beginning is written to disk and reported before anything moves
    recover   a failed call is retried as `config/recovery.yaml` says
    pause     no call is made while the run is paused; a drive is cancelled and made again
    call      over a `SkillPort`; on a robot, `nodes/skill_clients.py`
    record    its result is written to disk and reported before the program receives it
    guard     the run ends if the result shows that it must

A stop sets the admission carried by every call: the port ends the current call and makes no other.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import one_line
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.skill_answer import answer_fault
from roboinstruct_ros.domain.skill_call import LONGEST_ERROR, SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import HERE, Domain
from roboinstruct_ros.domain.stop_number import Admission
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.execute.call_guard import CallGuard
from roboinstruct_ros.execute.recorded_calls import RecordedCalls
from roboinstruct_ros.execute.recovery_policies import AfterRestart, Try
from roboinstruct_ros.execute.run_report import RunReport
from roboinstruct_ros.execute.runner_options import RunnerOptions
from roboinstruct_ros.execute.skill_port import SkillOutcome, SkillPort
from roboinstruct_ros.execute.task_run import AskedCall
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.sandbox.program_process import SkillReply

_POLL = 0.02  # polling period for a pause or a stop, s
_FINAL = frozenset({SkillErrorCode.NONE, SkillErrorCode.CANCELED, SkillErrorCode.STOPPED})
_CANCELED = SkillOutcome(error_code=SkillErrorCode.CANCELED, message="the call was not made")


class SkillCalls:
    """Makes the calls of one run, one after another.

    Args:
        past: what a resumed run already did; None for a new run.
        admission: set when the run must not move any more.
        stop: called to begin a stop: (source, reason).

    Attributes:
        calls: all so far, including those before an interruption.
        mistaken: the fault for an assumption that the last call has disproved.
        lost_node: the node whose loss failed a call; empty for none.
    """

    def __init__(
        self,
        domain: Domain,
        port: SkillPort,
        guard: CallGuard,
        report: RunReport,
        past: RecordedCalls | None,
        *,
        pause: Pause,
        admission: Admission,
        stop: Callable[[str, str], object],
        options: RunnerOptions,
    ) -> None:
        self.calls: list[SkillCall] = []
        self.mistaken: TaskError | None = None
        self.lost_node = ""
        self._domain, self._port, self._guard, self._report = domain, port, guard, report
        self._past, self._pause, self._admission, self._stop = past, pause, admission, stop
        self._recovery, self._clocks = options.recovery, options.clocks
        self._most = options.most_calls
        self._asked: AskedCall | None = None

    def call(
        self, skill: str, args: tuple[Any, ...], kwargs: dict[str, Any], line: int
    ) -> SkillReply:
        """Make one call; blocks until it ends.

        Raises:
            TaskError: the run ends; the program receives nothing more.
            JournalError: the call cannot be recorded.
        """
        asked = self._as_asked(skill, args, kwargs, line)
        repeated = self._repeated(asked)
        call = repeated or self._made(asked)
        fault = self._guard.note(call)
        if fault is not None and not repeated:
            raise fault
        self.mistaken = self._guard.mistake(self.calls)
        code = SkillErrorCode(call.error_code)
        if code is SkillErrorCode.NONE:
            return SkillReply(call.result)
        message = str(phrase("told.failed", skill=skill, why=call.error_msg))
        return SkillReply(error=code.name.lower(), message=message[:LONGEST_ERROR])

    def start_room(self) -> str:
        """The robot's room before the first call; empty if no skill reports it."""
        for skill in self._domain.skills:
            if skill.returns == "current_location":
                outcome = self._recovered(skill.name, {})
                if outcome.error_code is SkillErrorCode.NONE:
                    return str(outcome.value)
        return ""

    def _as_asked(
        self, skill: str, args: tuple[Any, ...], kwargs: dict[str, Any], line: int
    ) -> AskedCall:
        if len(self.calls) >= self._most:
            message = str(phrase("told.many_calls", n=self._most))
            raise TaskError(TaskErrorCode.PROGRAM_LIMIT, message)
        names = self._domain.skill(skill).parameter_names
        arguments = {**dict(zip(names, args, strict=False)), **kwargs}
        ordered = tuple(arguments.get(name) for name in names)
        call = SkillCall(len(self.calls), skill, ordered, line, start=self._clocks.stamp())
        return AskedCall(call, args, kwargs, arguments)

    # Repeat

    def _repeated(self, asked: AskedCall) -> SkillCall | None:
        """The recorded result of a call made before the interruption; None for a new call."""
        call = asked.call
        known = self._past.next_call(call.skill, call.arguments) if self._past else None
        if known is None:
            return None
        self.calls.append(replace(known, index=call.index, line=call.line))
        return self.calls[-1]

    # Guard, record, call, record

    def _made(self, asked: AskedCall) -> SkillCall:
        call, self._asked = asked.call, asked
        past = self._past
        in_flight = past is not None and past.interrupted(call.skill, call.arguments)
        self._check(asked)
        held = self._pause.is_set()
        if not held:
            self._report.call_recorded(call)
        self._report.call_began(call)
        self.calls.append(call)
        self._report.show(TaskState.RUNNING, call.line)
        try:
            if held:  # a resumed run must not take it for one that was in flight
                self._wait()
                self._report.call_recorded(call)
            outcome = self._outcome(asked, in_flight)
        except TaskError:  # the rules changed while the run was paused
            self._end(call, _CANCELED)
            raise
        return self._end(call, outcome)

    def _check(self, asked: AskedCall) -> None:
        if self._guard.check(asked, self.calls[: asked.call.index]):
            self._pause.hold()

    def _outcome(self, asked: AskedCall, in_flight: bool) -> SkillOutcome:
        call, skill = asked.call, self._domain.skill(asked.call.skill)
        waits = skill.returns == "one_of_options"
        if in_flight:
            made = {"index": call.index, "skill": call.skill, "arguments": list(call.arguments)}
            self._report.tell(EventKind.CALL_SETTLED, **made)
        if waits:
            self._report.show(TaskState.WAITING)
        make = self._settled if in_flight else self._recovered
        outcome = make(call.skill, asked.arguments)
        if waits:
            self._report.show(TaskState.RUNNING)
        if outcome.error_code is SkillErrorCode.NONE:
            rooms = self._guard.policies.semantic_map
            fault = answer_fault(skill, asked.arguments, outcome.value, rooms)
            message = f"the server of '{skill.name}' {fault}"
            failed = SkillOutcome(error_code=SkillErrorCode.UNKNOWN, message=message)
            return failed if fault else outcome
        message = one_line(outcome.message)[:LONGEST_ERROR]
        outcome = replace(outcome, message=message or outcome.error_code.name.lower())
        if outcome.lost_node:
            self.lost_node = outcome.lost_node
            lost = {"node": outcome.lost_node, "message": outcome.message}
            self._report.tell(EventKind.NODE_LOST, **lost)
        return outcome

    def _end(self, call: SkillCall, outcome: SkillOutcome) -> SkillCall:
        ended = self.calls[-1] = replace(
            call,
            result=outcome.value,
            error_code=int(outcome.error_code),
            error_msg=outcome.message,
            end=self._clocks.stamp(),
        )
        self._report.call_ended(ended)
        return ended

    # Recover

    def _settled(self, skill: str, arguments: Mapping[str, Any]) -> SkillOutcome:
        """The outcome of the call that was in flight when the run was interrupted."""
        recovery = self._recovery.of(skill)
        if recovery.after_restart is AfterRestart.SKIP:
            return SkillOutcome()
        if recovery.after_restart is AfterRestart.ASK:
            words = " ".join([skill.replace("_", " "), *map(str, arguments.values())])
            question = f"I was interrupted. Is this done: {words}?"
            asked = {"person": "", "question": question, "options": ["yes", "no"]}
            answer = self._recovered("ask", asked)
            if answer.error_code is not SkillErrorCode.NONE:
                return answer
            if answer.value == "yes":
                return SkillOutcome()
        outcome = self._recovered(skill, arguments)
        if recovery.done_if and outcome.error_code.name.lower() == recovery.done_if:
            return replace(outcome, error_code=SkillErrorCode.NONE, message="")
        return outcome

    def _recovered(self, skill: str, arguments: Mapping[str, Any]) -> SkillOutcome:
        """Retry a failed call as the recovery policies say, before the program sees the failure."""
        begun, tried = self._pause.clock(), Counter[SkillErrorCode]()
        outcome = self._unpaused(skill, arguments)
        while outcome.error_code not in _FINAL and not self._admission.is_set():
            recovery, error = self._recovery.of(skill), outcome.error_code
            tries = recovery.tries(error)[tried[error] :]
            if not tries or self._pause.clock() >= begun + recovery.time_limit:
                break
            tried[error] += 1
            self._prepare(skill, arguments, tries[0], error, tried.total())
            if not self._admission.is_set():
                outcome = self._unpaused(skill, arguments)
        if tried:
            self._report.show(TaskState.RUNNING)
        if outcome.error_code in _FINAL:
            return outcome
        if self._admission.is_set():
            return replace(_CANCELED, message="cancelled")
        instead = self._recovery.of(skill).otherwise
        no_answer = outcome.error_code is SkillErrorCode.NO_ANSWER
        fits = instead in self._domain.skill(skill).options_in(arguments)
        return SkillOutcome(instead) if no_answer and fits else outcome

    def _prepare(
        self, skill: str, arguments: Mapping[str, Any], one: Try, error: SkillErrorCode, number: int
    ) -> None:
        words = _filled(one.say, arguments)
        if words and self._guard.policies.would_break("say", {"message": words}):
            words = ""
        self._report.show(TaskState.RECOVERING)
        self._report.tell(
            EventKind.RECOVERY_TRIED,
            skill=skill,
            arguments=list(arguments.values()),
            error=error.name.lower(),
            say=words,
            wait=one.wait,
            **{"try": number},
        )
        if words:
            self._unpaused("say", {"message": words})
        if one.wait:
            self._admission.wait(one.wait)

    # Pause

    def _unpaused(self, skill: str, arguments: Mapping[str, Any]) -> SkillOutcome:
        """Make the call, holding while the run is paused.

        A pause cancels a drive, which is made again afterwards: driving to a room is idempotent.
        Any other call is completed first.
        """
        drives = any(e.pattern.predicate == HERE for e in self._domain.skill(skill).effects)
        while True:
            self._wait()
            if self._admission.is_set():
                return _CANCELED
            if not drives:
                return self._called(skill, arguments, self._admission)
            either = _Either(self._admission, self._pause)
            outcome = self._called(skill, arguments, either)
            held = either.is_set() and not self._admission.is_set()
            if not held or outcome.error_code is not SkillErrorCode.CANCELED:
                return outcome

    def _called(self, skill: str, arguments: Mapping[str, Any], cancel: Admission) -> SkillOutcome:
        outcome = self._port.call(skill, arguments, cancel)
        if outcome.error_code is SkillErrorCode.STOPPED:
            # a server may receive the stop request first
            self._stop("skill server", one_line(outcome.message)[:LONGEST_ERROR] or "stopped")
        return outcome

    def _wait(self) -> None:
        """Wait while the run is paused, then check the call again: the rules may have changed.

        Raises:
            TaskError: as `CallGuard.check`; the call must not be made.
        """
        if not self._pause.is_set() or self._admission.is_set():
            return
        self._report.paused(True)
        while self._pause.is_set() and not self._admission.is_set():
            while self._pause.is_set() and not self._admission.wait(_POLL):
                continue
            if self._asked is not None and not self._admission.is_set():
                self._check(self._asked)  # which may begin another pause
        if not self._admission.is_set():  # a run that is stopped does not go on
            self._report.paused(False)


class Pause(threading.Event):
    """A pause request from any thread: the run holds at its next call, or at once in a drive."""

    def __init__(self) -> None:
        super().__init__()
        self._since, self._before = 0.0, 0.0

    def hold(self) -> None:
        if not self.is_set():
            self._since = time.monotonic()
        self.set()

    def go_on(self) -> None:
        self._before = self._before + self._held_now()
        self.clear()

    def clock(self) -> float:
        """Monotonic clock (s) that stands still while the run is held."""
        return time.monotonic() - self._before - self._held_now()

    def _held_now(self) -> float:
        return time.monotonic() - self._since if self.is_set() else 0.0


class _Either(Admission):
    """Set when either of two events is, and from then on; never set itself."""

    def __init__(self, one: Admission, other: threading.Event) -> None:
        super().__init__(one.number)
        self._one, self._other, self._was_set = one, other, False

    def is_set(self) -> bool:
        self._was_set = self._was_set or self._one.is_set() or self._other.is_set()
        return self._was_set

    def wait(self, timeout: float | None = None) -> bool:
        end = math.inf if timeout is None else time.monotonic() + timeout
        while not self.is_set() and (left := end - time.monotonic()) > 0.0:
            self._one.wait(min(_POLL, left))
        return self.is_set()


def _filled(words: str, arguments: Mapping[str, Any]) -> str:
    for name, value in arguments.items():
        text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        words = words.replace("{" + name + "}", text)
    return words
