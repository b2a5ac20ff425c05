"""One task from words to its end, against a running stack."""

from __future__ import annotations

import sys
import threading
import uuid
from dataclasses import dataclass
from typing import Any

import typer

from roboinstruct_ros.bringup.check_options import ModelFault
from roboinstruct_ros.commands.exit_code import ExitCode
from roboinstruct_ros.commands.report import ConsoleReport, JsonReport, Report
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import Instruction, InstructionError
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.program.task_program import sha256_of


@dataclass(frozen=True)
class Task:
    """What to do: words, or a program that is there already.

    Attributes:
        yes: approved beforehand; otherwise a person is asked.
        follows: the task that the words are a follow-up to; empty for a new one.
    """

    text: str
    source: str = ""
    yes: bool = False
    follows: str = ""


class NoApproval(ConfigError):
    """There is nobody who could approve."""


class Declined(Exception):
    """The person did not approve."""


def check_approvable(task: Task) -> None:
    """Nobody can approve where there is no terminal.

    Raises:
        NoApproval: `--yes` is needed.
    """
    if not task.yes and not sys.stdin.isatty():
        message = "there is no terminal to approve on; add --yes to approve beforehand"
        raise NoApproval("--yes", 0, "", message)


def check_instruction(text: str) -> None:
    """Refuse what no model needs to see.

    Raises:
        InstructionError: empty, too long, or in a script that the model does not know.
    """
    Instruction.checked(text)


def tell_refused(report: Report, error: ConfigError | InstructionError) -> None:
    """Give a script that reads events their typed end; a person gets the line on stderr."""
    if isinstance(report, JsonReport):
        report.finished("", "failed", _code_of(error), str(error))


def _code_of(error: ConfigError | InstructionError) -> TaskErrorCode:
    if isinstance(error, InstructionError):
        return error.code
    if isinstance(error, ModelFault):
        return TaskErrorCode.MODEL_NOT_LOADED
    return TaskErrorCode.NOT_APPROVED if isinstance(error, NoApproval) else TaskErrorCode.UNKNOWN


def run_task(client: Any, task: Task, report: Report, interrupt: threading.Event) -> ExitCode:
    """Generate unless there is a program, approve, execute; tell how it ended.

    Args:
        client: a `TaskClient` that is ready.
    """
    from roboinstruct_ros.nodes.task_client import Interrupted, StackError

    task_id = client.follows = uuid.uuid4().hex[:12]
    try:
        outcome, code, message = _run(client, task, report, task_id)
    except InstructionError as error:
        outcome, code, message = "failed", error.code, error.message
    except StackError as error:
        outcome, code, message = "failed", TaskErrorCode.UNKNOWN, str(error)
        if error.node:
            _tell_lost(report, task_id, error.node, message)
    except Declined:
        outcome, code, message = "cancelled", TaskErrorCode.NOT_APPROVED, "not approved"
    except Interrupted:
        report.finished(task_id, "cancelled", TaskErrorCode.STOPPED, "stopped by Ctrl-C")
        return ExitCode.INTERRUPTED
    report.finished(task_id, outcome, code, message)
    if outcome == "succeeded":
        return ExitCode.SUCCESS
    bad_input = TaskErrorCode.INSTRUCTION_EMPTY <= code <= TaskErrorCode.INSTRUCTION_SCRIPT
    return ExitCode.BAD_INPUT if bad_input else ExitCode.FAILED


def _run(client: Any, task: Task, report: Report, task_id: str) -> tuple[str, TaskErrorCode, str]:
    source, sha256 = task.source, sha256_of(task.source)
    if not source:
        generation = client.generate(task.text, task_id, "cli", task.follows)
        if generation.error_code:
            return "failed", TaskErrorCode(generation.error_code), str(generation.error_msg)
        source, sha256 = generation.source, generation.program_sha256
    if not task.yes:
        _ask_approval(report, source, bool(task.source))
    run = client.execute(task.text, source, sha256, task_id, approved_by="cli")
    return str(run.outcome), TaskErrorCode(run.error_code), str(run.error_msg)


def _ask_approval(report: Report, source: str, show: bool) -> None:
    if show and isinstance(report, ConsoleReport):
        report.console.print(source, markup=False)
    if not typer.confirm("Run this on the robot?", default=False, err=True):
        raise Declined


def _tell_lost(report: Report, task_id: str, node: str, message: str) -> None:
    if isinstance(report, JsonReport):
        report.own(EventKind.NODE_LOST, task_id, node=node, message=message)
