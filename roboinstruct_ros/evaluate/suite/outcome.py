"""How a case went, and each world of it."""

from __future__ import annotations

from enum import Enum

from pydantic import BaseModel, ConfigDict


class Outcome(str, Enum):
    """How a case went.

    WRONG is a program that was accepted and does something else, without a note; NOTED one that
    comes with a note to look twice; NOTHING is no accepted program, and no answer in words;
    ANSWERED is an answer in words that is not of the wanted kind: of a task, a false refusal.
    OFFERED is a question about two programs of which one is right.
    """

    RIGHT = "right"
    WRONG = "wrong"
    NOTED = "noted"
    NOTHING = "nothing"
    ANSWERED = "answered"
    OFFERED = "offered"


class WorldRecord(BaseModel):
    """How a program did in one world of its task.

    Attributes:
        fault: why it did not come to its end; "" when it did.
        why: what it did wrong; "" where it was right.
        goals: how many of the world's goals hold at the end, and how many there are.
        calls: a line each.
    """

    model_config = ConfigDict(frozen=True)
    world: str = ""
    fault: str = ""
    why: str = ""
    goals: tuple[int, int] = (0, 0)
    calls: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the program came to its end and did nothing wrong."""
        return not (self.fault or self.why)
