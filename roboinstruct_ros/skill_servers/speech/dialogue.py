"""Asks a person a question aloud: asks, repeats, reads out the options, gives up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.thing_names import means_anybody
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.speech.mouth import CHARACTERS_A_SECOND

Say = Callable[[str, Callable[["Fault | None"], None]], None]


class Phase(str, Enum):
    ASKING = "asking"
    WAITING = "waiting"


@dataclass(frozen=True)
class Patience:
    wait: float = option(
        8.0, "how long to wait for an answer before the question is repeated",
        0.1, 600.0, "s", live=True,
        name="answer_wait",
    )  # fmt: skip
    repeats: int = option(1, "how often an unanswered question is repeated", 0, 10, live=True)
    read_options: bool = option(True, "read the options out before giving up", live=True)


class Dialogue:
    """Says its lines one after another and waits after each. The caller holds a lock."""

    def __init__(
        self,
        person: str,
        question: str,
        options: Sequence[str],
        patience: Patience,
        say: Say,
        give_up: Callable[[Fault], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`say` says a line, then calls its second argument with the fault or None."""
        self.key = f"{id(self)}-{clock()}"
        self._wait, self._say, self._give_up, self._clock = patience.wait, say, give_up, clock
        self._lines = lines(person, question, options, patience)
        self._who = person or "the person"
        self._next, self._until = 0, 0.0
        self.phase = Phase.ASKING
        self.opened = 0.0

    def begin(self) -> None:
        self.opened = self._clock()
        self._put()

    def tick(self) -> None:
        """Check the clock; ask again when the wait is over."""
        if self.phase is Phase.WAITING and self._clock() >= self._until:
            self._put()

    @property
    def time_left(self) -> float:
        """Estimated time until it gives up, s."""
        later = self._lines[self._next :]
        waits = len(later) * self._wait + sum(map(len, later)) / CHARACTERS_A_SECOND
        now = self._until - self._clock() if self.phase is Phase.WAITING else self._wait
        return max(0.0, now) + waits

    def _put(self) -> None:
        if self._next == len(self._lines):
            times = "once" if self._next == 1 else f"{self._next} times"
            message = f"{self._who} was asked {times} and did not choose an answer"
            self._give_up(Fault(SkillErrorCode.NO_ANSWER, message))
            return
        line = self._lines[self._next]
        self._next += 1
        self.phase = Phase.ASKING
        self._say(line, self._said)

    def _said(self, fault: Fault | None) -> None:
        if fault is not None:
            self._give_up(fault)
            return
        self.phase, self._until = Phase.WAITING, self._clock() + self._wait


def lines(
    person: str, question: str, options: Sequence[str], patience: Patience
) -> tuple[str, ...]:
    """The robot's lines, in order."""
    asked = question.strip()
    first = asked if means_anybody(person) else f"{person}, {asked}"
    said = (first, *(asked for _ in range(patience.repeats)))
    return (*said, read_out(options)) if patience.read_options else said


def read_out(options: Sequence[str]) -> str:
    """'Please say tea, coffee or water.'"""
    named = [option.strip().rstrip(".") for option in options]
    *first, last = named or [""]
    return f"Please say {', '.join(first)} or {last}." if first else f"Please say {last}."
