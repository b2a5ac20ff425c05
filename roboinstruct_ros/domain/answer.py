"""The possible answers to an instruction: a program, a refusal, a question or a reply.

A model writes the body of `task_program()`. A body that consists of one comment is not a program:

    # Cannot: I cannot open windows. I can look whether somebody is in the room.
    # Question: Which lab do you mean? | lab 1 | lab 2
    # Reply: I fetch, carry, look, ask and tell. Say what I should do, and where.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from roboinstruct_ros.domain.instruction import one_line


class AnswerKind(str, Enum):
    """How an instruction was answered."""

    PROGRAM = "program"
    CANNOT = "cannot"
    QUESTION = "question"
    REPLY = "reply"


@dataclass(frozen=True)
class Answer:
    """An answer in words instead of a program.

    Attributes:
        kind: CANNOT, QUESTION or REPLY.
        words: Addressed to the person: the reason and what is possible instead, the question, or
            the reply.
        choices: Of a question; each one, appended to the instruction in brackets, completes it.
    """

    kind: AnswerKind
    words: str
    choices: tuple[str, ...] = ()

    @property
    def as_json(self) -> dict[str, Any]:
        """The form used in events, files and on the page: `kind`, `words` and `choices`."""
        return {"kind": self.kind.value, "words": self.words, "choices": list(self.choices)}

    @property
    def line(self) -> str:
        """The comment that a model writes for this answer."""
        return f"# {self.kind.value.capitalize()}: {' | '.join((self.words, *self.choices))}"


def with_choice(instruction: str, choice: str) -> str:
    """The instruction that is sent again after a person has chosen an answer to a question."""
    return f"{instruction} ({choice})"


def choice_in(instruction: str, choices: Iterable[str]) -> str:
    """The choice that the instruction already contains; "" for none."""
    text = instruction.casefold()
    return next((one for one in choices if with_choice("", one).casefold() in text), "")


def answer_in(body: str) -> Answer | None:
    """The answer in a body of one comment; None for a program or an unknown comment."""
    lines = [line.strip() for line in body.strip().splitlines() if line.strip()]
    if len(lines) != 1 or not lines[0].startswith("# "):
        return None
    label, found, said = lines[0].removeprefix("# ").partition(": ")
    kinds = {kind.value.capitalize(): kind for kind in AnswerKind if kind is not AnswerKind.PROGRAM}
    kind = kinds.get(label)
    parts = [one_line(part) for part in said.split("|")]
    if not found or kind is None or not parts[0]:
        return None
    choices = tuple(part for part in parts[1:] if part) if kind is AnswerKind.QUESTION else ()
    return Answer(kind, parts[0], choices)
