"""What a model writes, as a terminal shows it: one program, and what came before it only if needed.

The first draft is shown as it is written, and so is one that mends a rejected one. Those that only
tell how sure the model is are not: whoever has to approve a program reads that program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console

from roboinstruct_ros.commands.listing import plan_text, verdict_line

_HEAD = "def task_program():\n"


class Drafts:
    """Told the drafts of one instruction after the other; verdicts are as JSON has them."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._attempt = self._draft = 0
        self._text = ""
        self._shows = self._compares = self._open = False

    def started(self, draft: int, attempt: int) -> None:
        """A draft begins, both counted from 1."""
        self._end_line()
        if draft == 1:
            self._begin()
        self._shows = attempt > self._attempt or draft == self._draft
        if self._shows:
            if attempt > max(self._attempt, 1):
                self._console.print(f"\n[yellow]attempt {attempt}[/]")
            self._attempt, self._draft, self._text = attempt, draft, _HEAD
        elif not self._compares:
            self._compares = True
            self._console.print("[dim]writing it again, to see whether it comes out the same[/]")

    def written(self, text: str) -> None:
        """The draft goes on with `text`."""
        if self._shows:
            new = _HEAD + text if self._text == _HEAD else text
            self._text += text
            self._console.print(new, end="", style="cyan", markup=False)
            self._open = True

    def verified(self, verdict: Mapping[str, Any]) -> None:
        """The draft has its verdict; that of an accepted one comes with the program."""
        if not self._shows or verdict["status"] == "accepted":
            return
        self._end_line()
        self._console.print(verdict_line(dict(verdict)))
        for one in verdict["violations"]:
            text = f"line {one['line']}: {one['message']}"
            self._console.print(text, style="red", markup=False, soft_wrap=True)

    def chosen(
        self, source: str, verdict: Mapping[str, Any], plan: list[str], told: Mapping[str, Any]
    ) -> None:
        """The program that is offered, with its verdict and its plan.

        Args:
            told: `now`, `deferred` and `notes` as of a `Generation`.
        """
        self._end_line()
        if source.strip() != self._text.strip():
            self._console.print(f"\n{source.rstrip()}", style="cyan", markup=False)
        self._console.print(verdict_line(dict(verdict)))
        self._console.print(plan_text(plan), markup=False)
        for heading, text in (("now", told.get("now")), ("later", told.get("deferred"))):
            if text:
                self._console.print(f"{heading}: {text}", style="bold", markup=False)
        for note in told.get("notes", ()):
            text = f"look twice: {note}"
            self._console.print(text, style="yellow", markup=False, soft_wrap=True)
        self.over()

    def over(self) -> None:
        """Nothing is offered."""
        self._end_line()
        self._begin()

    def _begin(self) -> None:
        self._attempt = self._draft = 0
        self._text = ""
        self._shows = self._compares = False

    def _end_line(self) -> None:
        if self._open:
            self._console.print()
        self._open = False
