"""What a person is asked, or told, when the model's texts do not agree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from roboinstruct_ros.domain.answer import Answer, AnswerKind, with_choice
from roboinstruct_ros.domain.instruction import MAX_CHARACTERS, one_line
from roboinstruct_ros.generate.choice import Accepted

QUESTION = "I am not sure that I understand. Which of these do you mean?"
NOTE = "The model is not sure that this is what you mean"

WITHOUT = "without that"

READABLE, LONGEST = 100, 160
"""Characters: up to the first a plan is told as a whole, beyond the second it is cut off."""


def question_between(instruction: str, one: Accepted, other: Accepted) -> Answer | None:
    """Asks which of two programs is meant; None where the choice would make the instruction too
    long, or their plans read the same."""
    choices = told_apart(*([step.text for step in program.plan] for program in (one, other)))
    longest = max(len(with_choice(instruction, choice)) for choice in choices)
    if longest > MAX_CHARACTERS or choices[0] == choices[1]:
        return None
    return Answer(AnswerKind.QUESTION, QUESTION, choices)


def told_apart(one: Sequence[str], other: Sequence[str]) -> tuple[str, str]:
    """Two plans in a line each; of long ones what both have at the beginning and at the end is
    left out."""
    whole = _told(one), _told(other)
    head = _shared(one, other)
    tail = _shared(one[head:][::-1], other[head:][::-1])
    parts = one[head : len(one) - tail], other[head : len(other) - tail]
    if max(map(len, whole)) <= READABLE:
        return whole
    before, after = "... " if head else "", " ..." if tail else ""
    told = (_cut(_told(part)) or WITHOUT for part in parts)
    one_told, other_told = (f"{before}{text}{after}" for text in told)
    return one_told, other_told


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many steps both begin with."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _told(steps: Sequence[str]) -> str:
    line = "; ".join(one_line(step).rstrip(".") for step in steps)
    return line.replace(":;", ":")


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST else line[: LONGEST - 4].rsplit(" ", 1)[0] + " ..."
