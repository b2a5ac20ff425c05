"""Verdicts on programs that begin in the state that earlier runs have left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.verify.verdict import Verdict
from roboinstruct_ros.verify.world.remains import Remains, RobotPast


class Worker(Protocol):
    """Verifies programs in its own process, such as `CurrentRules`."""

    @property
    def rules_sha256(self) -> str:
        """Hash of the rules in force."""

    def verify_from(
        self, calls: Sequence[SkillCall], source: str, remains: Remains = ()
    ) -> Verdict:
        """The verdict on what is still possible after these calls."""

    def close(self) -> None:
        """End the process."""


class FromHere:
    """A verifier worker that takes into account what the robot's past has left."""

    def __init__(self, worker: Worker, past: RobotPast) -> None:
        self._worker = worker
        self._past = past

    @property
    def rules_sha256(self) -> str:
        """Hash of the rules in force; raises what the worker raises."""
        return self._worker.rules_sha256

    def verify(self, source: str) -> Verdict:
        """The verdict on a program that begins now."""
        return self._worker.verify_from((), source, remains=self._past.remains)

    def verify_from(self, calls: Sequence[SkillCall], source: str) -> Verdict:
        """The verdict on the rest of a program that has made these calls."""
        return self._worker.verify_from(calls, source, remains=self._past.remains)

    def close(self) -> None:
        """End the worker's process."""
        self._worker.close()
