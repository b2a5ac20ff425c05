"""Verdicts on programs that begin where earlier runs have ended."""

from __future__ import annotations

from collections.abc import Sequence

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.verify.remains import RobotPast
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.worker import VerifierWorker


class FromHere:
    """A verifier worker that is told what the robot's past has left."""

    def __init__(self, worker: VerifierWorker, past: RobotPast) -> None:
        self._worker = worker
        self._past = past

    def verify(self, source: str) -> Verdict:
        """The verdict on a program that begins now."""
        return self._worker.verify(source, remains=self._past.remains)

    def verify_from(self, calls: Sequence[SkillCall], source: str) -> Verdict:
        """The verdict on the rest of a program that has made these calls since it began."""
        return self._worker.verify_from(calls, source, remains=self._past.remains)

    def close(self) -> None:
        """End the worker's process."""
        self._worker.close()
