"""What a waiting loop was answered: there, every answer comes within a few questions."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import TypeVar

FAIR_REPEATS = 2
"""How often in a row a waiting loop gets the same answer at the least, before it changes."""

MOST_REPEATS = 12
"""How often at the most, for a program that counts further; that is then not exhaustive."""

Answer = TypeVar("Answer", bound=Hashable)


class FairAnswers:
    """Remembers the answers given at each place of a program.

    Attributes:
        forced: an answer was left out because it had been given too often.
    """

    def __init__(self, waiting_lines: Collection[int], counts_to: int = 0) -> None:
        """Takes the lines of waiting loops, and the largest number that they count to."""
        self.forced = False
        self._repeats = max(FAIR_REPEATS, min(counts_to + 1, MOST_REPEATS))
        self._waiting_lines = waiting_lines
        self._given: dict[tuple[int, Hashable], list[Hashable]] = {}

    def waits_for(self, line: int, question: Hashable) -> bool:
        """Whether a loop asks this again, so that time has passed since the last answer."""
        return line in self._waiting_lines and (line, question) in self._given

    def allowed(self, line: int, question: Hashable, answers: list[Answer]) -> list[Answer]:
        """The answers that may come next: in a waiting loop, those not heard for too long."""
        if line not in self._waiting_lines:
            return answers
        window = max(self._repeats, len(answers))
        recent = self._given.get((line, question), [])[-window:]
        if len(recent) < window:
            return answers
        missing = [answer for answer in answers if answer not in recent]
        if not missing:
            return answers
        self.forced = True
        return missing

    def note(self, line: int, question: Hashable, answer: Hashable) -> None:
        """Remember an answer."""
        if line in self._waiting_lines:
            self._given.setdefault((line, question), []).append(answer)

    def forget(self, question: Hashable) -> None:
        """The robot itself settled the question: the next answer is what it did."""
        for site in [site for site in self._given if site[1] == question]:
            del self._given[site]
