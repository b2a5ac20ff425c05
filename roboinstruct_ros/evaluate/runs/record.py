"""The record of one evaluated item: the request, the result, and its judgement.

A folder of an evaluation contains one JSON line per record; every figure is computed from these
alone.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.suite.outcome import Outcome, WorldRecord


class Key(BaseModel):
    """Identifies an item; two evaluations of one suite are paired by equal keys."""

    model_config = ConfigDict(frozen=True)
    task: str
    phrasing: int = 0
    sample: int = 0


class Record(BaseModel):
    """One evaluated item.

    Attributes:
        kind: of the task; figures are grouped by it.
        parts: how many things it asks for, 3 for three or more; 0 if not counted.
        wanted: the kinds of answers that are right.
        answer: the kind that came; None if nothing was accepted.
        program: the last text; "" if there is none.
        said: the answer in words.
        choices, offers: of a question, and the programs behind its choices.
        why: what the program did wrong in the first world where it did, or why nothing was
            accepted; "" if it is right.
        first_codes: violation codes of the first draft; empty if it was accepted.
        codes: of the last draft, if nothing was accepted.
        worlds: empty if no program ran.
        confidence: as in `Generation`.
        seconds: from the instruction to the answer.
        lost: how often a process died over it.
    """

    model_config = ConfigDict(frozen=True)
    key: Key
    kind: str
    parts: int = 0
    text: str
    wanted: tuple[AnswerKind, ...]
    outcome: Outcome
    answer: AnswerKind | None
    program: str = ""
    said: str = ""
    choices: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    why: str = ""
    first_codes: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    worlds: tuple[WorldRecord, ...] = ()
    confidence: float | None = None
    notes: tuple[str, ...] = ()
    attempts: int = 0
    tokens: int = 0
    seconds: float = 0.0
    lost: int = 0

    @property
    def is_task(self) -> bool:
        """Whether a program is expected."""
        return AnswerKind.PROGRAM in self.wanted

    @property
    def right(self) -> bool:
        """Whether it counts as passed."""
        return self.outcome is Outcome.RIGHT
