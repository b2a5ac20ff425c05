"""Re-verifies the rest of a running program from what has really happened.

While everything that happens was in some world of an exhaustive verdict, that verdict holds. It no
longer does after a failed skill or a change of rules. From then on the rest of the program is
verified before each call, with the clock readings and the random seed that the program was given.
Source: ProgPrompt (assertions).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.skill_call import SkillCall, clock_read, seeded
from roboinstruct_ros.verify.verdict import Status, Verdict
from roboinstruct_ros.verify.world.remains import Remains

VerifyFrom = Callable[[Sequence[SkillCall], str, Remains], Verdict]
"""Verifies what is still possible in a program text after these calls.

The facts are those with which the run began.
"""


class OnHazard(str, Enum):
    """Reaction when the rest of a program could go wrong: WARN reports it, PAUSE holds the run
    until a person lets it continue, STOP ends it."""

    WARN = "warn"
    PAUSE = "pause"
    STOP = "stop"


@dataclass(frozen=True)
class Hazard:
    """Something that could go wrong from here.

    Attributes:
        code: violation code, or why the outcome is unknown.
        line: program line; 0 for none.
    """

    code: str
    message: str
    line: int = 0


NO_VERDICT = Hazard("not_verified", str(phrase("told.no_verdict")))


class RunMonitor:
    """Monitors one run.

    Args:
        verdict: the verdict that admitted the run.
        verify_rest: verifies the rest of the program; None verifies nothing.
        remains: facts with which the run began.

    Attributes:
        proven: everything so far is covered by an exhaustive verdict.
        told: code and line of the hazards that were reported, so that `on_hazard` has been applied
            to them.
    """

    def __init__(
        self,
        source: str,
        verdict: Verdict,
        seed: int,
        verify_rest: VerifyFrom | None,
        remains: Remains,
    ) -> None:
        self.proven = verdict.exhaustive or verify_rest is None
        self._source, self._seed = source, seed
        self._verify_rest, self._remains = verify_rest, remains
        self._clock: dict[int, list[float]] = {}
        self.told: set[tuple[str, int]] = set()

    def clock_read(self, made: int, reading: float) -> None:
        """Record that after `made` calls the program read this time (s since the epoch)."""
        self._clock.setdefault(made, []).append(reading)

    def doubt(self, forget: bool = False) -> None:
        """The verdict may no longer hold: a call failed or the rules changed.

        Args:
            forget: also forget the hazards reported under the old rules.
        """
        self.proven = self._verify_rest is None
        if forget:
            self.told.clear()

    def hazard(self, calls: Sequence[SkillCall]) -> Hazard | None:
        """A hazard not yet reported, or None.

        A rest of the program that cannot be decided is a hazard too.

        Args:
            calls: made so far, all of them ended.
        """
        if self._verify_rest is None:
            return None
        verdict = self._verify_rest(self._happened(calls), self._source, self._remains)
        if verdict.status is Status.REJECTED and verdict.paths:
            found = [Hazard(v.code.value, v.message, v.line) for v in verdict.violations]
        elif verdict.accepted and verdict.paths:
            self.proven, found = verdict.exhaustive, []
        else:
            found = [NO_VERDICT]
        new = next((one for one in found if (one.code, one.line) not in self.told), None)
        if new is not None:
            self.told.add((new.code, new.line))
        return new

    def _happened(self, calls: Sequence[SkillCall]) -> list[SkillCall]:
        """All inputs of the program in order: seed, clock readings, call results."""
        happened = [seeded(self._seed)]
        for made, call in enumerate(calls):
            happened += [clock_read(self._clock[made])] if made in self._clock else []
            happened.append(call)
        rest = self._clock.get(len(calls))
        return [*happened, clock_read(rest)] if rest else happened
