"""Carries out orders one at a time. Free of ROS, so that tests can drive it."""

from __future__ import annotations

import threading
import time
import traceback
from dataclasses import replace
from functools import partial
from pathlib import Path

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.stop_number import Admission, StopNumber
from roboinstruct_ros.domain.task_error import TaskError, TaskErrorCode
from roboinstruct_ros.execute.approval import Refused, check_approval, judged
from roboinstruct_ros.execute.call_guard import CallGuard
from roboinstruct_ros.execute.journal import JournalError, RecordedRun
from roboinstruct_ros.execute.journal_folder import JournalFolder, recorded_end
from roboinstruct_ros.execute.policy_guard import PolicyGuard
from roboinstruct_ros.execute.program_run import ProgramRun
from roboinstruct_ros.execute.recorded_calls import RecordedCalls
from roboinstruct_ros.execute.run_report import RULES_CHANGED, RunnerHooks, RunReport
from roboinstruct_ros.execute.run_setting import RunSetting
from roboinstruct_ros.execute.runner_options import RunnerOptions, VerifyFrom
from roboinstruct_ros.execute.skill_calls import Pause, SkillCalls
from roboinstruct_ros.execute.skill_port import SkillPort
from roboinstruct_ros.execute.task_run import NO_ORDER, TaskOrder, TaskRun, failed
from roboinstruct_ros.execute.task_state import IN_RUN, TaskState, TaskStateMachine
from roboinstruct_ros.execute.turns import GivenUp, Turns
from roboinstruct_ros.sandbox.program_process import ProgramProcess
from roboinstruct_ros.sandbox.wire import WireClosed, WireTimeout
from roboinstruct_ros.verify.verdict import Verdict

_STOPPED = "the task was stopped"
_BUG = "a fault in the executor, whose log has more"


class TaskRunner:
    """Runs one task at a time. `stop` ends it and `pause` holds it, from any thread.

    Every order is admitted under a stop number (`StopNumber.admit`) and carries its admission
    through verification, the queue and each skill call. A newer stop sets the admission, after
    which the order moves nothing more.

    Attributes:
        journals: journals of its runs; list the interrupted ones.
    """

    def __init__(
        self,
        domain: Domain,
        verify: VerifyFrom,
        port: SkillPort,
        hooks: RunnerHooks,
        options: RunnerOptions | None = None,
        stops: StopNumber | None = None,
    ) -> None:
        self._domain = domain
        self._stops = stops or StopNumber()
        self._policies = PolicyGuard(domain)
        self._verify = verify
        self._port = port
        self._hooks = hooks
        self._options = options or RunnerOptions()
        self._machine = TaskStateMachine()
        self._turns = Turns(self._options.most_waiting)
        self._guard = threading.Lock()
        self.journals = JournalFolder(self._options.journals, self._options.robot)
        self._pause = Pause()
        self._admission = Admission()
        self._ending_told = False
        self._stopped_from = self._stopped_to = 0  # stop numbers that ended the last stopped task
        self._process: ProgramProcess | None = None
        self._report: RunReport | None = None

    @property
    def state(self) -> TaskState:
        """State of the running task, or of the last one."""
        return self._machine.state

    @property
    def running(self) -> bool:
        return self._turns.taken

    @property
    def waiting(self) -> int:
        return self._turns.waiting

    def offer(self, recorded: RecordedRun | None) -> None:
        """Enter AWAITING_APPROVAL for an interrupted run, or IDLE again when there is none left,
        unless a task has run."""
        if recorded is not None and self.state in (TaskState.IDLE, TaskState.AWAITING_APPROVAL):
            self._machine.state = TaskState.AWAITING_APPROVAL
            self._hooks.state(self.state, recorded.order, 0, "a run was interrupted")
        elif recorded is None and self.state is TaskState.AWAITING_APPROVAL:
            self._machine.enter(TaskState.IDLE)
            self._hooks.state(self.state, NO_ORDER, 0, "")

    def run(self, order: TaskOrder, admission: Admission | None = None) -> TaskRun:
        """Carry out an order to its end; blocks. A program's faults are returned, never raised.

        Args:
            admission: the order's admission; None admits it now.
        """
        admission = admission or self._stops.admit(order.stop_number)
        try:
            with self._turns.place(order.queue, order.preempt) as take:
                if order.preempt:
                    self._make_way(order, admission)
                take(admission)
                run = self._run(order, admission)
                self._hooks.ended(run.calls)
                return run
        except GivenUp:
            return self._given_up(order, admission)
        except Refused as refusal:
            return failed(order, refusal, refusal.verdict)

    def _make_way(self, order: TaskOrder, admission: Admission) -> None:
        """End the running task for an order that may run.

        Raises:
            Refused: the order may not run.
            GivenUp: the order was stopped or cancelled during verification.
        """
        check_approval(order)
        judged(order, lambda: self._verify((), order.source, self._options.remains()))
        if admission.is_set():
            raise GivenUp
        self.cancel(self._admission, order.approved_by, "another task goes first")

    def stop(self, source: str, reason: str) -> bool:
        """Begin a stop: nothing admitted before it moves any more.

        Returns:
            Whether a task was running.
        """
        self._stops.advance()
        return self.stopped(source, reason)

    def stopped(self, source: str, reason: str, number: int = 0) -> bool:
        """Apply a stop that is now known: end the running task, whose goals must not move any more.

        Returns:
            Whether the stop ends a task, including one that has just ended: a skill server may
            receive the stop first, and its goal then ends the task.
        """
        if self.running and self._admission.number < self._stops.current:
            self._stopped_from, self._stopped_to = self._admission.number, self._stops.current
            self._end(source, reason)
        return self.running or self._stopped_from < number <= self._stopped_to

    def cancel(self, admission: Admission, source: str, reason: str) -> None:
        """End one order, whether running, queued or not yet begun."""
        admission.set()
        if admission is self._admission:
            self._end(source, reason)

    def _end(self, source: str, reason: str) -> None:
        """Kill the program; the goal in flight ends through its admission."""
        with self._guard:
            if not self.running or self._ending_told:
                return
            self._ending_told = True
            self._admission.set()
            process, report = self._process, self._report
        if process is not None:
            process.kill()
        if report is not None:
            report.tell(EventKind.STOP_REQUESTED, source=source, reason=reason)

    def pause(self, paused: bool, stop_number: int = 0) -> bool:
        """Pause or continue the running task.

        Args:
            stop_number: the last stop known to the requester; a later stop forbids continuing.

        Returns:
            Whether the request was applied to a task.
        """
        if self.state not in IN_RUN:
            return False
        if not paused and self._stops.admit(stop_number).is_set():
            return False
        (self._pause.hold if paused else self._pause.go_on)()
        return True

    def wait_ended(self, timeout: float) -> bool:
        """Wait at most `timeout` s until no task runs. Returns whether none does."""
        return self._turns.wait_free(timeout)

    def _begin_with(self, order: TaskOrder, admission: Admission) -> RunReport:
        """Reset the per-run state for a task that now has the robot."""
        report = RunReport(self._hooks, order, self._machine)
        with self._guard:
            self._admission, self._ending_told = admission, False
            self._process, self._report = None, report
        self._pause.go_on()
        return report

    def _run(self, order: TaskOrder, admission: Admission) -> TaskRun:
        begin = time.monotonic()
        report = self._begin_with(order, admission)
        verdict: Verdict | None = None
        try:
            report.enter(TaskState.VERIFYING)
            check_approval(order)
            hindrance = self._options.begin()
            if hindrance:
                raise Refused(TaskErrorCode.STOPPED, hindrance)
            recorded = self.journals.resumable(order) or self._new_run(order)
            happened, remains = recorded.happened, recorded.remains
            self._policies.begin(remains)
            verdict = judged(
                order, lambda: self._verify(happened, order.source, remains), report.verified
            )
            report.tell(
                EventKind.PROGRAM_APPROVED,
                program_sha256=order.program_sha256, approved_by=order.approved_by,
            )  # fmt: skip
            run = self._execute(verdict, report, recorded)
        except Refused as refusal:
            verdict = refusal.verdict or verdict
            run = failed(order, refusal)
        except JournalError as error:
            run = failed(order, error)
        except Exception as error:  # a bug of this package; the next order must find the robot free
            traceback.print_exc()
            self._end("executor", "a fault in the executor")
            run = failed(order, TaskError(TaskErrorCode.UNKNOWN, f"{_BUG}: {error!r}"))
        if run.outcome is TaskState.SUCCEEDED:
            report.show(TaskState.RUNNING)
        report.enter(run.outcome, run.message)
        run = replace(run, verdict=verdict, duration=time.monotonic() - begin)
        report.finished(run)
        return run

    def _new_run(self, order: TaskOrder) -> RecordedRun:
        seed, remains = self._options.seed(), self._options.remains()
        return RecordedRun(Path(), order, seed, time.time(), remains=remains)

    def _execute(self, verdict: Verdict, report: RunReport, recorded: RecordedRun) -> TaskRun:
        order = report.order
        with self.journals.opened(order, recorded, verdict.rules_sha256) as journal:
            try:
                report.journal = journal
                run = self._run_program(verdict, report, recorded)
            except (WireClosed, WireTimeout, OSError) as error:
                message = f"the program's process could not be started: {error}"
                run = failed(order, TaskError(TaskErrorCode.PROGRAM_LOST, message))
            return recorded_end(journal, run)  # before anyone learns of the end

    def _run_program(self, verdict: Verdict, report: RunReport, recorded: RecordedRun) -> TaskRun:
        """Run the program in its process with its call chain, unless the task was stopped."""
        order, options, domain, seed = report.order, self._options, self._domain, recorded.seed
        past = RecordedCalls(recorded) if order.resume else None
        guard = CallGuard(domain, verdict, self._policies, report, options, seed)
        calls = SkillCalls(
            domain, self._port, guard, report, past,
            pause=self._pause, admission=self._admission, stop=self.stop, options=options,
        )  # fmt: skip
        process = ProgramProcess(order.source, domain.skill_names, options.limits, seed)
        clocks, admission = options.clocks, self._admission
        program = ProgramRun(process, calls, guard, report, past, clocks, admission)
        fault: TaskError | None = None
        with self._guard:
            self._process = process
            stopped = self._admission.is_set()
        if stopped:
            process.close()
        else:
            report.enter(TaskState.RUNNING)
            report.tell_setting = partial(self._tell_setting, report)
            report.tell_setting()
            report.tell(
                EventKind.RUN_STARTED,
                instruction=order.instruction, program_sha256=order.program_sha256,
                seed=seed, resumed=len(recorded.calls),
            )  # fmt: skip
            if recorded.rules_sha256 not in ("", verdict.rules_sha256):
                report.tell(EventKind.WARNING, message=RULES_CHANGED)
            fault = program.run()
        return replace(self._ending(report, fault), calls=tuple(calls.calls))

    def _tell_setting(self, report: RunReport) -> None:
        options = self._options
        if options.rules is not None:
            rules = options.rules.last
            setting = RunSetting(
                domain=self._domain, semantic_map=rules.semantic_map, policies=rules.policies,
                recovery=options.recovery, on_hazard=options.on_hazard,
                most_calls=options.most_calls, remains=self._policies.begun_with,
            )  # fmt: skip
            told = setting.model_dump(mode="json", by_alias=True)
            report.tell(EventKind.RUN_SETTING, source=report.order.source, setting=told)

    def _ending(self, report: RunReport, fault: TaskError | None) -> TaskRun:
        if self._admission.is_set():
            report.enter(TaskState.STOPPING, _STOPPED)
            return self._given_up(report.order, self._admission)
        return failed(report.order, fault) if fault else TaskRun(report.order, TaskState.SUCCEEDED)

    def _given_up(self, order: TaskOrder, admission: Admission) -> TaskRun:
        stopped = admission.number < self._stops.current
        code = TaskErrorCode.STOPPED if stopped else TaskErrorCode.CANCELED
        message = _STOPPED if stopped else "the task was cancelled"
        return TaskRun(order, TaskState.CANCELLED, error_code=code, message=message)
