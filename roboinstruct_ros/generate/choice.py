"""Chooses among several texts for one prompt, and estimates the confidence in the choice.

The texts are grouped by what they do: programs that make the same calls in the verifier's sampled
worlds, and answers of one kind. A rejected text counts in the total, but for no group. Source:
ROBO-INSTRUCT, 2.1 (rejection sampling), with the vote of self-consistency.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.domain.answer import Answer, AnswerKind
from roboinstruct_ros.program.narrate import PlanStep, narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.verdict import Verdict

UNLIKELY = 0.2
"""Share of `ask_below` under which a program has a note whatever the votes: 10 of the 15 without
one that two models wrote for three test sets in spite of it were wrong (models/README.md)."""


class Choice(str, Enum):
    """FIRST: the first accepted program without notes. BEST: the likeliest text if the model is
    sure of it; else more texts are drawn and the majority wins, and if too few agree the two
    likeliest programs become a question."""

    FIRST = "first"
    BEST = "best"


@dataclass(frozen=True)
class Accepted:
    """A program that the verifier accepted.

    Attributes:
        notes: what in it does not fit the instruction.
        plan: its steps in English.
    """

    source: str
    verdict: Verdict
    notes: tuple[str, ...]
    plan: tuple[PlanStep, ...]

    @property
    def group(self) -> str:
        """Equal for programs that do the same."""
        return self.verdict.behaviour or self.source


class Ballot:
    """Collects the texts of one generation, and counts votes per group.

    Args:
        votes: Number of texts to compare if the model reports the probability of its likeliest
            text.
        candidates: Number of texts to compare otherwise; with 1 the first suitable text is taken.
        ask_below: Confidence below which the outcome is doubtful.

    Attributes:
        texts: number of texts drawn.
    """

    def __init__(self, votes: int = 1, candidates: int = 1, ask_below: float = 0.0) -> None:
        self.texts = 0
        self._counted, self._candidates, self._ask_below = votes, candidates, ask_below
        self._accepted: dict[str, Accepted] = {}
        self._answers: dict[AnswerKind, Answer] = {}
        self._votes: Counter[str] = Counter()
        self._first: tuple[str, Answer | None] = ("", None)
        self._probability: float | None = None

    def add(self, source: str, verdict: Verdict, notes: tuple[str, ...]) -> None:
        """Add an accepted program."""
        plan = narrate(TaskProgram.from_text(source))
        self._accepted[source] = Accepted(source, verdict, notes, plan)
        self.again(source)

    def again(self, source: str) -> None:
        """Count a text that was drawn before; it has a vote only if it was accepted."""
        self.texts += 1
        if source in self._accepted:
            self._votes[self._accepted[source].group] += 1

    def answer(self, answer: Answer) -> None:
        """Add an answer in words."""
        self.texts += 1
        self._answers.setdefault(answer.kind, answer)
        self._votes[answer.kind.value] += 1

    def prefer(self, probability: float | None, source: str, answer: Answer | None) -> None:
        """Record the model's likeliest text, and its probability."""
        self._first, self._probability = (source, answer), probability

    @property
    def wanted(self) -> int:
        """Number of texts to compare; 1 if the first suitable text is taken."""
        return max(1 if self._probability is None else self._counted, self._candidates)

    @property
    def is_sure(self) -> bool:
        """Whether the likeliest text is likely enough and has no notes."""
        if self._probability is None or self._probability < self._ask_below:
            return False
        clean = any(a.group == self._likeliest and not a.notes for a in self._accepted.values())
        return clean or any(kind.value == self._likeliest for kind in self._answers)

    @property
    def is_settled(self) -> bool:
        """Whether more texts would change nothing."""
        if self.is_sure or self.texts >= self.wanted:
            return True
        # in a tie the likeliest text wins, so half of all votes suffice for it
        most = self._agreed + 0.5 * (self._taken == self._likeliest) > self.wanted / 2
        return most and self._agreed >= self._ask_below * self.wanted

    @property
    def is_doubtful(self) -> bool:
        """Whether too few of the compared texts agree, or the only text is not likely enough."""
        sure = self.confidence
        return self.wanted > 1 and sure is not None and sure < self._ask_below

    @property
    def is_unlikely(self) -> bool:
        """Whether the compared texts may agree on a misreading: even the likeliest of all texts has
        a probability far below what would be taken at once."""
        likely = self._probability
        return self.wanted > 1 and likely is not None and likely < UNLIKELY * self._ask_below

    @property
    def confidence(self) -> float | None:
        """Estimated probability that the outcome is what was meant; None if unknown."""
        if self.agreed is not None:
            return self.agreed[0] / self.agreed[1]
        return self._probability if self.is_sure or self.texts <= 1 else None

    @property
    def agreed(self) -> tuple[int, int] | None:
        """Texts that agree with the outcome, and all texts; None if they are not compared."""
        counted = self.wanted > 1 and self.texts > 1 and not self.is_sure
        return (self._agreed, self.texts) if counted else None

    @property
    def best(self) -> Accepted | None:
        """The accepted program with fewest notes, then most votes, then fewest warnings, then
        the shortest text; the first one of equals. None if nothing was accepted."""
        return min(self._accepted.values(), key=self._score, default=None)

    @property
    def rival(self) -> Accepted | None:
        """The program with most votes among those that do something else than the best."""
        best = self.best
        others = (one for one in self._accepted.values() if best and one.group != best.group)
        return min(
            others, key=lambda one: (-self._votes[one.group], self._score(one)), default=None
        )

    @property
    def said(self) -> Answer | None:
        """The answer with more votes than the best program, or with as many and the likeliest
        text among them; else None."""
        kind = max(self._answers, key=lambda kind: self._weight(kind.value), default=None)
        best = self.best
        if kind is None or (best and self._weight(best.group) >= self._weight(kind.value)):
            return None
        return self._answers[kind]

    @property
    def _likeliest(self) -> str:
        """The group of the likeliest text; "" if it has none."""
        source, answer = self._first
        one = self._accepted.get(source)
        return answer.kind.value if answer else one.group if one else ""

    @property
    def _agreed(self) -> int:
        """Votes for the outcome."""
        return self._votes[self._taken]

    @property
    def _taken(self) -> str:
        """The group of the outcome; "" if there is none."""
        said, best = self.said, self.best
        return said.kind.value if said else best.group if best else ""

    def _weight(self, group: str) -> tuple[int, bool]:
        return self._votes[group], group == self._likeliest

    def _score(self, one: Accepted) -> tuple[int, int, bool, int, int]:
        votes, likeliest = self._weight(one.group)
        return (len(one.notes), -votes, not likeliest, len(one.verdict.warnings), len(one.source))
