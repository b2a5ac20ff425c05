"""`roboinstruct resume` and `roboinstruct pause`: interrupted and paused runs."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from roboinstruct_ros.commands.arguments import JsonEvents, Yes
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.joining import START_LIMIT, Namespace, Security, join, on_signals
from roboinstruct_ros.commands.report import ConsoleReport, JsonReport, Report
from roboinstruct_ros.commands.task import Task, check_approvable
from roboinstruct_ros.domain.task_error import TaskErrorCode

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
    from roboinstruct_ros.nodes.task_client import Interrupted, StackError, TaskClient

    join(namespace)
    if task and not forget:
        check_approvable(Task("", yes=yes))
    report: Report = JsonReport() if as_json else ConsoleReport()
    interrupt = on_signals()
    with TaskClient(report.event, interrupt, namespace) as client:
        client.follows = task or "-"
        try:
            client.wait_ready(_READY_LIMIT, writes=False, starting=START_LIMIT)
            runs = client.interrupted_runs(_READY_LIMIT)
            if not task:
                return _tell(runs)
            run = next((run for run in runs if run.task_id == task), None)
            if run is None:
                known = ", ".join(run.task_id for run in runs) or "none"
                print(f"no interrupted run '{task}'; there are: {known}", file=sys.stderr)
                return ExitCode.BAD_INPUT
            if forget:
                fault = client.forget(task)
                if fault:
                    print(fault, file=sys.stderr)
                return ExitCode.FAILED if fault else ExitCode.SUCCESS
            return _go_on(client, run, yes, report)
        except StackError as error:
            print(str(error), file=sys.stderr)
            return ExitCode.FAILED
        except Interrupted:
            return ExitCode.INTERRUPTED


def _tell(runs: list[Any]) -> ExitCode:
    for run in runs:
        begun = f", {run.in_flight} had begun" if run.in_flight else ""
        print(f"{run.task_id}  {run.instruction}  ({run.calls} calls made{begun})")
    if not runs:
        print("no run was interrupted")
    return ExitCode.SUCCESS


def _go_on(client: Any, run: Any, yes: bool, report: Report) -> ExitCode:
    if isinstance(report, ConsoleReport):
        report.console.print(run.source, markup=False)
        _tell([run])
    if not yes and not typer.confirm("Go on with this on the robot?", default=False, err=True):
        code = TaskErrorCode.NOT_APPROVED
        report.finished(run.task_id, "cancelled", code, "not approved")
        return ExitCode.FAILED
    ended = client.execute(
        run.instruction, run.source, run.program_sha256, run.task_id, approved_by="cli", resume=True
    )
    code = TaskErrorCode(ended.error_code)
    report.finished(run.task_id, str(ended.outcome), code, str(ended.error_msg))
    return ExitCode.SUCCESS if ended.outcome == "succeeded" else ExitCode.FAILED
