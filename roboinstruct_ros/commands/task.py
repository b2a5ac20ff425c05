"""Runs one task against a running stack, from words to the end."""

from __future__ import annotations

import signal
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import typer

from roboinstruct_ros.commands.drafts import ask_choice
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.report import ANSWERED, ConsoleReport, Report
from roboinstruct_ros.domain.answer import Answer, AnswerKind, with_choice
from roboinstruct_ros.domain.arrival import read_call
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.end_signals import end_signals
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import InstructionError
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.rounds.progressive import (
    EACH_APPROVED,
    ProgressiveTask,
    RoundOptions,
)
from roboinstruct_ros.program.task_program import sha256_of


@dataclass(frozen=True)
class Task:
    """What to do: words, or a finished program.

    Attributes:
        source: the program; None to have one written.
        yes: approved in advance; otherwise the user is asked.
        follows: task that the words change; empty for a new one.
        resumes: id of the interrupted task to go on with; empty for a new one.
    """

    text: str
    source: str | None = None
    yes: bool = False
    follows: str = ""
    resumes: str = ""
    rounds: RoundOptions = EACH_APPROVED


class NoApproval(ConfigError):
    """Nobody is there to approve."""

    code = TaskErrorCode.NOT_APPROVED


class Declined(Exception):
    """The user did not approve."""


def check_approvable(yes: bool) -> None:
    """Without a terminal nobody can approve. Raises NoApproval: `--yes` is needed."""
    if not yes and not sys.stdin.isatty():
        message = "there is no terminal to approve on; add --yes to approve beforehand"
        raise NoApproval("--yes", 0, "", message)


def run_task(client: Any, task: Task, report: Report) -> ExitCode:
    """Generate a program unless given, get it approved, execute it; report the end.

    Args:
        client: a `TaskClient` that is ready.
    """
    from roboinstruct_ros.nodes.task_client import Interrupted, StackError

    task_id = client.follows = task.resumes or uuid.uuid4().hex[:12]
    try:
        outcome, code, message = _run(client, task, report, task_id)
    except InstructionError as error:
        outcome, code, message = "failed", error.code, error.message
    except StackError as error:
        outcome, code, message = "failed", TaskErrorCode.UNKNOWN, str(error)
        if error.node:
            report.own(EventKind.NODE_LOST, task_id, node=error.node, message=message)
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


_End = tuple[str, TaskErrorCode, str]
"""Outcome, error code and message."""


def _run(client: Any, task: Task, report: Report, task_id: str) -> _End:
    if task.source is None:
        return _run_rounds(client, task, report, task_id)
    if not task.yes:
        report.console.print(task.source, markup=False)
        _ask_approval("Go on with this" if task.resumes else "Run this")
    sha256, again = sha256_of(task.source), bool(task.resumes)
    run = client.execute(task.text, task.source, sha256, task_id, approved_by="cli", resume=again)
    return str(run.outcome), TaskErrorCode(run.error_code), str(run.error_msg)


def _run_rounds(client: Any, task: Task, report: Report, task_id: str) -> _End:
    """Run round after round until no words are left, a round fails, or the limit is reached."""
    rounds = ProgressiveTask(task.text, task.rounds)
    stops = client.last_stop
    while True:
        _tell_round(report, rounds)
        # Later rounds are for the remaining words, not for the task that was changed.
        follows = task.follows if rounds.request == task.text else ""
        made = client.generate(rounds.request, task_id, "cli", follows, rounds.found)
        rounds = rounds.written(made.deferred)
        answer = _answer_of(made)
        more = _after_words(report, task, rounds, answer) if answer else None
        if more is not None:
            task, rounds = more
            continue
        if answer and rounds.round == 1:
            return ANSWERED, TaskErrorCode(made.error_code), answer.words
        if made.error_code:
            code = TaskErrorCode(made.error_code)
            return "failed", code, rounds.why_failed(str(made.error_msg), begun=False)
        by = rounds.approval_of_first(made.notes)
        if not by and not task.yes:
            _ask_approval("Run this")
        if client.last_stop != stops:  # between two runs too, nothing moves after a stop
            why = rounds.why_failed("the task was stopped", begun=False)
            return "cancelled", TaskErrorCode.STOPPED, why
        rounds = rounds.approved(made.program_sha256, "cli")
        sha256 = made.program_sha256
        run = client.execute(rounds.request, made.source, sha256, task_id, approved_by=by or "cli")
        if run.outcome != "succeeded":
            code = TaskErrorCode(run.error_code)
            return str(run.outcome), code, rounds.why_failed(str(run.error_msg))
        if rounds.spent:
            return "failed", TaskErrorCode.NO_ACCEPTED_PROGRAM, rounds.spent
        if not rounds.left:
            return "succeeded", TaskErrorCode.NONE, ""
        rounds = rounds.ran(map(read_call, run.calls))


def _answer_of(made: Any) -> Answer | None:
    """The generator's answer in words, or None for a program."""
    if not made.answer:
        return None
    return Answer(AnswerKind(made.answer), str(made.answer_words), tuple(made.choices))


def _after_words(
    report: Report, task: Task, rounds: ProgressiveTask, answer: Answer
) -> tuple[Task, ProgressiveTask] | None:
    """Show the answer. Returns task and rounds to continue with if the user replied, else None."""
    if rounds.left and sys.stdin.isatty():
        with _ended_by_signals():
            said = typer.prompt(answer.words, err=True)
        return task, rounds.answered(answer.words, said)
    if not isinstance(report, ConsoleReport) or rounds.round > 1:
        return None
    with _ended_by_signals():
        choice = ask_choice(report.console, answer)
    if not choice:
        return None
    task = replace(task, text=with_choice(task.text, choice))
    return task, ProgressiveTask(task.text, task.rounds)


def _tell_round(report: Report, rounds: ProgressiveTask) -> None:
    if rounds.round > 1:
        report.console.print(f"\nround {rounds.round}", style="bold")
        for sentence in rounds.found:
            report.console.print(f"found: {sentence}", style="dim", markup=False)


def _ask_approval(what: str) -> None:
    with _ended_by_signals():
        approved = typer.confirm(f"{what} on the robot?", default=False, err=True)
    if not approved:
        raise Declined


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """A signal ends a prompt: it does not look at the event that is set elsewhere."""
    from roboinstruct_ros.nodes.task_client import Interrupted

    def interrupt(*_: object) -> None:
        raise Interrupted

    before = {number: signal.signal(number, interrupt) for number in end_signals()}
    try:
        yield
    except typer.Abort:  # Ctrl-D
        raise Declined from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
