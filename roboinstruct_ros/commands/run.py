"""`roboinstruct run`: one task on the running stack."""

from __future__ import annotations

from typing import Annotated

import typer

from roboinstruct_ros.commands.arguments import Follow, JsonEvents, Yes, read_program, takes
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.joining import START_LIMIT, Namespace, Security, joined, on_signals
from roboinstruct_ros.commands.report import reporting
from roboinstruct_ros.commands.task import Task, check_approvable, run_task
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.option import check
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
    with reporting(as_json) as report:
        if text and program:
            raise InputError("give either the task in words or --program FILE, not both")
        if follow and program:
            raise InputError("--follow changes a task by words; it does not go with --program")
        check(rounds)
        if program:
            task = Task(f"program {program}", read_program(program), yes)
        else:
            Instruction.checked(text)
            task = Task(text, yes=yes, follows=follow, rounds=rounds)
        check_approvable(yes)
        with joined(namespace, report.event, on_signals()) as client:
            client.wait_ready(_READY_LIMIT, writes=not program, starting=START_LIMIT)
            return run_task(client, task, report)
