"""`roboinstruct up`: runs the complete stack on this machine, continuously or for one task."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from roboinstruct_ros.bringup.check_options import check_options
from roboinstruct_ros.bringup.node_set import Options, notice
from roboinstruct_ros.bringup.supervisor import Supervisor
from roboinstruct_ros.commands.arguments import JsonEvents, Yes, takes
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.joining import (
    Security,
    bound_to_this_machine,
    on_signals,
    started,
    unheard,
)
from roboinstruct_ros.commands.listing import plain_console
from roboinstruct_ros.commands.report import Report, reporting
from roboinstruct_ros.commands.stack_arguments import STACK
from roboinstruct_ros.commands.task import Task, check_approvable, run_task
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.skills import domain_named
from roboinstruct_ros.execute.sole_executor import check_robot_free
from roboinstruct_ros.nodes.dds.security import check_enforceable
from roboinstruct_ros.nodes.kiosk.reach import address_lines

_LOG = plain_console(stderr=True, markup=False, soft_wrap=True)


@takes("options", STACK, without=("security",))
def up(
    once: Annotated[str | None, typer.Option(help="Run this one task, then exit.")] = None,
    yes: Yes = False,
    as_json: JsonEvents = False,
    options: Options = STACK,
    security: Security = "",
) -> ExitCode:
    """Start the stack, do one task or wait for Ctrl-C, and stop the stack."""
    options = replace(options, security=security)
    with reporting(as_json) as report:
        check_options(options)
        check_robot_free(options.namespace)
        if once is not None:
            Instruction.checked(once)
            check_approvable(yes)
        bound_to_this_machine()
        check_enforceable()
        interrupt, begin = on_signals(), time.monotonic()
        supervisor = Supervisor(options, _print_line, partial(_tell_death, report))
        hear = unheard if once is None and not as_json else report.event
        with started(supervisor, options.namespace, hear, interrupt) as client:
            if once is not None:
                return run_task(client, Task(once, yes=yes, rounds=options), report)
            _greet(options, time.monotonic() - begin)
            while not interrupt.wait(0.1) and not supervisor.failure:
                continue
            client.stop("cli", "the stack is going down")
        if supervisor.failure:
            raise InputError(supervisor.failure)
        return ExitCode.SUCCESS


def _greet(options: Options, seconds: float) -> None:
    if notice(options):
        _LOG.print(notice(options), style="yellow")
    place = f"world '{options.world}'"
    if not domain_named(options.domain).has_rooms:
        place = f"domain '{options.domain}'"
    _LOG.print(f"roboinstruct is up after {seconds:.1f} s, {place}", style="bold green")
    if not options.headless:
        for line in address_lines(options):
            _LOG.print(f"kiosk: {line}", style="bold")
    _LOG.print("Ctrl-C stops the robot, then everything")


def _tell_death(report: Report, name: str, how: str, restarted: bool) -> None:
    if restarted:
        message = f"the node '{name}' {how}; starting it again"
        with suppress(OSError):  # as below; and no node would be started again or ended
            _LOG.print(message, style="red")
        report.own(EventKind.NODE_LOST, node=name, message=message)


def _print_line(name: str, line: str) -> None:
    with suppress(OSError):  # nobody reads it any more, but the node's pipe must not fill up
        sys.stderr.write(f"[{name}] {line}\n")
