"""The verifier's result for exactly one program text."""

from __future__ import annotations

from enum import Enum

from pydantic import BaseModel, ConfigDict, computed_field

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.program.violation import Violation


class Status(str, Enum):
    """Outcome of a verification. UNDECIDED says nothing about the program, which must not run."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


class WarningCode(str, Enum):
    """Closed list of warnings, which do not reject a program."""

    UNREACHABLE_LINE = "unreachable_line"
    ENDS_HOLDING = "ends_holding"
    ANSWER_UNUSED = "answer_unused"
    MAY_WAIT_FOR_EVER = "may_wait_for_ever"
    WITHOUT_EFFECT = "without_effect"
    NEEDLESS_IMPORT = "needless_import"
    NOT_EXHAUSTIVE = "not_exhaustive"
    NOT_VERIFIED = "not_verified"
    OUT_OF_TIME = "out_of_time"


class Caution(BaseModel):
    """A warning, which does not reject the program.

    Attributes:
        line: 1-based; 0 if it concerns the program as a whole.
        message: plain English.
    """

    model_config = ConfigDict(frozen=True)
    code: WarningCode
    line: int = 0
    message: str

    def __str__(self) -> str:
        return self.message


class Assumption(BaseModel):
    """Something that a program needs but neither checks nor handles.

    Attributes:
        literal: predicate and entities. As a room, `here` is each room in which it is needed, and
            `start` the room where the task begins. The predicate `location` says that the room
            exists.
        line: 1-based, the first line that needs it; `lines` has all.
        clause: plain English: "a charger is in the library".
    """

    model_config = ConfigDict(frozen=True)
    literal: tuple[str, ...]
    line: int
    lines: tuple[int, ...]
    clause: str

    @computed_field  # type: ignore[prop-decorator]
    @property
    def message(self) -> str:
        """The sentence shown to a person."""
        return str(phrase("assumed.taken", why=self.clause))


class Coverage(BaseModel):
    """How much of the program the explored worlds reached.

    Attributes:
        lines_reached, lines: lines of statements inside functions.
        branches_reached, branches: outcomes of `if`, `while` and `for` (body entered, or not).
    """

    model_config = ConfigDict(frozen=True)
    lines_reached: int = 0
    lines: int = 0
    branches_reached: int = 0
    branches: int = 0


class Verdict(BaseModel):
    """Accepted, rejected or undecided, with the evidence.

    Attributes:
        program_sha256: hash of the verified text; the verdict holds for no other text.
        paths: number of explored worlds.
        exhaustive: no world was left out; waiting is assumed to be fair (see `docs/verifier.md`).
        duration: s.
        assumptions: what the program takes for granted, in program order.
        frontier: choices at which the budget of paths ended; None if nothing is left to try.
        rules_sha256: hash of the domain, map, policies and budget behind the verdict; empty if no
            `VerifierWorker` made it.
        behaviour: of an accepted program, equal for two programs that act alike in a few worlds;
            empty if it was not requested or calls were made before.
    """

    model_config = ConfigDict(frozen=True)
    status: Status
    program_sha256: str
    paths: int = 0
    exhaustive: bool = False
    coverage: Coverage = Coverage()
    duration: float = 0.0
    violations: tuple[Violation, ...] = ()
    warnings: tuple[Caution, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    frontier: tuple[int, ...] | None = None
    rules_sha256: str = ""
    behaviour: str = ""

    @property
    def accepted(self) -> bool:
        return self.status is Status.ACCEPTED

    @property
    def undecided_because(self) -> str:
        """Why the verifier came to no decision, in one sentence; empty if it did."""
        reasons = (WarningCode.OUT_OF_TIME, WarningCode.NOT_VERIFIED)
        told = (warning.message for warning in self.warnings if warning.code in reasons)
        return next(told, "") if self.status is Status.UNDECIDED else ""

    @property
    def why_not(self) -> str:
        """Why the program is not accepted: its first violation, or why there is no decision."""
        if not self.violations:
            return self.undecided_because or "The verifier came to no verdict."
        first = self.violations[0]
        return f"line {first.line}: {first.message}" if first.line else first.message
