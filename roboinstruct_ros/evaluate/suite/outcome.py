"""The outcome of a case, and of each of its worlds."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from roboinstruct_ros.domain.whole_text import whole_text

Told = Annotated[str, AfterValidator(whole_text)]
"""A text from a program that nobody may have verified; JSON takes no half character."""


class Outcome(str, Enum):
    """How a case went.

    WRONG is an accepted program that does something else, without a note; NOTED is one with a note
    to look twice; NOTHING is neither an accepted program nor an answer in words; ANSWERED is an
    answer in words of an unexpected kind: for a task, a false refusal. OFFERED is a question about
    two programs of which one is right.
    """

    RIGHT = "right"
    WRONG = "wrong"
    NOTED = "noted"
    NOTHING = "nothing"
    ANSWERED = "answered"
    OFFERED = "offered"


class WorldRecord(BaseModel):
    """The result of a program in one world of its task.

    Attributes:
        fault: why it did not end normally; "" if it did.
        why: what it did wrong; "" if it was right.
        goals: how many of the world's goals hold at the end, and how many there are.
        calls: a line each.
    """

    model_config = ConfigDict(frozen=True)
    world: str = ""
    fault: Told = ""
    why: Told = ""
    goals: tuple[int, int] = (0, 0)
    calls: tuple[Told, ...] = ()

    @property
    def right(self) -> bool:
        """Whether the program ended normally and did nothing wrong."""
        return not (self.fault or self.why)
