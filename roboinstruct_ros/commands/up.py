"""`roboinstruct up`: runs the complete stack on this machine, continuously or for one task."""

from __future__ import annotations

import sys
import threading
import time
from typing import Annotated, Any

import typer
from rich.console import Console

from roboinstruct_ros.bringup.check_options import check_options
from roboinstruct_ros.bringup.node_set import Options, notice
from roboinstruct_ros.bringup.supervisor import Supervisor
from roboinstruct_ros.commands.arguments import JsonEvents, Yes, takes
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.joining import (
    SECURITY,
    START_LIMIT,
    bound_to_this_machine,
    on_signals,
)
from roboinstruct_ros.commands.report import ConsoleReport, JsonReport, Report
from roboinstruct_ros.commands.stack_arguments import STACK
from roboinstruct_ros.commands.task import Task, check_approvable, run_task, tell_refused
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import Instruction, InstructionError
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.sole_executor import check_robot_free
from roboinstruct_ros.nodes.dds_security import check_enforceable
from roboinstruct_ros.nodes.kiosk.reach import address_lines


@takes("options", STACK, {"security": SECURITY})
def up(
    once: Annotated[str | None, typer.Option(help="Run this one task, then exit.")] = None,
    yes: Yes = False,
    as_json: JsonEvents = False,
    options: Options = STACK,
) -> ExitCode:
    """Start the stack, do one task or wait for Ctrl-C, and stop the stack."""
    task = Task(once, yes=yes, rounds=options) if once is not None else None
    report: Report = JsonReport() if as_json else ConsoleReport()
    try:
        check_options(options)
        check_robot_free(options.namespace)
        if task is not None:
            Instruction.checked(task.text)
            check_approvable(task)
        bound_to_this_machine()
        check_enforceable()
    except (ConfigError, InstructionError) as error:
        tell_refused(report, error)
        raise
    return _Session(options, task, report, on_signals()).run()


class _Session:
    """The stack from start to end, with the client that watches it."""

    def __init__(
        self, options: Options, task: Task | None, report: Report, interrupt: threading.Event
    ) -> None:
        self._options = options
        self._task = task
        self._report = report
        self._interrupt = interrupt
        self._log = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._supervisor = Supervisor(options, _print_line, self._tell_death)

    def run(self) -> ExitCode:
        from roboinstruct_ros.nodes.task_client import TaskClient

        begin = time.monotonic()
        self._supervisor.start()
        try:
            with TaskClient(self._hear, self._interrupt, self._options.namespace) as client:
                code = self._wait_ready(client)
                if code is not None:
                    return code
                if self._task is not None:
                    return run_task(client, self._task, self._report, self._interrupt)
                self._greet(time.monotonic() - begin)
                return self._stay(client)
        finally:
            self._supervisor.stop()

    def _hear(self, event: dict[str, Any]) -> None:
        if self._task is not None or isinstance(self._report, JsonReport):
            self._report.event(event)

    def _wait_ready(self, client: Any) -> ExitCode | None:
        """Wait for every node. Returns None if all are ready, else the exit code."""
        from roboinstruct_ros.nodes.task_client import Interrupted, StackError

        deadline = time.monotonic() + START_LIMIT
        while not self._interrupt.is_set():
            if self._supervisor.failed:
                return self._give_up(self._supervisor.failure, ExitCode.BAD_INPUT)
            try:
                client.wait_ready(0.5, self._supervisor.node_names)
                return None
            except StackError as error:
                if time.monotonic() > deadline:
                    return self._give_up(str(error), ExitCode.FAILED)
            except Interrupted:
                break
        return ExitCode.INTERRUPTED

    def _stay(self, client: Any) -> ExitCode:
        while not self._interrupt.wait(0.1) and not self._supervisor.failed:
            continue
        client.stop("cli", "the stack is going down")
        if self._supervisor.failed:
            return self._give_up(self._supervisor.failure, ExitCode.BAD_INPUT)
        return ExitCode.SUCCESS

    def _give_up(self, message: str, code: ExitCode) -> ExitCode:
        self._log.print(message, style="red")
        if isinstance(self._report, JsonReport):
            self._report.finished("", "failed", TaskErrorCode.UNKNOWN, message)
        return code

    def _greet(self, seconds: float) -> None:
        options = self._options
        if notice(options):
            self._log.print(notice(options), style="yellow")
        place = f"world '{options.world}'"
        if not domain_named(options.domain).has_rooms:
            place = f"domain '{options.domain}'"
        up = f"roboinstruct is up after {seconds:.1f} s, {place}"
        self._log.print(up, style="bold green")
        if not options.headless:
            for line in address_lines(options):
                self._log.print(f"kiosk: {line}", style="bold")
        self._log.print("Ctrl-C stops the robot, then everything")

    def _tell_death(self, name: str, how: str, restarted: bool) -> None:
        if not restarted:
            return
        message = f"the node '{name}' {how}; starting it again"
        self._log.print(message, style="red")
        if isinstance(self._report, JsonReport):
            self._report.own(EventKind.NODE_LOST, node=name, message=message)


def _print_line(name: str, line: str) -> None:
    sys.stderr.write(f"[{name}] {line}\n")
