"""`roboinstruct run` and `roboinstruct stop`: commands to a running stack."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import Follow, JsonEvents, Yes, read_program, takes
from roboinstruct_ros.commands.ending import ExitCode, bad_input
from roboinstruct_ros.commands.joining import START_LIMIT, Namespace, Security, join, on_signals
from roboinstruct_ros.commands.report import ConsoleReport, JsonReport, Report
from roboinstruct_ros.commands.task import Task, check_approvable, run_task, tell_refused
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.instruction import Instruction, InstructionError
from roboinstruct_ros.domain.option import check
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.rounds.progressive import EACH_APPROVED, RoundOptions

_READY_LIMIT = 10.0  # s


@takes("rounds", EACH_APPROVED)
def run(
    text: Annotated[str, typer.Argument(help="The task in plain words.")] = "",
    program: Annotated[
        str, typer.Option(help="Run this program file instead; - reads standard input.")
    ] = "",
    follow: Follow = "",
    yes: Yes = False,
    as_json: JsonEvents = False,
    namespace: Namespace = "",
    security: Security = "",
    rounds: RoundOptions = EACH_APPROVED,
) -> ExitCode:
    """Do one task: from words, as a change of an earlier one, or from a program file."""
    from roboinstruct_ros.nodes.task_client import Interrupted, StackError, TaskClient

    if text and program:
        return bad_input("give either the task in words or --program FILE, not both")
    if follow and program:
        return bad_input("--follow changes a task by words; it does not go with --program")
    check(rounds)
    report: Report = JsonReport() if as_json else ConsoleReport()
    try:
        join(namespace)
        task = replace(_task(text, program, follow, yes), rounds=rounds)
    except (ConfigError, InstructionError) as error:
        tell_refused(report, error)
        raise
    interrupt = on_signals()
    with TaskClient(report.event, interrupt, namespace) as client:
        try:
            client.wait_ready(_READY_LIMIT, writes=not program, starting=START_LIMIT)
        except StackError as error:
            print(str(error), file=sys.stderr)
            if as_json:
                report.finished("", "failed", TaskErrorCode.UNKNOWN, str(error))
            return ExitCode.BAD_INPUT
        except Interrupted:
            return ExitCode.INTERRUPTED
        return run_task(client, task, report, interrupt)


def _task(text: str, program: str, follows: str, yes: bool) -> Task:
    if program:
        task = Task(f"program {program}", read_program(program), yes)
    else:
        Instruction.checked(text)
        task = Task(text, yes=yes, follows=follows)
    check_approvable(task)
    return task
