"""Which of several accepted programs is taken."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.program.narrate import PlanStep, narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.verdict import Verdict


class Choice(str, Enum):
    """FIRST: the first accepted program that leaves nothing to be wished for. BEST: all texts that
    were begun together are written out, and the one with the best score is taken."""

    FIRST = "first"
    BEST = "best"


@dataclass(frozen=True)
class Accepted:
    """A program that the verifier accepted.

    Attributes:
        notes: what in it does not fit the instruction.
        plan: its English steps.
    """

    source: str
    verdict: Verdict
    notes: tuple[str, ...]
    plan: tuple[PlanStep, ...]


class Ballot:
    """The accepted programs of one generation, and how often each way to do the task came."""

    def __init__(self) -> None:
        self._accepted: dict[str, Accepted] = {}
        self._votes: Counter[tuple[str, ...]] = Counter()

    def add(self, source: str, verdict: Verdict, notes: tuple[str, ...]) -> None:
        """Take a program in."""
        plan = narrate(TaskProgram.from_text(source))
        self._accepted[source] = Accepted(source, verdict, notes, plan)
        self._votes[_way(plan)] += 1

    def again(self, source: str) -> None:
        """The same text has come once more; one that was not accepted has no vote."""
        if source in self._accepted:
            self._votes[_way(self._accepted[source].plan)] += 1

    @property
    def best(self) -> Accepted | None:
        """Fewest notes, then fewest warnings of the verifier, then the way that most texts have in
        common, then the shortest; of equals the first. None when nothing was accepted."""
        return min(self._accepted.values(), key=self._score, default=None)

    def _score(self, one: Accepted) -> tuple[int, int, int, int]:
        return (
            len(one.notes),
            len(one.verdict.warnings),
            -self._votes[_way(one.plan)],
            len(one.source),
        )


def _way(plan: tuple[PlanStep, ...]) -> tuple[str, ...]:
    return tuple(step.text for step in plan)
