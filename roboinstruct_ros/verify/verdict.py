"""What the verifier found about exactly one program text."""

from __future__ import annotations

from enum import Enum

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.program.violation import Violation


class Status(str, Enum):
    """Outcome of a verification."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


class Verdict(BaseModel):
    """Accepted, rejected, or undecided, and what stands behind it.

    Attributes:
        program_sha256: hash of the text that was checked; the verdict holds for no other text.
        paths: worlds explored.
        exhaustive: no world was left out; waiting is judged as fair (see `docs/verifier.md`).
        duration: s.
        warnings: plain English; they do not reject.
    """

    model_config = ConfigDict(frozen=True)
    status: Status
    program_sha256: str
    paths: int = 0
    exhaustive: bool = False
    duration: float = 0.0
    violations: tuple[Violation, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        return self.status is Status.ACCEPTED
