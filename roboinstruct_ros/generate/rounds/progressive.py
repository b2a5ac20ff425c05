"""A task in rounds: what is done, what is left, what was found, and who has approved what.

Source: LLMs Synergy, section 4.1 and algorithm 1: decompose, act, look again, until nothing is
deferred or the bound is reached. Plain values: whoever has programs written and run asks this
what is next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.generate.rounds.findings import THE_PERSON, Answer, checked, findings
from roboinstruct_ros.generate.rounds.splitting import Deferred


@dataclass(frozen=True)
class RoundOptions:
    """Bounds of a task in rounds."""

    max_rounds: int = option(3, "programs of one task at the most", 1, 10)
    approve_each_round: bool = option(
        True, "a person approves the program of every round; else the first approval covers the "
        "later ones that nothing speaks against", flag="--approve-once",
    )  # fmt: skip


EACH_APPROVED = RoundOptions()
"""Three rounds, and a person approves each."""


@dataclass(frozen=True)
class ProgressiveTask:
    """A task that may take several programs.

    Attributes:
        request: words that a program is to be written for now, found things not yet put in.
        round: of the program that is written, read or run now, from 1.
        left: what comes after it; empty when it is the last.
        found: sentences, as `findings` says them.
        first: program and name of who approved it, of round 1; empty until then.
    """

    request: str
    options: RoundOptions = EACH_APPROVED
    round: int = 1
    left: str = ""
    found: tuple[str, ...] = ()
    first: tuple[str, str] = ("", "")

    def written(self, deferred: str) -> ProgressiveTask:
        """A program was written, or a question asked, and this is left."""
        return replace(self, left=deferred)

    def answered(self, question: str, answer: str) -> ProgressiveTask:
        """The person has said what was to be known before a program could be written."""
        what = Deferred.read(self.left).what or question
        said = str(Answer(THE_PERSON, answer, what))
        return replace(self, request=self.left, left="", found=checked((*self.found, said)))

    def approved(self, program_sha256: str, who: str) -> ProgressiveTask:
        """A person has approved the program of this round."""
        return self if self.round > 1 else replace(self, first=(program_sha256, who))

    def approval_of_first(self, notes: Iterable[str]) -> str:
        """Who has approved the program of this round already, with that of round 1; else empty.

        Args:
            notes: What speaks against the program; with any the person looks at it.
        """
        sha256, who = self.first
        if self.options.approve_each_round or self.round == 1 or not who or tuple(notes):
            return ""
        return str(phrase("told.approved_once", who=who, sha256=sha256[:12]))

    @property
    def goes_on(self) -> bool:
        """Whether another round follows a run that succeeds."""
        return bool(self.left) and self.round < self.options.max_rounds

    def ran(self, calls: Iterable[SkillCall]) -> ProgressiveTask:
        """The task in its next round, after the program of this one has succeeded."""
        found = checked((*self.found, *findings(calls, self.found)))
        return replace(self, request=self.left, left="", round=self.round + 1, found=found)

    @property
    def undone(self) -> str:
        """What stays undone when it ends in this round, in words; empty when nothing."""
        return _undone(self.left)

    @property
    def spent(self) -> str:
        """Why nothing follows this round although something is left, in words; empty when not."""
        if not self.left or self.goes_on:
            return ""
        return str(phrase("told.most_rounds", n=self.options.max_rounds, rest=self.left))

    def why_failed(self, reason: str, begun: bool = True) -> str:
        """The reason why it ends in this round, and what stays undone.

        Args:
            begun: the program of this round was run; else its words are undone too.
        """
        undone = self.undone
        if not begun:
            undone = _undone(self.request) if self.round > 1 else ""
        return "; ".join(part for part in (reason, undone) if part)


def _undone(words: str) -> str:
    return str(phrase("told.undone", rest=words)) if words else ""
