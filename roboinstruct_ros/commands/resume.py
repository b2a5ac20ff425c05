"""`roboinstruct resume`: goes on with interrupted runs."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from roboinstruct_ros.commands.arguments import JsonEvents, Yes
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.joining import START_LIMIT, Namespace, Security, joined, on_signals
from roboinstruct_ros.commands.report import reporting
from roboinstruct_ros.commands.task import Task, check_approvable, run_task
from roboinstruct_ros.domain.configuration import InputError

_READY_LIMIT = 10.0  # s


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
                return ExitCode.FAILED if fault else ExitCode.SUCCESS
            report.console.print(_line(run), markup=False)
            again = Task(run.instruction, run.source, yes, resumes=run.task_id)
            return run_task(client, again, report)


def _line(run: Any) -> str:
    begun = f", {run.in_flight} had begun" if run.in_flight else ""
    return f"{run.task_id}  {run.instruction}  ({run.calls} calls made{begun})"
