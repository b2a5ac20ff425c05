"""Verifies a recorded program again: is it still accepted, and if not, what has changed?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any

from roboinstruct_ros.execute.run_setting import RunSetting
from roboinstruct_ros.trace.replay import CannotReplay
from roboinstruct_ros.trace.run_trace import RunTrace
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Verdict


class Cause(str, Enum):
    """The cause of a changed verdict, each tested with all previous changes applied."""

    VERIFIER = "the verifier"
    SKILLS = "the skills"
    MAP = "the map"
    POLICIES = "the policies"


@dataclass(frozen=True)
class Changed:
    """The recorded verdict, the current one, and the first change that explains it."""

    cause: Cause
    recorded: Verdict
    now: Verdict

    def __str__(self) -> str:
        return f"by {self.cause.value}: was {_told(self.recorded)} and is {_told(self.now)}"


def replay_verdict(
    trace: RunTrace, today: Mapping[str, Any] = MappingProxyType({})
) -> Changed | None:
    """Verify the program with the current verifier; None if the verdict is the recorded one.

    Args:
        today: current values of `RunSetting` fields; the others come from the recording.

    Raises:
        CannotReplay: the bag lacks the verdict or its setting.
    """
    if trace.setting is None or trace.verdict is None:
        raise CannotReplay(f"{trace.folder}: the bag does not hold the verdict and its rules")
    for cause, setting in _steps(trace.setting, trace.setting.model_copy(update=dict(today))):
        verdict = _judged(trace, setting)
        if (verdict.status, verdict.exhaustive) != (trace.verdict.status, trace.verdict.exhaustive):
            return Changed(cause, trace.verdict, verdict)
    return None


def _steps(then: RunSetting, today: RunSetting) -> list[tuple[Cause, RunSetting]]:
    steps = [(Cause.VERIFIER, then)]
    for cause, field in (
        (Cause.SKILLS, "domain"),
        (Cause.MAP, "semantic_map"),
        (Cause.POLICIES, "policies"),
    ):
        setting = steps[-1][1]
        if getattr(today, field) != getattr(setting, field):
            steps.append((cause, setting.model_copy(update={field: getattr(today, field)})))
    return steps


def _judged(trace: RunTrace, setting: RunSetting) -> Verdict:
    worker = VerifierWorker(setting.domain, setting.semantic_map, setting.policies)
    try:
        return worker.verify(trace.source, remains=setting.remains)
    finally:
        worker.close()


def _told(verdict: Verdict) -> str:
    if verdict.violations:
        first = verdict.violations[0]
        return f"{verdict.status.value} (line {first.line}: {first.message})"
    return f"{verdict.status.value}, {'no world' if verdict.exhaustive else 'worlds'} left out"
