"""The state of a task in rounds: what is done, left and found out, and who has approved what.

Source: LLMs Synergy, section 4.1 and algorithm 1: decompose, act, observe, until nothing is
deferred or the limit is reached. Plain values; the caller has programs written and run, and asks
this module for the next step.
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
    """Limits of a task in rounds."""

    max_rounds: int = option(3, "maximum number of programs in one task", 1, 10)
    approve_each_round: bool = option(
        True, "a person approves the program of each round; else the first approval covers later "
        "rounds that raise no doubt", flag="--approve-once",
    )  # fmt: skip


EACH_APPROVED = RoundOptions()
"""Three rounds, each approved by a person."""


@dataclass(frozen=True)
class ProgressiveTask:
    """A task that may take several programs.

    Attributes:
        request: the words for the next program, before findings are filled in.
        round: of the current program, from 1.
        left: what comes after it; empty if it is the last.
        found: sentences, as `findings` words them.
        first: hash and approver of the program of round 1; empty until its approval.
    """

    request: str
    options: RoundOptions = EACH_APPROVED
    round: int = 1
    left: str = ""
    found: tuple[str, ...] = ()
    first: tuple[str, str] = ("", "")

    def written(self, deferred: str) -> ProgressiveTask:
        """Record that a program was written, or a question asked, with `deferred` left over."""
        return replace(self, left=deferred)

    def answered(self, question: str, answer: str) -> ProgressiveTask:
        """Record the person's answer to what had to be known before a program could be written."""
        what = Deferred.read(self.left).what or question
        said = str(Answer(THE_PERSON, answer, what))
        return replace(self, request=self.left, left="", found=checked((*self.found, said)))

    def approved(self, program_sha256: str, who: str) -> ProgressiveTask:
        """Record a person's approval of this round's program."""
        return self if self.round > 1 else replace(self, first=(program_sha256, who))

    def approval_of_first(self, notes: Iterable[str]) -> str:
        """Who has approved this round's program in advance, with that of round 1; else empty.

        Args:
            notes: Objections to the program; if there are any, a person has to look at it.
        """
        sha256, who = self.first
        if self.options.approve_each_round or self.round == 1 or not who or tuple(notes):
            return ""
        return str(phrase("told.approved_once", who=who, sha256=sha256[:12]))

    @property
    def goes_on(self) -> bool:
        """Whether another round follows a successful run."""
        return bool(self.left) and self.round < self.options.max_rounds

    def ran(self, calls: Iterable[SkillCall]) -> ProgressiveTask:
        """The task in its next round, after a successful run of this round's program."""
        found = checked((*self.found, *findings(calls, self.found)))
        return replace(self, request=self.left, left="", round=self.round + 1, found=found)

    @property
    def undone(self) -> str:
        """What remains undone if the task ends in this round, in words; empty if nothing."""
        return _undone(self.left)

    @property
    def spent(self) -> str:
        """Why no round follows although something is left, in words; empty otherwise."""
        if not self.left or self.goes_on:
            return ""
        return str(phrase("told.most_rounds", n=self.options.max_rounds, rest=self.left))

    def why_failed(self, reason: str, begun: bool = True) -> str:
        """The reason why the task ends in this round, and what remains undone.

        Args:
            begun: this round's program was run; otherwise its words are undone too.
        """
        undone = self.undone
        if not begun:
            undone = _undone(self.request) if self.round > 1 else ""
        return "; ".join(part for part in (reason, undone) if part)


def _undone(words: str) -> str:
    return str(phrase("told.undone", rest=words)) if words else ""
