"""Why a program must not run, and the story that shows it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.domain.violation_code import ViolationCode as ViolationCode


class CallSeen(BaseModel):
    """A skill call of a counterexample, with the answer that the world gives there.

    Attributes:
        line: 1-based.
        result: None also for the call that breaks a rule, which is the last.
        failed: why the skill fails in this world; empty where it does not.
    """

    model_config = ConfigDict(frozen=True)
    skill: str
    arguments: tuple[Any, ...] = ()
    line: int = 0
    result: Any = None
    failed: str = ""


class Counterexample(BaseModel):
    """The choices that lead to a violation, and the same as sentences.

    Attributes:
        choices: index of the alternative taken at each open question, in order; replaying the
            program under them gives the same violation.
        steps: plain English, one sentence a step; a long story is cut in its middle.
        length: steps of the whole story.
        calls: the skill calls of the story in order, each with its answer.
        room_words: what the program compares made-up names of rooms with; a replay needs the same.
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
        line: 1-based; 0 when the whole program is meant.
        column: 0-based.
        message: plain English, for a person and a model alike.
        counterexample: None for what the text alone shows.
    """

    model_config = ConfigDict(frozen=True)
    code: ViolationCode
    line: int
    column: int = 0
    message: str
    counterexample: Counterexample | None = None
