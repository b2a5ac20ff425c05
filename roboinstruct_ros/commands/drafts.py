"""Shows at a terminal what the model writes: drafts of a program, or an answer in words.

The first draft is shown as it is written, and so is each one that repairs a rejected draft. Drafts
that only measure the model's confidence are hidden: the approver reads one program.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.commands.listing import plan_text, verdict_line
from roboinstruct_ros.domain.answer import Answer, AnswerKind

_HEAD = "def task_program():\n"
_TITLES = {
    AnswerKind.CANNOT: "I cannot do that",
    AnswerKind.QUESTION: "Question",
    AnswerKind.REPLY: "Reply",
}


class Drafts:
    """Displays the drafts of one instruction after another; verdicts are in JSON form."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._open = False
        self._begin()

    def _begin(self) -> None:
        self._attempt = self._draft = 0
        self._text = ""
        self._shows = self._compares = False

    def started(self, draft: int, attempt: int) -> None:
        """A draft begins; both numbers count from 1."""
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
        """The draft continues with `text`."""
        if self._shows:
            new = _HEAD + text if self._text == _HEAD else text
            self._text += text
            self._console.print(new, end="", style="cyan", markup=False)
            self._open = True

    def verified(self, verdict: Mapping[str, Any]) -> None:
        """The draft has a verdict; that of an accepted draft is shown with the program."""
        if not self._shows or verdict["status"] == "accepted":
            return
        self._end_line()
        self._console.print(verdict_line(verdict))
        for one in verdict["violations"]:
            text = f"line {one['line']}: {one['message']}"
            self._console.print(text, style="red", markup=False, soft_wrap=True)

    def ended(self, generated: Mapping[str, Any]) -> bool:
        """Show the program offered, if any, with its verdict and plan. Returns whether one is.

        Args:
            generated: A `Generation` in JSON form.
        """
        self._end_line()
        written = self._text
        self._begin()
        if generated["error_code"]:
            return False
        if generated["source"].strip() != written.strip():
            source = generated["source"].rstrip()
            self._console.print(f"\n{source}", style="cyan", markup=False)
        self._console.print(verdict_line(generated["verdict"]))
        self._console.print(plan_text(generated["plan"]), markup=False)
        for heading, key in (("now", "now"), ("later", "deferred")):
            if generated.get(key):
                self._console.print(f"{heading}: {generated[key]}", style="bold", markup=False)
        for note in generated.get("notes", ()):
            text = f"look twice: {note}"
            self._console.print(text, style="yellow", markup=False, soft_wrap=True)
        return True

    def _end_line(self) -> None:
        if self._open:
            self._console.print()
        self._open = False


def ask_choice(console: Console, answer: Answer) -> str:
    """Show the answer. Returns the user's choice; "" for none or without a terminal."""
    title = f"[bold yellow]{_TITLES[answer.kind]}[/]"
    console.print(f"{title}: {escape(answer.words)}", soft_wrap=True)
    for number, choice in enumerate(answer.choices, start=1):
        console.print(f"  {number}. {choice}", markup=False, soft_wrap=True)
    if not answer.choices or not sys.stdin.isatty():
        return ""
    number = -1
    while not 0 <= number <= len(answer.choices):
        number = typer.prompt("Which number? (0 for none)", type=int, default=0, err=True)
    return answer.choices[number - 1] if number else ""
