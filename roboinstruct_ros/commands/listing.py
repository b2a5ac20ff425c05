"""Formats programs, verdicts and plans for a terminal."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from roboinstruct_ros.domain.whole_text import is_unseen
from roboinstruct_ros.program.task_program import lines_of
from roboinstruct_ros.program.violation import Violation

_INDENT = "  "


class _Plain(Console):
    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(seen(text), **options)

    def on_broken_pipe(self) -> None:
        """Rich ends the thread; the caller knows whether anything has to end."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def seen(text: str) -> str:
    """The text with what nobody sees as a number: who approves a program sees all of it."""
    return "".join(f"\\u{ord(c):04x}" if is_unseen(c) and c not in "\n\t" else c for c in text)


def console(columns: int = 120) -> Console:
    """A console of that width, unless a terminal or `COLUMNS` gives one."""
    given = sys.stdout.isatty() or "COLUMNS" in os.environ
    return plain_console(width=None if given else columns)


def plain_console(**options: Any) -> Console:
    """A console that prints texts as they are: `:AB:` in a fingerprint is no emoji."""
    return _Plain(emoji=False, highlight=False, **options)


def table(*titles: str, **look: Any) -> Table:
    """An empty table; a title that begins with `>` heads figures, aligned to the right."""
    made = Table(box=SIMPLE, show_edge=False, pad_edge=False, **look)
    for title in titles:
        figures = title.startswith(">")
        made.add_column(
            title.removeprefix(">"), justify="right" if figures else "left", no_wrap=figures,
            overflow="fold",
        )  # fmt: skip
    return made


def local_time(stamp: float) -> str:
    """A time (s since the epoch) for a table."""
    return f"{datetime.fromtimestamp(stamp):%Y-%m-%d %H:%M}"


def program_listing(source: str, violations: Iterable[Violation]) -> Text:
    """The program, with each violation below its line and a caret at its column."""
    by_line: dict[int, list[Violation]] = {}
    for violation in violations:
        by_line.setdefault(violation.line, []).append(violation)
    text = Text()
    for violation in by_line.pop(0, []):
        text.append(f"{violation.code.value}: {seen(violation.message)}\n", "bold red")
    lines = lines_of(source)
    width = len(str(len(lines)))
    for number, line in enumerate(lines, start=1):
        text.append(f"{number:>{width}} | ", "dim")
        text.append(f"{seen(line)}\n")
        for violation in by_line.get(number, []):
            _append_violation(text, violation, width)
    return text


def _append_violation(text: Text, violation: Violation, width: int) -> None:
    margin = " " * width + " | "
    text.append(margin, "dim")
    text.append(" " * violation.column + "^ ", "bold red")
    text.append(f"{violation.code.value}: {seen(violation.message)}\n", "bold red")
    if violation.counterexample is None:
        return
    for step in violation.counterexample.steps[:-1]:
        text.append(margin, "dim")
        text.append(f"{_INDENT}{seen(step)}\n", "yellow")


def verdict_line(verdict: Mapping[str, Any]) -> str:
    """A verdict in one line, with rich markup; `verdict` in JSON form."""
    colour = {"accepted": "green", "rejected": "red"}.get(verdict["status"], "yellow")
    ms = f"{verdict['duration'] * 1e3:.1f} ms"
    lines = [f"[bold {colour}]{verdict['status']}[/]: {worlds_tried(verdict)}, {ms}"]
    lines += [f"[yellow]note:[/] {escape(one['message'])}" for one in verdict["warnings"]]
    if verdict["status"] == "accepted":
        lines += [escape(assumption["message"]) for assumption in verdict.get("assumptions", ())]
    return "\n".join(lines)


def worlds_tried(verdict: Mapping[str, Any]) -> str:
    """How many worlds a verdict covers, and whether these are all."""
    worlds = f"{verdict['paths']} world{'' if verdict['paths'] == 1 else 's'} tried"
    return f"{worlds}, {'none' if verdict['exhaustive'] else 'some'} left out"


def plan_text(plan: Iterable[str]) -> str:
    """The plan's steps, indented by their depth."""
    return "\n".join(f"{_INDENT * (step.split(' ')[0].count('.') + 1)}{step}" for step in plan)
