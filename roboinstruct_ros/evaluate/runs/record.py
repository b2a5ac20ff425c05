"""One evaluation as one record: what was asked, what came of it, and how that is judged.

A folder of an evaluation holds one JSON line each; every figure is made of them alone.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.suite.outcome import Outcome, WorldRecord


class Key(BaseModel):
    """Which evaluation: two of one suite are paired where their keys are the same."""

    model_config = ConfigDict(frozen=True)
    task: str
    phrasing: int = 0
    sample: int = 0


class Record(BaseModel):
    """One evaluation.

    Attributes:
        kind: of the task; figures are told by it.
        parts: how many things it asks for, 3 for three or more; 0 where nobody has counted.
        wanted: the kinds of answers that are right.
        answer: the kind that came; None where nothing was accepted.
        program: the last text; "" where there is none.
        said: the answer in words.
        choices, offers: of a question, and the programs that its choices stand for.
        why: what the program did wrong in the first world where it did, or why nothing was
            accepted; "" when it is right.
        first_codes: violation codes of the first draft; empty where it was accepted.
        codes: of the last one, where nothing was accepted.
        worlds: empty where no program ran.
        confidence: as the generation has it.
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
        """Whether a program is wanted."""
        return AnswerKind.PROGRAM in self.wanted

    @property
    def right(self) -> bool:
        """Whether it counts as passed."""
        return self.outcome is Outcome.RIGHT
