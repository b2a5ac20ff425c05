"""Shows the answer given instead of a program, and lets the user choose an option."""

from __future__ import annotations

import sys

import typer
from rich.console import Console
from rich.markup import escape

from roboinstruct_ros.domain.answer import Answer, AnswerKind

_TITLES = {
    AnswerKind.CANNOT: "I cannot do that",
    AnswerKind.QUESTION: "Question",
    AnswerKind.REPLY: "Reply",
}


def tell_answer(console: Console, answer: Answer) -> None:
    title = f"[bold yellow]{_TITLES[answer.kind]}[/]"
    console.print(f"{title}: {escape(answer.words)}", soft_wrap=True)
    for number, choice in enumerate(answer.choices, start=1):
        console.print(f"  {number}. {choice}", markup=False, soft_wrap=True)


def ask_choice(answer: Answer) -> str:
    """The user's choice; "" for none or without a terminal."""
    if not answer.choices or not sys.stdin.isatty():
        return ""
    number = -1
    while not 0 <= number <= len(answer.choices):
        number = typer.prompt("Which number? (0 for none)", type=int, default=0, err=True)
    return answer.choices[number - 1] if number else ""
