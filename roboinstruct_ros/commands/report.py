"""Reports the progress of a task to a user or a script."""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any, Protocol

from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.commands.drafts import Drafts
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.confidence import confidence_text

ANSWERED = "answered"
"""Outcome of a task that was answered in words; nothing has moved."""


class Report(Protocol):
    """Receives every event of the stack, and the end."""

    def event(self, event: dict[str, Any]) -> None:
        """An event, as from `event_object`."""

    def finished(self, task_id: str, outcome: str, code: TaskErrorCode, message: str) -> None:
        """The task has ended; the message is one line, empty on success."""


class JsonReport:
    """One JSON object per line on standard output, and nothing else there."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._own = 0

    def event(self, event: dict[str, Any]) -> None:
        with self._lock:
            sys.stdout.write(json.dumps(event) + "\n")
            sys.stdout.flush()

    def finished(self, task_id: str, outcome: str, code: TaskErrorCode, message: str) -> None:
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
        self.console = Console(highlight=False)
        self._drafts = Drafts(self.console)

    def event(self, event: dict[str, Any]) -> None:
        tell = getattr(self, f"_tell_{event['kind']}", None)
        if tell is not None:
            tell(event["data"])

    def finished(self, task_id: str, outcome: str, code: TaskErrorCode, message: str) -> None:
        if outcome == ANSWERED:
            return  # the answer was printed
        colour = "green" if outcome == "succeeded" else "red"
        reason = f": {message}" if message else ""
        self.console.print(f"[bold {colour}]{outcome}[/]{escape(reason)}")

    def _tell_draft_started(self, data: dict[str, Any]) -> None:
        self._drafts.started(data["draft"], data["attempt"])

    def _tell_tokens(self, data: dict[str, Any]) -> None:
        self._drafts.written(data["text"])

    def _tell_draft_verified(self, data: dict[str, Any]) -> None:
        self._drafts.verified(data["verdict"])

    def _tell_generation_finished(self, data: dict[str, Any]) -> None:
        if data["error_code"]:
            self._drafts.over()
        else:
            self._drafts.chosen(data["source"], data["verdict"], data["plan"], data)
            sure = confidence_text(data.get("confidence"), data.get("agreed"))
            if sure:
                self.console.print(sure, style="dim")
            if data.get("steering"):
                place = f"task {data['task']}, version {data['version']}"
                self.console.print(f"read as: {data['steering']}; {place}", style="dim")

    def _tell_skill_finished(self, data: dict[str, Any]) -> None:
        arguments = ", ".join(repr(argument) for argument in data["arguments"])
        answer = "" if data["result"] is None else f" -> {data['result']!r}"
        if data["error_code"]:
            answer = f" failed: {data['error_msg']}"
        line = f"line {data['line']:>3}  {data['skill']}({arguments}){answer}"
        self.console.print(line, markup=False)

    def _tell_run_started(self, data: dict[str, Any]) -> None:
        if data.get("resumed"):
            self.console.print(f"going on after {data['resumed']} calls that were made before")

    def _tell_call_settled(self, data: dict[str, Any]) -> None:
        self.console.print(f"{data['skill']} had begun before the interruption: looked into")

    def _tell_recovery_tried(self, data: dict[str, Any]) -> None:
        line = f"{data['skill']} failed ({data['error']}); try {data['try']}"
        self.console.print(f"[yellow]{escape(line)}[/]")

    def _tell_hazard_seen(self, data: dict[str, Any]) -> None:
        line = f"ahead, line {data['line']}: {data['message']} ({data['reaction']})"
        self.console.print(f"[yellow]{escape(line)}[/]", soft_wrap=True)

    def _tell_run_paused(self, data: dict[str, Any]) -> None:
        words = "paused; 'roboinstruct pause --off' lets it go on" if data["paused"] else "going on"
        self.console.print(f"[yellow]{words}[/]")

    def _tell_program_printed(self, data: dict[str, Any]) -> None:
        self.console.print(f"program: {data['text'].rstrip()}", markup=False)

    def _tell_warning(self, data: dict[str, Any]) -> None:
        self.console.print(f"[yellow]warning:[/] {escape(data['message'])}", soft_wrap=True)

    def _tell_node_lost(self, data: dict[str, Any]) -> None:
        self.console.print(f"[red]{escape(data['message'])}[/]")
