"""Verifies the rest of a running program from what has really happened.

A program whose every world was tried needs no second look as long as nothing else happens than the
verifier has thought of. A skill that failed, a verdict that was not exhaustive, or other rules than
those of the verdict end that; from then on the rest is verified before each call, from here.
Source: seed 003 (assertions).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.verify.verdict import Status, Verdict

VerifyFrom = Callable[[Sequence[SkillCall], str], Verdict]


class OnHazard(str, Enum):
    """What is done when the rest of a program could go wrong: WARN tells it, PAUSE holds the run
    until a person lets it go on, STOP ends it."""

    WARN = "warn"
    PAUSE = "pause"
    STOP = "stop"


@dataclass(frozen=True)
class Hazard:
    """What could go wrong from here.

    Attributes:
        code: of a violation, or why nobody knows.
        line: of the program; 0 for none.
    """

    code: str
    message: str
    line: int = 0


NO_VERDICT = Hazard(
    "not_verified",
    "the map or the policies have changed, and the rest of the program has no verdict under them",
)


class RunMonitor:
    """Watches one run.

    Args:
        verify_from: the verdict on the rest of a program after the calls that were made.
    """

    def __init__(self, verify_from: VerifyFrom | None = None) -> None:
        self._verify_from = verify_from
        self._source = ""
        self._proven = self._judged = True
        self._told: set[tuple[str, int]] = set()

    def begin(self, source: str, verdict: Verdict) -> None:
        """A run begins, under the verdict that lets it."""
        self._source, self._proven, self._judged = source, verdict.exhaustive, True
        self._told.clear()

    def note(self, call: SkillCall) -> None:
        """A call has ended; one that failed is something that no world of the verdict had."""
        if call.error_code:
            self._proven = False

    def has_told(self, code: str, line: int) -> bool:
        """Whether this hazard was told, and what `on_hazard` says was done about it."""
        return (code, line) in self._told

    def doubt(self) -> None:
        """The rules have changed: what was found under the old ones counts no more."""
        self._proven = self._judged = False
        self._told.clear()

    def hazard(self, calls: Sequence[SkillCall]) -> Hazard | None:
        """What could go wrong from here, told once; None when nothing can, or nobody knows.

        After `doubt`, that nobody knows is a hazard too.

        Args:
            calls: made so far, all of them ended.
        """
        if self._proven or self._verify_from is None:
            return None
        verdict = self._verify_from(calls, self._source)
        judged, self._judged = self._judged, True
        if verdict.status is not Status.REJECTED or not verdict.paths:
            self._proven = verdict.accepted and verdict.exhaustive
            return None if judged or (verdict.accepted and verdict.paths) else NO_VERDICT
        for violation in verdict.violations:
            key = (violation.code.value, violation.line)
            if key not in self._told:
                self._told.add(key)
                return Hazard(violation.code.value, violation.message, violation.line)
        return None
