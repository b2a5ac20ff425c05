"""Verifies an approved program and runs it; plain Python, so that a test drives it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.policies import Policy
from roboinstruct_ros.domain.skill_call import SkillCall, SkillErrorCode
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.policy_guard import PolicyGuard
from roboinstruct_ros.execute.skill_port import SkillOutcome, SkillPort
from roboinstruct_ros.execute.task_run import TaskOrder, TaskRun
from roboinstruct_ros.execute.task_state import TaskState, TaskStateMachine
from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram, sha256_of
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.program_process import (
    EndKind,
    ProgramEnd,
    ProgramHooks,
    ProgramProcess,
    SkillReply,
)
from roboinstruct_ros.verify.verdict import Verdict

_REFUSED = SkillOutcome(
    error_code=SkillErrorCode.CANCELED, message="the call would break a policy; it was not made"
)

_END_CODES = {
    EndKind.ERROR: TaskErrorCode.PROGRAM_FAILED,
    EndKind.LIMIT: TaskErrorCode.PROGRAM_LIMIT,
    EndKind.LOST: TaskErrorCode.PROGRAM_LOST,
    EndKind.SKILL_ERROR: TaskErrorCode.SKILL_FAILED,
}


class Refused(Exception):
    """The order is not carried out; nothing has moved."""

    def __init__(self, code: TaskErrorCode, message: str, verdict: Verdict | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.verdict = code, message, verdict


@dataclass(frozen=True)
class RunnerHooks:
    """Whom the runner tells.

    Attributes:
        state: (state, order, line, message) at every transition and line.
        event: (kind, data, task id).
        call: a skill call that began (its end is 0) or ended.
    """

    state: Callable[[TaskState, TaskOrder, int, str], None]
    event: Callable[[EventKind, dict[str, Any], str], None]
    call: Callable[[SkillCall], None]


class TaskRunner:
    """Runs one task at a time. `stop` ends it from any thread."""

    def __init__(
        self,
        domain: Domain,
        verify: Callable[[str], Verdict],
        port: SkillPort,
        hooks: RunnerHooks,
        limits: Limits | None = None,
        guard: PolicyGuard | None = None,
    ) -> None:
        self._domain = domain
        self._policies = guard or PolicyGuard(domain)
        self._verify = verify
        self._port = port
        self._hooks = hooks
        self._limits = limits or Limits()
        self._machine = TaskStateMachine()
        self._busy = threading.Lock()
        self._guard = threading.Lock()
        self._reset()

    @property
    def state(self) -> TaskState:
        return self._machine.state

    @property
    def running(self) -> bool:
        return self._busy.locked()

    def run(self, order: TaskOrder) -> TaskRun:
        """Carry out an order to its end; blocks. Never raises for what a program does."""
        if not self._busy.acquire(blocking=False):
            message = "another task is running; stop it or wait for its end"
            return TaskRun(order, TaskState.FAILED, None, (), 0.0, TaskErrorCode.BUSY, message)
        try:
            self._reset()
            return self._run(order)
        finally:
            self._busy.release()
            self._ended.set()

    def stop(self, code: TaskErrorCode, source: str, reason: str) -> bool:
        """End the running task: the goal in flight is cancelled, the program killed.

        Returns:
            Whether a task was running.
        """
        with self._guard:
            if not self.running or self._cancel.is_set():
                return self.running
            self._stop_code = code
            self._cancel.set()
            process = self._process
        if process is not None:
            process.kill()
        if self._order is not None:
            data = {"source": source, "reason": reason}
            self._hooks.event(EventKind.STOP_REQUESTED, data, self._order.task_id)
        return True

    def wait_ended(self, timeout: float) -> bool:
        """Wait until no task runs; s."""
        return not self.running or self._ended.wait(timeout)

    def _reset(self) -> None:
        self._cancel = threading.Event()
        self._ended = threading.Event()
        self._stop_code = TaskErrorCode.STOPPED
        self._process: ProgramProcess | None = None
        self._order: TaskOrder | None = None
        self._calls: list[SkillCall] = []
        self._lost_node = ""
        self._broken: Policy | None = None
        self._policies.begin()

    def _run(self, order: TaskOrder) -> TaskRun:
        begin = time.monotonic()
        self._order = order
        verdict: Verdict | None = None
        try:
            self._enter(TaskState.VERIFYING, order)
            verdict = self._admit(order)
            end = self._execute(order)
            run = self._finish(order, end)
        except Refused as refusal:
            verdict = refusal.verdict
            self._enter(TaskState.FAILED, order, refusal.message)
            run = TaskRun(order, TaskState.FAILED, None, (), 0, refusal.code, refusal.message)
        run = replace(
            run, verdict=verdict, calls=tuple(self._calls), duration=time.monotonic() - begin
        )
        self._tell_end(run)
        return run

    def _admit(self, order: TaskOrder) -> Verdict:
        """The gate: nothing passes without an approval of this text and a verdict made here."""
        if sha256_of(order.source) != order.program_sha256:
            message = "the program is not the one that was approved: the hashes differ"
            raise Refused(TaskErrorCode.HASH_MISMATCH, message)
        if not order.approved_by.strip():
            raise Refused(TaskErrorCode.NOT_APPROVED, "nobody has approved this program")
        verdict = self._verify(order.source)
        plan = [str(step) for step in narrate(TaskProgram.from_text(order.source))]
        self._event(
            EventKind.PROGRAM_VERIFIED,
            program_sha256=order.program_sha256,
            verdict=verdict.model_dump(mode="json"),
            plan=plan,
        )
        if verdict.program_sha256 != order.program_sha256 or not verdict.accepted:
            raise Refused(TaskErrorCode.NOT_VERIFIED, _why_not(verdict), verdict)
        self._event(
            EventKind.PROGRAM_APPROVED,
            program_sha256=order.program_sha256,
            approved_by=order.approved_by,
        )
        return verdict

    def _execute(self, order: TaskOrder) -> ProgramEnd:
        if self._cancel.is_set():
            return ProgramEnd(EndKind.KILLED)
        self._enter(TaskState.RUNNING, order)
        data = {"instruction": order.instruction, "program_sha256": order.program_sha256}
        self._event(EventKind.RUN_STARTED, **data)
        if self._policies.asks_start:
            self._find_start()
        process = ProgramProcess(order.source, self._domain.skill_names, self._limits)
        with self._guard:
            self._process = process
            stopped = self._cancel.is_set()
        if stopped:
            process.kill()
        return process.run(ProgramHooks(call=self._call, sleep=self._sleep, print=self._print))

    def _finish(self, order: TaskOrder, end: ProgramEnd) -> TaskRun:
        if self._cancel.is_set():
            message = "the task was stopped"
            self._enter(TaskState.STOPPING, order, message)
            self._enter(TaskState.CANCELLED, order, message)
            return TaskRun(order, TaskState.CANCELLED, error_code=self._stop_code, message=message)
        if end.kind is EndKind.FINISHED:
            self._broken = self._policies.end()
        if self._broken is not None:
            message = f"the policy '{self._broken.name}' would be broken"
            message += f": {self._broken.because or self._broken.text}"
            self._enter(TaskState.FAILED, order, message)
            code = TaskErrorCode.POLICY_BROKEN
            return TaskRun(order, TaskState.FAILED, error_code=code, message=message)
        if end.kind is EndKind.FINISHED:
            self._enter(TaskState.SUCCEEDED, order)
            return TaskRun(order, TaskState.SUCCEEDED)
        code = _END_CODES.get(end.kind, TaskErrorCode.UNKNOWN)
        if code is TaskErrorCode.SKILL_FAILED and self._lost_node:
            code = TaskErrorCode.SKILL_SERVER_LOST
        place = f" (line {end.line})" if end.line else ""
        message = f"{end.message}{place}"
        self._enter(TaskState.FAILED, order, message)
        return TaskRun(order, TaskState.FAILED, error_code=code, message=message)

    def _call(
        self, skill: str, args: tuple[Any, ...], kwargs: dict[str, Any], line: int
    ) -> SkillReply:
        names = self._domain.skill(skill).parameter_names
        arguments = {**dict(zip(names, args, strict=False)), **kwargs}
        ordered = tuple(arguments.get(name) for name in names)
        call = SkillCall(len(self._calls), skill, ordered, line, start=time.time())
        self._calls.append(call)
        self._tell_call(EventKind.SKILL_STARTED, call)
        self._broken = self._broken or self._policies.would_break(skill, arguments)
        outcome = _REFUSED if self._broken else self._port.call(skill, arguments, self._cancel)
        ended = replace(
            call,
            result=outcome.value,
            error_code=int(outcome.error_code),
            error_msg=outcome.message,
            end=time.time(),
        )
        self._calls[-1] = ended
        self._tell_call(EventKind.SKILL_FINISHED, ended)
        if not self._broken:
            self._broken = self._policies.note(ended)
        if self._broken:
            self._end_program()
        return self._reply(skill, outcome)

    def _end_program(self) -> None:
        """A policy is broken, or would be: not one line more."""
        if self._process is not None:
            self._process.kill()

    def _find_start(self) -> None:
        for skill in self._domain.skills:
            if skill.returns == "current_location":
                outcome = self._port.call(skill.name, {}, self._cancel)
                if outcome.error_code is SkillErrorCode.NONE:
                    self._policies.set_start(str(outcome.value))

    def _reply(self, skill: str, outcome: SkillOutcome) -> SkillReply:
        if outcome.error_code is SkillErrorCode.NONE:
            return SkillReply(outcome.value)
        if outcome.error_code is SkillErrorCode.STOPPED:
            # a server heard the stop request before we did
            self.stop(TaskErrorCode.STOPPED, "skill server", outcome.message)
        if outcome.lost_node:
            self._lost_node = outcome.lost_node
            self._event(EventKind.NODE_LOST, node=outcome.lost_node, message=outcome.message)
        message = f"{skill} failed: {outcome.message}"
        return SkillReply(error=outcome.error_code.name.lower(), message=message)

    def _sleep(self, seconds: float, line: int) -> None:
        self._tell_line(line)
        self._cancel.wait(seconds)

    def _print(self, text: str, line: int) -> None:
        self._event(EventKind.PROGRAM_PRINTED, text=text, line=line)

    def _enter(self, state: TaskState, order: TaskOrder, message: str = "") -> None:
        self._machine.enter(state)
        self._hooks.state(state, order, 0, message)

    def _tell_line(self, line: int) -> None:
        if self._order is not None and self.state is TaskState.RUNNING:
            self._hooks.state(self.state, self._order, line, "")

    def _tell_call(self, kind: EventKind, call: SkillCall) -> None:
        data: dict[str, Any] = {
            "index": call.index,
            "skill": call.skill,
            "arguments": list(call.arguments),
            "line": call.line,
        }
        if kind is EventKind.SKILL_FINISHED:
            data.update(result=call.result, error_code=call.error_code, error_msg=call.error_msg)
        self._event(kind, **data)
        self._tell_line(call.line)
        self._hooks.call(call)

    def _tell_end(self, run: TaskRun) -> None:
        self._event(
            EventKind.RUN_FINISHED,
            program_sha256=run.order.program_sha256,
            outcome=run.outcome.value,
            calls=len(run.calls),
            duration=round(run.duration, 4),
            error_code=int(run.error_code),
            error_msg=run.message,
        )

    def _event(self, kind: EventKind, **data: Any) -> None:
        self._hooks.event(kind, data, self._order.task_id if self._order else "")


def _why_not(verdict: Verdict) -> str:
    if not verdict.violations:
        return "the verifier came to no verdict within its budget; nothing runs without one"
    first = verdict.violations[0]
    place = f"line {first.line}: " if first.line else ""
    more = len(verdict.violations) - 1
    others = f" (and {more} more)" if more else ""
    return sentence(f"the program was rejected: {place}{first.message}").rstrip(".") + others
