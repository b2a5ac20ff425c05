"""Verifies the rest of a running program from what has really happened.

A program whose every world was tried needs no second look as long as nothing else happens than the
verifier has thought of. A skill that failed, a verdict that was not exhaustive, or other rules than
those of the verdict end that; from then on the rest is verified before each call, from here, with
the time that the program was told and the random numbers that it draws.
Source: ProgPrompt (assertions).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.skill_call import SkillCall, clock_read, seeded
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
    str(phrase("told.no_verdict")),
)


class RunMonitor:
    """Watches one run.

    Args:
        source: the text of the program.
        verdict: that lets it run.
        seed: of its random numbers.
        verify_from: the verdict on the rest of a program after the calls that were made; None
            verifies nothing.

    Attributes:
        proven: nothing has happened yet that was in no world of the verdict.
    """

    def __init__(
        self, source: str, verdict: Verdict, seed: int, verify_from: VerifyFrom | None = None
    ) -> None:
        self.proven = verdict.exhaustive or verify_from is None
        self._source, self._seed, self._verify_from = source, seed, verify_from
        self._clock: dict[int, list[float]] = {}
        self._told: set[tuple[str, int]] = set()

    def clock_read(self, made: int, reading: float) -> None:
        """After `made` calls the program was told the time, s since the epoch."""
        self._clock.setdefault(made, []).append(reading)

    def has_told(self, code: str, line: int) -> bool:
        """Whether this hazard was told, and what `on_hazard` says was done about it."""
        return (code, line) in self._told

    def doubt(self, forget: bool = False) -> None:
        """What the verdict says may not hold any more: a call failed, or the rules changed.

        Args:
            forget: what was found under the old rules counts no more.
        """
        self.proven = self._verify_from is None
        if forget:
            self._told.clear()

    def hazard(self, calls: Sequence[SkillCall]) -> Hazard | None:
        """What could go wrong from here, told once; None when nothing can.

        That nobody knows is a hazard too.

        Args:
            calls: made so far, all of them ended.
        """
        if self._verify_from is None:
            return None
        verdict = self._verify_from(self._happened(calls), self._source)
        if verdict.status is Status.REJECTED and verdict.paths:
            found = [Hazard(v.code.value, v.message, v.line) for v in verdict.violations]
        elif verdict.accepted and verdict.paths:
            self.proven, found = verdict.exhaustive, []
        else:
            found = [NO_VERDICT]
        for hazard in found:
            key = (hazard.code, hazard.line)
            if key not in self._told:
                self._told.add(key)
                return hazard
        return None

    def _happened(self, calls: Sequence[SkillCall]) -> list[SkillCall]:
        """All that the program was given so far, in order."""
        happened = [seeded(self._seed)]
        for made, call in enumerate(calls):
            happened += [clock_read(self._clock[made])] if made in self._clock else []
            happened.append(call)
        rest = self._clock.get(len(calls))
        return [*happened, clock_read(rest)] if rest else happened
