"""A reason why a program must not run, and the counterexample that shows it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.domain.violation_code import ViolationCode as ViolationCode


class CallSeen(BaseModel):
    """A skill call of a counterexample, with its answer in that world.

    Attributes:
        line: 1-based.
        result: None also for the last call, if that call breaks a rule.
        failed: why the skill fails in this world; empty if it does not.
    """

    model_config = ConfigDict(frozen=True)
    skill: str
    arguments: tuple[Any, ...] = ()
    line: int = 0
    result: Any = None
    failed: str = ""


class Counterexample(BaseModel):
    """The choices that lead to a violation, and the story in sentences.

    Attributes:
        choices: index of the alternative taken at each open question, in order, and a mark
            where rounds of a wait were skipped; replaying the program under them gives the same
            violation.
        steps: plain English, one sentence per step; a long story is shortened in the middle.
        length: number of steps of the complete story.
        calls: the skill calls of the story in order, each with its answer.
        room_words: the texts that the program compares with made-up room names; a replay needs
            them.
    """

    model_config = ConfigDict(frozen=True)
    choices: tuple[int, ...] = ()
    steps: tuple[str, ...] = ()
    length: int = 0
    calls: tuple[CallSeen, ...] = ()
    room_words: tuple[str, ...] = ()


class Violation(BaseModel):
    """One reason, at one place of the program text.

    Attributes:
        line: 1-based; 0 if the violation concerns the program as a whole.
        column: 0-based.
        message: plain English, for a person and a model alike.
        counterexample: None for a violation that the text alone shows.
    """

    model_config = ConfigDict(frozen=True)
    code: ViolationCode
    line: int
    column: int = 0
    message: str
    counterexample: Counterexample | None = None
