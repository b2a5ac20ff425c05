"""Reports the progress of a task to a user or a script."""

from __future__ import annotations

import errno
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.commands.drafts import Drafts
from roboinstruct_ros.commands.ending import FAULTS, drop_unwritable
from roboinstruct_ros.commands.listing import plain_console
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.confidence import confidence_text

ANSWERED = "answered"
"""Outcome of a task that was answered in words; nothing has moved."""


class JsonReport:
    """One JSON object per line on standard output, and nothing else there."""

    console = Console(quiet=True)

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._own = 0

    def event(self, event: dict[str, Any]) -> None:
        """Report an event, as from `event_object`."""
        with self._lock, outlived():
            print(json.dumps(event), flush=True)

    def finished(self, task_id: str, outcome: str, code: TaskErrorCode, message: str) -> None:
        """Report the end of the task; the message is one line, empty on success."""
        self.own(
            EventKind.TASK_FINISHED, task_id, outcome=outcome, error_code=int(code),
            error_msg=message,
        )  # fmt: skip

    def own(self, kind: EventKind, task_id: str = "", **data: Any) -> None:
        """Report an event of the command line itself."""
        head = {"seq": self._own, "t": round(time.time(), 6), "source": "cli", "task_id": task_id}
        self._own += 1
        self.event({**head, "kind": kind.value, "data": data})


class ConsoleReport:
    """Readable output for a terminal."""

    def __init__(self) -> None:
        self.console = plain_console()
        self._drafts = Drafts(self.console)

    def own(self, kind: EventKind, task_id: str = "", **data: Any) -> None:
        """A user reads what the command line does elsewhere."""

    def finished(self, task_id: str, outcome: str, code: TaskErrorCode, message: str) -> None:
        if outcome == ANSWERED:
            return  # the answer was printed
        colour = "green" if outcome == "succeeded" else "red"
        reason = f": {message}" if message else ""
        with outlived():
            self.console.print(f"[bold {colour}]{outcome}[/]{escape(reason)}")

    def event(self, event: dict[str, Any]) -> None:
        """Report an event; most kinds are only for a script."""
        with outlived():
            self._tell(event)

    def _tell(self, event: dict[str, Any]) -> None:
        data = event["data"]
        match event["kind"]:
            case EventKind.DRAFT_STARTED:
                self._drafts.started(data["draft"], data["attempt"])
            case EventKind.TOKENS:
                self._drafts.written(data["text"])
            case EventKind.DRAFT_VERIFIED:
                self._drafts.verified(data["verdict"])
            case EventKind.GENERATION_FINISHED:
                self._generated(data)
            case EventKind.SKILL_FINISHED:
                self._say(f"line {data['line']:>3}  {_call(data)}")
            case EventKind.RUN_STARTED if data.get("resumed"):
                self._say(f"going on after {data['resumed']} calls that were made before")
            case EventKind.CALL_SETTLED:
                self._say(f"{data['skill']} had begun before the interruption: looked into")
            case EventKind.RECOVERY_TRIED:
                self._say(f"{data['skill']} failed ({data['error']}); try {data['try']}", "yellow")
            case EventKind.HAZARD_SEEN:
                seen = f"line {data['line']}: {data['message']} ({data['reaction']})"
                self._say(f"ahead, {seen}", "yellow")
            case EventKind.RUN_PAUSED if data["paused"]:
                self._say("paused; 'roboinstruct pause --off' lets it go on", "yellow")
            case EventKind.RUN_PAUSED:
                self._say("going on", "yellow")
            case EventKind.PROGRAM_PRINTED:
                self._say(f"program: {data['text'].rstrip()}")
            case EventKind.WARNING:
                self._say(f"warning: {data['message']}", "yellow")
            case EventKind.NODE_LOST:
                self._say(data["message"], "red")

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(text, style=style, markup=False, soft_wrap=True)

    def _generated(self, data: dict[str, Any]) -> None:
        if not self._drafts.ended(data):
            return
        sure = confidence_text(data.get("confidence"), data.get("agreed"))
        if sure:
            self._say(sure, "dim")
        if data.get("steering"):
            place = f"task {data['task']}, version {data['version']}"
            self._say(f"read as: {data['steering']}; {place}", "dim")


Report = JsonReport | ConsoleReport
"""Receives every event of the stack, and the end."""


@contextmanager
def outlived() -> Iterator[None]:
    """A task goes on when nobody reads any more what is told of it."""
    try:
        yield
    except OSError as error:
        drop_unwritable()
        if error.errno != errno.EPIPE:
            with suppress(OSError):  # both may be of a terminal that is gone
                print(f"warning: no more is told: {error.strerror}", file=sys.stderr)


@contextmanager
def reporting(as_json: bool) -> Iterator[Report]:
    """A report to a user or a script; a script is told of bad input as the end of its task."""
    report = JsonReport() if as_json else ConsoleReport()
    try:
        yield report
    except FAULTS as error:
        if as_json:
            code = getattr(error, "code", TaskErrorCode.UNKNOWN)
            report.finished("", "failed", code, str(error))
        raise


def _call(data: dict[str, Any]) -> str:
    """A call with its answer, or how it failed."""
    arguments = ", ".join(map(repr, data["arguments"]))
    answer = "" if data["result"] is None else f" -> {data['result']!r}"
    if data["error_code"]:
        answer = f" failed: {data['error_msg']}"
    return f"{data['skill']}({arguments}){answer}"
