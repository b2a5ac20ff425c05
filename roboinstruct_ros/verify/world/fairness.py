"""What a waiting loop was answered: asked again, a question may have another answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import TypeVar

from roboinstruct_ros.verify.world.footprint import Footprint

Answer = TypeVar("Answer", bound=Hashable)


class FairAnswers:
    """Remembers the answers given at each place of a program.

    Attributes:
        tired: no more answers are tried: each question has the one that it has not had for longest.
    """

    def __init__(
        self, waiting_lines: Collection[int], left_out: Callable[[], None], read: Footprint
    ) -> None:
        """Takes the lines of waiting loops, what to call when answers are left out, and what notes
        that something is looked at."""
        self.tired = False
        self._read = read
        self._left_out = left_out
        self._waiting_lines = waiting_lines
        self._given: dict[tuple[int, Hashable], list[Hashable]] = {}

    @property
    def sites(self) -> frozenset[Hashable]:
        """Where something was asked, so that it may have another answer."""
        return frozenset(self._given)

    def waits_for(self, line: int, question: Hashable) -> bool:
        """Whether a loop asks this again, so that time has passed since the last answer."""
        if line not in self._waiting_lines:
            return False
        self._read.asked.add((line, question))
        return (line, question) in self._given

    def allowed(self, line: int, question: Hashable, answers: list[Answer]) -> list[Answer]:
        """The answers that may come next: all of them, as long as they are tried."""
        if not self.tired or line not in self._waiting_lines or len(answers) < 2:
            return answers
        self._left_out()
        self._read.is_all = True
        given = self._given.get((line, question), [])[::-1]
        return [max(answers, key=lambda answer: _since(given, answer))]

    def note(self, line: int, question: Hashable, answer: Hashable) -> None:
        """Remember an answer."""
        if line in self._waiting_lines:
            self._given.setdefault((line, question), []).append(answer)

    def forget(self, question: Hashable) -> None:
        """The robot itself settled the question: the next answer is what it did."""
        for site in [site for site in self._given if site[1] == question]:
            del self._given[site]


def _since(given: list[Hashable], answer: Hashable) -> int:
    return given.index(answer) if answer in given else len(given)
