"""`roboinstruct run` and `resume`: a task on the running stack, or the rest of one."""

from __future__ import annotations

import sys
from typing import Annotated, Any

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


def resume(
    task: Annotated[
        str, typer.Argument(help="Id of the task; without it, list the interrupted tasks.")
    ] = "",
    yes: Yes = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Discard the interrupted task instead.")
    ] = False,
    as_json: JsonEvents = False,
    namespace: Namespace = "",
    security: Security = "",
) -> ExitCode:
    """Resume or forget an interrupted run; without a task, list the interrupted runs."""
    with reporting(as_json) as report:
        if task and not forget:
            check_approvable(yes)
        with joined(namespace, report.event, on_signals()) as client:
            client.follows = task or "-"
            client.wait_ready(_READY_LIMIT, writes=False, starting=START_LIMIT)
            runs = client.interrupted_runs(_READY_LIMIT)
            if not task:
                print("\n".join(map(_line, runs)) or "no run was interrupted")
                return ExitCode.SUCCESS
            run = next((run for run in runs if run.task_id == task), None)
            if run is None:
                known = ", ".join(run.task_id for run in runs) or "none"
                raise InputError(f"no interrupted run '{task}'; there are: {known}")
            if forget:
                fault = client.forget(task)
                if fault:
                    print(fault, file=sys.stderr)
                    return ExitCode.FAILED
                report.console.print(f"the interrupted run '{task}' is forgotten", markup=False)
                return ExitCode.SUCCESS
            report.console.print(_line(run), markup=False)
            again = Task(run.instruction, run.source, yes, resumes=run.task_id)
            return run_task(client, again, report)


def _line(run: Any) -> str:
    begun = f", {run.in_flight} had begun" if run.in_flight else ""
    return f"{run.task_id}  {run.instruction}  ({run.calls} calls made{begun})"
